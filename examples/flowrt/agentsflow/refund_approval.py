"""The flow of refund_approval.yaml in Python."""

from __future__ import annotations

from flowrt import Edge, Flow, Node, Retry

SCHEMA = {
    "type": "object",
    "properties": {"amount": {"type": "number", "minimum": 0}, "reason": {"type": "string"}},
    "required": ["amount", "reason"],
}

CLASSIFY = """# Classify this refund request
{state.request}
Answer with a JSON object that has the fields `amount` (a number) and `reason`."""

CASE = "{outputs.classifier.amount} EUR, because of: {outputs.classifier.reason}"

ONCE = {"isolated": True}
CUSTOMER = {"handle": "customer"}
"""The conversation in which a case is drafted, and explained if it comes to nothing."""

flow = Flow(
    name="refund_approval",
    title="Refund approval",
    routing="all",
    nodes=[
        Node("start", kind="start"),
        Node(
            "classifier",
            kind="agent",
            retry=Retry(attempts=2, delay=0.05),
            config={"prompt": CLASSIFY, "parse": "fenced", "session": ONCE, "into": "refund"},
            after=[
                {"type": "validate", "schema": SCHEMA},
                {"type": "metric", "name": "refund.amount", "value_from": "result.amount"},
            ],
        ),
        Node(
            "small_refund",
            kind="agent",
            config={
                "prompt": f"# Confirm this refund to the customer\n{CASE}",
                "session": ONCE,
                "into": "letter",
            },
        ),
        Node(
            "large_refund_drafter",
            kind="agent",
            config={
                "prompt": f"# Draft the case for this refund\n{CASE}",
                "session": CUSTOMER,
                "into": "letter",
            },
        ),
        Node(
            "approver_gate",
            kind="decision",
            config={
                "mode": "coordinator",
                "result": "binary",
                "coordinator": "approver",
                "question": "# Shall this refund be paid?\n{state.letter}",
                "escalate": {
                    "below": 0.75,
                    "question": "Refund {state.refund.amount} EUR?",
                    "to": ["finance-on-call"],
                    "key": "finance",
                    "timeout": 900,
                    "fallback": "NO",
                },
                "into": "approval",
            },
        ),
        Node("escalation_handler", kind="agent", config={"session": CUSTOMER, "into": "letter"}),
        Node("recovery", kind="agent", config={"session": ONCE, "into": "letter"}),
        Node("end", kind="end"),
    ],
    edges=[
        Edge("start", "classifier"),
        Edge("classifier", "small_refund", when="output.amount <= 50", priority=10),
        Edge("classifier", "large_refund_drafter", when="output.amount > 50", priority=5),
        Edge(
            "classifier",
            "recovery",
            outcome="failed",
            prompt="# Tell the customer that a human will look at this\n{state.request}",
        ),
        Edge("large_refund_drafter", "approver_gate"),
        Edge("approver_gate", "end", when='output.decision == "YES"'),
        Edge(
            "approver_gate",
            "escalation_handler",
            when='output.decision == "NO"',
            prompt="# Tell the customer why the refund you drafted is not paid",
        ),
        Edge("small_refund", "end"),
        Edge("escalation_handler", "end"),
        Edge("recovery", "end"),
    ],
    entry="start",
)
