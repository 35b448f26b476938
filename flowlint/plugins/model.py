"""A plugin, as its distribution states it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.plugins.installed import DIALECTS, RULES, read


@dataclass(frozen=True, slots=True, order=True)
class Plugin:
    """One entry point: its name and the module that it names, and what it was installed with.

    `metadata` is the folder in which the installer wrote that down.
    """

    group: str
    distribution: str
    version: str
    name: str
    module: str
    metadata: str

    @property
    def origin(self) -> str:
        """The distribution with its version."""
        return f"{self.distribution} {self.version}"


def plugins_of(metadata: str, entry_points: str) -> Iterator[Plugin]:
    """The plugins that a distribution brings."""
    distribution, version = _named(metadata)
    group = ""
    for line in entry_points.splitlines():
        stated = line.strip()
        if stated.startswith("[") and stated.endswith("]"):
            group = stated[1:-1].strip()
        elif group in (RULES, DIALECTS) and "=" in stated and not stated.startswith("#"):
            name, _, target = stated.partition("=")
            module = target.partition("[")[0].strip()
            yield Plugin(group, distribution, version, name.strip(), module, metadata)


def _named(metadata: str) -> tuple[str, str]:
    """The name and version of a distribution, as its authors wrote them."""
    data = read(os.path.join(metadata, "METADATA")) or read(os.path.join(metadata, "PKG-INFO"))
    fields: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        if not line:
            break
        name, _, value = line.partition(":")
        fields.setdefault(name.lower(), value.strip())
    stem, _, rest = os.path.basename(metadata).rpartition(".")[0].partition("-")
    return fields.get("name") or stem, fields.get("version") or rest or "0"
