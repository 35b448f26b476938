"""One file's way through the house: text, values, graphs, findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rechecking import check_flow
from flowlint.rules.options import NONE_STATED, StatedOptions
from flowlint.source import Files, Span
from flowlint.suffixes import DATA_SUFFIXES, SCRIPT_SUFFIXES

if TYPE_CHECKING:
    from flowlint.dialects.declared.declaration import System
    from flowlint.dialects.registry import DialectEntry
    from flowlint.dialects.surroundings import Surroundings, Version


class Versions(Protocol):
    """Which versions of distributions a project uses."""

    def of(self, name: str, path: str, root: str) -> Version | None:
        """The version that the module at `path` uses; None: it cannot be told, or any will do."""


OptionsOf = Callable[[str], StatedOptions]
"""What is stated for rules by the settings that hold for a file."""


def none_stated(_path: str) -> StatedOptions:
    """What holds where nobody states an option."""
    return NONE_STATED


@dataclass(frozen=True, slots=True)
class FlowHead:
    """Where a flow is constructed and how it was met; `whole` for those who ask for all of it."""

    span: Span
    dialect: str
    assumed: bool
    whole: FlowGraph | None = None


G = TypeVar("G", FlowGraph, FlowHead)


@dataclass(frozen=True, slots=True)
class FlowResult(Generic[G]):
    """One flow, whole or its head, with all that the rules find in it, silenced or not."""

    graph: G
    findings: tuple[Finding, ...]


Check = Callable[[FlowGraph, StatedOptions], tuple[Finding, ...]]
"""Finds all that is wrong with a flow, with the options that are stated for rules."""

Checked = Callable[[FlowGraph], FlowResult[FlowGraph]]


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gave: its flows, and what is wrong with the file itself.

    `flows` also holds flows that other files' functions build when this file calls them.
    """

    path: str
    flows: tuple[FlowResult[FlowGraph], ...] = ()
    faults: tuple[Finding, ...] = ()

    @property
    def graphs(self) -> tuple[FlowGraph, ...]:
        """The flows of the file, each once."""
        return tuple(flow.graph for flow in merge(self.flows))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that is wrong, with the file and with its flows."""
        found = [finding for flow in merge(self.flows) for finding in flow.findings]
        return (*self.faults, *dict.fromkeys(found))


def load(paths: Iterable[str]) -> None:
    """Import what the analysis of these files needs, and not only once it is needed."""
    from flowlint.dialects.registry import models
    from flowlint.languages.frontends import load_languages
    from flowlint.rules.registry import all_rules

    load_languages(paths)
    models()
    all_rules()


def analyse_file(
    path: str,
    files: Files,
    root: str,
    versions: Versions | None = None,
    options_of: OptionsOf = none_stated,
    check: Check = check_flow,
    systems: tuple[System, ...] = (),
) -> FileResult:
    """Find the flows of one file and check them with every rule.

    `path` is how the user names the file and how spans will name it; `root` is the folder that
    imports are resolved within. `versions` may be shared by all files, and remembers what it read.
    A flow is checked with the options of the file that it is written in, by `check`. `systems` are
    those that the settings of the file declare.
    Never raises for what a file holds: a file that cannot be parsed, and a fault of flowlint
    itself, are findings. Raises OSError when it cannot be read.
    """
    try:
        around = _surroundings(path, files, root, versions)

        def checked(graph: FlowGraph) -> FlowResult[FlowGraph]:
            return FlowResult(graph, check(graph, options_of(graph.path)))

        result = _analyse(path, files, root, around, checked, systems)
        return _with_edits(result, files)
    except OSError:
        raise
    except Exception as error:
        from flowlint.rules.check import own_fault

        return FileResult(path, faults=(own_fault(path, error),))


def _with_edits(result: FileResult, files: Files) -> FileResult:
    """The same with the edits of the fixes, without those that cannot be made."""
    findings = [finding for flow in result.flows for finding in flow.findings]
    if not any(finding.fix is not None for finding in findings):
        return result
    from flowlint.languages.fixes import with_edits

    told = with_edits([(flow.graph, flow.findings) for flow in result.flows], files)
    flows = zip(result.flows, told, strict=True)
    return replace(result, flows=tuple(replace(flow, findings=found) for flow, found in flows))


def _surroundings(path: str, files: Files, root: str, versions: Versions | None) -> Surroundings:
    """What the dialects may ask of the project around a file."""
    from flowlint.dialects.surroundings import Surroundings
    from flowlint.languages.outline import FunctionFinder

    known = [versions] if versions is not None else []

    def version_of(name: str) -> Version | None:
        if not known:
            from flowlint.project.versions import ProjectVersions

            known.append(ProjectVersions(files))
        return known[0].of(name, path, root)

    return Surroundings(FunctionFinder(files, root), version_of)


def _analyse(
    path: str,
    files: Files,
    root: str,
    around: Surroundings,
    checked: Checked,
    systems: tuple[System, ...],
) -> FileResult:
    if path.endswith(DATA_SUFFIXES):
        return _analyse_data(path, files, around, checked)
    from flowlint.dialects.registry import dialect_of, models
    from flowlint.languages.frontends import evaluate_file
    from flowlint.rules.meta.syntax_error import syntax_error

    if path.endswith(SCRIPT_SUFFIXES):
        systems = ()
    evaluation = evaluate_file(path, files, root, models(systems))
    faults = [syntax_error(fault.span, sentence(fault.message)) for fault in evaluation.faults]
    graphs: dict[Span, list[FlowGraph]] = {}
    flows: list[FlowResult[FlowGraph]] = []
    for built in evaluation.built:
        entry = dialect_of(built.model, systems)
        if entry is None:
            continue
        try:
            found = entry.flows(built, around)
            remarks = entry.remarks(built, around)
        except Exception as error:
            faults.append(_dialect_fault(path, error, built.origin.span(), entry))
            continue
        faults += [fault for graph in remarks for fault in checked(graph).findings]
        for graph in found:
            at_site = graphs.setdefault(graph.span, [])
            if graph not in at_site:
                at_site.append(graph)
                flows.append(checked(graph))
    return FileResult(path, tuple(flows), tuple(faults))


def _dialect_fault(path: str, error: Exception, span: Span, entry: DialectEntry | None) -> Finding:
    """The finding for a dialect that failed on a flow."""
    from flowlint.rules.check import own_fault

    if entry is None or entry.origin is None:
        return own_fault(path, error, span)
    return own_fault(path, error, span, f"the dialect {entry.name}", entry.origin)


def _analyse_data(path: str, files: Files, around: Surroundings, checked: Checked) -> FileResult:
    """Find the flows that a file of data says it holds."""
    from flowlint.dialects.registry import data_dialects
    from flowlint.languages.again import read_again
    from flowlint.rules.meta.syntax_error import syntax_error
    from flowlint.rules.routing.ineffective_field import repeated_key

    documents = read_again(path, files.read(path))
    graphs: list[FlowGraph] = []
    failures: list[Finding] = []
    is_refused = False
    for entry in data_dialects():
        for value in documents.values:
            try:
                found = entry.documents(value, around)
            except Exception as error:
                failures.append(_dialect_fault(path, error, value.origin.span(), entry))
                continue
            graphs += found
            is_refused = is_refused or (bool(found) and entry.refuses_repeats)
    # In a file that never says it is a flow, other tools may allow what is no JSON or YAML.
    faults = documents.faults if documents.says_flow or graphs else ()
    told = [syntax_error(fault.span, sentence(fault.message)) for fault in faults]
    for one in documents.repeats if graphs else ():
        if is_refused:
            told.append(syntax_error(one.span, f"The key `{one.name}` is written twice."))
        else:
            told.append(repeated_key(one.span, one.name, one.before))
    flows = tuple(checked(graph) for graph in graphs)
    return FileResult(path, flows, (*told, *failures))


def sentence(text: str) -> str:
    """A message that is told alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def headed(flow: FlowResult[FlowGraph]) -> FlowResult[FlowHead]:
    """A flow without what it is made of."""
    graph = flow.graph
    return FlowResult(FlowHead(graph.span, graph.dialect, graph.assumed), flow.findings)


