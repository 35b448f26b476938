"""Secrets are found wherever they stand, and nothing else is touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flowrt.stores.codec import decode, encode
from flowrt.stores.scrub import DEFAULT_SCRUBBER, HIDDEN, NO_SCRUBBER, Scrubber
from hypothesis import given, settings
from hypothesis import strategies as st

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.sflKxwRJSMeKKF2QT4"

SECRETS = [
    ("sk-proj-abcdefghijklmnop1234", "{}"),
    ("sk-abcdefghijklmnopqrstuvwx", "{}"),
    ("sk-ant-api03-AbCd_efgh-ijkl", "{}"),
    ("sk_live_" + "4eC39HqLyjWDarjt", "{}"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "{}"),
    ("gho_16C7e42F292c6912E7710c838347Ae178B4a", "{}"),
    ("github_pat_11ABCDEFG0123456789_abcdefghij", "{}"),
    ("AKIAIOSFODNN7EXAMPLE", "{}"),
    ("ASIAIOSFODNN7EXAMPLE", "{}"),
    ("xoxb-123456789012-abcdefABCDEF", "{}"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "{}"),
    ("glpat-abcdefghij0123456789", "{}"),
    ("hf_abcdefghijklmnopqrstuvwxyz", "{}"),
    ("npm_abcdefghijklmnopqrstuvwxyz0123456789", "{}"),
    (JWT, "{}"),
    (KEY, "{}"),
    ("abc123def456", "Authorization: Bearer {}"),
    ("dXNlcjpwYXNzd29yZA==", "authorization: Basic {}"),
    ("abc123def456", "curl -H 'X: bearer {}'"),
    ("hunter2", "password={}"),
    ("hunter2", "DB_PASSWORD={}"),
    ("hunter2", 'password = "{}"'),
    ("correct horse battery", "password: '{}'"),
    ("hunter2", "pwd={}&user=x"),
    ("abcd1234", "token: {}"),
    ("abcd1234", "https://x.example/?access_token={}&page=2"),
    ("abcd1234", "api-key: {}"),
    ("abcd1234", '{{"apiKey": "{}"}}'),
    ("abcd1234", '{{\\"client_secret\\": \\"{}\\"}}'),
    ("s3cr3t", "postgres://user:{}@db.example:5432/x"),
    ("p%40ss", "amqp://guest:{}@host"),
]

HARMLESS = [
    "the token count is 5",
    "secretary of state",
    "task-management-system-for-everyone",
    "risk_assessment_of_the_whole_project",
    "write to ann@example.com or see https://example.com:8080/a@b",
    "password: ${DB_PASSWORD}",
    "token=$API_TOKEN",
    "def f(token: str, password: None) -> None",
    "if password == other:",
    "key: value",
    "monkey: banana, keyboard=us",
    "bearer of bad news",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "AKIA is short",
    "ghp_short",
    "x" * 3000,
]


@pytest.mark.parametrize(("secret", "around"), SECRETS)
def test_secrets_are_taken_out(secret: str, around: str) -> None:
    text = around.format(secret)
    scrubbed = DEFAULT_SCRUBBER.text(text)
    assert secret not in scrubbed
    assert HIDDEN in scrubbed
    assert scrubbed == DEFAULT_SCRUBBER.text(scrubbed)
    assert around.split("{}", maxsplit=1)[0].strip("{\\") in scrubbed
    for inside in (text, f"first\n{text}\nlast", f"({text})", f'"{text}"'):
        written = DEFAULT_SCRUBBER.encoded({"a": [{"b": inside}]})
        assert json.loads(written)
        assert secret.split("\n", maxsplit=1)[0] not in json.loads(written)["a"][0]["b"], inside
        # Text in a text: what a program printed, or a model answered.
        twice = DEFAULT_SCRUBBER.encoded({"out": json.dumps({"b": inside})})
        assert json.dumps(secret)[1:-1] not in json.loads(twice)["out"], inside


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_stay(text: str) -> None:
    assert DEFAULT_SCRUBBER.text(text) is text
    value = {"a": [text], "b": {"c": text}}
    assert DEFAULT_SCRUBBER.clean(value) is value


@pytest.mark.parametrize(
    "key",
    ["password", "Password", "db_password", "dbPassword", "X-Api-Key", "apiKey", "OPENAI_API_KEY",
     "token", "access_token", "accessToken", "client_secret", "private key", "Authorization"],
)  # fmt: skip
def test_texts_under_usual_names_are_hidden(key: str) -> None:
    written = json.loads(DEFAULT_SCRUBBER.encoded({key: "x", "list": [{key: ["y", "z"]}]}))
    assert written == {key: HIDDEN, "list": [{key: [HIDDEN, HIDDEN]}]}
    stored = {key: {"$flowrt": "bytes", "v": "eA=="}}
    assert DEFAULT_SCRUBBER.clean(stored) == {key: HIDDEN}


@pytest.mark.parametrize(
    "value",
    [
        {"tokens": "a b", "token_count": "3", "keys": "x", "key": "x", "author": "x"},
        {"token": 5, "password": None, "secret": True, "pwd": ""},
        {"properties": {"password": {"type": "string"}}},
        {"token": "${env.TOKEN}", "password": "{{ secrets.db }}", "api_key": "$API_KEY"},
    ],
)
def test_what_only_looks_like_one_stays(value: dict[str, Any]) -> None:
    assert DEFAULT_SCRUBBER.clean(value) is value


def test_named_keys_are_hidden_whatever_they_hold() -> None:
    scrubber = Scrubber(names=["pin", "client-ref"])
    written = scrubber.encoded(
        {"pin": 1234, "card": {"pin": [{"a": "b"}, 5, None]}, "clientRef": "x", "spin": 1}
    )
    assert json.loads(written) == {
        "pin": HIDDEN,
        "card": {"pin": [{"a": HIDDEN}, HIDDEN, None]},
        "clientRef": HIDDEN,
        "spin": 1,
    }
    assert scrubber.text("pin: 98765, client_ref=abc") == f"pin: {HIDDEN}, client_ref={HIDDEN}"
    assert json.loads(scrubber.encoded({"password": "x"})) == {"password": HIDDEN}


@pytest.mark.parametrize("value", ['a"b\\c\n', "grün-😀", "MixedCase", "with space", "\ud800half"])
def test_named_values_are_hidden_everywhere(value: str) -> None:
    scrubber = Scrubber(values=[value])
    state = {"a": f"<{value}>", value: 1, "n": json.dumps([value])}
    cleaned = json.loads(scrubber.encoded(state))
    assert cleaned["a"] == f"<{HIDDEN}>"
    assert cleaned[HIDDEN] == 1
    assert Scrubber(values=["hunter", "hunter22"]).text("hunter22 hunter") == f"{HIDDEN} {HIDDEN}"


def test_keys_that_become_alike_are_all_kept() -> None:
    cleaned = Scrubber(values=["aaaa", "bbbb"]).clean({"aaaa": 1, "bbbb": 2})
    assert sorted(cleaned.values()) == [1, 2]


def test_what_cannot_be_told_from_text_is_refused() -> None:
    for value in ("", "abc"):
        with pytest.raises(ValueError, match="four characters"):
            Scrubber(values=[value])


def test_nothing_is_hidden_when_told_so() -> None:
    assert NO_SCRUBBER.encoded({"password": KEY}) == json.dumps(
        {"password": KEY}, separators=(",", ":")
    )


def test_bytes_that_are_no_text_stay() -> None:
    content = b"\xff\xfe password=hunter2"
    assert DEFAULT_SCRUBBER.content(content, ".bin") is content
    broken = DEFAULT_SCRUBBER.content(b'{"password": "hunter2"', ".json")
    assert broken == b'{"password": "[secret]"'
    fine = b'{ "a" : 1 }'
    assert DEFAULT_SCRUBBER.content(fine, ".json") is fine


@settings(deadline=None)
@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
), st.sampled_from([secret for secret, around in SECRETS if around == "{}"]))  # fmt: skip
def test_the_cheap_look_never_misses(value: Any, secret: str) -> None:
    whole = {"v": value, "s": ["x", {"y": f" {secret} "}]}
    written = DEFAULT_SCRUBBER.encoded(whole)
    assert json.dumps(secret)[1:-1] not in written
    assert json.loads(written)["s"] == ["x", {"y": f" {HIDDEN} "}]


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "sk-" * 70_000, "eyJ" * 70_000, "://" * 70_000 + "@", "://a:" * 50_000 + "@",
     "password" * 30_000, "token: " * 30_000, "bearer " * 30_000, "authorization " * 20_000,
     "-----BEGIN PRIVATE KEY-----" * 8_000, "password=" + "\\" * 200_000, "x" * 200_000 + "@://"],
    ids=range(12),
)  # fmt: skip
def test_no_text_takes_forever(text: str) -> None:
    """A search that is quadratic would take hours over a text made to be hard."""
    assert len(DEFAULT_SCRUBBER.text(text)) < len(text) * 2


def test_many_small_events_are_looked_at() -> None:
    """Nothing to hide: the same text comes back, from the cheap look alone."""
    data = {"routes": ["b"], "took": 0.1, "state": {"a": 1, "text": "hello"}}
    plain = NO_SCRUBBER.encoded(data)
    for _ in range(20_000):
        assert not DEFAULT_SCRUBBER.suspects(plain)


def test_stored_values_are_hidden_too() -> None:
    state = {1: 2, "password": "hunter2", "token": b"raw", "$flowrt": (("sk-" + "a" * 30),)}
    written = json.loads(DEFAULT_SCRUBBER.encoded(encode(state)))
    assert decode(written) == {1: 2, "password": HIDDEN, "token": HIDDEN, "$flowrt": (HIDDEN,)}
