"""Definitions kept in Redis, each a text under a key with a common beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flowrt.errors import FlowError
from flowrt.stores.base import Json
from flowrt.stores.definitions import (
    Definition,
    DefinitionNotFoundError,
    check_name,
    checked_data,
    read_definition,
)
from flowrt.stores.encoding import dump, line_bytes

DEFAULT_PREFIX = "flowrt:definition:"


class RedisDefinitions:
    """Keeps definitions in the Redis that `url` names, such as `redis://localhost:6379/0`.

    Keys begin with `prefix`. `ttl` is how many seconds a definition lives after it was saved,
    None for ever. Nothing connects before it must. Raises FlowError when the `redis` package
    is missing or the address is none; methods raise it when the server cannot be reached.
    """

    def __init__(
        self, url: str, *, prefix: str = DEFAULT_PREFIX, ttl: int | None = None, timeout: float = 5
    ) -> None:
        _check_ttl(ttl)
        try:
            import redis
        except ImportError:
            raise FlowError(
                "definitions in Redis need the `redis` package: pip install 'flowls[redis]'"
            ) from None
        # A password in the address must not get into messages.
        self._shown = re.sub(r"//[^@/]*@", "//", url)
        self._prefix = prefix
        self._ttl = ttl
        self._errors = (redis.RedisError, OSError)
        try:
            self._redis: Any = redis.Redis.from_url(
                url, socket_timeout=timeout, socket_connect_timeout=timeout
            )
        except ValueError as error:
            raise FlowError(f"{self._shown} is no address of a Redis: {error}") from None

    def save(self, name: str, definition: Definition, *, ttl: int | None = None) -> None:
        """Keep a definition under a name, in place of what was there; `ttl` in seconds."""
        _check_ttl(ttl)
        key = self._key(name)
        content = line_bytes(dump(checked_data(definition)))
        with self._reported():
            self._redis.set(key, content, ex=self._ttl if ttl is None else ttl)

    def load(self, name: str) -> Json:
        """The definition of that name. Raises DefinitionNotFoundError."""
        key = self._key(name)
        with self._reported():
            content = self._redis.get(key)
        if content is None:
            raise DefinitionNotFoundError(f"there is no definition `{name}` in {self._shown}")
        return read_definition(name, content)

    def ttl(self, name: str) -> int | None:
        """How many seconds a definition still lives, None for ever.

        Raises DefinitionNotFoundError.
        """
        key = self._key(name)
        with self._reported():
            left = int(self._redis.ttl(key))
        if left == -2:
            raise DefinitionNotFoundError(f"there is no definition `{name}` in {self._shown}")
        return None if left == -1 else left

    def list(self) -> tuple[str, ...]:
        """All names, sorted."""
        pattern = re.sub(r"([*?\[\]\\^])", r"\\\1", self._prefix) + "*"
        with self._reported():
            keys = {bytes(key) for key in self._redis.scan_iter(match=pattern, count=500)}
        start = len(self._prefix.encode())
        return tuple(sorted(key[start:].decode("utf-8", "replace") for key in keys))

    def delete(self, name: str) -> bool:
        """Forget a definition; whether there was one."""
        key = self._key(name)
        with self._reported():
            return bool(self._redis.delete(key))

    def close(self) -> None:
        """Give the connections back."""
        self._redis.close()

    def _key(self, name: str) -> bytes:
        return (self._prefix + check_name(name)).encode()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise FlowError(f"the Redis at {self._shown} cannot be used: {error}") from error


def _check_ttl(ttl: int | None) -> None:
    if ttl is None:
        return
    if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 1:
        raise FlowError(
            f"a definition cannot live {ttl!r} seconds: give a whole number of 1 or more, or none"
        )
