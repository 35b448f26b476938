"""A tree of Python files as large projects have it: the standard library, over and over."""

from __future__ import annotations

import sysconfig
from itertools import count
from pathlib import Path

from flowlint.project.discovery import EXCLUDED

FILES = 10_000
FLOW_FILES = 20
EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = ("hydraflow", "langgraph")


def make_tree(root: Path) -> tuple[int, int]:
    """Fill `root` and give the number of files and their bytes. The same tree every time."""
    _write(root / "pyproject.toml", b"")
    library = Path(sysconfig.get_path("stdlib"))
    sources = sorted(
        path.relative_to(library)
        for path in library.rglob("*.py")
        if not (EXCLUDED | {"test", "tests", "lib2to3"}) & set(path.relative_to(library).parts)
    )
    texts = [(library / source).read_bytes() for source in sources]
    files = size = 0
    for copy in count():
        for source, text in zip(sources, texts, strict=True):
            if files == FILES - FLOW_FILES:
                size += _add_flows(root)
                return FILES, size
            data = text + f"\nCOPY = {copy}\n".encode()
            _write(root / f"package_{copy}" / source, data)
            files += 1
            size += len(data)
    raise AssertionError("count() never ends")


def flow_sources() -> list[str]:
    """The texts of the examples that are one flow module each."""
    paths = (path for system in SYSTEMS for path in sorted((EXAMPLES / system).glob("*.py")))
    return [path.read_text("utf-8") for path in paths]


def _add_flows(root: Path) -> int:
    texts = flow_sources()
    size = 0
    for number in range(FLOW_FILES):
        data = f"{texts[number % len(texts)]}\nCOPY = {number}\n".encode()
        _write(root / f"agents_{number % 10}" / f"flow_{number}.py", data)
        size += len(data)
    return size


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
