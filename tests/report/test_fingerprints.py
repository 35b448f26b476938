"""What findings are known by does not change when their lines move."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import FINDINGS, at

from flowlint.findings.fingerprint import fingerprints

ONE, OTHER, NOTE = FINDINGS
(KNOWN,) = fingerprints([ONE])


def test_moving_and_counting_change_nothing() -> None:
    moved = replace(ONE, span=at(ONE.span.path, 90, 1, 5), related=(), help=None)
    counted = replace(moved, message=ONE.message.replace("2 uses", "13 uses"))
    assert fingerprints([counted]) == [KNOWN]
    assert fingerprints([OTHER, NOTE, counted])[2] == KNOWN


@pytest.mark.parametrize(
    "other",
    [
        replace(ONE, name="unknown-entry"),
        replace(ONE, flow="other"),
        replace(ONE, node="review"),
        replace(ONE, span=at("b.py", 3, 26, 34)),
        replace(ONE, message=ONE.message.replace("reveiw", "reveiw2")),
    ],
)
def test_what_tells_findings_apart(other: object) -> None:
    assert fingerprints([other]) != [KNOWN]  # type: ignore[list-item]


def test_numbers_in_names_are_part_of_them() -> None:
    pair = [replace(ONE, message=f"Edge leads to `step{n}`.") for n in (1, 2)]
    assert len(set(fingerprints(pair))) == 2
    assert fingerprints(pair[::-1]) == fingerprints(pair)[::-1]


def test_what_cannot_be_told_apart_is_numbered() -> None:
    twice = fingerprints([ONE, ONE])
    assert twice[0] == KNOWN
    assert twice[1] != KNOWN
