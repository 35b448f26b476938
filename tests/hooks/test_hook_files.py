"""Which files the hooks are run for: those that flowlint takes by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from flowlint.suffixes import SUFFIXES

MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
PATTERNS = [hook["files"] for hook in yaml.safe_load(MANIFEST.read_text()) if "files" in hook]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_hooks_get_the_files_that_are_taken(pattern: str) -> None:
    assert [end for end in SUFFIXES if not re.search(pattern, f"folder/name{end}")] == []
    others = ["README.md", "a.txt", "json", "ts", "a.jsx.snap", "a.mtsx", "a.ipynb.bak"]
    assert [name for name in others if re.search(pattern, name)] == []
    assert len(PATTERNS) == 2
