"""Documentation that is written under fixed headings, taken apart."""

from __future__ import annotations


def summary_of(docs: str) -> str:
    """The first paragraph, as one line."""
    return " ".join(docs.split("\n\n", 1)[0].split())


def section_of(docs: str, heading: str) -> str | None:
    """What stands below a heading; None where there is no such heading."""
    _, found, rest = f"\n{docs}".partition(f"\n## {heading}\n")
    if not found:
        return None
    lines: list[str] = []
    in_code = False
    for line in rest.splitlines():
        in_code ^= line.startswith("```")
        if line.startswith("## ") and not in_code:
            break
        lines.append(line)
    return "\n".join(lines).strip()
