"""The protocol as it goes over the wire, without a library that forgives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

INITIALIZE: Mapping[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}


class Wire:
    """Writes messages to one stream and reads from the other; anything but messages is an error."""

    def __init__(self, output: BinaryIO, given: BinaryIO) -> None:
        self._output, self._given = output, given
        self._number = 0

    def notify(self, method: str, params: object = None) -> None:
        """Tell something."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask for something, and give the whole answer; what comes before is passed over."""
        number = self.request(method, params)
        return self.until(lambda one: one.get("id") == number and "method" not in one)

    def request(self, method: str, params: object = None) -> int:
        """Ask for something without waiting; gives the number that the answer will have."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def until(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that is looked for; what the server asks is answered with nothing."""
        while True:
            message = self.receive()
            assert message is not None, "the server has gone"
            if "id" in message and "method" in message:
                self.answer(message["id"])
            if is_it(message):
                return message

    def answer(self, number: int | str) -> None:
        """Answer what the server asks with nothing."""
        self._send({"id": number, "result": None})

    def open(self, path: Path, text: str) -> str:
        """Open a document, and give its URI."""
        uri = path.as_uri()
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def raw(self, data: bytes) -> None:
        """Send what may be no message."""
        self._output.write(data)
        self._output.flush()

    def receive(self) -> dict[str, Any] | None:
        """The next message, None at the end."""
        length = None
        while True:
            line = self._given.readline()
            if not line and length is None:
                return None
            if line == b"\r\n":
                break
            name, _, value = line.partition(b": ")
            assert name in (b"Content-Length", b"Content-Type"), line
            if name == b"Content-Length":
                length = int(value)
        assert length is not None
        message: dict[str, Any] = json.loads(self._given.read(length))
        assert message["jsonrpc"] == "2.0"
        return message

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
