"""Every setting there is: the one list that reading, the schema and the display go by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.plugins.installed import DIALECTS as DIALECT_PLUGINS
from flowlint.plugins.installed import installed
from flowlint.project.excluded import EXCLUDED
from flowlint.suffixes import SUFFIXES

Kind = Literal[
    "flag",
    "count",
    "format",
    "path",
    "rules",
    "patterns",
    "rules by pattern",
    "severities",
    "options",
    "flags by dialect",
    "versions",
    "systems",
    "dialects by pattern",
]

SEVERITIES = ("error", "warning", "info", "off")
FORMATS = (
    "auto",
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "rdjson",
)
DATA_DIALECTS = ("agentsflow", "flowrt", "objectstack")
"""Those whose flows are also written as data."""
DIALECTS = ("acpx", "agentsflow", "flowrt", "hydraflow", "langgraph", "objectstack")
"""Those of flowlint itself; `dialect_names` tells all."""
DISTRIBUTIONS = ("langgraph", "@langchain/langgraph", "@objectstack/spec", "acpx")
"""Of which the dialects ask the version; `distribution_names` tells those of plugins as well."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: what its value is and does. `default` is shown, None: there is none."""

    name: str
    kind: Kind
    text: str
    default: object = None


EXTEND = "extend"

KEYS = (
    Key(EXTEND, "path", "A file whose settings hold where this one states no others."),
    Key("select", "rules", "The rules to report: names, codes, categories, beginnings of codes."),
    Key("ignore", "rules", "Rules not to report."),
    Key("extend-select", "rules", "Rules to report besides those that are selected."),
    Key("extend-ignore", "rules", "Rules not to report besides those that are ignored."),
    Key("per-file-ignores", "rules by pattern", "Rules not to report in some files."),
    Key("severity", "severities", "How grave a rule is, by its name; `off` ignores it."),
    Key("rules", "options", "Options of single rules."),
    Key("dialects", "flags by dialect", "Systems whose flows are to be left alone: `false`."),
    Key("systems", "systems", "Flow systems of your own, each declared by a table."),
    Key(
        "documents",
        "dialects by pattern",
        "The system whose flows some files of data are, by patterns of paths.",
    ),
    Key("versions", "versions", "The version in use, where the project's files do not tell it."),
    Key(
        "include",
        "patterns",
        "The files to take in folders.",
        tuple(f"*{suffix}" for suffix in SUFFIXES),
    ),
    Key("exclude", "patterns", "Files and folders to leave out.", tuple(sorted(EXCLUDED))),
    Key("extend-exclude", "patterns", "Files and folders to leave out besides."),
    Key("respect-gitignore", "flag", "Whether to leave out what `.gitignore` names.", True),
    Key("output-format", "format", "How to show the findings.", "full"),
    Key("jobs", "count", "In how many processes to work."),
    Key("cache-dir", "path", "The folder in which answers are kept."),
)

BY_NAME = {key.name: key for key in KEYS}


def dialect_names() -> tuple[str, ...]:
    """The names of all dialects, without importing one."""
    return (*DIALECTS, *(plugin.name for plugin in installed(DIALECT_PLUGINS)))


def distribution_names() -> tuple[str, ...]:
    """The names of all distributions of which dialects ask the version."""
    if not installed(DIALECT_PLUGINS):
        return DISTRIBUTIONS
    from flowlint.dialects.plugins import plugin_dialects

    entries = plugin_dialects().entries
    return (*DISTRIBUTIONS, *(name for entry in entries for name in entry.distributions))
