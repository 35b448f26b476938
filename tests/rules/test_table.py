"""The codes and names that are promised. Codes are never used for anything else."""

from __future__ import annotations

from flowlint.rules.registry import all_rules, find_rule

PROMISED = {
    "FL101": "unknown-entry",
    "FL102": "missing-entry",
    "FL103": "empty-flow",
    "FL104": "duplicate-node",
    "FL105": "dangling-edge",
    "FL106": "unreachable-node",
    "FL107": "dead-end",
    "FL108": "duplicate-edge",
    "FL109": "edge-never-taken",
    "FL201": "unroutable-gate",
    "FL202": "multiple-outgoing-edges",
    "FL203": "shadowed-edge",
    "FL204": "unhandled-route",
    "FL205": "unused-case",
    "FL206": "overlapping-guards",
    "FL207": "kind-mismatch",
    "FL208": "async-guard",
    "FL209": "conflicting-routing",
    "FL210": "ineffective-field",
    "FL211": "undeclared-target",
    "FL212": "missing-handover",
    "FL301": "loop-without-exit",
    "FL302": "unbounded-loop",
    "FL303": "forbidden-cycle",
    "FL304": "loop-never-repeats",
    "FL305": "step-limit-too-small",
    "FL401": "join-never-completes",
    "FL402": "runs-more-than-once",
    "FL403": "conflicting-writes",
    "FL404": "pause-in-region",
    "FL405": "malformed-region",
    "FL501": "state-read-before-write",
    "FL502": "unknown-state-key",
    "FL503": "node-returns-no-state",
    "FL506": "state-returned-whole",
    "FL601": "invalid-expression",
    "FL602": "unknown-variable",
    "FL603": "guard-never-true",
    "FL701": "invalid-definition",
    "FL702": "unknown-field",
    "FL703": "unknown-node-kind",
    "FL705": "wrong-callable",
    "FL706": "undefined-callable",
    "FL707": "removed-api",
    "FL801": "unhandled-failure",
    "FL802": "bad-limit",
    "FL804": "pause-without-store",
    "FL805": "unnamed-run",
    "FL901": "syntax-error",
    "FL902": "unresolved-flow",
    "FL903": "unused-suppression",
    "FL904": "unknown-suppression",
    "FL905": "blanket-suppression",
    "FL906": "internal-error",
}


def test_rules_bear_the_promised_codes() -> None:
    there = {rule.info.code: rule.info.name for rule in all_rules()}
    assert {code: there.get(code) for code in PROMISED} == PROMISED


def test_names_and_codes_both_find_a_rule() -> None:
    for code, name in PROMISED.items():
        assert find_rule(code.lower()) is find_rule(name.upper()) is not None
