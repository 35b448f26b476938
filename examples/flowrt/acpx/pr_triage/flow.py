"""Triage of a pull request: facts are collected by commands, an agent judges, the flow decides.

The pull request ends closed, handed over as ready to be landed, or handed over to a human with
the reason why. The hosting site is a folder (see `demo_forge.py`); what is asked is in
`prompts.py`, what is found out and done without an agent in `mechanics.py`.
"""

from __future__ import annotations

import mechanics
import prompts
from flowrt import Edge, Flow, Node, Permissions, Switch

REVIEW_ROUNDS = 3
CONFLICT_ROUNDS = 2

ESCALATE = "comment_and_escalate_needs_judgment"
JUDGING = 10 * 60
WORKING = 30 * 60


def command(name: str, script: str, parse: mechanics.Parse) -> Node:
    """A script run in the workspace; `parse` makes the facts of what it printed."""
    config = {
        "command": script,
        "args": ["{outputs.load_pr.number}"],
        "cwd": "{outputs.load_pr.workspace}",
        "shell": True,
        "templates": True,
        "env": mechanics.GIT,
        "parse": parse,
    }
    return Node(name, kind="shell", timeout=JUDGING, config=config)


def judge(
    name: str, prompt: prompts.Prompt, parse: object = "forgiving", timeout: float = JUDGING
) -> Node:
    """A turn with the agent, in the workspace and in the one session of the run."""
    config = {"prompt": prompt, "cwd": "{outputs.load_pr.workspace}", "parse": parse}
    return Node(name, kind="agent", timeout=timeout, config=config)


