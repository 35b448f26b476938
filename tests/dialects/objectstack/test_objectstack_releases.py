"""What is told where a project uses an older release than the one whose checks are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recorded_flows import A, Recorded, config, flow, gets
from test_objectstack_recorded import findings

FLOWS = {
    "an unknown field": flow(gets(A, foo=1)),
    "a field that is gone": flow(active=True),
    "a node without what it needs": config("http"),
}
FAULTS = {"unknown-field": "error", "removed-api": "error", "invalid-definition": "error"}


@pytest.mark.parametrize("name", FLOWS)
@pytest.mark.parametrize(
    ("stated", "is_known"), [("^17.1.0", True), ("18.0.0", True), ("^16.2.0", False), (None, True)]
)
def test_older_releases_are_only_warned_of(
    name: str,
    stated: str | None,
    is_known: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    packages = {} if stated is None else {"@objectstack/spec": stated}
    (tmp_path / "package.json").write_text(json.dumps({"name": "x", "dependencies": packages}))
    found = findings(FLOWS[name], tmp_path, "export const flow = defineFlow({});")
    assert len(found) == 1
    assert found[0].name in FAULTS
    if is_known:
        assert found[0].severity == "error"
        assert "from ObjectStack 17 on" not in found[0].message
    else:
        assert found[0].severity == ("info" if found[0].name == "removed-api" else "warning")
        assert found[0].message.endswith(", from ObjectStack 17 on.")


def test_what_every_release_does_stays_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    package = {"name": "x", "dependencies": {"@objectstack/spec": "16.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(package))
    recorded = Recorded(flow(A, ways="s>a a>q a>z"), "a", ("error dangling-edge",))
    found = findings(recorded.flow, tmp_path)
    assert [f"{one.severity} {one.name}" for one in found] == list(recorded.told)
