from __future__ import annotations

from dataclasses import dataclass

from pydantic_graph import BaseNode, End, Graph, GraphRunContext


@dataclass
class Machine:
    balance: float = 0.0


@dataclass
class InsertCoin(BaseNode[Machine]):
    async def run(self, ctx: GraphRunContext[Machine]) -> CoinsInserted:
        return CoinsInserted(1.0)


@dataclass
class CoinsInserted(BaseNode[Machine]):
    amount: float

    async def run(self, ctx: GraphRunContext[Machine]) -> SelectProduct | Purchase:
        return SelectProduct()


@dataclass
class SelectProduct(BaseNode[Machine]):
    async def run(self, ctx: GraphRunContext[Machine]) -> Purchase:
        return Purchase("crisps")


@dataclass
class Purchase(BaseNode[Machine, None, None]):
    product: str

    async def run(self, ctx: GraphRunContext[Machine]) -> End | InsertCoin | SelectProduct:
        return End(None)


vending = Graph(nodes=[InsertCoin, CoinsInserted, Purchase])


async def main() -> None:
    await vending.run(InsertCoin(), state=Machine())
