"""The formats of findings by name, each in a module that is imported when it is wanted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from flowlint.report.model import Report

Format = Literal[
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
]
FORMATS: tuple[Format, ...] = get_args(Format)

FOR_PEOPLE: frozenset[Format] = frozenset({"full", "concise", "grouped", "github"})
"""Formats that a closing line may follow; the others are whole documents for programs."""

WITH_GRAPHS: frozenset[Format] = frozenset({"sarif"})
"""Formats that show where the steps of a run are, and so need the graphs."""

_SUFFIXES: dict[str, Format] = {
    ".sarif": "sarif",
    ".xml": "junit",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
}


def default_format(environment: Mapping[str, str], output_file: str | None) -> Format:
    """The format where the user names none.

    A file is written in the format that its name tells, else in full; on GitHub Actions the
    findings become annotations. GitLab shows no annotations from logs, so that the log there
    stays for people, and a file of JSON becomes a report that GitLab reads.
    """
    if output_file is None:
        return "github" if environment.get("GITHUB_ACTIONS") == "true" else "full"
    name = output_file.lower()
    if name.endswith(".sarif.json"):
        return "sarif"
    suffix = os.path.splitext(name)[1]
    if suffix == ".json":
        return "gitlab" if environment.get("GITLAB_CI") == "true" else "json"
    return _SUFFIXES.get(suffix, "full")


def lines_of(name: Format, report: Report) -> Iterator[str]:
    """The lines of the findings in a format, without what ends them."""
    match name:
        case "full":
            from flowlint.report import full

            return full.render(report.findings, report.files, report.style)
        case "concise":
            from flowlint.report import concise

            return concise.render(report.findings, report.style)
        case "grouped":
            from flowlint.report import grouped

            return grouped.render(report.findings, report.style)
        case "json":
            from flowlint.report import findings_json

            return iter((findings_json.render(report.findings),))
        case "json-lines":
            from flowlint.report import json_lines

            return json_lines.render(report.findings)
        case "sarif":
            from flowlint.report import sarif

            return iter((sarif.render(report),))
        case "github":
            from flowlint.report import github

            return github.render(report)
        case "gitlab":
            from flowlint.report import gitlab

            return iter((gitlab.render(report),))
        case "junit":
            from flowlint.report import junit

            return junit.render(report)
        case "rdjson":
            from flowlint.report import rdjson

            return iter((rdjson.render(report),))
