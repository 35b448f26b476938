"""What files would give if some of them had other texts; nothing that is known changes."""

from __future__ import annotations

from collections.abc import Mapping

from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.versions import ProjectVersions
from flowls.session.files import OpenFiles
from flowls.session.session import Session


class _OtherFiles:
    def __init__(self, files: OpenFiles, texts: Mapping[str, bytes]) -> None:
        self._files = files
        self._texts = texts

    def read(self, path: str) -> bytes:
        found = self._texts.get(path)
        return self._files.read(path) if found is None else found

    def is_file(self, path: str) -> bool:
        return path in self._texts or self._files.is_file(path)

    def is_dir(self, path: str) -> bool:
        return self._files.is_dir(path)


def tried(session: Session, path: str, texts: Mapping[str, bytes]) -> FileResult:
    """What a file gives while these texts are in the place of others. Raises OSError."""
    files = _OtherFiles(session.files, texts)
    stated = session.configuration(path).of_file(path).versions
    versions = ProjectVersions(files, stated)
    root, systems = session.root_of(path), session.systems_of(path)
    return analyse_file(path, files, root, versions, session.options_of, systems=systems)
