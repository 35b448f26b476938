"""What the flows of this folder can name: `flowrt run FLOW.yaml --module workplace`."""

from __future__ import annotations

import asyncio

from flowrt import FlowState, register_callable

PROJECTS = [
    {"name": "Atlas", "owner": "Ann", "days_late": 2, "muted": False},
    {"name": "Borealis", "owner": "Bob", "days_late": 0, "muted": False},
    {"name": "Corona", "owner": "Cem", "days_late": 9, "muted": True},
    {"name": "Dune", "owner": "Dee", "days_late": 5, "muted": False},
]


class Warehouse:
    """A system far away that is sometimes down: it refuses as many calls as it is told to."""

    def __init__(self) -> None:
        self.calls = 0

    def push(self, record: object, *, outage: int) -> str:
        self.calls += 1
        if self.calls <= outage:
            raise ConnectionError("the warehouse does not answer")
        return f"W-{self.calls}"


warehouse = Warehouse()


@register_callable("find_late_projects")
def find_late_projects(state: FlowState) -> FlowState:
    """The projects that are late, unless the run was given some."""
    late = [project for project in PROJECTS if project["days_late"]]
    return {**state, "projects": state.get("projects", late)}


@register_callable("send_reminder")
def send_reminder(state: FlowState) -> FlowState:
    """Write to the owner of the project that the loop is at."""
    project = state["project"]
    text = f"{project['owner']}: {project['name']} is {project['days_late']} days late"
    return {**state, "reminders": [*state.get("reminders", []), text]}


@register_callable("note_muted")
def note_muted(state: FlowState) -> FlowState:
    return {**state, "muted": [*state.get("muted", []), state["project"]["name"]]}


@register_callable("tell_by_mail")
def tell_by_mail(state: FlowState) -> FlowState:
    return _told(state, "mail")


@register_callable("tell_by_chat")
def tell_by_chat(state: FlowState) -> FlowState:
    """Chat knows a channel for each team; without a team there is none to write to."""
    if not state.get("team"):
        raise LookupError("no team, no channel")
    return _told(state, "chat")


@register_callable("tell_by_phone")
async def tell_by_phone(state: FlowState) -> FlowState:
    """It takes a moment until somebody answers."""
    await asyncio.sleep(0.05)
    return _told(state, "phone")


def _told(state: FlowState, way: str) -> FlowState:
    return {
        **state,
        "sent": [*state.get("sent", []), way],
        "messages": state.get("messages", 0) + 1,
        "last_way": way,
    }


@register_callable("push_to_warehouse")
def push_to_warehouse(state: FlowState) -> FlowState:
    """Send the record; what is noted before a refusal is gone when the try is."""
    noted: FlowState = {**state, "noted": state.get("noted", 0) + 1}
    number = warehouse.push(state.get("record"), outage=state.get("outage", 0))
    return {**noted, "synced_as": number}


@register_callable("record_failure")
def record_failure(state: FlowState) -> FlowState:
    """Keep the record for later, with what the last try ended with."""
    error = state["error"]
    return {**state, "queued": f"{error['node']}: {error['message']}"}


@register_callable("call_on_duty")
def call_on_duty(state: FlowState) -> FlowState:
    """Ring one person; the next one is rung only while nobody has answered."""
    person = state["person"]
    calls = [*state.get("rung", []), person]
    answered = person if person in state.get("awake", []) else None
    return {**state, "rung": calls, "answered_by": state.get("answered_by") or answered}


@register_callable("nobody_answered")
def nobody_answered(state: FlowState) -> FlowState:
    """Give up on the phone: raises, so that who catches it can find another way."""
    raise LookupError("nobody on duty answered")


@register_callable("raise_alarm")
def raise_alarm(state: FlowState) -> FlowState:
    return {**state, "alarm": state["error"]["message"]}


@register_callable("converge")
def converge(state: FlowState) -> FlowState:
    return {**state, "closed": True}
