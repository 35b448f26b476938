"""Secrets given on the command line, in a file or by the environment."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from flowrt.cli.loading import KeyTwiceError, twice, unique

PREFIX = "FLOWRT_SECRET_"
"""What variables begin with that hold secrets; the rest is the name."""


def secrets_of(given: Sequence[str], file: str | None) -> dict[str, Any]:
    """The secrets by name: of the environment, then of the file, then those given one by one.

    Raises click.UsageError for what is not written as it should be; no value is shown.
    """
    found: dict[str, Any] = {
        key.removeprefix(PREFIX): value
        for key, value in os.environ.items()
        if key.startswith(PREFIX) and key != PREFIX
    }
    if file is not None:
        found |= _in_file(file)
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise click.UsageError("--secret is written NAME=VALUE")
        found[name] = value
    return found


def _in_file(path: str) -> dict[str, Any]:
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise click.UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8 text") from error
    try:
        found = json.loads(content, object_pairs_hook=unique)
    except KeyTwiceError:
        place, said = twice(content)
        raise click.UsageError(f"{path} is wrong ({place}: {said})") from None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise click.UsageError(f"{path} holds no JSON object with secrets by their names")
    return found
