"""All that an answer rests on: what was asked of the project while it was found."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from flowlint.dialects.surroundings import Version
from flowlint.findings.model import digest_of
from flowlint.pipeline import OptionsOf, Versions
from flowlint.rules.options import StatedOptions
from flowlint.source import Files


@dataclass(slots=True)
class Observations:
    """Questions with their answers. Paths are those that were asked for.

    `reads` hold the digests of contents, None for what cannot be read, `options` what is stated
    for rules, as text. `is_steady` is false when a question got several answers, so that nothing
    rests on them.
    """

    reads: dict[str, str | None] = field(default_factory=dict)
    are_files: dict[str, bool] = field(default_factory=dict)
    are_folders: dict[str, bool] = field(default_factory=dict)
    versions: dict[str, Version | None] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    is_steady: bool = True


class ObservedFiles:
    """Files that note what is asked of them."""

    def __init__(self, files: Files, seen: Observations) -> None:
        self._files = files
        self._seen = seen

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""
        digest: str | None = None
        try:
            data = self._files.read(path)
            digest = digest_of(data)
        finally:
            if self._seen.reads.setdefault(path, digest) != digest:
                self._seen.is_steady = False
        return data

    def is_file(self, path: str) -> bool:
        """Whether `path` is a file that can be asked for."""
        found = self._files.is_file(path)
        if self._seen.are_files.setdefault(path, found) != found:
            self._seen.is_steady = False
        return found

    def is_dir(self, path: str) -> bool:
        """Whether `path` is a folder."""
        found = self._files.is_dir(path)
        if self._seen.are_folders.setdefault(path, found) != found:
            self._seen.is_steady = False
        return found


class ObservedVersions:
    """Versions that note what is asked of them."""

    def __init__(self, versions: Versions, seen: Observations) -> None:
        self._versions = versions
        self._seen = seen

    def of(self, name: str, path: str, root: str) -> Version | None:
        """The version that the module at `path` uses; None: it cannot be told, or any will do."""
        found = self._versions.of(name, path, root)
        self._seen.versions[name] = found
        return found


def observed_options(options_of: OptionsOf, seen: Observations) -> OptionsOf:
    """The same, noting what is asked."""

    def of(path: str) -> StatedOptions:
        found = options_of(path)
        seen.options[path] = _text_of(found)
        return found

    return of


def _text_of(options: StatedOptions) -> str:
    return json.dumps(options, sort_keys=True) if options else ""


class Verifier:
    """Asks again what was asked, each thing once in a run."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._digests: dict[str, str | None] = {}
        self._are_files: dict[str, bool] = {}
        self._are_folders: dict[str, bool] = {}

    def holds(
        self,
        seen: Observations,
        path: str,
        root: str,
        versions: Versions,
        options_of: OptionsOf,
    ) -> bool:
        """Whether every question that was asked for the file at `path` has the same answer now."""
        return (
            all(self._digest(other) == digest for other, digest in seen.reads.items())
            and all(self._is_file(other) == found for other, found in seen.are_files.items())
            and all(self._is_dir(other) == found for other, found in seen.are_folders.items())
            and all(versions.of(name, path, root) == found for name, found in seen.versions.items())
            and all(_text_of(options_of(other)) == text for other, text in seen.options.items())
        )

    def _digest(self, path: str) -> str | None:
        if path not in self._digests:
            try:
                self._digests[path] = digest_of(self._files.read(path))
            except OSError:
                self._digests[path] = None
        return self._digests[path]

    def _is_file(self, path: str) -> bool:
        found = self._are_files.get(path)
        if found is None:
            found = self._are_files[path] = self._files.is_file(path)
        return found

    def _is_dir(self, path: str) -> bool:
        found = self._are_folders.get(path)
        if found is None:
            found = self._are_folders[path] = self._files.is_dir(path)
        return found
