# graphveil as an image: not root, kernels compiled at build time. See docs/how-to/run-anywhere.md.
#   docker build -t graphveil .
#   docker run --rm -v "$PWD:/data" graphveil audit friends.csv
#   docker run --rm -v "$PWD:/data" --network host graphveil studio --no-browser --port 8765 friends.csv
# The studio listens on the loopback address only, so it shares the network of the host.
FROM python:3.12-slim-bookworm AS wheel
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY tools/metadata.py tools/
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim-bookworm
ARG EXTRAS=studio
ARG JAVA=
RUN if [ -n "$JAVA" ]; then apt-get update && apt-get install -y --no-install-recommends "$JAVA" && rm -rf /var/lib/apt/lists/*; fi
RUN useradd --create-home --uid 1000 graphveil
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[$EXTRAS]" && rm -r /wheels
USER graphveil
ENV NUMBA_CACHE_DIR=/home/graphveil/.cache/numba
RUN graphveil compile
WORKDIR /data
ENTRYPOINT ["graphveil"]
CMD ["--help"]
