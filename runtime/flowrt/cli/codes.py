"""The exit codes of `flowrt`: they tell how a run ended."""

from __future__ import annotations

OK = 0
FAILED = 1
INVALID = 2
WAITING = 3
HALTED = 4
CANCELLED = 5
INTERRUPTED = 130

OF_STATUS = {
    "completed": OK,
    "failed": FAILED,
    "timed_out": FAILED,
    "waiting": WAITING,
    "halted": HALTED,
    "cancelled": CANCELLED,
}
"""The exit code of a run by its status."""

TABLE = """\b
Exit codes:
  0    the run completed
  1    a node, guard or hook failed, or took too long; the store or the result
       could not be written
  2    nothing was run: wrong command line, wrong definition, no such run,
       permission refused, or somebody else has the run
  3    the run waits for somebody (see `flowrt show`)
  4    the run was halted and can be resumed
  5    the run was cancelled
  130  interrupted with Ctrl-C; a run under way was cancelled
"""
"""What `--help` says about exit codes; \\b keeps the lines as they are."""
