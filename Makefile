# Every target prepares .venv by itself; only Python 3.11 or newer and make are needed.
PYTHON ?= python3
CORES  ?= $(shell nproc 2>/dev/null || echo 2)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RUN    := $(BIN)/python workflow/launch.py --cores $(CORES)
export PYTHONHASHSEED := 0

.PHONY: help install reproduce thesis cluster test test-all lint benchmark lock clean

help:
	@echo "make reproduce   every experiment at the quick scale: tables, figures, fidelity, report (in results/)"
	@echo "make thesis      the same at the documents' own numbers of data sets and trials"
	@echo "make cluster DATA=folder [K=5] [MEASURE=ssd,kl_ll] [NAME=mine]   your own recordings or tables;"
	@echo "                 also LABELS=file KIND=audio|table|npz|ts|parquet MISSING=interpolate SCALE=none STATES=4"
	@echo "make test        the tests; make test-all adds the long ones; make lint; make benchmark"
	@echo "make install     prepare .venv and nothing else"

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: $(PYTHON) is older than 3.11; call make with PYTHON=/path/to/a/newer/python3"; exit 1; }
	@echo "installing into $(VENV) (about a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

install: $(STAMP)

reproduce: install
	@$(RUN) --scale quick

thesis: install
	@$(RUN) --scale thesis

# Values reach the script through the environment, so that blanks and accents in a path survive. Only what stands on
# the command line counts: NAME and K may well be in somebody's environment.
WORDS := DATA K MEASURE NAME LABELS KIND MISSING SCALE STATES
given = $(if $(filter command,$(origin $(1))),--set $(1)="$$$(1)")
cluster: install
	@$(RUN) --own $(foreach word,$(WORDS),$(call given,$(word)))

test: install
	@$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadgroup

test-all: install
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

lint: install
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/snakefmt --check Snakefile workflow
	@$(BIN)/snakemake --lint --snakefile Snakefile
	@$(BIN)/snakemake --lint --snakefile workflow/Snakefile

benchmark: install
	@OMP_NUM_THREADS=1 PYTHONPATH=workflow $(BIN)/python benchmarks/run.py

lock: $(STAMP)
	@$(BIN)/python -m pip install --quiet pip-tools
	@$(BIN)/pip-compile --quiet --generate-hashes --no-header --no-annotate --no-emit-index-url \
	  --no-emit-trusted-host --no-emit-find-links --strip-extras --allow-unsafe --all-extras --output-file requirements.lock pyproject.toml

clean:
	@rm -rf $(VENV) .snakemake results/* && touch results/.gitkeep
