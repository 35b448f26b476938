"""Stub."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    """x"""


Newer = ast.Module | Unreadable


def suspected(text: str) -> bool:
    """x"""
    return False


def modernise(text: str) -> Newer | None:
    """x"""
    return None
