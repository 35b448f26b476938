"""A support agent: look the customer up, classify, answer or hand over to a colleague."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages


class SupportState(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    customer: dict[str, str]
    intent: str
    draft: str
    approved: bool


def load_customer(state: SupportState) -> dict:
    return {"customer": {"id": "c-17", "tier": "gold"}}


def classify(state: SupportState) -> dict:
    text = state["messages"][-1].content.lower()
    if "refund" in text or "invoice" in text:
        return {"intent": "billing"}
    return {"intent": "technical"}


def billing(state: SupportState) -> dict:
    return {"draft": "Your refund is on its way."}


def technical(state: SupportState) -> dict:
    return {"draft": "Please restart the service and send us the log."}


def review(state: SupportState) -> dict:
    return {"approved": state["customer"]["tier"] != "gold"}


def escalate(state: SupportState) -> dict:
    return {"messages": [AIMessage("A colleague will take over.")]}


def respond(state: SupportState) -> dict:
    return {"messages": [AIMessage(state["draft"])]}


def by_intent(state: SupportState) -> Literal["billing", "technical", "escalate"]:
    if state["intent"] == "billing":
        return "billing"
    if state["intent"] == "technical":
        return "technical"
    return "escalate"


def after_review(state: SupportState) -> str:
    if state["approved"]:
        return "send"
    return "escalate"


workflow = StateGraph(SupportState)
workflow.add_node("load_customer", load_customer)
workflow.add_node("classify", classify)
workflow.add_node("billing", billing)
workflow.add_node("technical", technical)
workflow.add_node("review", review)
workflow.add_node("respond", respond)
workflow.add_node("escalate", escalate)

workflow.add_edge(START, "load_customer")
workflow.add_edge("load_customer", "classify")
workflow.add_conditional_edges(
    "classify",
    by_intent,
    {
        "billing": "billing",
        "technical": "techncial",
        "escalate": "escalate",
    },
)
workflow.add_edge("billing", "review")
workflow.add_edge("technical", "review")
workflow.add_conditional_edges(
    "review",
    after_review,
    {"respond": "respond", "escalate": "escalate"},
)
workflow.add_edge("respond", END)
workflow.add_edge("escalate", END)

agent = workflow.compile(checkpointer=MemorySaver())
