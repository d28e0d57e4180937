# Two commands do all the set-up: `make demo` shows the main job, `make test` passes the tests.
# Every target makes and uses its own virtual environment; python3 with venv, and make, are all that is assumed.

VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# A fifth of pip's time. Where it does not find the index that pip was told of, pip installs.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
DATA ?= ../shared/data
# Processes of the tests; most tests that start processes of their own wait.
WORKERS ?= 4
# Hundreds of processes start in a run: what Python compiles is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test lint types imports check page-test fuzz bench growth search soak matrix adk doors machines mem0 schema \
	client client-test lock clean

$(READY): requirements/dev.lock pyproject.toml
	python3 -m venv $(VENV)
	($(PIP) uv && $(UV) -r requirements/dev.lock) || $(PIP) -r requirements/dev.lock
	$(PIP) --no-deps --editable .
	touch $(READY)

demo: $(READY)  ## the main job on the packaged conversation, or on DEMO_FILE=
	$(BIN)/precis demo $(if $(DEMO_FILE),--file "$(DEMO_FILE)")

test: $(READY)  ## every test but the long ones
	$(BIN)/python -m pytest -q -m "not soak" -n $(WORKERS) --dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python scripts/lint_sql.py

# Each conftest has a name of its own there, since one run takes no two modules of one name.
CONFTESTS := build/conftests
types: $(READY)  ## of the package and its tests
	rm -rf $(CONFTESTS) && mkdir -p $(CONFTESTS)
	for folder in $(notdir $(patsubst %/,%,$(dir $(wildcard tests/*/conftest.py)))); do \
		ln -s "$(CURDIR)/tests/$$folder/conftest.py" "$(CONFTESTS)/conftest_of_$$folder.py" || exit 1; done
	$(BIN)/mypy src tests $(CONFTESTS)/*.py

imports: $(READY)  ## the dependency rule
	$(BIN)/lint-imports

check: lint types imports test

CHROMIUM ?= /usr/bin/chromium
# Where the pictures of the docs are written, if anywhere: PAGE_SHOTS=docs/images.
PAGE_SHOTS ?=
page-test: $(READY)  ## every part and flow of the page in a browser; node and npm are assumed, chromium is fetched by apt
	test -x "$(CHROMIUM)" || (apt-get update && apt-get install -y --no-install-recommends chromium)
	npm ci --silent --prefix tests/page
	CHROMIUM="$(CHROMIUM)" PAGE_SHOTS="$(PAGE_SHOTS)" $(BIN)/python tests/page/serve.py node tests/page/flows.mjs

growth: $(READY)  ## how time, tokens and bytes grow: draws docs/reference/performance.md anew, in some fifteen minutes
	$(BIN)/python benchmarks/growth.py --draw

bench: $(READY)  ## the figures of the docs; DATA= names the evaluation data
	$(BIN)/python benchmarks/refresh.py
	$(BIN)/python benchmarks/levels.py --data $(DATA)
	$(BIN)/python benchmarks/deletion_probes.py --data $(DATA)
	$(BIN)/python benchmarks/recall.py --data $(DATA)
	$(BIN)/python benchmarks/relevance.py --data $(DATA)
	$(BIN)/python benchmarks/dates.py --phrases
	$(BIN)/python benchmarks/dates.py --blind
	$(BIN)/python benchmarks/retention.py --data $(DATA)
	$(BIN)/python benchmarks/readability.py --data $(DATA)
	$(BIN)/python benchmarks/trifles.py --data $(DATA)
	$(BIN)/python benchmarks/told_apart.py
	$(BIN)/python benchmarks/facts.py
	$(BIN)/python benchmarks/extensions.py --data $(DATA)
	$(BIN)/python benchmarks/coverage.py
	$(BIN)/python benchmarks/rouge.py --data $(DATA)
	$(BIN)/python benchmarks/newest.py --data $(DATA)
	$(BIN)/python benchmarks/forget/forget_beside.py
	$(BIN)/python benchmarks/forget/forget_stores.py
	$(BIN)/python benchmarks/forget/forget_threads.py
	$(BIN)/python benchmarks/forget/forget_generated.py --every 5
	$(BIN)/python benchmarks/precision.py
	$(BIN)/python benchmarks/precision.py --set second
	$(BIN)/python benchmarks/precision.py --set second --talk
	$(BIN)/python benchmarks/asked_of.py
	$(BIN)/python benchmarks/changed_values.py
	$(BIN)/python benchmarks/changing_chats.py --demo
	$(BIN)/python benchmarks/replaced_values.py
	$(BIN)/python benchmarks/updates.py
	$(BIN)/python benchmarks/threads.py
	$(BIN)/python benchmarks/values_and_lists.py --data $(DATA)
	$(BIN)/python benchmarks/factuality.py --data $(DATA)
	$(BIN)/python benchmarks/tokens.py --data $(DATA)
	$(BIN)/python benchmarks/embeddings.py --data $(DATA)
	$(BIN)/python benchmarks/replay.py --data $(DATA)
	$(BIN)/python benchmarks/context.py --data $(DATA)
	$(BIN)/python benchmarks/languages.py --data $(DATA)
	$(BIN)/python benchmarks/views.py
	$(BIN)/python benchmarks/fairness.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/peers.py --rows 10000 --users 10
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/neighbors.py --data $(DATA)

fuzz: $(READY)  ## every check of schemathesis against a real server, without keys and with them
	$(BIN)/python scripts/fuzz.py

soak: $(READY)  ## kills and races, the full number
	EXAMPLES=others $(BIN)/python -m pytest -q -m soak

search: $(READY)  ## other examples than those of `make test` for what holds of every text and history, and many more
	EXAMPLES=search $(BIN)/python -m pytest -q -m "not soak" -n 2 tests/properties

MATRIX_WORKERS ?= 1
matrix: $(READY)  ## the tests in every Python from 3.11 to 3.13 and PostgreSQL from 15 to 18 that is on this computer
	$(BIN)/python scripts/matrix.py --workers $(MATRIX_WORKERS)

adk:  ## the memory of Google's ADK against precis, in an environment of its own
	python3 -m venv $(VENV)-adk
	$(VENV)-adk/bin/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(VENV)-adk/bin/python -m pip install --quiet --editable . --group adk
	$(VENV)-adk/bin/python scripts/try_adk.py

mem0:  ## a mem0 store moved into precis, in an environment of its own
	python3 -m venv $(VENV)-mem0
	$(VENV)-mem0/bin/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(VENV)-mem0/bin/python -m pip install --quiet --editable . --group mem0
	$(VENV)-mem0/bin/python scripts/try_mem0.py

doors:  ## the doors of agent frameworks with the real packages, in an environment of their own
	python3 -m venv $(VENV)-doors
	$(VENV)-doors/bin/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(VENV)-doors/bin/python -m pip install --quiet --editable . --group doors
	$(VENV)-doors/bin/mypy tests/frameworks
	$(VENV)-doors/bin/python -m pytest -q -W default tests/frameworks

machines:  ## S3, KMS and Vault over their own clients, in an environment of its own
	python3 -m venv $(VENV)-machines
	$(VENV)-machines/bin/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(VENV)-machines/bin/python -m pip install --quiet --editable . --group machines
	$(VENV)-machines/bin/python -m pytest -q tests/machines

schema: $(READY)  ## write src/precis/store/schema.sql from the migrations, for readers
	$(BIN)/python scripts/write_schema.py

TYPESCRIPT := clients/typescript

$(TYPESCRIPT)/node_modules: $(TYPESCRIPT)/package-lock.json
	cd $(TYPESCRIPT) && npm ci --no-audit --no-fund
	touch $@

client: $(READY) $(TYPESCRIPT)/node_modules  ## write both clients anew from the API; needs node 20
	$(BIN)/python scripts/write_clients.py
	cd $(TYPESCRIPT) && npm run --silent generate

client-test: $(READY) $(TYPESCRIPT)/node_modules  ## the TypeScript client against a server
	cd $(TYPESCRIPT) && PRECIS=$(abspath $(BIN))/precis npm run --silent test

lock: $(READY)  ## resolve the dependencies anew
	$(PIP) uv
	$(BIN)/uv pip compile pyproject.toml --group dev -o requirements/dev.lock --no-header --no-annotate --upgrade

clean:
	rm -rf $(VENV) .demo build dist $(TYPESCRIPT)/dist $(TYPESCRIPT)/node_modules
