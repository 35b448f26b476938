"""checkpoint, wait, subflow and ask nodes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic, time
from typing import Any, Literal

import pytest
from flowrt.engine.context import Pause, Signal
from flowrt.errors import FlowError, FlowValidationError, NodeTimeoutError
from flowrt.nodes.answers import Answers, InvalidAnswerError
from flowrt.nodes.ask import Question
from flowrt.nodes.times import epoch_of, seconds_of
from flowrt_fakes import context, execute, value
from pydantic import BaseModel


async def paused(kind: str, config: dict[str, Any] | None = None, **world: Any) -> Pause:
    with pytest.raises(Pause) as caught:
        await value(kind, config, **world)
    return caught.value


class TestCheckpoint:
    async def test_acpx_b_checkpoint_pauses_with_id_and_summary(self) -> None:
        pause = await paused("checkpoint", {"summary": "look at {state.x}"}, state={"x": 1})
        assert pause.data == {"checkpoint": "n", "summary": "look at 1"}
        assert (pause.reason, pause.key, pause.until) == ("look at 1", None, None)
        assert (await paused("checkpoint")).data == {"checkpoint": "n", "summary": "n"}

    async def test_what_the_signal_brings_is_the_output(self) -> None:
        world = {"paused_before": True, "signal": Signal("n", {"ok": True})}
        assert await value("checkpoint", **world) == {"ok": True}
        nothing = {"paused_before": True, "signal": Signal("n", None)}
        assert await value("checkpoint", **nothing) == {"checkpoint": "n", "summary": "n"}

    async def test_without_a_signal_it_waits_on_and_runs_nothing_again(self) -> None:
        calls: list[int] = []

        async def run(world: Any) -> dict[str, int]:
            calls.append(1)
            return {"draft": 1}

        pause = await paused("checkpoint", run=run)
        assert pause.data["data"] == {"draft": 1}
        again = await paused("checkpoint", run=run, paused_before=True, pause_data=pause.data)
        assert again.data == pause.data
        assert calls == [1]


class TestWait:
    async def test_short_timers_are_slept_through(self) -> None:
        started = monotonic()
        ended = await value("wait", {"duration": "PT0.05S"}, run_id="r")
        assert ended == {"waited_for": "timer", "payload": None, "timed_out": False}
        assert 0.05 <= monotonic() - started < 1
        past = datetime.now(UTC) - timedelta(days=1)
        assert (await value("wait", {"until": past.isoformat()}))["waited_for"] == "timer"

    async def test_long_timers_pause_a_run_that_is_kept(self) -> None:
        pause = await paused("wait", {"duration": "PT1H"}, run_id="r")
        assert pause.until is not None
        assert 3590 < pause.until - time() <= 3600
        later = {"paused_before": True, "pause_data": pause.data, "run_id": "r"}
        early = await paused("wait", {"duration": "PT1H"}, **later)
        assert early.until == pause.until
        over = {**later, "pause_data": {**pause.data, "until": time() - 1}}
        assert (await value("wait", {"duration": "PT1H"}, **over))["waited_for"] == "timer"

    async def test_signals(self) -> None:
        """objectstack.md b: other waits go on by a signal's name."""
        pause = await paused("wait", {"signal": "paid", "seconds": 60})
        assert pause.key == "paid"
        assert pause.until is not None
        given = {"paused_before": True, "signal": Signal("paid", 7), "pause_data": pause.data}
        assert await value("wait", {"signal": "paid", "seconds": 60}, **given) == {
            "waited_for": "signal",
            "payload": 7,
            "timed_out": False,
        }
        late = {"paused_before": True, "pause_data": {"until": time() - 1}}
        with pytest.raises(NodeTimeoutError, match="signal `paid` in time"):
            await value("wait", {"signal": "paid", "seconds": 60}, **late)
        config = {"signal": "paid", "seconds": 60, "on_timeout": "continue"}
        assert (await value("wait", config, **late))["timed_out"] is True
        assert (await paused("wait", {"signal": "paid"}, paused_before=True)).until is None

    @pytest.mark.parametrize(
        "config", [{}, {"seconds": 1, "duration": "PT1S"}, {"duration": "an hour"}, {"seconds": -1}]
    )
    async def test_wrong_configs(self, config: dict[str, Any]) -> None:
        with pytest.raises(FlowError):
            await value("wait", config)

    @pytest.mark.parametrize(
        ("text", "seconds"),
        [("PT30S", 30), ("PT1H30M", 5400), ("P2D", 172800), ("P1W", 604800), ("PT0,5S", 0.5),
         ("1h30m", 5400), ("250ms", 0.25)],
    )  # fmt: skip
    def test_durations(self, text: str, seconds: float) -> None:
        assert seconds_of(text) == seconds

    @pytest.mark.parametrize("text", ["", "P", "PT", "P1Y", "P1M", "30", "PT5", "-PT5S"])
    def test_no_durations(self, text: str) -> None:
        with pytest.raises(FlowError, match="no duration"):
            seconds_of(text)

    def test_moments(self) -> None:
        assert epoch_of("1970-01-01T00:01:00") == 60
        assert epoch_of("1970-01-01T01:00:00+01:00") == 0
        assert epoch_of(5) == 5
        with pytest.raises(FlowError, match="no point in time"):
            epoch_of("tomorrow")


