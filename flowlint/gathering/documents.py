"""Files of data that settings say to be flows, and that are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flowlint.findings.model import Finding
from flowlint.pipeline import FlowHead, FlowResult, sentence
from flowlint.project.settings.finding import Configuration
from flowlint.source import Files
from flowlint.suffixes import DATA_SUFFIXES


def unrecognised_documents(
    flows: Iterable[FlowResult[FlowHead]],
    paths: Iterable[str],
    files: Files,
    configuration: Configuration,
) -> Iterator[Finding]:
    """What is to be said of files that are no flows of the systems that settings name for them."""
    known: set[tuple[str, str]] | None = None
    for path in paths:
        if not path.endswith(DATA_SUFFIXES):
            continue
        settings = configuration.of_file(path)
        dialect = settings.document_in(path) if settings.documents else None
        if dialect is None:
            continue
        if known is None:
            known = {(flow.graph.span.path, flow.graph.dialect) for flow in flows}
        if (path, dialect) not in known:
            yield from _said(path, dialect, files)


def _said(path: str, dialect: str, files: Files) -> Iterator[Finding]:
    from flowlint.languages.data import read_data
    from flowlint.rules.meta.syntax_error import syntax_error
    from flowlint.rules.shape.not_a_flow import no_document

    try:
        documents = read_data(path, files.read(path))
    except OSError:
        return
    for fault in documents.faults:
        yield syntax_error(fault.span, sentence(fault.message))
    if not documents.faults:
        yield no_document(path, dialect)
