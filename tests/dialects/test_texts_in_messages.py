"""Messages that show a text of the user are one line."""

from __future__ import annotations

import pytest

from flowlint.check import Options, check

TEXT = "`first\n   second`"
OBJECTSTACK = f"""\
import {{ defineFlow }} from "@objectstack/spec/automation";

defineFlow({{ name: "one", label: "One", type: "schedule", nodes: [{TEXT}], edges: [] }});
"""
ACPX = f"""\
import {{ acp, defineFlow }} from "acpx/flows";

export default defineFlow({{
  name: "one",
  startAt: "a",
  nodes: {{ a: acp({{ prompt: {TEXT} }}) }},
  edges: [],
}});
"""


@pytest.mark.parametrize("text", [OBJECTSTACK, ACPX], ids=["objectstack", "acpx"])
def test_texts_of_several_lines_are_shown_in_one(text: str) -> None:
    found = check(["flow.ts"], Options(jobs=1, overlay={"flow.ts": text.encode()})).findings
    shown = [finding.message for finding in found if "first" in finding.message]
    assert shown
    assert all("first second" in message for message in shown)
