/**
 * A pull request is reviewed by an agent and mended until its checks pass. Two faults: the checks
 * may say `flaky`, for which there is no case, and what comes after the question to a human is never
 * run, as acpx ends a run there.
 */
import { acp, action, checkpoint, compute, decision, decisionEdge, defineFlow, shell } from "acpx/flows";

const VERDICTS = ["approve", "mend", "ask"] as const;

const session = { handle: "review" };

export default defineFlow({
  name: "review",
  startAt: "load",
  nodes: {
    load: shell({ exec: ({ input }) => ({ command: "gh", args: ["pr", "diff", String(input)] }) }),
    review: decision({
      question: ({ outputs }) => `Is this change sound?\n${outputs.load}`,
      choices: VERDICTS,
      session,
    }),
    mend: acp({ session, prompt: () => "Mend what you found." }),
    check: action({
      run: async ({ runShell }) => {
        const tests = await runShell({ command: "npm", args: ["test"] });
        if (tests.timedOut) {
          return { route: "flaky" };
        }
        return { route: tests.exitCode === 0 ? "passed" : "failed" };
      },
    }),
    ask_human: checkpoint({ summary: "May this be merged?" }),
    merge: compute({ run: ({ outputs }) => ({ merged: outputs.check }) }),
  },
  edges: [
    { from: "load", to: "review" },
    decisionEdge({
      from: "review",
      choices: VERDICTS,
      cases: { approve: "check", mend: "mend", ask: "ask_human" },
    }),
    { from: "mend", to: "check" },
    { from: "check", switch: { on: "$.route", cases: { passed: "merge", failed: "mend" } } },
    { from: "ask_human", to: "merge" },
  ],
});
