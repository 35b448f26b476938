"""The pictures are drawn from what the program prints."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    path = ROOT / "docs" / "generator" / "pictures.py"
    spec = importlib.util.spec_from_file_location("documentation_pictures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_they_are_up_to_date(drawing: ModuleType) -> None:
    """They are drawn anew by `make shown`."""
    drawn = drawing.pictures()
    kept = {path.name: path.read_text("utf-8") for path in drawing.IMAGES.glob("*.svg")}
    assert kept == drawn
    for name in drawn:
        assert f"docs/images/{name}" in README


def test_a_terminal_is_drawn_as_it_is(drawing: ModuleType) -> None:
    long = "word " * 40
    picture = drawing.terminal(f"\x1b[1;31merror\x1b[0m <&> x\n\n  {long}\n")
    texts = [element for element in ElementTree.fromstring(picture) if element.tag.endswith("text")]
    shown = ["".join(element.itertext()) for element in texts]
    assert shown[0] == "error <&> x"
    assert " ".join(shown[1:]).split() == long.split()
    assert all(len(line) <= 112 for line in shown)
    first, second = texts[0]
    assert (first.attrib["font-weight"], first.text) == ("bold", "error")
    assert "fill" in first.attrib["style"]
    assert second.attrib == {}
