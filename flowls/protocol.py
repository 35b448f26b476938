"""The protocol as pygls speaks it, but for what it leaves without an answer."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol


class FlowProtocol(LanguageServerProtocol):
    """Also answers requests whose parameters it cannot read, so that nobody waits for ever."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message, or a part of one. Raises JsonRpcException."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise
