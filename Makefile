# make demo and make test set up their own environment in .venv and need nothing but Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# What takes long runs in continuous integration; here it does not, so that the tests are run often.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup $(if $(CI),,-m "not slow")
comma := ,
TEST_EXTRAS := test$(if $(CI),$(comma)spark)  # Spark is large: its tests run in continuous integration, else they skip

.PHONY: demo studio test coverage fuzz lint format docs dist bench bench-quick reproduction clean

demo: $(VENV)/installed
	@$(BIN)/graphveil demo -o demo-output

studio: $(VENV)/installed-studio
	@$(BIN)/graphveil studio

test: $(VENV)/installed-test lint
	$(PYTEST)

# The same tests, with the floor of coverage that continuous integration asks for.
coverage: $(VENV)/installed-test lint
	$(PYTEST) --cov --cov-report=term:skip-covered

# Random exploration, with a new seed each time, which is printed: not part of `make test`.
fuzz: $(VENV)/installed-test
	HYPOTHESIS_PROFILE=explore $(PYTEST) -m "not slow and not spark and not browser"
	$(BIN)/python tests/fuzz_readers.py

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/installed-docs $(VENV)/installed-test
	$(BIN)/python -m sphinx -W --keep-going -b html docs build/docs
	$(BIN)/python -m pytest -q -n 0 --doctest-glob='*.md' docs/*.md docs/how-to docs/gallery docs/reference

dist: $(VENV)/installed-dist
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

bench: .bench-venv/installed
	.bench-venv/bin/python benchmarks/run.py

bench-quick: .bench-venv/installed
	.bench-venv/bin/python benchmarks/run.py --quick

# The page docs/reproduction.md; the paper's graphs are found through GRAPHVEIL_DATA.
reproduction: $(VENV)/installed
	$(BIN)/graphveil reproduce -o build/reproduction
	mkdir -p docs/figures
	cp build/reproduction/figures/*.svg docs/figures/
	cp build/reproduction/reproduction.md docs/

.bench-venv/installed: pyproject.toml
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test,bench]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "graphveil needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml
	@echo "Setting up $(VENV) (first time only) ..."
	$(PIP) -e .
	@touch $@

$(VENV)/installed-test: $(BIN)/python pyproject.toml
	@echo "Setting up $(VENV) for tests (first time only) ..."
	$(PIP) -e '.[$(strip $(TEST_EXTRAS))]'
	@touch $@ $(VENV)/installed

# One more extra in the same environment: installed-docs, installed-studio, installed-dist.
$(VENV)/installed-%: $(BIN)/python pyproject.toml
	@echo "Setting up $(VENV) for $* (first time only) ..."
	$(PIP) -e '.[$*]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage demo-output
