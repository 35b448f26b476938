from engine import Pipeline, Route, Step


def check(state):
    state["total"] = 3


def pay(state):
    state["paid"] = True


def cancel(state):
    state["paid"] = False


orders = Pipeline(
    steps=[Step("check", check), Step("pay", fn=pay), Step("cancel", cancel)],
    routes=[
        Route("check", "pay", only_if=lambda s: s["total"] > 0),
        Route("check", "pya", only_if=lambda s: s["total"] > 100),
    ],
    start="check",
)
