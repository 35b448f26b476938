"""Which files are read as what, by the endings of their names.

This module imports nothing: files are sifted before anything else is needed.
"""

JSON_SUFFIXES = (".json", ".jsonc", ".json5")
"""Endings of files of JSON and of what allows more than it."""

YAML_SUFFIXES = (".yaml", ".yml")
"""Endings of files of YAML."""

DATA_SUFFIXES = (*JSON_SUFFIXES, *YAML_SUFFIXES)
"""Endings of files of data."""

SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
"""Endings of files of TypeScript and JavaScript."""

FLOW_SUFFIXES = (".flow.ts", ".flow.mts", ".flow.cts", ".flow.js", ".flow.mjs", ".flow.cjs")
"""Endings of scripts whose names say that they hold a flow."""

DATA_FLOW_SUFFIXES = (".flow.json", ".flow.jsonc", ".flow.json5", ".flow.yaml", ".flow.yml")
"""Endings of files of data whose names say that they hold a flow."""

DECLARATION_SUFFIXES = (".d.ts", ".d.mts", ".d.cts")
"""Endings of files that only declare types and never hold a flow."""

SUFFIXES = (".py", ".ipynb", *DATA_SUFFIXES, *SCRIPT_SUFFIXES)
"""Endings of the files that are taken when nobody says which."""
