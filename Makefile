# make play   set up and start the program        make test   set up and run the test suite
# make full   the deep tests                      make wheel  build, install and try the package
# make bench  speed, as ratios                    make lock   refresh the exact versions
# make docs   the documentation as a site         make notebooks   run the examples and write their output

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
CORES := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')

.PHONY: play test checked full wheel bench lint format lock docs notebooks snapshots clean postgresql chromium
.DEFAULT_GOAL := play

play: $(VENV)/ready
	@$(BIN)/plyground web

# A file is tested by one worker: what its tests compile or measure is needed only once.
WORKERS := -n $(CORES) --dist loadfile --no-loadscope-reorder

# What failed is run once more, alone: a busy machine is told from a fault.
test: lint postgresql chromium
	@$(BIN)/pytest $(WORKERS); status=$$?; \
	  if [ $$status = 1 ]; then $(BIN)/python tests/again.py; else exit $$status; fi

full: checked postgresql chromium
	$(BIN)/pytest $(WORKERS) -m "full or hypothesis" --hypothesis-profile exploring

checked: $(VENV)/ready-to-develop
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n $(CORES) tests/contracts
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(CORES) tests/contracts tests/games/test_double_card.py -k "not compiled"

# The store is tested with a real server; Debian's package is installed where there is none.
postgresql:
	@command -v initdb > /dev/null || ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 \
	  || { echo "Installing PostgreSQL for the tests ..."; \
	       SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	       $$SUDO apt-get -qq update && $$SUDO apt-get -qq install -y postgresql > /dev/null; } \
	  || { echo "The tests need PostgreSQL; on Debian: apt-get install postgresql"; exit 1; }

# Pages are tested in a real browser.
chromium:
	@command -v chromium > /dev/null || command -v chromium-browser > /dev/null \
	  || command -v google-chrome > /dev/null \
	  || { echo "Installing Chromium for the tests ..."; \
	       SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	       $$SUDO apt-get -qq update && $$SUDO apt-get -qq install -y chromium > /dev/null; } \
	  || { echo "The tests need Chromium; on Debian: apt-get install chromium"; exit 1; }

lint: $(VENV)/ready-to-develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/ready-to-develop
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(VENV)/ready-to-develop
	rm -rf dist $(VENV)/fresh
	$(BIN)/python -m build --wheel --no-isolation --outdir dist
	$(PYTHON) -m venv $(VENV)/fresh
	$(VENV)/fresh/bin/python -m pip --quiet --disable-pip-version-check install -c requirements.lock dist/*.whl
	cd $(VENV)/fresh && bin/plyground perft tictactoe --depth 9 --json | grep '"leaves": 255168'
	cd $(VENV)/fresh && bin/python -c "import plyground as pg; print(pg.Position('connect4', '4 4').search('mtdf', depth=4))"
	cd $(VENV)/fresh && bin/plyground play connect4 --first random --second random --seed 1 > /dev/null
	cd $(VENV)/fresh && bin/plyground docs formats | grep --quiet WTHOR
	cd $(VENV)/fresh && bin/plyground lab report family --out tried/lab > /dev/null
	cd $(VENV)/fresh && bin/plyground examples hexapawn --to tried && bin/plyground check tried/hexapawn.py
	cd $(VENV)/fresh && bin/python $(CURDIR)/tests/wheel_web.py bin/plyground

bench: $(VENV)/ready-to-develop
	$(BIN)/python bench/front_door.py
	$(BIN)/python bench/extending.py
	$(BIN)/python bench/sight.py
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/search.py
	$(BIN)/python bench/learning.py
	$(BIN)/python bench/interrupts.py
	$(BIN)/python bench/connect_four.py
	$(BIN)/python bench/othello_endgame.py
	$(BIN)/python bench/matches.py
	$(BIN)/python bench/formats.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/tree.py
	$(BIN)/python bench/web.py --minutes 1

lock: $(VENV)/ready-to-develop
	$(PIP) freeze --exclude-editable | grep -i '^[a-z0-9_.-]*==' > requirements.lock

# Built from docs/ and the code, without any network; opened as a folder, or put on any server.
docs: $(VENV)/ready-to-develop
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The documentation is in site/: open site/index.html"

notebooks: $(VENV)/ready-to-develop
	$(BIN)/python tests/notebook_tools.py examples/*.ipynb

snapshots: $(VENV)/ready-to-develop
	PYTHONPATH=tests $(BIN)/python tests/test_playthroughs.py

clean:
	rm -rf $(VENV) dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Plyground needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up in $(VENV), the first time only ..."
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "This Python has no venv module; on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/ready: $(VENV)/bin/python pyproject.toml requirements.lock
	@$(PIP) install -c requirements.lock -e .
	@touch $@

$(VENV)/ready-to-develop: $(VENV)/bin/python pyproject.toml requirements.lock
	@$(PIP) install -c requirements.lock -e '.[dev]'
	@touch $(VENV)/ready $@