flow = Flow(
    name="pr-triage",
    title="Triage of a pull request",
    permissions=Permissions(
        "approve-all", explicit=True, reason="the agent edits files in the workspace of the run"
    ),
    max_steps=60,
    entry="load_pr",
    nodes=[
        Node("load_pr", mechanics.load, kind="compute"),
        Node(
            "prepare_workspace",
            kind="shell",
            timeout=JUDGING,
            config={
                "command": mechanics.PREPARE,
                "args": [
                    "{outputs.load_pr.repository}",
                    "{outputs.load_pr.workspace}",
                    "{outputs.load_pr.number}",
                ],
                "shell": True,
                "templates": True,
                "env": mechanics.GIT,
                "parse": mechanics.pull_request,
            },
        ),
        judge("extract_intent", prompts.INTENT),
        judge("judge_solution", prompts.SOLUTION),
        command("check_initial_conflicts", mechanics.MERGE, mechanics.initial_conflicts),
        judge("judge_initial_conflicts", prompts.INITIAL_CONFLICTS),
        judge("resolve_initial_conflicts", prompts.RESOLVE_INITIAL, timeout=WORKING),
        judge("bug_or_feature", prompts.BUG_OR_FEATURE),
        judge("reproduce_bug_and_test_fix", prompts.REPRODUCE, timeout=WORKING),
        judge("test_feature_directly", prompts.TEST_FEATURE, timeout=WORKING),
        judge("judge_refactor", prompts.NEEDS_REFACTOR),
        judge("do_superficial_refactor", prompts.REFACTOR, timeout=WORKING),
        command("collect_review_state", mechanics.REVIEW, mechanics.review_state),
        judge(
            "review_loop",
            prompts.REVIEW,
            mechanics.at_most(REVIEW_ROUNDS, "collect_review_state", instead=ESCALATE),
            timeout=WORKING,
        ),
        command("collect_ci_state", mechanics.CI, mechanics.ci_state),
        judge("fix_ci_failures", prompts.FIX_CI, timeout=WORKING),
        command("check_final_conflicts", mechanics.FINAL_CHECK, mechanics.final_conflicts),
        judge("judge_final_conflicts", prompts.FINAL_CONFLICTS),
        judge(
            "resolve_final_conflicts",
            prompts.RESOLVE_FINAL,
            mechanics.at_most(CONFLICT_ROUNDS, "collect_ci_state", instead=ESCALATE),
            timeout=WORKING,
        ),
        judge("comment_and_close_pr", prompts.CLOSING, "text"),
        Node("post_close_pr", mechanics.close, kind="action"),
        judge("comment_and_escalate_ready_for_landing", prompts.READY, "text"),
        Node("post_ready_for_landing_comment", mechanics.hand_over_as_ready, kind="action"),
        judge(ESCALATE, prompts.needs_judgment, "text"),
        Node("post_needs_judgment_comment", mechanics.hand_over_to_human, kind="action"),
        Node("finalize", mechanics.report, kind="compute", config={"into": "report"}),
    ],
    edges=[
        Edge("load_pr", "prepare_workspace"),
        Edge("prepare_workspace", "extract_intent"),
        Edge("extract_intent", "judge_solution"),
        Switch(
            "judge_solution",
            "$.route",
            {
                "close_pr": "comment_and_close_pr",
                "bug_or_feature": "check_initial_conflicts",
                ESCALATE: ESCALATE,
            },
        ),
        Switch(
            "check_initial_conflicts",
            "$.route",
            {
                "bug_or_feature": "bug_or_feature",
                "judge_initial_conflicts": "judge_initial_conflicts",
            },
        ),
        Switch(
            "judge_initial_conflicts",
            "$.route",
            {"resolve_initial_conflicts": "resolve_initial_conflicts", ESCALATE: ESCALATE},
        ),
        Switch(
            "resolve_initial_conflicts",
            "$.route",
            {"bug_or_feature": "bug_or_feature", ESCALATE: ESCALATE},
        ),
        Switch(
            "bug_or_feature",
            "$.route",
            {
                "reproduce_bug_and_test_fix": "reproduce_bug_and_test_fix",
                "test_feature_directly": "test_feature_directly",
                ESCALATE: ESCALATE,
            },
        ),
        Switch(
            "reproduce_bug_and_test_fix",
            "$.route",
            {"judge_refactor": "judge_refactor", ESCALATE: ESCALATE},
        ),
        Switch(
            "test_feature_directly",
            "$.route",
            {"judge_refactor": "judge_refactor", ESCALATE: ESCALATE},
        ),
        Switch(
            "judge_refactor",
            "$.route",
            {
                "collect_review_state": "collect_review_state",
                "do_superficial_refactor": "do_superficial_refactor",
                ESCALATE: ESCALATE,
            },
        ),
        Edge("do_superficial_refactor", "collect_review_state"),
        Edge("collect_review_state", "review_loop"),
        Switch(
            "review_loop",
            "$.route",
            {
                "collect_review_state": "collect_review_state",
                "collect_ci_state": "collect_ci_state",
                ESCALATE: ESCALATE,
            },
        ),
        Edge("collect_ci_state", "fix_ci_failures"),
        Switch(
            "fix_ci_failures",
            "$.route",
            {"check_final_conflicts": "check_final_conflicts", ESCALATE: ESCALATE},
        ),
        Switch(
            "check_final_conflicts",
            "$.route",
            {
                "comment_and_escalate_ready_for_landing": "comment_and_escalate_ready_for_landing",
                "judge_final_conflicts": "judge_final_conflicts",
            },
        ),
        Switch(
            "judge_final_conflicts",
            "$.route",
            {"resolve_final_conflicts": "resolve_final_conflicts", ESCALATE: ESCALATE},
        ),
        Switch(
            "resolve_final_conflicts",
            "$.route",
            {"collect_ci_state": "collect_ci_state", ESCALATE: ESCALATE},
        ),
        Edge("comment_and_close_pr", "post_close_pr"),
        Edge("post_close_pr", "finalize"),
        Edge("comment_and_escalate_ready_for_landing", "post_ready_for_landing_comment"),
        Edge("post_ready_for_landing_comment", "finalize"),
        Edge(ESCALATE, "post_needs_judgment_comment"),
        Edge("post_needs_judgment_comment", "finalize"),
    ],
)
