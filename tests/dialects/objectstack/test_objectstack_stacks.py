"""Stacks: flows that are written in them, and what their objects say of all their flows."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.files import ProjectFiles

OBJECTS = """\
import { Field, ObjectSchema } from "@objectstack/spec/data";

export const Task = ObjectSchema.create({
  name: "app_task",
  label: "Task",
  fields: {
    title: Field.text({ label: "Title" }),
    project: Field.lookup("app_project", { label: "Project" }),
    score: Field.number({ label: "Score", readonly: true }),
    note: Field.text({ label: "Note", readonlyWhen: "record.closed == true" }),
  },
});
"""
FLOWS = """\
import { defineFlow } from "@objectstack/spec";

export const changed = defineFlow({
  name: "task_changed",
  label: "Task changed",
  type: "record_change",
  status: "active",
  nodes: [
    {
      id: "start",
      type: "start",
      label: "Start",
      config: { objectName: "app_task", triggerType: "record-after-update" },
    },
    {
      id: "tell",
      type: "notify",
      label: "Tell",
      config: {
        recipients: "{record.owner}",
        title: "{record.titel} of {record.project}",
        message: "{record.project.name}",
      },
    },
    {
      id: "others",
      type: "get_record",
      label: "Others",
      config: {
        objectName: "app_task",
        filter: { parent: "{record.parent}" },
      },
    },
    {
      id: "mark",
      type: "update_record",
      label: "Mark",
      config: {
        objectName: "app_task",
        filter: { id: "{record.id}" },
        fields: {
          titel: "x",
          score: 3,
          note: "y",
          owner: "z",
        },
      },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "tell" },
    { id: "e2", source: "tell", target: "others" },
    { id: "e3", source: "others", target: "mark" },
    { id: "e4", source: "mark", target: "end" },
  ],
});
"""
STACK = """\
import { defineStack } from "@objectstack/spec";
import { changed } from "./flows";
import * as objects from "./objects";

export default defineStack({
  objects: Object.values(objects),
  flows: [
    changed,
    {
      name: "task_made",
      label: "Task made",
      type: "record_change",
      status: "active",
      nodes: [
        {
          id: "start",
          type: "start",
          label: "Start",
          config: { objectName: "app_tasks", triggerType: "record-after-create" },
        },
        { id: "end", type: "end", label: "End" },
      ],
      edges: [{ id: "e1", source: "start", target: "nowhere" }],
    },
  ],
});
"""
TOLD = [
    ("flows.ts", 21, "warning", "unknown-variable"),
    ("flows.ts", 22, "warning", "unknown-variable"),
    ("flows.ts", 31, "error", "unknown-variable"),
    ("flows.ts", 42, "error", "unknown-field"),
    ("flows.ts", 43, "error", "ineffective-field"),
    ("flows.ts", 44, "warning", "ineffective-field"),
    ("stack.ts", 19, "warning", "invalid-definition"),
]


def analysed(folder: Path, **changed: str) -> FileResult:
    texts = {"objects": OBJECTS, "flows": FLOWS, "stack": STACK, **changed}
    for name, text in texts.items():
        (folder / f"{name}.ts").write_text(text)
    return analyse_file("stack.ts", ProjectFiles(), str(folder))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_flows_are_held_against_the_objects_of_their_stack(tmp_path: Path) -> None:
    faults = analysed(tmp_path).faults
    assert [
        (f.span.path, f.span.line, f.severity, f.name)
        for f in sorted(faults, key=lambda fault: (fault.span.path, fault.span.line))
    ] == TOLD
    assert any("did you mean `title`?" in str(fault.help) for fault in faults)


def test_flows_that_stand_in_a_stack_are_read(tmp_path: Path) -> None:
    result = analysed(tmp_path)
    assert [graph.name for graph in result.graphs if graph.path == "stack.ts"] == ["task_made"]
    told = [(f.span.path, f.span.line, f.name) for flow in result.flows for f in flow.findings]
    assert told == [("stack.ts", 23, "dangling-edge")]


@pytest.mark.parametrize(
    "objects",
    [
        OBJECTS.replace("fields: {", "fields: { ...process.env,"),
        OBJECTS.replace("export const", 'export * from "elsewhere";\nexport const'),
    ],
)
def test_nothing_is_told_of_objects_that_are_not_known(tmp_path: Path, objects: str) -> None:
    told = {fault.name for fault in analysed(tmp_path, objects=objects).faults}
    assert told <= {"invalid-definition"}


def test_records_are_read_along_where_the_flow_asks_for_it(tmp_path: Path) -> None:
    flows = FLOWS.replace("triggerType:", 'expand: ["project"], triggerType:')
    told = [fault.span.line for fault in analysed(tmp_path, flows=flows).faults]
    assert 22 not in told
    assert 21 in told


def test_a_flow_of_the_system_writes_what_is_read_only(tmp_path: Path) -> None:
    flows = FLOWS.replace('status: "active",', 'status: "active", runAs: "system",')
    told = {fault.name for fault in analysed(tmp_path, flows=flows).faults}
    assert "ineffective-field" not in told
    assert "unknown-field" in told


CALLING = """\
import { defineFlow, defineStack } from "@objectstack/spec";