class TestSubflow:
    async def test_objectstack_b_subflow_with_mapped_input(self) -> None:
        config = {"flow": "other", "input": {"a": "rows.0", "b": "size(state.rows)"}}
        output = await execute(context("subflow", config, state={"rows": [4, 5]}))
        assert output.value == {"a": 4, "b": 2, "inner": "other"}
        assert output.state is None

    async def test_without_a_mapping_it_gets_a_copy_of_the_state(self) -> None:
        state = {"rows": [1]}
        result = await value("subflow", {"flow": "other", "output": "outputs.last"}, state=state)
        assert result == 7
        whole = await value("subflow", {"flow": "other"}, state=state)
        assert whole["rows"] == [1]
        assert whole["rows"] is not state["rows"]


class Refund(BaseModel):
    amount: int
    why: str = ""


class TestAsk:
    async def test_a_service_is_asked(self) -> None:
        asked: list[Question] = []

        async def service(question: Question) -> str:
            asked.append(question)
            return "Yes"

        config = {"question": "Ship {state.x}?", "options": ["yes", "no"], "to": ["ops"]}
        world = {"state": {"x": "v2"}, "services": {"ask": service}}
        assert await value("ask", config, **world) == "yes"
        assert (asked[0].text, asked[0].options, asked[0].to) == (
            "Ship v2?",
            ("yes", "no"),
            ("ops",),
        )

    async def test_invalid_answers_are_asked_for_again(self) -> None:
        problems: list[str | None] = []

        def service(question: Question) -> str:
            problems.append(question.problem)
            return "maybe" if question.asked < 3 else "no"

        config = {"question": "?", "options": ["yes", "no"]}
        assert await value("ask", config, services={"ask": service}) == "no"
        assert problems == [None, *["expected `yes`, `no`, not 'maybe'"] * 2]
        with pytest.raises(InvalidAnswerError, match="no valid answer in 2 attempts"):
            await value("ask", {**config, "attempts": 2}, services={"ask": service})

    async def test_nobody_answers_in_time(self) -> None:
        async def service(question: Question) -> str:
            import asyncio

            await asyncio.sleep(60)
            return "yes"

        config = {"question": "?", "options": ["yes", "no"], "timeout": 0.05}
        with pytest.raises(NodeTimeoutError, match="no answer in time"):
            await value("ask", config, services={"ask": service})
        fallback = {**config, "fallback": "no"}
        assert await value("ask", fallback, services={"ask": service}) == "no"

    async def test_typed_answers(self) -> None:
        def answering(answer: Any) -> dict[str, Any]:
            return {"ask": lambda question: answer}

        model = {"question": "?", "answer": Refund}
        assert await value("ask", model, services=answering({"amount": "5"})) == {
            "amount": 5,
            "why": "",
        }
        assert (await value("ask", model, services=answering('{"amount": 5}')))["amount"] == 5
        with pytest.raises(InvalidAnswerError, match="amount: Field required"):
            await value("ask", model, services=answering({}))
        schema = {"question": "?", "answer": {"type": "integer", "minimum": 3}}
        assert await value("ask", schema, services=answering(4)) == 4
        with pytest.raises(InvalidAnswerError, match="2 is less than the minimum of 3"):
            await value("ask", schema, services=answering(2))
        literal = {"question": "?", "answer": Literal["a", "b"]}
        assert await value("ask", literal, services=answering("a")) == "a"
        several = {"question": "?", "options": ["a", "b", "c"], "multiple": True}
        assert await value("ask", several, services=answering(["c", "a"])) == ["a", "c"]

    async def test_without_a_service_the_run_pauses(self) -> None:
        config = {"question": "Ship?", "options": ["yes", "no"], "timeout": 60, "key": "ship"}
        pause = await paused("ask", config)
        assert pause.key == "ship"
        assert pause.data["text"] == "Ship?"
        assert pause.data["schema"] == {"enum": ["yes", "no"]}
        assert pause.data["asked"] == 1
        assert pause.until == pause.data["until"]
        world = {"paused_before": True, "pause_data": pause.data}
        assert await value("ask", config, signal=Signal("ship", "no"), **world) == "no"
        again = await paused("ask", config, signal=Signal("ship", "maybe"), **world)
        assert again.data["asked"] == 2
        assert "not 'maybe'" in str(again.data["problem"])
        assert again.until == pause.until
        last = {**world, "pause_data": {**pause.data, "asked": 3}}
        with pytest.raises(InvalidAnswerError):
            await value("ask", config, signal=Signal("ship", "maybe"), **last)
        still = await paused("ask", config, **world)
        assert (still.data["asked"], still.until) == (1, pause.until)
        late = {**world, "pause_data": {**pause.data, "until": time() - 1}}
        with pytest.raises(NodeTimeoutError):
            await value("ask", config, **late)
        assert await value("ask", {**config, "fallback": "no"}, **late) == "no"

    def test_answers(self) -> None:
        assert Answers().checked({"a": 1}) == {"a": 1}
        assert Answers(("YES", "NO")).checked(True) == "YES"
        for wrong in (None, "x", ["YES"]):
            with pytest.raises(InvalidAnswerError):
                Answers(("YES", "NO")).checked(wrong)

    async def test_wrong_schema(self) -> None:
        with pytest.raises(FlowError, match="no valid JSON Schema"):
            await value(
                "ask", {"question": "?", "answer": {"type": 5}}, services={"ask": lambda q: 1}
            )
        with pytest.raises(FlowValidationError):
            await value("ask", {"question": "?", "attempts": 0})
