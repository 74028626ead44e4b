# `make` lists the targets. Each makes its own environment when it is missing and finds it when it is there.
# pip's environment variables (PIP_INDEX_URL and the like) are honoured. Another interpreter: make PYTHON=python3.12
PYTHON ?= python3
BIN := .venv/bin
SETUP := .venv/.installed
LOWEST_BIN := .venv-lowest/bin
LOWEST_SETUP := .venv-lowest/.installed
SIDE_BY_SIDE := --numprocesses=auto --maxprocesses=8 --dist=loadfile
.DEFAULT_GOAL := help
.PHONY: help quickstart test check test-lowest bench

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

quickstart: $(SETUP) ## train an agent by self-play for about 3 minutes, then rate it in the arena
	$(BIN)/bearenvs quickstart

# A process for each core, and 8 at most. What measures time comes after, alone.
test: $(SETUP) ## run the tests; pytest's options go in ARGS: make test ARGS="-k honey_wars -x"
	$(BIN)/pytest $(SIDE_BY_SIDE) --timed=not $(ARGS)
	$(BIN)/pytest --timed=only $(ARGS)

check: $(SETUP) ## lint, format, strict types, and the examples in README and docstrings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --doctest-modules --doctest-glob=README.md README.md bearenvs agents/bearagents

# The tests of what touches other libraries. Python 3.13 is younger than some of the releases.
LOWEST_TESTS := $(addprefix tests/test_,env.py gym.py batch.py playthrough.py saves.py kernel.py rng.py)
test-lowest: $(LOWEST_SETUP) ## run the environments' tests on the oldest releases that pyproject.toml admits
	NUMBA_CACHE_DIR=.venv-lowest/cache $(LOWEST_BIN)/pytest $(SIDE_BY_SIDE) $(LOWEST_TESTS) $(ARGS)

# The peers' environments are made by the run itself, in .venv-bench. On a part of the machine: taskset -c 0 make bench
bench: $(SETUP) ## measure this library and its peers, about 10 minutes; a short run: make bench ARGS=--quick
	$(BIN)/python -m benchmarks $(ARGS)

# hatchling comes first and builds in place: an isolated build would fetch whichever version is newest.
$(SETUP): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --constraint constraints.txt hatchling editables
	$(BIN)/python -m pip install --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

$(LOWEST_SETUP): pyproject.toml | $(LOWEST_BIN)/python
	$(LOWEST_BIN)/python -c 'import tomllib; \
	  project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  bounds = project["dependencies"] + project["optional-dependencies"]["arena"]; \
	  print("\n".join(bounds).replace(">=", "=="))' > .venv-lowest/constraints.txt
	$(LOWEST_BIN)/python -m pip install --constraint .venv-lowest/constraints.txt \
	  hatchling editables pytest pytest-xdist hypothesis packaging
	$(LOWEST_BIN)/python -m pip install --constraint .venv-lowest/constraints.txt \
	  --no-build-isolation --editable '.[arena,render]'
	@touch $@

$(BIN)/python $(LOWEST_BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "error: bearenvs needs Python 3.11, 3.12 or 3.13, and '$(PYTHON)' is not one." >&2; \
	  echo "       Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "error: '$(PYTHON)' cannot make virtual environments: its ensurepip module is missing." >&2; \
	  echo "       On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(@:/bin/python=)
