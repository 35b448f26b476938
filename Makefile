# Everything a developer runs. The environment is made on first use and renewed when its
# ingredients change.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test bench docs shown vscode format clean

demo: $(READY)
	$(BIN)/flowlint check examples/ || test $$? -eq 1

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

bench: $(READY)
	$(BIN)/python tests/bench/run.py
	$(BIN)/python tests/bench/runtime.py
	$(BIN)/python tests/bench/keystrokes.py
	$(BIN)/python tests/bench/script_keystrokes.py

# The documentation as a site, in site/. Whatever links to nowhere is an error.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# What the documentation shows, written anew: pictures, and what commands print.
shown: $(READY)
	$(BIN)/python docs/generator/pictures.py
	$(BIN)/python tests/docs/console_blocks.py

# The extension for VS Code with the server in it, for this platform: editors/vscode/flowlint.vsix.
VSCODE_PLATFORM ?= linux-x64
vscode: $(READY)
	cd editors/vscode && npm ci --ignore-scripts --silent
	$(BIN)/python editors/vscode/scripts/bundle.py --platform $(VSCODE_PLATFORM)
	cd editors/vscode && npm run -s typecheck && npm test && npm run -s package -- --target $(VSCODE_PLATFORM) --out flowlint.vsix

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .bench site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .flowlint_cache

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
