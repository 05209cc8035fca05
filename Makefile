# Needs Python 3.11 or newer and make. Everything else is installed into .venv, from the hash-pinned
# files in requirements/; a stamp in .venv says which of them is in, so a second run installs nothing.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help site test gate serve dense fetch lint types bench-retrieve bench-ground bench-build fuzz lock clean

# Name a Python of your own with `make PYTHON=/path/to/python ...`.
PYTHON :=
PY := .venv/bin/python
FOREGONE := .venv/bin/foregone

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

site: .venv/.site fetch ## fetch the corpus and build the site into dist/
	$(FOREGONE) build

test: .venv/.test fetch lint types ## lint, types and every test
	$(PY) -m pytest

gate: site ## build the site, then check everything against what is committed
	$(FOREGONE) gate

serve: .venv/.site ## preview dist/ on localhost (PORT sets the port)
	$(FOREGONE) serve

fetch: .venv/.site
	$(FOREGONE) corpus fetch

dense: .venv/.dense ## install the embedder, which new text and new questions need

lint: .venv/.test ## check style and formatting
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: .venv/.test ## check types
	$(PY) -m mypy

bench-retrieve: .venv/.dense fetch ## time retrieval
	$(PY) -m foregone.bench.retrieve

bench-ground: .venv/.site fetch ## time grounding
	$(PY) -m foregone.bench.ground

bench-build: .venv/.site fetch ## time building the site, from nothing and again
	$(PY) -m foregone.bench.build

# Keeps what is pinned where pyproject.toml still allows it; UPGRADE=--upgrade takes the newest instead.
# --fork-strategy fewest: one version of a package for every Python and platform, so that all compute alike.
# Each file is whole by itself, and holds what the one before it holds.
UPGRADE :=
COMPILE = "$$uv" pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)
lock: .venv/.uv ## pin requirements/*.txt anew (UPGRADE=--upgrade for newest versions)
	@$(FIND_UV); set -x; \
	$(COMPILE) --group pyproject.toml:installer --output-file requirements/uv.txt && \
	$(COMPILE) pyproject.toml --group editable --output-file requirements/site.txt && \
	$(COMPILE) pyproject.toml --group editable --extra dense \
		--constraints requirements/site.txt --output-file requirements/dense.txt && \
	$(COMPILE) pyproject.toml --group editable --extra dense --extra api --group test \
		--constraints requirements/dense.txt --output-file requirements/test.txt

SECONDS := 120
fuzz: .venv/.test ## damage every input for SECONDS, and keep what breaks a loader as a seed
	PYTHONPATH=tests $(PY) tests/fuzz/loaders.py $(SECONDS)

clean: ## remove what was built; .venv, the fetched corpus, paid-for vectors and the spend ledger stay
	rm -rf dist .wheels .foregone/prompts .foregone/build.json .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find build site_templates tests -name __pycache__ -type d -prune -exec rm -rf {} +

FIND_UV = uv=$$(command -v uv || echo .venv/bin/uv)

# uv where it works, else pip: uv reads none of pip's settings, so a machine whose index or certificate
# stands only in those installs through pip. $(1) is what to install.
INSTALL = $(FIND_UV); \
	UV_SYSTEM_CERTS=1 "$$uv" pip install --quiet --python $(PY) $(1) || { \
		echo "make: uv could not install that (its reason is above); pip tries the same" >&2; \
		$(PY) -m pip --disable-pip-version-check install --quiet $(1); }

.venv/.python:
	@for python in $(if $(PYTHON),"$(PYTHON)",python3.11 python3 python3.12 python3.13 python3.14); do \
		if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "make: setting up .venv with $$("$$python" --version)" >&2; \
			"$$python" -m venv --clear .venv && touch $@; exit; \
		fi; \
	done; \
	echo "make: no Python 3.11 or newer that can make a virtual environment was found$(if $(PYTHON), at $(PYTHON))." >&2; \
	echo "make: install one (Debian: apt-get install python3-venv), or name one: make PYTHON=/path/to/python" >&2; \
	exit 1

.venv/.uv: requirements/uv.txt | .venv/.python
	@command -v uv >/dev/null || \
		$(PY) -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary uv -r $< || \
		echo "make: no uv for this machine" >&2
	@touch $@

.venv/.site: pyproject.toml requirements/site.txt .venv/.uv
	@echo "make: installing requirements/site.txt and foregone" >&2
	@$(call INSTALL,--require-hashes -r requirements/site.txt)
	@$(call INSTALL,--no-deps --no-build-isolation -e .)
	@touch $@

.venv/.dense .venv/.test: .venv/.%: requirements/%.txt .venv/.site
	@echo "make: installing $<" >&2
	@$(call INSTALL,--require-hashes -r $<)
	@touch $@
