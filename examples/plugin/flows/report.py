"""A relay with two faults."""

from relay import Relay


def collect(baton):
    return {**baton, "rows": 3}


def write(baton):
    return {**baton, "text": "three rows"}


def is_empty(baton):
    return baton["rows"] == 0


race = Relay("report")
race.leg("collect", collect)
race.leg("step2", write)
race.hand("collect", "colect", when=is_empty)
race.hand("collect", "step2")
