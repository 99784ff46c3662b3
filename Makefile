# Everything a developer runs. Needs Python 3.11 or newer, a C++ compiler and make; the rest is installed into .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
BUNDLED := $(addprefix examples/data/, qrels.txt sprinter.run marathon.run plain.run)
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: env requirements demo test check tests bench native sanitize fuzz kills pyodide wheels wheels-test docs site peers statistics filtering readers reconcile judges whom teaching walk man browser latex postgres newsboat compilers torch integrations pins clean help

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*##/\1\t/p' Makefile | expand -t 12

env: $(STAMP)  ## .venv with the package and all that developing it needs

# uv installs the pinned packages in a third of pip's time.
$(VENV)/.requirements: requirements/dev.txt requirements/alone.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) uv==0.13.7
	$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes -r requirements/dev.txt
	$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes --no-deps -r requirements/alone.txt
	touch $@

requirements: $(VENV)/.requirements

$(STAMP): $(VENV)/.requirements pyproject.toml CMakeLists.txt $(wildcard native/*)
	$(PIP) --no-build-isolation --no-deps --editable .
	touch $@

native: $(STAMP)  ## the native core, built again where it changed

demo: env  ## the main job on the bundled data
	$(BIN)/gainful evaluate $(BUNDLED)
	@mkdir -p build
	$(BIN)/gainful report $(BUNDLED) -o build/report.html --overwrite

test: check tests  ## lint, types, import contract, tests, doctests, examples

check: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Which tests run together in one worker, so that what they share is made once, is said in tests/conftest.py.
tests: env
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

browser:  ## Debian's Chromium, in which the report is tested (needs root where it is not installed)
	command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium >/dev/null)

latex:  ## Debian's pdflatex, with which the tables for papers are tested (needs root where it is not installed)
	command -v pdflatex >/dev/null || (apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends texlive-latex-base texlive-latex-recommended >/dev/null)

# The last Pyodide for whose Python a NumPy is on npm; Pyodide's own packages are on a network of their own.
pyodide: build/pyodide/.installed  ## Pyodide, NumPy for it, Vega and the pure wheel, in build/pyodide, for the site's page that reports (needs npm)
build/pyodide/.fetched: requirements/dev.txt | $(STAMP)
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix build/pyodide \
	  pyodide@0.27.7 @emscripten-forge/numpy@2.0.1-py312h4e66579-0 vega@6.4.0 vega-lite@6.5.0 vega-embed@7.3.0
	rm -rf build/pyodide/wheels
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps \
	  --dest build/pyodide/wheels $$(grep -oE '^(click|jinja2|lazy-loader|markupsafe|packaging|rich)==[^ ;]+' requirements/dev.txt)
	touch $@
# Made again when the package changes, without a network: `make site` does so.
build/pyodide/.installed: build/pyodide/.fetched pyproject.toml $(shell find src -name '*.py') | $(STAMP)
	rm -f build/pyodide/wheels/gainful-*.whl
	GAINFUL_PURE=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
	  --wheel-dir build/pyodide/wheels .
	touch $@

wheels: env  ## the sdist, the pure wheel and a manylinux wheel for each CPython at hand, in dist/ (PYTHONS="3.11 3.13" for some)
	$(BIN)/python packaging/build_wheels.py dist $(or $(PYTHONS),3.11 3.12 3.13 3.14)

wheels-test: env  ## each wheel of dist/ in an empty environment without a compiler: the surface, to the last bit
	$(BIN)/python -m pytest -q -n0 tests/installing/test_wheels.py

postgres:  ## Debian's PostgreSQL, on which states are tested beside SQLite (needs root where it is not installed)
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || \
	  (apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null)

compilers:  ## Debian's clang, libc++ and MinGW, with which the core is compiled too (needs root where they are not installed)
	command -v clang++-16 >/dev/null && command -v x86_64-w64-mingw32-g++-posix >/dev/null || \
	  (apt-get update -qq && apt-get install -y -qq --no-install-recommends \
	    clang-16 libc++-16-dev libc++abi-16-dev libunwind-16-dev g++-mingw-w64-x86-64-posix >/dev/null)

newsboat:  ## Debian's newsboat, a feed reader with which the service is tested, and tmux (needs root where not installed)
	command -v newsboat >/dev/null && command -v tmux >/dev/null || \
	  (apt-get update -qq && apt-get install -y -qq --no-install-recommends newsboat tmux >/dev/null)

torch: $(VENV)/.requirements  ## PyTorch and Triton, with which arrays are tested beside NumPy, JAX and the strict namespace
	$(BIN)/python -c "import torch, triton" 2>/dev/null || $(PIP) --no-compile torch==2.13.0 triton==3.6.0

# A skipped test is a failure there. Warnings of other packages are theirs.
integrations: build/integrations/.installed  ## Gainful inside other tools, with the real packages, in an environment of their own
	GAINFUL_INTEGRATIONS=1 build/integrations/bin/python -m pytest -q -n0 -W default tests/integrations src/gainful/integrations

# PyTorch comes by pip, as in `make torch`.
build/integrations/.installed: requirements/integrations.txt requirements/dev.txt pyproject.toml CMakeLists.txt $(wildcard native/*) | env
	$(BIN)/uv venv --quiet --allow-existing build/integrations
	$(BIN)/python -m pip --python build/integrations/bin/python install --quiet --no-compile torch==2.13.0
	$(BIN)/uv pip install --quiet --system-certs --python build/integrations/bin/python --require-hashes -r requirements/dev.txt
	$(BIN)/uv pip install --quiet --system-certs --python build/integrations/bin/python -r requirements/integrations.txt
	$(BIN)/python -m pip --python build/integrations/bin/python install --quiet --disable-pip-version-check \
	  --no-build-isolation --no-deps -C build-dir=build/integrations/core --editable .
	touch $@

bench: .venv-bench/.installed  ## speed and memory against the peers, in one run (LARGE=1 adds the 2.5 GB file)
	.venv-bench/bin/python benchmarks/run.py $(if $(LARGE),--large)

# As users have it: a plain install, which starts faster than an editable one.
.venv-bench/.installed: requirements/dev.txt pyproject.toml CMakeLists.txt $(wildcard native/*) $(shell find src -name '*.py')
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.7
	.venv-bench/bin/uv pip install --quiet --system-certs --compile-bytecode --python .venv-bench/bin/python --require-hashes -r requirements/dev.txt
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall .
	touch $@

# The editable install would shadow the instrumented core, so this Python starts without site packages of its own (-S).
sanitize: env  ## the native core under address and undefined-behaviour sanitizers
	$(PIP) --no-build-isolation --no-deps --upgrade --target build/sanitize/site \
	  -C cmake.define.GAINFUL_SANITIZE=ON -C build-dir=build/sanitize/cmake .
	LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc GAINFUL_EXAMPLES=60 \
	  PYTHONPATH="build/sanitize/site:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	  $(BIN)/python -S -m pytest -q -n0 -p no:cacheprovider tests/core tests/filtering/test_sparse.py tests/filtering/test_highest_scores.py \
	  tests/programs tests/scores/test_repeated_calls.py

SECONDS ?= 600
SEED    ?= 1
CASES   ?= 1000000
fuzz: env  ## damaged inputs, and the same data in other forms, drawn from a SEED (ten minutes; SECONDS=60 is one)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --cases $(CASES) --seed $(SEED)

KILLS   ?= 100
kills: env  ## kill −9 of the service and of PostgreSQL, in turn, under fetching and clicking (minutes; KILLS=10 is fewer)
	$(BIN)/python -m benchmarks.kills $(KILLS)

docs: env  ## docs/measures.md, docs/dialects.md and the types of the measures anew from the measures themselves
	$(BIN)/python docs/make_measures.py
	$(BIN)/python docs/make_stubs.py
	$(BIN)/python docs/make_dialects.py

# Where Pyodide has been fetched, the site carries it, with Gainful as it is now.
site: env $(if $(wildcard build/pyodide/.installed),pyodide)  ## the documentation as a site, in build/site, with every link checked; it needs no network
	$(BIN)/python -m docs.website build/site

man: env  ## man pages from the commands, in build/man (man -M build/man gainful-gate)
	$(BIN)/python docs/make_man.py build/man

peers: build/peers/.installed  ## dialects against the tools themselves (TOOLS=rax for one, COUNT=20 for a quick look; an hour)
	$(BIN)/python benchmarks/peers.py build/peers/bin/python $(if $(COUNT),$(COUNT),--write 1000) $(TOOLS)

# PyTorch comes by pip, as in `make torch`; what changed is there twice, each older version in a folder of its own.
build/peers/.installed: benchmarks/peers.txt benchmarks/peers_alone.txt benchmarks/peers_old.txt | env
	$(BIN)/uv venv --quiet --allow-existing build/peers
	$(BIN)/python -m pip --python build/peers/bin/python install --quiet --no-compile torch==2.13.0
	$(BIN)/uv pip install --quiet --system-certs --python build/peers/bin/python -r benchmarks/peers.txt
	$(BIN)/uv pip install --quiet --system-certs --no-deps --python build/peers/bin/python -r benchmarks/peers_alone.txt
	for each in $$(grep -v '^#' benchmarks/peers_old.txt); do \
	  $(BIN)/uv pip install --quiet --system-certs --no-deps --python build/peers/bin/python --target build/peers/versions/$$each $$each || exit 1; \
	done
	touch $@

statistics: env  ## the tables of docs/statistics.md anew, by simulation (minutes)
	$(BIN)/python docs/make_statistics.py

filtering: env  ## the tables of docs/filtering.md anew, from ../shared/data (hours)
	$(BIN)/python docs/make_filtering.py

readers: env  ## the table of docs/readers.md anew, by simulation (minutes)
	$(BIN)/python docs/make_readers.py

reconcile: env  ## the figures of docs/reconcile.md anew, by simulation (minutes)
	$(BIN)/python docs/make_reconcile.py

judges: env  ## the table of docs/judges.md anew, by simulation (minutes)
	$(BIN)/python docs/make_judges.py

whom: env  ## the tables of docs/for_whom.md anew, by simulation (minutes)
	$(BIN)/python docs/make_for_whom.py

teaching: env  ## the pictures of docs/teaching.md and docs/filtering.md anew, by the commands that stand there
	$(BIN)/python docs/make_teaching.py

walk: env browser  ## the pictures of docs/service_walk.md anew, from the service in Chromium
	$(BIN)/python -m tests.service.walk docs/service

pins: env  ## requirements/dev.txt anew from requirements/dev.in
	$(BIN)/uv pip compile --system-certs --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --quiet --upgrade requirements/dev.in -o requirements/dev.txt

clean:  ## remove what was built
	rm -rf .venv* build
