"""Classes whose values the tests store."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum, StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, RootModel


class Colour(Enum):
    RED = "r"
    GREEN = ("g", 1)
    ALSO_RED = "r"  # noqa: PIE796


class Level(IntEnum):
    LOW = 1


class Word(StrEnum):
    YES = "yes"


class Rights(Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: Any
    y: Any = 0


@dataclass
class Plain:
    a: Any
    b: list[Any] = field(default_factory=list)
    made: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.made = ("made of", self.a)


@dataclass(frozen=True, slots=True)
class Frozen:
    a: Any


class Outer:
    @dataclass
    class Inner:
        a: Any


@dataclass
class Bag(dict):  # type: ignore[type-arg]
    a: int = 0


@dataclass
class TroubleError(Exception):
    a: int = 0

    def __new__(cls, *args: Any) -> TroubleError:
        return super().__new__(cls)


class Odd(OrderedDict):  # type: ignore[type-arg]
    pass


class Item(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    price: float = Field(default=1.5, alias="cost")
    more: Any = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    a: int = 0
    _hidden: list[int] = PrivateAttr(default_factory=list)


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True)

    a: int

    def model_post_init(self, context: Any) -> None:
        if self.a < 0:
            raise ValueError("negative")


class Names(RootModel[list[str]]):
    pass


T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    items: list[T]


PageOfItems = Page[Item]
