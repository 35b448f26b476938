"""What the editor's own settings say; those of the project are read from its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SECTION = "flowlint"


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """`whole_workspace`: findings of files that are not open are told too."""

    whole_workspace: bool = False
    code_lens: bool = True
    inlay_hints: bool = True
    semantic_tokens: bool = True


def editor_settings(given: object) -> EditorSettings:
    """What a mapping of the section says; what is no such setting is left as it is by default."""
    values = given if isinstance(given, Mapping) else {}
    if isinstance(values.get(SECTION), Mapping):
        values = values[SECTION]
    return EditorSettings(
        values.get("diagnosticMode") == "workspace",
        _flag(values, "codeLens"),
        _flag(values, "inlayHints"),
        _flag(values, "semanticTokens"),
    )


def _flag(values: Mapping[str, object], name: str) -> bool:
    found = values.get(name)
    if isinstance(found, Mapping):
        found = found.get("enable")
    return found if isinstance(found, bool) else True
