"""The description of the records that a flow goes through day by day."""

from __future__ import annotations

from flowlint.dialects.objectstack.objects import object_of
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.dialects.objectstack.shape_checks import check_shape
from flowlint.values.model import Const, Mapped, Sequence

_NEVER = "the flow never fires"


def check_sweep(value: Mapped, start: NodePart, scope: Scope) -> None:
    """Note why a `timeRelative` is refused when the flow is bound to it."""
    obj = object_of(value)
    what = f"`timeRelative` of `{start.id}`"
    shape = scope.notes.inner()
    check_shape(obj, "sweep", what, shape, start.id)
    for seen in shape.found:
        message = seen.message.removesuffix(f": {shape.refusal}")
        scope.notes.add(
            seen.span,
            f"{message}: {_NEVER}",
            seen.help,
            rule=seen.rule,
            node=start.id,
            severity="error",
            rename=seen.rename,
        )
    ways = [name for name in ("withinDays", "offsetDays") if name in obj.fields]
    said = None
    if len(ways) == 2:
        said = f"{what} has both `withinDays` and `offsetDays`"
    elif not ways and obj.lacks("withinDays") and obj.lacks("offsetDays"):
        said = f"{what} has neither `withinDays` nor `offsetDays`"
    if said is not None:
        cure = "write one of `withinDays` and `offsetDays`"
        scope.notes.add(obj.span, f"{said}: {_NEVER}", cure, node=start.id, severity="error")
    offsets = obj.get("offsetDays")
    for item in offsets.items if isinstance(offsets, Sequence) else ():
        number = item.value.value if isinstance(item.value, Const) else None
        if isinstance(number, float) and not number.is_integer():
            scope.notes.add(
                item.value.origin.span(),
                f"`offsetDays` of {what} has {number:g}, which is no whole number: {_NEVER}",
                "write whole days",
                node=start.id,
                severity="error",
            )
