"""Files of data: JSON in its forms, and YAML."""

from __future__ import annotations

from flowlint.languages.places import Documents
from flowlint.suffixes import JSON_SUFFIXES, YAML_SUFFIXES


def read_data(path: str, data: bytes) -> Documents:
    """The documents of a file of data; none where its name tells of no language."""
    if path.endswith(JSON_SUFFIXES):
        from flowlint.languages.json.frontend import read_json

        return read_json(path, data)
    if path.endswith(YAML_SUFFIXES):
        from flowlint.languages.yaml.frontend import read_yaml

        return read_yaml(path, data)
    return Documents()
