"""The graphs of acpx's own example flows, as facts: start, nodes with kinds, edges, cases."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Shape:
    """`switches` are all on `$.route`: cases by their source."""

    start: str
    nodes: dict[str, str]
    direct: list[tuple[str, str]]
    switches: dict[str, dict[str, str]] = field(default_factory=dict)


def named(*targets: str) -> dict[str, str]:
    """Cases that are called as the nodes they lead to."""
    return {target: target for target in targets}


_ESCALATE = "comment_and_escalate_needs_judgment"
_READY = "comment_and_escalate_ready_for_landing"

SMALL = {
    "echo.yaml": Shape("reply", {"reply": "agent", "finalize": "compute"}, [("reply", "finalize")]),
    "branch.yaml": Shape(
        "classify",
        {"classify": "agent", "continue_lane": "agent", "checkpoint_lane": "checkpoint"},
        [],
        {"classify": {"continue": "continue_lane", "checkpoint": "checkpoint_lane"}},
    ),
    "shell.json": Shape(
        "transform", {"transform": "shell", "finalize": "compute"}, [("transform", "finalize")]
    ),
    "workdir.py": Shape(
        "prepare_workspace",
        {"prepare_workspace": "shell", "inspect_workspace": "agent", "finalize": "compute"},
        [("prepare_workspace", "inspect_workspace"), ("inspect_workspace", "finalize")],
    ),
    "two_turn.py": Shape(
        "inspect_workspace",
        {
            "inspect_workspace": "agent",
            "draft": "agent",
            "checklist": "agent",
            "polish": "agent",
            "finalize": "compute",
        },
        [
            ("inspect_workspace", "draft"),
            ("draft", "checklist"),
            ("checklist", "polish"),
            ("polish", "finalize"),
        ],
    ),
}

PR_TRIAGE = Shape(
    "load_pr",
    {
        "load_pr": "compute",
        "prepare_workspace": "shell",
        "extract_intent": "agent",
        "judge_solution": "agent",
        "check_initial_conflicts": "shell",
        "judge_initial_conflicts": "agent",
        "resolve_initial_conflicts": "agent",
        "bug_or_feature": "agent",
        "reproduce_bug_and_test_fix": "agent",
        "test_feature_directly": "agent",
        "judge_refactor": "agent",
        "do_superficial_refactor": "agent",
        "collect_review_state": "shell",
        "review_loop": "agent",
        "collect_ci_state": "shell",
        "fix_ci_failures": "agent",
        "check_final_conflicts": "shell",
        "judge_final_conflicts": "agent",
        "resolve_final_conflicts": "agent",
        "comment_and_close_pr": "agent",
        "post_close_pr": "action",
        _READY: "agent",
        "post_ready_for_landing_comment": "action",
        _ESCALATE: "agent",
        "post_needs_judgment_comment": "action",
        "finalize": "compute",
    },
    [
        ("load_pr", "prepare_workspace"),
        ("prepare_workspace", "extract_intent"),
        ("extract_intent", "judge_solution"),
        ("do_superficial_refactor", "collect_review_state"),
        ("collect_review_state", "review_loop"),
        ("collect_ci_state", "fix_ci_failures"),
        ("comment_and_close_pr", "post_close_pr"),
        ("post_close_pr", "finalize"),
        (_READY, "post_ready_for_landing_comment"),
        ("post_ready_for_landing_comment", "finalize"),
        (_ESCALATE, "post_needs_judgment_comment"),
        ("post_needs_judgment_comment", "finalize"),
    ],
    {
        "judge_solution": {
            "close_pr": "comment_and_close_pr",
            "bug_or_feature": "check_initial_conflicts",
            _ESCALATE: _ESCALATE,
        },
        "check_initial_conflicts": named("bug_or_feature", "judge_initial_conflicts"),
        "judge_initial_conflicts": named("resolve_initial_conflicts", _ESCALATE),
        "resolve_initial_conflicts": named("bug_or_feature", _ESCALATE),
        "bug_or_feature": named("reproduce_bug_and_test_fix", "test_feature_directly", _ESCALATE),
        "reproduce_bug_and_test_fix": named("judge_refactor", _ESCALATE),
        "test_feature_directly": named("judge_refactor", _ESCALATE),
        "judge_refactor": named("collect_review_state", "do_superficial_refactor", _ESCALATE),
        "review_loop": named("collect_review_state", "collect_ci_state", _ESCALATE),
        "fix_ci_failures": named("check_final_conflicts", _ESCALATE),
        "check_final_conflicts": named(_READY, "judge_final_conflicts"),
        "judge_final_conflicts": named("resolve_final_conflicts", _ESCALATE),
        "resolve_final_conflicts": named("collect_ci_state", _ESCALATE),
    },
)

SHAPES = {**SMALL, "pr_triage/flow.py": PR_TRIAGE}