const node = (id: string, type: string, config = {}) => ({ id, type, label: id, config });
const edge = (source: string, target: string) => ({ id: source, source, target });

const archive = defineFlow({
  name: "archive_task",
  label: "Archive",
  type: "autolaunched",
  nodes: [node("start", "start"), node("end", "end")],
  edges: [edge("start", "end")],
});
const call = defineFlow({
  name: "call",
  label: "Call",
  type: "autolaunched",
  nodes: [
    node("start", "start"),
    node("first", "subflow", { flowName: "archive_taks" }),
    node("second", "subflow", { flowName: "archive_task" }),
    node("third", "script", { function: "sumTotl" }),
    node("fourth", "script", { function: "sumTotal" }),
    node("fifth", "subflow", { flowName: "of_a_package" }),
    node("end", "end"),
  ],
  edges: [
    edge("start", "first"),
    edge("first", "second"),
    edge("second", "third"),
    edge("third", "fourth"),
    edge("fourth", "fifth"),
    edge("fifth", "end"),
  ],
});

export default defineStack({
  functions: { sumTotal: (input: unknown) => input },
  flows: [archive, call],
});
"""


def test_what_flows_call_is_looked_for_in_their_stack(tmp_path: Path) -> None:
    faults = analysed(tmp_path, stack=CALLING).faults
    told = [(fault.span.line, fault.severity, fault.name, fault.help) for fault in faults]
    assert sorted(told) == [
        (19, "warning", "undefined-callable", "did you mean `archive_task`?"),
        (21, "warning", "undefined-callable", "did you mean `sumTotal`?"),
        (23, "info", "undefined-callable", "see that the package is installed"),
    ]


def test_flows_that_are_not_all_known_may_be_called(tmp_path: Path) -> None:
    stack = CALLING.replace("flows: [archive, call]", "flows: [archive, call, ...process.env.X]")
    told = [fault.span.line for fault in analysed(tmp_path, stack=stack).faults]
    assert told == [21]


CONDITIONS = """\
import { Field, ObjectSchema } from "@objectstack/spec/data";
import { defineFlow, defineStack } from "@objectstack/spec";

const Deal = ObjectSchema.create({
  name: "app_deal",
  label: "Deal",
  fields: {
    title: Field.text({ label: "Title" }),
    amount: Field.currency({ label: "Amount" }),
    won: Field.boolean({ label: "Won" }),
    stage: Field.select(["New", "In Work", "Done"], { label: "Stage" }),
    tags: Field.select({ multiple: true, options: [{ label: "A", value: "a" }] }),
    mood: { type: "select", label: "Mood", options: [{ label: "Good", value: "Good" }] },
    closed_on: Field.date({ label: "Closed" }),
  },
});

