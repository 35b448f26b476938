"""What the agent is asked. Each answer that decides the way is an object with a `route`."""

from __future__ import annotations

from collections.abc import Callable

from flowrt import NodeContext

Prompt = str | Callable[[NodeContext], str]

ESCALATE = "comment_and_escalate_needs_judgment"


def choice(*routes: str) -> str:
    """The end of a prompt whose answer decides where the flow goes on."""
    listed = " | ".join(f'"{route}"' for route in routes)
    return (
        f'\n\nAnswer with one JSON object: {{"route": {listed}, "reason": "one or two sentences"}}'
    )


INTENT = """# extract_intent

Pull request {outputs.load_pr.number}: {outputs.prepare_workspace.title}

{outputs.prepare_workspace.body}

It changes these files, which are checked out in your folder:
{outputs.prepare_workspace.files}

What does its author want to achieve, whatever the code does?
Answer with one JSON object: {"intent": "one sentence"}"""

SOLUTION = """# judge_solution

The intent: {outputs.extract_intent.intent}

Does the change get there, in the place where the cause lies? Close what cannot be made good; ask
for a human where taste or policy decides; else go on.""" + choice(
    "bug_or_feature", "close_pr", ESCALATE
)

INITIAL_CONFLICTS = """# judge_initial_conflicts

The branch and its base both changed:
{outputs.check_initial_conflicts.files}

The merge has been begun in your folder. Is it clear what has to come out?""" + choice(
    "resolve_initial_conflicts", ESCALATE
)

RESOLVE_INITIAL = """# resolve_initial_conflicts

Resolve the conflicts in these files, and do not commit:
{outputs.check_initial_conflicts.files}""" + choice("bug_or_feature", ESCALATE)

BUG_OR_FEATURE = """# bug_or_feature

Does it mend something that went wrong before, or does it add something new?""" + choice(
    "reproduce_bug_and_test_fix", "test_feature_directly", ESCALATE
)

REPRODUCE = """# reproduce_bug_and_test_fix

Is there a test that fails without the change and passes with it? Write it if not.""" + choice(
    "judge_refactor", ESCALATE
)

TEST_FEATURE = """# test_feature_directly

Use the new feature as its users would. Does it do what the intent says?""" + choice(
    "judge_refactor", ESCALATE
)

NEEDS_REFACTOR = """# judge_refactor

Can the change stay as it is, does it need some tidying that changes no behaviour, or would it have
to be built in another way, which is for a human to say?""" + choice(
    "collect_review_state", "do_superficial_refactor", ESCALATE
)

REFACTOR = """# do_superficial_refactor

Tidy the change without changing what it does, and do not commit.
Answer with one JSON object: {"done": "what you did"}"""

REVIEW = """# review_loop

Findings in what the pull request adds ({outputs.collect_review_state.count}):
{outputs.collect_review_state.findings}

Mend what is wrong, do not commit, and ask for another review; or go on to the tests when nothing
that matters is left.""" + choice("collect_review_state", "collect_ci_state", ESCALATE)

FIX_CI = """# fix_ci_failures

The tests are {outputs.collect_ci_state.verdict}:
{outputs.collect_ci_state.log}

When they are red because of the change, mend it and do not commit.""" + choice(
    "check_final_conflicts", ESCALATE
)

FINAL_CONFLICTS = """# judge_final_conflicts

Merged with its base as it is now, the branch is not in order:
{outputs.check_final_conflicts.files}
{outputs.check_final_conflicts.log}

Is it clear what the outcome has to be?""" + choice("resolve_final_conflicts", ESCALATE)

RESOLVE_FINAL = """# resolve_final_conflicts

Bring these into order, and do not commit; the tests run again after that:
{outputs.check_final_conflicts.files}
{outputs.check_final_conflicts.log}""" + choice("collect_ci_state", ESCALATE)

CLOSING = """# comment_and_close_pr

The pull request will be closed: {outputs.judge_solution.reason}
Write the comment: thank the author, and say what would have to be different."""

READY = """# comment_and_escalate_ready_for_landing

All checks are done; the tests are {outputs.collect_ci_state.verdict}.
Write the comment for the maintainer who lands it: what it does, and what you changed."""


def needs_judgment(context: NodeContext) -> str:
    """Many nodes lead here; the one that did so says why."""
    answers = [(name, said) for name, said in context.outputs.items() if isinstance(said, dict)]
    asked, said = next(pair for pair in answers if pair[1].get("route") == ESCALATE)
    return f"""# {ESCALATE}

A human has to decide, since at {asked} it was found: {said.get("reason", "no reason was given")}
Write the comment: the question in one sentence, and what is known."""
