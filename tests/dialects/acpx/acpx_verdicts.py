"""Small flow modules, with what acpx 0.19.1 says of each and what is to be found in it."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
import {
  acp, action, checkpoint, compute, decision, decisionEdge, defineFlow, shell,
} from "acpx/flows";

const run = () => ({ route: "x" });
const exec = () => ({ command: "true" });
const prompt = () => "hello";

"""


@dataclass(frozen=True)
class Verdict:
    """A module with the message of acpx (None: it accepts it) and the errors that are found."""

    title: str
    source: str
    refused: str | None
    errors: tuple[str, ...]


def flow(
    name: str = '"f"',
    startAt: str = '"a"',  # noqa: N803 - as acpx calls it
    nodes: str = "{ a: compute({ run }), b: compute({ run }) }",
    edges: str = '[{ from: "a", to: "b" }]',
    more: str = "",
) -> str:
    """A module with a flow; a field that is empty is left out."""
    fields = {"name": name, "startAt": startAt, "nodes": nodes, "edges": edges}
    written = [f"  {key}: {value},\n" for key, value in fields.items() if value]
    return f"{HEAD}export default defineFlow({{\n{''.join(written)}{more}}});\n"


def one(node: str, edges: str = "[]", more: str = "") -> str:
    """A module with a flow of a node `a`, written in these words, and a node `b`."""
    nodes = f"{{\n    a: {node},\n    b: compute({{ run }}),\n  }}"
    return flow(nodes=nodes, edges=edges, more=more)


def edge(text: str) -> str:
    """A module with a flow of two nodes and one edge."""
    return flow(edges=f"[{text}]")


def refused(title: str, source: str, message: str, *errors: str) -> Verdict:
    return Verdict(title, source, message, errors)


def accepted(title: str, source: str, *errors: str) -> Verdict:
    return Verdict(title, source, None, errors)


TYPE = "Invalid flow node"
TO_B = '[{ from: "a", to: "b" }]'

