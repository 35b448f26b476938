"""Which settings hold where: the closest file that states some, and the command line."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from flowlint.project.settings.files import FILES
from flowlint.project.settings.model import DEFAULTS, SYSTEMS, Settings

if TYPE_CHECKING:
    from flowlint.project.settings.stated import Layer
    from flowlint.rules.options import StatedOptions


class Configuration:
    """Finds and remembers the settings of folders.

    `overrides` hold over every file. `file` is the only file that counts, where one is named;
    `isolated` tells that none does. Whatever is asked raises SettingsError.
    """

    __slots__ = ("_base", "_by_folder", "_overrides", "_searches")

    def __init__(
        self, overrides: Sequence[Layer] = (), file: str | None = None, *, isolated: bool = False
    ) -> None:
        self._overrides = tuple(overrides)
        self._searches = not isolated and file is None
        named: tuple[Layer, ...] = ()
        if file is not None:
            from flowlint.project.settings.reading import read_layers

            named = read_layers(file, is_named=True) or ()
        self._base = self._resolved(named)
        self._by_folder: dict[str, Settings] = {}

    def of_file(self, path: str) -> Settings:
        """The settings for one file."""
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def options_of(self, path: str) -> StatedOptions:
        """What is stated for rules by the settings for one file."""
        return self.of_file(path).options

    def of_folder(self, folder: str) -> Settings:
        """The settings for the files in a folder, whose path is absolute."""
        if not self._searches:
            return self._base
        found = self._by_folder.get(folder)
        if found is None:
            found = self._stated_in(folder, FILES)
            if found is None:
                parent = os.path.dirname(folder)
                found = self._base if parent == folder else self.of_folder(parent)
            self._by_folder[folder] = found
        return found

    def entering(self, outer: Settings, folder: str, files: Container[str]) -> Settings:
        """The settings in a folder that holds these files, within one where `outer` holds."""
        if not self._searches:
            return self._base
        found = self._by_folder.get(folder)
        if found is None:
            found = self._stated_in(folder, [name for name in FILES if name in files]) or outer
            self._by_folder[folder] = found
        return found

    def needles(self) -> tuple[tuple[bytes, ...], ...]:
        """What files of Python are sifted for, for the systems of the folders asked for.

        By then all systems are known: raises SettingsError where the command line names others.
        """
        if self._overrides:
            from flowlint.project.settings.resolving import check_overrides

            check_overrides(self._overrides, (self._base, *self._by_folder.values()))
        found = [s for s in (self._base, *self._by_folder.values()) if s.tables.get(SYSTEMS)]
        if not found:
            return ()
        from flowlint.dialects.declared.types import needles_of

        return needles_of(dict.fromkeys(one for settings in found for one in settings.systems))

    def has_documents(self) -> bool:
        """Whether settings of the folders asked for say of files of data that they are flows."""
        return any(one.documents for one in (self._base, *self._by_folder.values()))

    def files(self) -> frozenset[str]:
        """The files that state settings of the folders that were asked for."""
        found = (settings.sources for settings in (self._base, *self._by_folder.values()))
        sources = frozenset().union(*set(found))
        return frozenset(os.path.abspath(one) for one in sources if os.path.isfile(one))

    def _stated_in(self, folder: str, names: Sequence[str]) -> Settings | None:
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                from flowlint.project.settings.reading import read_layers

                layers = read_layers(path)
                if layers is not None:
                    return self._resolved(layers)
        return None

    def _resolved(self, layers: Sequence[Layer]) -> Settings:
        if not layers and not self._overrides:
            return DEFAULTS
        from flowlint.project.settings.resolving import resolved

        return resolved((*layers, *self._overrides))
