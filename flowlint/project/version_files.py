"""What the files of a project say of the version of a distribution.

Nothing here raises for what a file holds: what cannot be read says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from flowlint.project import package_files

LOCKS: Mapping[str, str] = {
    "uv.lock": "[[package]]",
    "poetry.lock": "[[package]]",
    "pdm.lock": "[[package]]",
    "pylock.toml": "[[packages]]",
    "Pipfile.lock": "",
    **dict.fromkeys(package_files.LOCKS, ""),
}
"""Files that hold the version that is installed, with what begins an entry in those of TOML."""

SETTINGS = ("pyproject.toml", "setup.cfg", "Pipfile", package_files.MANIFEST)
"""Files that state what is asked for beside other things."""

MAX_SETTINGS = 1 << 20
"""Bytes of such a file that are parsed: it is written by hand."""

_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)")
_INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)[ =]?\s*(\S+)")
_TABLE = re.compile(r"^\[", re.MULTILINE)


def normal(name: str) -> str:
    """The name of a distribution in the form in which names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def mentions(data: bytes, name: str) -> bool:
    """Whether bytes may name a distribution: cheap, so that most files are not parsed."""
    stem = _stem(name).encode()
    return stem in data or stem in data.lower()


def _stem(name: str) -> str:
    """The part of a name that is the same however the name is written."""
    return re.split(r"[-_.]", name.lower())[0]


def locked(file: str, data: bytes, name: str) -> list[str]:
    """The versions of a distribution that a lock file holds."""
    if not mentions(data, name):
        return []
    if file in package_files.LOCKS:
        return package_files.locked(file, data, name)
    if file == "Pipfile.lock":
        return list(_pipfile_lock(data.decode("utf-8", "replace"), name))
    found = []
    for block in _entries(data, LOCKS[file].encode(), f'"{name}"'.encode()):
        head = _TABLE.split(block.decode("utf-8", "replace"), maxsplit=1)[0]
        entry = _toml(f"[entry]{head}").get("entry")
        if isinstance(entry, dict) and normal(str(entry.get("name", ""))) == name:
            version = entry.get("version")
            if isinstance(version, str):
                found.append(version)
    return found


def _entries(data: bytes, begin: bytes, quoted: bytes) -> Iterator[bytes]:
    """The entries in which a quoted name is: its own, and those of others that need it."""
    lowered = data.lower()
    at = lowered.find(quoted)
    while at >= 0:
        start = data.rfind(begin, 0, at)
        end = data.find(begin, at)
        end = len(data) if end < 0 else end
        if start >= 0:
            yield data[start + len(begin) : end]
        at = lowered.find(quoted, end)


def _pipfile_lock(text: str, name: str) -> Iterator[str]:
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    for section in ("default", "develop"):
        for stated, entry in _table(_table(data).get(section)).items():
            version = _table(entry).get("version")
            if normal(stated) == name and isinstance(version, str):
                yield version.removeprefix("==")


def required(file: str, data: bytes, name: str) -> list[str]:
    """What a file of settings asks for of a distribution, such as `>=0.2,<0.3`."""
    if len(data) > MAX_SETTINGS or not mentions(data, name):
        return []
    if file == package_files.MANIFEST:
        return package_files.required(data, name)
    text = data.decode("utf-8-sig", "replace")
    if file == "setup.cfg":
        return list(_setup_cfg(text, name))
    found = _toml(_mentioning(text, name)) or _toml(text)
    return list(_pipfile(found, name) if file == "Pipfile" else _pyproject(found, name))


def _mentioning(text: str, name: str) -> str:
    """The tables of a file of TOML that may name a distribution: parsing the others takes long.

    Where a line that begins with a bracket is no head of a table, what is left is no TOML.
    """
    stem = _stem(name)
    starts = [0, *(match.start() for match in _TABLE.finditer(text)), len(text)]
    tables = [text[start:end] for start, end in pairwise(starts)]
    return "".join([*tables[:1], *(table for table in tables[1:] if stem in table.lower())])


def listed(text: str, name: str) -> tuple[list[str], list[str]]:
    """What a file of requirements asks for of a distribution, and the files that it includes."""
    found: list[str] = []
    included: list[str] = []
    joined = text.replace("\\\r\n", " ").replace("\\\n", " ")
    for line in map(str.strip, joined.splitlines()):
        include = _INCLUDE.match(line)
        if include is not None:
            included.append(include[1])
        else:
            found += _line(line, name)
    return found, included


def _line(line: str, name: str) -> list[str]:
    match = _REQUIREMENT.match(line)
    if match is None or normal(match[1]) != name:
        return []
    asked = match[2].split(" --")[0].strip()
    # A place to get it from tells no version.
    return [] if asked.startswith("@") else [asked]


def _setup_cfg(text: str, name: str) -> Iterator[str]:
    import configparser

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    for section, option in (("options", "install_requires"), ("options.extras_require", None)):
        if not parser.has_section(section):
            continue
        for key, value in parser.items(section):
            if option in (None, key):
                for line in value.splitlines():
                    yield from _line(line.strip(), name)


def _pyproject(data: Mapping[str, Any], name: str) -> Iterator[str]:
    project, tool = _table(data.get("project")), _table(data.get("tool"))
    yield from _lines(project.get("dependencies"), name)
    for group in _table(project.get("optional-dependencies")).values():
        yield from _lines(group, name)
    for group in _table(data.get("dependency-groups")).values():
        yield from _lines(group, name)
    for key in ("dev-dependencies", "constraint-dependencies", "override-dependencies"):
        yield from _lines(_table(tool.get("uv")).get(key), name)
    for group in _table(_table(tool.get("pdm")).get("dev-dependencies")).values():
        yield from _lines(group, name)
    poetry = _table(tool.get("poetry"))
    groups = [poetry, *map(_table, _table(poetry.get("group")).values())]
    for table in groups:
        for key in ("dependencies", "dev-dependencies"):
            yield from _named(table.get(key), name)


def _pipfile(data: Mapping[str, Any], name: str) -> Iterator[str]:
    for section in ("packages", "dev-packages"):
        yield from _named(data.get(section), name)


def _lines(given: object, name: str) -> Iterator[str]:
    for line in given if isinstance(given, list) else ():
        if isinstance(line, str):
            yield from _line(line.strip(), name)


def _named(given: object, name: str) -> Iterator[str]:
    """What a table of requirements by name asks for: texts, tables, or lists of both."""
    for stated, value in _table(given).items():
        if normal(stated) != name:
            continue
        for one in value if isinstance(value, list) else [value]:
            asked = one.get("version") if isinstance(one, dict) else one
            if isinstance(asked, str):
                yield asked


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _toml(text: str) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