def whole(flow: FlowResult[FlowGraph]) -> FlowResult[FlowHead]:
    """A flow with what it is made of behind its head."""
    graph = flow.graph
    return FlowResult(FlowHead(graph.span, graph.dialect, graph.assumed, graph), flow.findings)


def merge(flows: Iterable[FlowResult[G]]) -> list[FlowResult[G]]:
    """Each flow once, in the order of the first meeting.

    A flow built in one place may be met with several arguments, or from several files. Where
    some caller is known, what was found with assumed arguments does not count. Errors hold for
    the call they were found in; anything milder has to hold for every call.
    """
    by_site: dict[Span, list[FlowResult[G]]] = {}
    for flow in flows:
        by_site.setdefault(flow.graph.span, []).append(flow)
    kept: list[FlowResult[G]] = []
    for site in by_site.values():
        known = [flow for flow in site if not flow.graph.assumed] or site
        distinct = list({id(f): f for f in known}.values())
        everywhere = set(distinct[0].findings).intersection(*(f.findings for f in distinct))
        seen: list[FlowResult[G]] = []
        for flow in distinct:
            if any(_is_same(flow, other) for other in seen):
                continue
            seen.append(flow)
            kept.append(
                FlowResult(
                    flow.graph,
                    tuple(
                        f if f in everywhere else replace(f, fix=None)
                        for f in flow.findings
                        if f.severity == "error" or f in everywhere
                    ),
                )
            )
    return kept


def _is_same(flow: FlowResult[G], other: FlowResult[G]) -> bool:
    """Whether two are one flow. Heads alone do not tell flows of one place apart."""
    is_whole = isinstance(flow.graph, FlowGraph) or flow.graph.whole is not None
    return flow.graph == other.graph and (is_whole or flow.findings == other.findings)
