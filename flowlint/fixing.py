"""Files with their fixes applied: check, edit, and again until nothing changes."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from flowlint.check import CheckResult, Options, check
from flowlint.findings.model import Finding, FixSafety, digest_of
from flowlint.project.edits import UneditableError, edited, have_overlap
from flowlint.project.files import ProjectFiles
from flowlint.source import Edit
from flowlint.suffixes import JSON_SUFFIXES, SCRIPT_SUFFIXES

MAX_PASSES = 50
"""How often files are edited at most; each time some fixes may have had to wait for others."""

Check = Callable[[Iterable[str], Options], CheckResult]


@dataclass(slots=True)
class Fixed:
    """What a run gave with the fixes applied, and which files they change from what to what.

    `applied` are the findings that were fixed. `refused` tells why files were left as they are.
    Nothing is written yet.
    """

    result: CheckResult
    before: dict[str, bytes] = field(default_factory=dict)
    after: dict[str, bytes] = field(default_factory=dict)
    applied: list[Finding] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def fix(
    paths: Iterable[str],
    options: Options,
    safeties: Collection[FixSafety],
    run: Check = check,
    result: CheckResult | None = None,
) -> Fixed:
    """Apply all fixes of these kinds to the findings under `paths`, without writing anything.

    `result` is what a check of the same gave, if there was one.
    """
    paths = tuple(paths)
    fixed = Fixed(result or run(paths, options))
    for _ in range(MAX_PASSES):
        applied = _apply(fixed, options, safeties)
        if not applied:
            break
        overlay = {**options.overlay, **fixed.after}
        fixed.result = run(paths, replace(options, overlay=overlay))
        for one in applied.values():
            fixed.applied += one.findings
    return fixed


@dataclass(slots=True)
class _Pass:
    """What is done to one file at once."""

    before: bytes
    edits: list[Edit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def _apply(fixed: Fixed, options: Options, safeties: Collection[FixSafety]) -> dict[str, _Pass]:
    """Apply the fixes that do not get in each other's way, earlier ones first."""
    files = ProjectFiles({**options.overlay, **fixed.after})
    passes: dict[str, _Pass] = {}
    for finding in fixed.result.findings:
        if finding.fix is None or finding.fix.safety not in safeties:
            continue
        touched = dict.fromkeys(edit.span.path for edit in finding.fix.edits)
        if any(path in fixed.refused for path in touched):
            continue
        _enter(finding, finding.fix.edits, passes, files, fixed)
    for path in [*passes]:
        one = passes[path]
        try:
            after = edited(path, one.before, one.edits)
        except UneditableError as error:
            after = one.before
            fixed.refused[path] = str(error)
        if _parses(path, one.before) and not _parses(path, after):
            after = one.before
            fixed.refused[path] = (
                "would not be sound after a fix, so it is left: please report this"
            )
        if after == one.before:
            del passes[path]
            continue
        fixed.before.setdefault(path, one.before)
        fixed.after[path] = after
    return passes


def _enter(
    finding: Finding,
    edits: tuple[Edit, ...],
    passes: dict[str, _Pass],
    files: ProjectFiles,
    fixed: Fixed,
) -> None:
    """Take a fix into the pass, wholly or not at all."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.span.path, []).append(edit)
    for path, own in by_path.items():
        if path not in passes:
            try:
                data = files.read(path)
            except OSError as error:
                fixed.refused[path] = f"cannot be read: {error.strerror or error}"
                return
            digest = dict(finding.fix.digests if finding.fix else ()).get(path)
            if digest is not None and digest != digest_of(data):
                fixed.refused[path] = "was changed while it was checked, so it is not written"
                return
            passes[path] = _Pass(data)
        known = passes[path].edits
        if have_overlap([*known, *(edit for edit in own if edit not in known)]):
            return
    for path, own in by_path.items():
        known = passes[path].edits
        known += [edit for edit in own if edit not in known]
    told = finding.span.path if finding.span.path in by_path else next(iter(by_path))
    passes[told].findings.append(finding)


def _parses(path: str, data: bytes) -> bool:
    """Whether a file is what its name says, as far as that can be told cheaply."""
    try:
        if path.endswith((".yaml", ".yml")):
            return _is_yaml(data)
        if path.endswith((".json", ".ipynb")):
            json.loads(data)
        elif path.endswith(JSON_SUFFIXES):
            return _is_json(path, data)
        elif path.endswith(SCRIPT_SUFFIXES):
            return _is_script(path, data)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(data)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _is_script(path: str, data: bytes) -> bool:
    from flowlint.languages.typescript.reading.parsing import parse_module

    return not parse_module(path, data).faults


def _is_json(path: str, data: bytes) -> bool:
    from flowlint.languages.json.frontend import read_json

    return not read_json(path, data).faults


def _is_yaml(data: bytes) -> bool:
    import yaml

    try:
        return bool([*yaml.compose_all(data.decode("utf-8-sig"), Loader=yaml.SafeLoader)])
    except yaml.YAMLError:
        return False
