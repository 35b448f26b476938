class Step:
    def __init__(self, name, fn, role="step"):
        self.name, self.fn, self.role = name, fn, role


class Route:
    def __init__(self, origin, to, only_if=None):
        self.origin, self.to, self.only_if = origin, to, only_if


class Pipeline:
    def __init__(self, steps, routes, start, max_rounds=None):
        self.steps, self.routes, self.start = steps, routes, start
