"""What the main README tells of flowrt."""

from __future__ import annotations

import re
from pathlib import Path

from example_runs import EXAMPLES, ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_the_flow_shown_is_the_example() -> None:
    (shown,) = re.findall(r"^```python\n(from flowrt(?s:.*?))^```$", README, re.MULTILINE)
    assert (EXAMPLES / "start" / "review.py").read_text("utf-8").endswith(f'"""\n\n{shown}')


def test_files_that_are_pointed_at_are_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not Path(ROOT, link).exists()] == []
