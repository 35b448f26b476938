"""Comments in TypeScript that silence rules, what is said of them, and comments that are added."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support import RunFlowlint

from flowlint.check import Options, check
from flowlint.findings.model import FixSafety
from flowlint.findings.suppressions import find_suppressions
from flowlint.fixing import fix

FLOW = """\
import { compute, defineFlow } from "acpx/flows";

const run = () => ({});

export default defineFlow({
  name: "triage",
  startAt: "load",
  nodes: { load: compute({ run }), publish: compute({ run }) },
  edges: [
    {
      from: "load",
      to: "publihs",
    },
  ],
});
"""
SITE = "export default defineFlow({"
EDGE = "    {\n"
TARGET = '      to: "publihs",'
FOUND = ["dangling-edge"]


def names(text: str, path: str = "flow.ts") -> list[str]:
    result = check([path], Options(jobs=1, overlay={path: text.encode()}))
    return sorted(finding.name for finding in result.findings)


def at(line: str, comment: str) -> str:
    assert FLOW.count(line) == 1
    return FLOW.replace(line, f"{line.rstrip()} {comment}" + "\n" * line.endswith("\n"))


def above(line: str, comment: str) -> str:
    assert FLOW.count(line) == 1
    return FLOW.replace(line, f"{comment}\n{line}")


UNUSED = ["dangling-edge", "unused-suppression"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (FLOW, FOUND),
        (at(TARGET, "// flowlint: ignore[dangling-edge] renamed soon"), []),
        (at(TARGET, "// flowlint:ignore[FL105] see https://example.org//x"), []),
        (at(TARGET, "/* flowlint: ignore[structure] */"), []),
        (at(TARGET, "// eslint-disable-line // flowlint: ignore[FL1]"), []),
        (FLOW.replace('to: "', '/* flowlint: ignore[FL105] */ to: "'), []),
        (at(TARGET, "// flowlint: ignore[dead-end]"), UNUSED),
        (at(TARGET, "// flowlint: ignore"), ["blanket-suppression", *FOUND]),
        (at(TARGET, "// flowlint: ignore[dangling-egde]"), [*FOUND, "unknown-suppression"]),
        (at(TARGET, "// flowlint: ignore-all[FL105]"), [*FOUND, "unknown-suppression"]),
        (at(EDGE, "// flowlint: ignore[FL105] at the first line of the edge"), []),
        (at("    },\n", "// flowlint: ignore[FL105] at its last line"), []),
        (at("  edges: [", "// flowlint: ignore[FL105] beside it"), UNUSED),
        (above(TARGET, "// flowlint: ignore-next-line[FL105]"), []),
        (above(TARGET, "/* flowlint: ignore-next-line[FL105] */\n\n// and so on\n"), []),
        (above(TARGET, "/**\n * flowlint: ignore-next-line[FL105] so\n * it is\n */"), []),
        (above(TARGET, "/* flowlint: ignore-next-line[FL105]\n   so it is */"), []),
        (above("    {\n", "// flowlint: ignore-next-line[FL105]\n"), []),
        (above('      from: "load",', "// flowlint: ignore-next-line[FL105]"), UNUSED),
        (above("  edges: [", "// flowlint: ignore-start[FL105]"), []),
        (
            above("  edges: [", "// flowlint: ignore-start[FL105]")
            + "// flowlint: ignore-end[FL105]\n",
            [],
        ),
        (above("  edges: [", "// flowlint: ignore-end[FL105]"), UNUSED),
        (at(SITE, "// flowlint: ignore-flow[FL105]"), []),
        (above(SITE, "/* flowlint: ignore-flow[FL105] known */"), []),
        (at(TARGET, "// flowlint: ignore-flow[FL105]"), UNUSED),
        (f"{FLOW}// flowlint: ignore-file[FL105]\n", []),
        (f"/* flowlint: ignore-file[FL105] */\n{FLOW}", []),
        (f'{FLOW}const a = "// flowlint: ignore-file[FL105]";\n', FOUND),
        (f"{FLOW}const a = `\n// flowlint: ignore-file[FL105]\n`;\n", FOUND),
        (f"{FLOW}const a = /[/*] flowlint: ignore-file[FL105]/;\n", FOUND),
        (f"{FLOW}const a = `${{1 /* flowlint: ignore-file[FL105] */}}`;\n", []),
        (f"{FLOW}// see flowlint: ignore-file[FL105]\n", FOUND),
    ],
)
def test_what_silences(text: str, left: list[str]) -> None:
    assert names(text) == left


def test_comments_in_jsx() -> None:
    shown = "const a = (\n  <p>\n    // flowlint: ignore-file[FL105]\n    {%s}\n  </p>\n);\n"
    assert names(f"{FLOW}{shown % '1'}", "flow.tsx") == FOUND
    assert names(f"{FLOW}{shown % '/* flowlint: ignore-file[FL105] */'}", "flow.jsx") == []


def test_broken_code_keeps_its_comments() -> None:
    text = f"{at(TARGET, '// flowlint: ignore[FL105]')}const a = ;\n"
    assert names(text) == ["syntax-error"]


def test_words_stand_where_they_are_written() -> None:
    text = (
        "const é = '😀'; // flowlint: ignore[a, FL105] why\r\n/*\r\n  flowlint: ignore[b]\r\n*/\r\n"
    )
    first, second = find_suppressions("a.ts", b"\xef\xbb\xbf" + text.encode())
    assert (first.rules, first.reason, first.span.line, first.span.column) == (
        ("a", "fl105"),
        "why",
        1,
        16,
    )
    assert [(word.span.column, word.written) for word in first.words] == [(36, "a"), (39, "FL105")]
    assert (second.rules, second.first) == (("b",), 3)


def fixed(text: str, safeties: frozenset[FixSafety] = frozenset({"safe"})) -> str:
    overlay: Mapping[str, bytes] = {"flow.ts": text.encode()}
    after = fix(["flow.ts"], Options(jobs=1, overlay=overlay), safeties).after
    again = fix(["flow.ts"], Options(jobs=1, overlay={**overlay, **after}), safeties).after
    assert not again
    return after.get("flow.ts", text.encode()).decode()


GOOD = FLOW.replace("publihs", "publish")


@pytest.mark.parametrize(
    ("comment", "after"),
    [
        (" // flowlint: ignore[dead-end] was", ""),
        (" /* flowlint: ignore[dead-end] was */", ""),
        (" // flowlint: ignore[dead-end] see https://example.org", ""),
        (" // so // flowlint: ignore[dead-end] it was", " // so"),
        (" // flowlint: ignore", ""),
        (" // flowlint: ignore-everything[FL1]", ""),
        ("\n      // flowlint: ignore-next-line[dead-end]", ""),
        ("\n      /* flowlint: ignore-next-line[dead-end] */", ""),
        ("\n      /*\n       * flowlint: ignore[dead-end]\n       */", "\n      /*\n       */"),
        ("\n      /* flowlint: ignore[dead-end]\n         so */", "\n      /*\n         so */"),
        ("\n      /* so\n      flowlint: ignore[dead-end] */", "\n      /* so\n*/"),
    ],
)
def test_comments_that_silence_nothing_are_taken_out(comment: str, after: str) -> None:
    line = '      to: "publish",'
    assert fixed(GOOD.replace(line, f"{line}{comment}")) == GOOD.replace(line, f"{line}{after}")


def test_a_blanket_comment_gets_the_names_of_what_it_was_for() -> None:
    text = at(TARGET, "/* flowlint: ignore */")
    assert fixed(text, frozenset({"safe", "unsafe"})).count("publihs") == 0


def test_comments_are_added(flowlint: RunFlowlint, tmp_path: Path) -> None:
    odd = FLOW.replace('to: "publihs"', "to: `publihs`").replace("\n", "\r\n")
    (tmp_path / "a.ts").write_bytes(odd.encode())
    (tmp_path / "b.ts").write_text(at(TARGET, "// flowlint: ignore[FL101]"))
    run = flowlint("check", "--add-ignore=since before", "--select", "FL105")
    assert run.out == "Wrote 2 comments in 2 files.\n"
    added = "to: `publihs`, // flowlint: ignore[dangling-edge] since before\r\n"
    assert (tmp_path / "a.ts").read_bytes() == odd.replace("to: `publihs`,\r\n", added).encode()
    text = (tmp_path / "b.ts").read_text()
    assert text == at(TARGET, "// flowlint: ignore[FL101, dangling-edge]")
    assert flowlint("check", "--select", "FL105").code == 0


def test_no_comment_is_written_into_a_template(flowlint: RunFlowlint, tmp_path: Path) -> None:
    within = "const flow = `\n${defineFlow({"
    text = FLOW.replace(SITE, within).replace("  ],\n});\n", "  ],\n}).name}`;\n")
    (tmp_path / "flow.ts").write_text(text)
    assert flowlint("check", "--select", "FL105", "--add-ignore").code == 2
    assert (tmp_path / "flow.ts").read_text() == text