VERDICTS = (
    refused("name blank", flow(name='"  "'), "name: must not be empty", "invalid-definition"),
    refused("name missing", flow(name=""), "name: Invalid input", "invalid-definition"),
    refused("startAt missing", flow(startAt=""), "startAt: Invalid input", "missing-entry"),
    refused("startAt number", flow(startAt="1"), "startAt: Invalid input", "invalid-definition"),
    refused("startAt unknown", flow(startAt='"zz"'), "start node is missing", "unknown-entry"),
    refused(
        "startAt prototype key",
        flow(startAt='"toString"'),
        "start node is missing: toString",
        "unknown-entry",
    ),
    refused("nodes array", flow(nodes="[]"), "nodes: Invalid input", "invalid-definition"),
    refused("nodes missing", flow(nodes=""), "nodes: Invalid input", "invalid-definition"),
    refused("nodes empty", flow(nodes="{}", edges="[]"), "start node is missing: a", "empty-flow"),
    refused("edges object", flow(edges="{}"), "edges: Invalid input", "invalid-definition"),
    refused("edges missing", flow(edges=""), "edges: Invalid input", "invalid-definition"),
    refused(
        "run.title number",
        one("compute({ run })", TO_B, "  run: { title: 5 },\n"),
        "run.title",
        "invalid-definition",
    ),
    refused(
        "run text", one("compute({ run })", TO_B, '  run: "x",\n'), "run:", "invalid-definition"
    ),
    refused(
        "permissions bad mode",
        one("compute({ run })", TO_B, '  permissions: { requiredMode: "approve-none" },\n'),
        "permissions.requiredMode",
        "invalid-definition",
    ),
    refused(
        "permissions blank reason",
        one(
            "compute({ run })",
            TO_B,
            '  permissions: { requiredMode: "deny-all", reason: " " },\n',
        ),
        "permissions.reason: must not be empty",
        "invalid-definition",
    ),
    refused(
        "permissions no mode",
        one("compute({ run })", TO_B, "  permissions: {},\n"),
        "permissions.requiredMode",
        "invalid-definition",
    ),
    refused(
        "permissions grant text",
        one(
            "compute({ run })",
            TO_B,
            '  permissions: { requiredMode: "deny-all", requireExplicitGrant: "yes" },\n',
        ),
        "permissions.requireExplicitGrant",
        "invalid-definition",
    ),
    accepted(
        "permissions whole",
        one(
            "compute({ run })",
            TO_B,
            '  permissions: { requiredMode: "deny-all", requireExplicitGrant: true, '
            'reason: "safe" },\n',
        ),
    ),
    refused("node not object", one("5", TO_B), "expected object", "invalid-definition"),
    refused("node array", one("[]", TO_B), "expected object", "invalid-definition"),
    refused("node helper not called", one("compute", TO_B), "", "invalid-definition"),
    refused("nodeType missing", one("{ run }", TO_B), "nodeType", "unknown-node-kind"),
    refused(
        "nodeType unknown", one('{ nodeType: "step", run }', TO_B), "nodeType", "unknown-node-kind"
    ),
    refused(
        "nodeType shell", one('{ nodeType: "shell", exec }', TO_B), "nodeType", "unknown-node-kind"
    ),
    refused("nodeType number", one("{ nodeType: 1, run }", TO_B), "nodeType", "unknown-node-kind"),
    accepted("nodeType written out", one('{ nodeType: "compute", run }', TO_B)),
    refused(
        "helper overrides nodeType",
        one('compute({ nodeType: "acp", run })', TO_B),
        "nodeType",
        "invalid-definition",
    ),
    accepted("helper repeats nodeType", one('compute({ nodeType: "compute", run })', TO_B)),
    refused(
        "timeout negative", one("compute({ run, timeoutMs: -1 })", TO_B), "timeoutMs", "bad-limit"
    ),
    refused(
        "timeout Infinity",
        one("compute({ run, timeoutMs: Infinity })", TO_B),
        "timeoutMs",
        "bad-limit",
    ),
    refused("timeout NaN", one("compute({ run, timeoutMs: NaN })", TO_B), "timeoutMs", "bad-limit"),
    refused(
        "timeout text", one('compute({ run, timeoutMs: "5s" })', TO_B), "timeoutMs", "bad-limit"
    ),
    accepted("timeout > 2^31-1, plain function", one("compute({ run, timeoutMs: 3e9 })", TO_B)),
    accepted(
        "timeout > 2^31-1, agent", one("acp({ prompt, timeoutMs: 2147483648 })", TO_B), "bad-limit"
    ),
    accepted("timeout 2^31-1", one("acp({ prompt, timeoutMs: 2_147_483_647 })", TO_B)),
    accepted("timeout zero", one("acp({ prompt, timeoutMs: 0 })", TO_B)),
    accepted("timeout undefined", one("acp({ prompt, timeoutMs: undefined })", TO_B)),
    refused("timeout null", one("shell({ exec, timeoutMs: null })", TO_B), "time", "bad-limit"),
    refused(
        "heartbeat string",
        one('compute({ run, heartbeatMs: "5" })', TO_B),
        "heartbeatMs",
        "bad-limit",
    ),
    refused(
        "statusDetail fn",
        one('compute({ run, statusDetail: () => "x" })', TO_B),
        "statusDetail",
        "invalid-definition",
    ),
    refused("acp no prompt", one("acp({})", TO_B), "prompt must be a function", "wrong-callable"),
    refused("acp without arguments", one("acp()", TO_B), "prompt must be", "wrong-callable"),
    refused(
        "acp prompt string",
        one('acp({ prompt: "hello" })', TO_B),
        "prompt must be a function",
        "wrong-callable",
    ),
    refused(
        "acp parse string",
        one('acp({ prompt, parse: "json" })', TO_B),
        "parse must be a function",
        "wrong-callable",
    ),
    refused(
        "acp session string",
        one('acp({ prompt, session: "main" })', TO_B),
        "session",
        "invalid-definition",
    ),
    refused(
        "acp session.isolated str",
        one('acp({ prompt, session: { isolated: "yes" } })', TO_B),
        "session.isolated",
        "invalid-definition",
    ),
    refused(
        "acp session.handle number",
        one("acp({ prompt, session: { handle: 1 } })", TO_B),
        "session.handle",
        "invalid-definition",
    ),
    accepted("acp session unknown key", one('acp({ prompt, session: { name: "x" } })', TO_B)),
    refused("acp cwd number", one("acp({ prompt, cwd: 1 })", TO_B), "cwd", "invalid-definition"),
    accepted("acp cwd function", one('acp({ prompt, cwd: () => "/" })', TO_B)),
    refused(
        "acp profile fn",
        one('acp({ prompt, profile: () => "codex" })', TO_B),
        "profile",
        "invalid-definition",
    ),
    refused("compute no run", one("compute({})", TO_B), "run must be a function", "wrong-callable"),
    refused(
        "compute run called", one("compute({ run: run() })", TO_B), "run must be", "wrong-callable"
    ),
    refused("action none", one("action({})", TO_B), "exactly one of run or exec", "wrong-callable"),
    refused(
        "action both",
        one("action({ run, exec })", TO_B),
        "exactly one of run or exec",
        "invalid-definition",
    ),
    refused(
        "action run undefined key",
        one("action({ run: undefined, exec })", TO_B),
        "exactly one of run or exec",
        "invalid-definition",
    ),
    refused(
        "action literal both",
        one('{ nodeType: "action", run, exec }', TO_B),
        "exactly one of run or exec",
        "invalid-definition",
    ),
    refused(
        "action exec text", one('action({ exec: "ls" })', TO_B), "exec must be", "wrong-callable"
    ),
    refused(
        "shell with run",
        one("shell({ run, exec })", TO_B),
        "shell action nodes must not define run",
        "invalid-definition",
    ),
    refused("shell no exec", one("shell({})", TO_B), "exec must be a function", "wrong-callable"),
    accepted("shell parse", one("shell({ exec, parse: (result) => result.stdout })", TO_B)),
    refused(
        "checkpoint summary fn",
        one('checkpoint({ summary: () => "x" })'),
        "summary",
        "invalid-definition",
    ),
    refused("checkpoint run str", one('checkpoint({ run: "x" })'), "run must be", "wrong-callable"),
    accepted("checkpoint empty", one("checkpoint()")),
    accepted("checkpoint with an edge", one("checkpoint()", TO_B), "edge-never-taken"),
    refused("edge none", edge('{ from: "a" }'), "exactly one of to", "invalid-definition"),
    refused(
        "edge both",
        edge('{ from: "a", to: "b", switch: { on: "$.route", cases: { x: "b" } } }'),
        "exactly one of to or switch",
        "invalid-definition",
    ),
    refused(
        "edge to undefined + switch",
        edge('{ from: "a", to: undefined, switch: { on: "$.route", cases: { x: "b" } } }'),
        "exactly one of to or switch",
        "invalid-definition",
    ),
    refused("edge no from", edge('{ to: "b" }'), "from: Invalid input", "invalid-definition"),
    refused("edge to number", edge('{ from: "a", to: 1 }'), "to: Invalid", "invalid-definition"),
    refused("edge tuple", edge('["a", "b"]'), "exactly one of to or switch", "invalid-definition"),
    refused("edge text", edge('"a>b"'), "exactly one of to or switch", "invalid-definition"),
    refused("edge unknown from", edge('{ from: "z", to: "b" }'), "from-node: z", "dangling-edge"),
    refused("edge unknown to", edge('{ from: "a", to: "z" }'), "to-node: z", "dangling-edge"),
    refused(
        "edge unknown to with an extra key",
        edge('{ from: "a", to: "z", when: "x" }'),
        "to-node: z",
        "dangling-edge",
    ),
    refused(
        "helper overrides nodeType by a number",
        one("compute({ nodeType: 5, run })", TO_B),
        "nodeType",
        "invalid-definition",
    ),
    refused(
        "edge dup from",
        edge('{ from: "a", to: "b" }, { from: "a", to: "a" }'),
        "multiple outgoing edges: a",
        "multiple-outgoing-edges",
    ),
    refused(
        "edge twice",
        edge('{ from: "a", to: "b" }, { from: "a", to: "b" }'),
        "multiple outgoing edges: a",
        "duplicate-edge",
    ),
    refused(
        "edge beside a switch",
        edge(
            '{ from: "a", to: "b" }, '
            '{ from: "a", switch: { on: "$result.outcome", cases: { ok: "b", failed: "b", '
            'timed_out: "b" } } }'
        ),
        "multiple outgoing edges: a",
        "multiple-outgoing-edges",
    ),
    accepted("edge extra key when", edge('{ from: "a", to: "b", when: "x" }')),
    accepted(
        "self loop",
        edge('{ from: "a", switch: { on: "$.route", cases: { x: "b", y: "a" } } }'),
    ),
    refused(
        "switch no on",
        edge('{ from: "a", switch: { cases: { x: "b" } } }'),
        "switch.on",
        "invalid-definition",
    ),
    refused(
        "switch no cases",
        edge('{ from: "a", switch: { on: "$.route" } }'),
        "switch.cases",
        "invalid-definition",
    ),
    refused(
        "switch text", edge('{ from: "a", switch: "$.route" }'), "switch", "invalid-definition"
    ),
    accepted(
        "switch empty cases",
        edge('{ from: "a", switch: { on: "$.route", cases: {} } }'),
        "unroutable-gate",
    ),
    accepted(
        "switch bad path",
        edge('{ from: "a", switch: { on: "route", cases: { x: "b" } } }'),
        "invalid-expression",
    ),
    refused(
        "switch case unknown",
        edge('{ from: "a", switch: { on: "$.route", cases: { x: "zz" } } }'),
        "to-node: zz",
        "dangling-edge",
    ),
    refused(
        "switch case non-string",
        edge('{ from: "a", switch: { on: "$.route", cases: { x: null } } }'),
        "switch.cases.x",
        "invalid-definition",
    ),
    accepted(
        "switch default key",
        edge('{ from: "a", switch: { on: "$.route", cases: { x: "b" }, default: "b" } }'),
    ),
    accepted(
        "switch without ok",
        edge('{ from: "a", switch: { on: "$result.outcome", cases: { failed: "b" } } }'),
        "unhandled-route",
    ),
    refused(
        "decision no choices",
        one('decision({ question: "?", choices: [] })', TO_B),
        "at least one value",
        "invalid-definition",
    ),
    refused(
        "decision dup",
        one('decision({ question: "?", choices: ["a", "a"] })', TO_B),
        'unique; duplicate "a"',
        "invalid-definition",
    ),
    refused(
        "decision empty str",
        one('decision({ question: "?", choices: [""] })', TO_B),
        "non-empty strings",
        "invalid-definition",
    ),
    refused(
        "decision number",
        one('decision({ question: "?", choices: [1] })', TO_B),
        "non-empty strings",
        "invalid-definition",
    ),
    refused(
        "decision field",
        one('decision({ question: "?", choices: ["a"], field: "a b" })', TO_B),
        "simple JSON key",
        "invalid-definition",
    ),
    accepted("decision one choice", one('decision({ question: "?", choices: ["a"] })', TO_B)),
    accepted("decision no question", one('decision({ choices: ["a"] })', TO_B)),
    accepted(
        "decision with prompt key",
        one('decision({ question: "?", choices: ["a"], prompt })', TO_B),
    ),
    refused(
        "decisionEdge missing",
        flow(edges='[decisionEdge({ from: "a", choices: ["x", "y"], cases: { x: "b" } })]'),
        'missing case for choice "y"',
        "unhandled-route",
    ),
    accepted(
        "decisionEdge extra",
        flow(edges='[decisionEdge({ from: "a", choices: ["x"], cases: { x: "b", z: "b" } })]'),
    ),
    accepted(
        "unreachable node", flow(nodes="{ a: compute({ run }), b: compute({ run }) }", edges="[]")
    ),
    refused(
        "no definition",
        f"{HEAD}export default defineFlow();\n",
        "expected object",
        "invalid-definition",
    ),
    refused(
        "steps instead of nodes",
        f'{HEAD}export default defineFlow({{ name: "f", steps: [] }});\n',
        "Invalid flow definition",
        "not-a-flow",
    ),
)
