"""What is wrong with a text: places where it is no TypeScript."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.languages.typescript.reading.module import ParsedModule, SyntaxFault
from flowlint.languages.typescript.reading.recovery import broken, missing_of

_TEXTS = frozenset(
    {"comment", "escape_sequence", "hash_bang_line", "jsx_text", "regex_pattern",
     "string_fragment", "template_string"}
)  # fmt: skip
"""Syntax in which any character may stand."""

MAX_FAULTS = 20
"""Faults of one file that are told."""


def with_faults(module: ParsedModule, bad: int | None) -> ParsedModule:
    """The module with its faults. `bad` is where its bytes are no UTF-8."""
    faults: list[SyntaxFault] = []
    text = module.text
    if bad is not None:
        faults.append(SyntaxFault(text.span(bad, bad + 1), "this byte is no UTF-8"))
    stray = [] if b"\0" not in text.data else list(_stray_characters(module))
    faults += [SyntaxFault(text.span(at, at + 1), "this character is no code") for at in stray]
    lost = list(module.lost)
    wrong = [found for found in module.wrong if found[0] not in stray]
    faults += [_fault(module, start, end, missing) for start, end, missing in wrong]
    root = module.tree.root_node
    if root.has_error:
        for node in broken(root):
            if node.start_byte not in stray:
                faults.append(_fault(module, node.start_byte, node.end_byte, missing_of(node)))
            lost.append((node.start_byte, node.end_byte))
    module.faults = tuple(faults[:MAX_FAULTS])
    module.lost = tuple(lost)
    return module


def _stray_characters(module: ParsedModule) -> Iterator[int]:
    """NUL characters where no text is: the parser was given blanks in their place."""
    data, root = module.text.data, module.tree.root_node
    at = data.find(b"\0")
    while at >= 0:
        node = root.descendant_for_byte_range(at, at + 1)
        if node is None or node.type not in _TEXTS:
            yield at
        at = data.find(b"\0", at + 1)


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
