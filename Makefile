# make demo and make test set up their own environment in .venv and need nothing but Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint format bench bench-quick reproduction clean

demo: $(VENV)/installed
	@$(BIN)/graphveil demo -o demo-output

test: $(VENV)/installed-test lint
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

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
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-test: $(BIN)/python pyproject.toml
	@echo "Setting up $(VENV) for tests (first time only) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output