const flow = defineFlow({
  name: "deal_changed",
  label: "Deal changed",
  type: "record_change",
  variables: [{ name: "amunt", type: "number" }],
  nodes: [
    {
      id: "start",
      type: "start",
      label: "Start",
      config: { objectName: "app_deal", triggerType: "record-after-update", condition: "START" },
    },
    {
      id: "which",
      type: "decision",
      label: "Which",
      config: { conditions: [{ label: "yes", expression: "DECIDED" }] },
    },
    { id: "count", type: "assignment", label: "Count", config: { assignments: { titel: 1 } } },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "which" },
    { id: "e2", source: "which", target: "count", label: "yes" },
    { id: "e3", source: "which", target: "end", isDefault: true },
    { id: "e4", source: "count", target: "end", condition: "EDGE" },
  ],
});

export default defineStack({ objects: [Deal], flows: [flow] });
"""


@pytest.mark.parametrize("place", ["START", "DECIDED", "EDGE"])
@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("record.amuont > 10", "error unknown-variable: did you mean `amount`?"),
        ("previous.shape != record.shape", "error unknown-variable: name a field of `app_deal`"),
        ("has(record.amuont)", "error unknown-variable: did you mean `amount`?"),
        ("amuont > 10", "warning unknown-variable: did you mean `amount`?"),
        ("record.stage == 'doen'", "warning guard-never-true: did you mean `done`?"),
        ("record.stage == 'In Work'", "warning guard-never-true: did you mean `in_work`?"),
        ("stage in ['open', 'closed']", "warning guard-never-true: compare it with what it may be"),
        ("record.mood == 'good'", "warning guard-never-true: did you mean `Good`?"),
        ("record.amount == 'high'", "warning guard-never-true: compare it with what it may be"),
        ("record.title > 5", "warning guard-never-true: compare it with what it may be"),
        ("record.won == 'true'", "warning guard-never-true: compare it with what it may be"),
        ("record.amount > 10 && previous.amount <= 10", None),
        ("record.stage == 'in_work' && record.mood == 'Good'", None),
        ("stage != previous.stage", None),
        ("record.won && title.startsWith('x')", None),
        ("record.tags == 'z'", None),
        ("record.closed_on == null", None),
        ("record.owner_id == record.created_by", None),
        ("amunt > 1 && titel == 1 && vars.other == 2", None),
        ("somewhere.entirely > 10", None),
        ("record.stage == null", None),
    ],
)
def test_conditions_are_held_against_the_object(
    tmp_path: Path, place: str, condition: str, told: str | None
) -> None:
    text = CONDITIONS.replace(place, condition)
    for other in ("START", "DECIDED", "EDGE"):
        text = text.replace(f'"{other}"', '"record.id != null"')
    (tmp_path / "stack.ts").write_text(text)
    result = analyse_file("stack.ts", ProjectFiles(), str(tmp_path))
    found = [
        f"{fault.severity} {fault.name}: {fault.help}"
        for fault in result.faults
        if fault.name in ("unknown-variable", "guard-never-true")
    ]
    assert found == ([told] if told else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  variables: [", '  variables: [{ name: "record", type: "object" }, '),
        ('objectName: "app_deal", ', ""),
        ("    title: Field", "    ...process.env, title: Field"),
        ('objectName: "app_deal"', "objectName: process.env.WHAT"),
    ],
)
def test_conditions_are_left_alone_where_the_record_is_not_known(
    tmp_path: Path, old: str, new: str
) -> None:
    text = CONDITIONS.replace("START", "record.amuont > 10").replace("DECIDED", "amuont > 1")
    (tmp_path / "stack.ts").write_text(text.replace("EDGE", "record.won").replace(old, new))
    faults = analyse_file("stack.ts", ProjectFiles(), str(tmp_path)).faults
    assert "unknown-variable" not in {fault.name for fault in faults}
