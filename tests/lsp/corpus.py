"""Flow modules as they are found in the wild: the examples, and the cases of all rules."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from rules.markdown_cases import cases

from flowlint.suffixes import SUFFIXES

ROOT = Path(__file__).parents[2]
_PROJECTS = ("acpx", "hydraflow", "langgraph", "flowrt", "objectstack", "plugin")
_CACHES = shutil.ignore_patterns(".flowlint_cache", "__pycache__", "*.toml")


@dataclass(frozen=True)
class Project:
    """A folder with flows that know nothing of other folders."""

    folder: Path

    @property
    def files(self) -> list[Path]:
        """All its files that may hold flows."""
        return sorted(path for path in self.folder.rglob("*") if path.suffix in SUFFIXES)


def projects(folder: Path) -> list[Project]:
    """All of them, laid out under a folder."""
    found: list[Project] = []
    for name in _PROJECTS:
        shutil.copytree(ROOT / "examples" / name, folder / f"example_{name}", ignore=_CACHES)
        found.append(_project(folder / f"example_{name}"))
    for path in sorted((ROOT / "tests" / "rules").glob("*/*.md")):
        for case in cases(path):
            home = folder / f"{path.stem}_{case.line}"
            for name, text in case.files().items():
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_text(text)
            found.append(_project(home))
    return found


def laid_out(folder: Path) -> list[Project]:
    """Those that lie under a folder."""
    return [Project(path.parent) for path in sorted(folder.glob("*/flowlint.toml"))]


def _project(folder: Path) -> Project:
    (folder / "flowlint.toml").touch()
    return Project(folder)
