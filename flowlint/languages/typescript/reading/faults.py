"""What is wrong with a text: places where it is no TypeScript."""

from __future__ import annotations

from flowlint.languages.typescript.reading.module import ParsedModule, SyntaxFault
from flowlint.languages.typescript.reading.recovery import broken, missing_of

MAX_FAULTS = 20
"""Faults of one file that are told."""


def with_faults(module: ParsedModule, bad: int | None) -> ParsedModule:
    """The module with its faults. `bad` is where its bytes are no UTF-8."""
    faults: list[SyntaxFault] = []
    text = module.text
    if bad is not None:
        faults.append(SyntaxFault(text.span(bad, bad + 1), "this byte is no UTF-8"))
    lost = list(module.lost)
    faults += [_fault(module, start, end, missing) for start, end, missing in module.wrong]
    root = module.tree.root_node
    if root.has_error:
        for node in broken(root):
            faults.append(_fault(module, node.start_byte, node.end_byte, missing_of(node)))
            lost.append((node.start_byte, node.end_byte))
    module.faults = tuple(faults[:MAX_FAULTS])
    module.lost = tuple(lost)
    return module


def _fault(module: ParsedModule, start: int, end: int, missing: str) -> SyntaxFault:
    """A stretch that cannot be read; what is told of it is its first line."""
    if missing:
        what = "something" if missing[0].isalpha() else f"`{missing}`"
        return SyntaxFault(module.text.span(start, start), f"{what} is missing here")
    data = module.text.data
    line = data.find(b"\n", start, end)
    language = "JavaScript" if "js" in module.path.rsplit(".", 1)[-1] else "TypeScript"
    span = module.text.span(start, end if line < 0 else line)
    return SyntaxFault(span, f"this is no {language}")
