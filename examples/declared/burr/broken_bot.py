from burr.core import ApplicationBuilder, State, action, default, expr, when


@action(reads=[], writes=["prompt", "safe"])
def prompt(state: State, text: str) -> State:
    return state.update(prompt=text, safe=len(text) < 80)


@action(reads=["prompt"], writes=["mode"])
def decide(state: State) -> State:
    return state.update(mode="code" if "def" in state["prompt"] else "chat")


@action(reads=["prompt"], writes=["answer"])
def answer(state: State) -> State:
    return state.update(answer=state["prompt"])


@action(reads=["prompt"], writes=["answer"])
def code(state: State) -> State:
    return state.update(answer=state["prompt"])


@action(reads=["prompt"], writes=["answer"])
def refuse(state: State) -> State:
    return state.update(answer="no")


app = (
    ApplicationBuilder()
    .with_state(chat_history=[])
    .with_actions(prompt, decide, answer=answer, code=code, refuse=refuse.bind())
    .with_transitions(
        ("prompt", "decide", when(safe=True)),
        ("prompt", "refuse"),
        ("prompt", "answer", default),
        ("decide", "code", when(mode="code")),
        ("decide", "asnwer", default),
        (["answer", "code", "refuse"], "prompt", expr("len(chat_history) < 10")),
    )
    .with_entrypoint("prompt")
    .with_tracker(project="demo")
    .build()
)
