"""The protocol as pygls speaks it, but for what it leaves without an answer or logs in vain."""

from __future__ import annotations

import inspect
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage, RPCRequest

_ANSWERS = (types.LSPErrorCodes.RequestFailed, types.LSPErrorCodes.ContentModified)
"""Errors that are an answer as good as any other: nothing has failed."""


class FlowProtocol(LanguageServerProtocol):
    """Answers every request: also those that cannot be read, or come at the wrong time."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._is_begun = False

    def set_writer(self, writer: Any, include_headers: bool = True) -> None:
        """Talk to an editor. Another one is turned away: it would get the answers of the first."""
        if self.writer is None:
            super().set_writer(writer, include_headers)
            return
        closing = writer.close()
        if inspect.iscoroutine(closing):
            closing.close()
        raise ConnectionRefusedError("an editor is connected already")

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message, or a part of one. Raises JsonRpcException."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: RPCMessage) -> None:
        """Do what a message says, unless it comes too early or too late."""
        untimely = self._untimely(message) if isinstance(message, RPCRequest) else None
        if untimely is not None and isinstance(message, RPCRequest):
            self._send_response(message.id, error=untimely.to_response_error())
            return
        super().handle_message(message)

    def _untimely(self, request: RPCRequest) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest("Nothing is answered after `shutdown`.")
        is_first = request.method == types.INITIALIZE
        if is_first and self._is_begun:
            return JsonRpcInvalidRequest("The server is initialized already.")
        if not is_first and not self._is_begun:
            return JsonRpcServerNotInitialized("Nothing is answered before `initialize`.")
        self._is_begun = True
        return None

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcException) and error.code in _ANSWERS:
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=error.to_response_error())
            return
        super()._send_handler_result(future, msg_id=msg_id)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # What was answered meanwhile is no longer known, which is as it should be.
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)
