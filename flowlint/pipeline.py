"""One file's way through the house: text, values, graphs, findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.source import Files, Span

MAX_SHOWN = 120


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gave. Findings are unsuppressed and unselected: all there are.

    `graphs` also holds flows that other files' functions build when this file calls them.
    """

    path: str
    graphs: tuple[FlowGraph, ...] = ()
    findings: tuple[Finding, ...] = ()


def analyse_file(path: str, files: Files, root: str) -> FileResult:
    """Find the flows of one file and check them with every rule.

    `path` is how the user names the file and how spans will name it; `root` is the folder that
    imports are resolved within. Never raises for what a file holds: a file that cannot be
    parsed, and a fault of flowlint itself, are findings. Raises OSError when it cannot be read.
    """
    try:
        return _analyse(path, files, root)
    except OSError:
        raise
    except Exception as error:
        return FileResult(path, findings=(_internal(path, error),))


def _analyse(path: str, files: Files, root: str) -> FileResult:
    from flowlint.dialects.registry import dialect_of, models
    from flowlint.languages.python.frontend import evaluate_file
    from flowlint.rules.meta.syntax_error import syntax_error

    evaluation = evaluate_file(path, files, root, models())
    findings = [syntax_error(fault.span, fault.message) for fault in evaluation.faults]
    graphs: list[FlowGraph] = []
    for built in evaluation.built:
        dialect = dialect_of(built.model)
        try:
            graph = dialect.graph(built) if dialect is not None else None
        except Exception as error:
            findings.append(_internal(path, error, built.origin.span()))
            continue
        if graph is not None:
            graphs.append(graph)
    kept = distinct(graphs)
    for graph in kept:
        findings += check_graph(graph)
    return FileResult(path, tuple(kept), tuple(findings))


def distinct(graphs: list[FlowGraph]) -> list[FlowGraph]:
    """Each flow once: equal ones, and those made only of assumptions where better is known."""
    by_site: dict[Span, list[FlowGraph]] = {}
    for graph in graphs:
        site = by_site.setdefault(graph.span, [])
        if graph not in site:
            site.append(graph)
    kept: list[FlowGraph] = []
    for site in by_site.values():
        known = [graph for graph in site if not graph.assumed]
        kept += known or site
    return kept


def check_graph(graph: FlowGraph) -> Iterator[Finding]:
    """All that the rules find in one flow; a rule that fails is a finding itself."""
    from flowlint.rules.context import RuleContext
    from flowlint.rules.registry import all_rules

    context = RuleContext(graph)
    for rule in all_rules():
        if rule.check is None:
            continue
        try:
            yield from list(rule.check(graph, context))
        except Exception as error:
            yield _internal(graph.path, error, graph.span, rule.info.name)


def _internal(
    path: str, error: Exception, span: Span | None = None, rule: str | None = None
) -> Finding:
    from flowlint.rules.meta.internal_error import internal_error

    where = f"rule {rule}" if rule else "reading the file"
    text = f"{type(error).__name__}: {error}"[:MAX_SHOWN]
    place = _raised_at(error)
    return internal_error(span or Span(path, 1, 1, 1, 1), f"{where} failed: {text} ({place})")


def _raised_at(error: Exception) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return "place unknown"
    code = traceback.tb_frame.f_code
    return f"{code.co_qualname}, line {traceback.tb_lineno}"
