"""The flows of AI-Parrot itself: their graphs as recorded, and what is told of them.

FLOWLINT_CHECKOUTS names the folder with phenobarbital+ai-parrot.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from support import PROGRAM

Told = Counter[tuple[str, int, str, str]]


def expected() -> Told:
    """What the document beside this file says."""
    found: Told = Counter()
    path = ""
    for line in Path(__file__).with_name("public_findings.txt").read_text().splitlines():
        if line.startswith("## "):
            path = line[3:]
        elif told := re.fullmatch(r"\* (\d+) (error|warning) ([\w-]+)", line):
            found[path, int(told[1]), told[2], told[3]] += 1
    return found


def test_every_error_and_warning_is_known() -> None:
    checkouts = os.environ.get("FLOWLINT_CHECKOUTS")
    folder = Path(checkouts or "") / "phenobarbital+ai-parrot"
    if not checkouts or not folder.is_dir():
        pytest.skip("FLOWLINT_CHECKOUTS names no folder with phenobarbital+ai-parrot")
    done = subprocess.run(
        [PROGRAM, "check", ".", "--isolated", "--output-format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    told = Counter(
        (one["path"], one["range"]["start"]["line"], one["severity"], one["name"])
        for one in json.loads(done.stdout)
        if one["severity"] != "info"
    )
    assert told == expected()
