"""The secrets of one run: each has a name, is hidden everywhere, and can be put back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flowrt.errors import SecretsMissingError
from flowrt.stores.base import Event
from flowrt.stores.codec import decode, encode
from flowrt.stores.lines import event_line, read_trace
from flowrt.stores.returning import put_back
from flowrt.stores.scrub import DEFAULT_SCRUBBER, NO_SCRUBBER, Scrubber
from hypothesis import given, settings
from hypothesis import strategies as st

LONG = "hunter2hunter2"


def test_a_secret_is_hidden_wherever_it_turns_up() -> None:
    scrubber = DEFAULT_SCRUBBER.for_run()
    # Before the key that tells of it, and as part of a text that is JSON itself.
    first = scrubber.encoded(
        {"note": f"it is {LONG}", "said": json.dumps([LONG]), "password": LONG}
    )
    assert json.loads(first) == {
        "note": "it is [secret password]",
        "said": '["[secret password]"]',
        "password": "[secret password]",
    }
    assert scrubber.encoded([LONG]) == '["[secret password]"]'
    assert scrubber.content(f"a {LONG}".encode(), ".txt") == b"a [secret password]"
    assert scrubber.content(b"\xff" + LONG.encode(), ".bin") == b"\xff[secret password]"
    # Another run knows nothing of it.
    assert LONG in DEFAULT_SCRUBBER.for_run().encoded([LONG])


def test_quoted_secrets_are_found_in_texts_of_json() -> None:
    secret = 'a"b\\c\nd'
    scrubber = DEFAULT_SCRUBBER.for_run()
    scrubber.hide({"key": secret})
    written = scrubber.encoded({"out": json.dumps({"x": secret}), "raw": f"{secret}!"})
    assert json.loads(written) == {"out": '{"x": "[secret key]"}', "raw": "[secret key]!"}


def test_each_value_has_a_name_of_its_own() -> None:
    scrubber = DEFAULT_SCRUBBER.for_run()
    written = scrubber.encoded([{"token": "first value"}, {"token": "second value"}])
    assert json.loads(written) == [{"token": "[secret token]"}, {"token": "[secret token-2]"}]
    assert scrubber.encoded({"token": "first value"}) == '{"token":"[secret token]"}'


@pytest.mark.parametrize("value", ["short", "Password", "secret", "", "${TOKEN}"])
def test_what_could_be_any_word_is_hidden_under_its_key_only(value: str) -> None:
    scrubber = DEFAULT_SCRUBBER.for_run()
    scrubber.encoded({"password": value})
    assert json.loads(scrubber.encoded([f"a {value} b"])) == [f"a {value} b"]


def test_what_is_hidden_stays_as_it_is() -> None:
    scrubber = DEFAULT_SCRUBBER.for_run()
    scrubber.hide({"a": "password", "b": "secret pass", "c": LONG})
    hidden = '{"password":"[secret password]","t":"token=[secret c] [secret b]"}'
    assert scrubber.encoded(json.loads(hidden)) == hidden


def test_nothing_is_hidden_in_runs_when_told_so() -> None:
    scrubber = NO_SCRUBBER.for_run()
    scrubber.hide({"password": LONG})
    assert json.loads(scrubber.encoded({"password": LONG})) == {"password": LONG}


def test_a_run_may_have_many_secrets() -> None:
    scrubber = DEFAULT_SCRUBBER.for_run()
    for number in range(1_000):
        scrubber.encoded({"next_token": f"page-{number:06}"})
    assert scrubber.encoded(["page-000000"]) == '["[secret next_token]"]'
    assert scrubber.encoded(["page-000999"]) == '["[secret next_token-1000]"]'


secrets = st.text(min_size=1).filter(lambda text: "[secret" not in text)


@settings(deadline=None, max_examples=200)
@given(
    password=secrets,
    pin=st.integers() | st.binary() | st.lists(st.text(min_size=1), min_size=1) | st.text(),
    others=st.dictionaries(st.text(), st.text() | st.integers(), max_size=3),
    before=st.text(),
)
def test_what_was_hidden_goes_back_everywhere(
    password: str, pin: Any, others: dict[str, Any], before: str
) -> None:
    scrubber = Scrubber(names=["pin"]).for_run()
    state = {**others, "password": password, "pin": pin, "note": before + password}
    if "[secret" in json.dumps(state, default=str):
        return
    line = event_line(Event(1, 1.0, "node_completed", data={"state": encode(state)}), scrubber)
    trace = read_trace([("line 1", line)])
    given_again = {name: value for (is_text, value), name in scrubber._known.items() if is_text}
    given_again |= {
        name: json.loads(value) for (is_text, value), name in scrubber._known.items() if not is_text
    }
    whole = put_back("r", {}, trace, {}) if not trace.marked else _given(trace, given_again)
    assert decode(whole.trace.events[0].data["state"]) == state


def _given(trace: Any, secrets: dict[str, Any]) -> Any:
    from flowrt.stores import returning

    with pytest.MonkeyPatch.context() as patch:
        # They are JSON here already.
        patch.setattr(returning, "encode", lambda value: value)
        return put_back("r", {}, trace, secrets)


def _trace(*events: Event) -> Any:
    lines = [event_line(event, NO_SCRUBBER) for event in events]
    return read_trace((f"line {number}", line) for number, line in enumerate(lines, 1))


def test_only_what_is_needed_has_to_be_given_again() -> None:
    old = Event(1, 1.0, "node_completed", "", "a", 1, 1, {"state": {"token": "[secret token]"}})
    new = Event(2, 2.0, "node_completed", "", "a", 2, 1, {"state": {"token": "[secret token-2]"}})
    failed = Event(3, 3.0, "node_failed", "", "b", 1, 1, {"error": "no [secret password]"})
    trace = _trace(old, new, failed)
    with pytest.raises(SecretsMissingError) as refused:
        put_back("r", {"state": {"pin": "[secret pin json]"}}, trace, {})
    assert refused.value.names == ("pin", "token-2")
    assert "--secret pin=… --secret token-2=…" in str(refused.value)
    whole = put_back(
        "r", {"state": {"pin": "[secret pin json]"}}, trace, {"pin": "7", "token-2": "x"}
    )
    assert whole.run_input == {"state": {"pin": 7}}
    assert whole.trace.events[1].data == {"state": {"token": "x"}}
    assert whole.unknown == {"token", "password"}


def test_a_marker_of_before_names_was_called_secret() -> None:
    with pytest.raises(SecretsMissingError, match="give `secret` again"):
        put_back("r", {"state": {"password": "[secret]"}}, _trace(), {})
    whole = put_back("r", {"state": {"password": "[secret]"}}, _trace(), {"secret": "x"})
    assert whole.run_input == {"state": {"password": "x"}}
