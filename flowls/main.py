"""The command `flowls`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from typing import BinaryIO

OK, FAILURE = 0, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the editor says that it is enough."""
    wanted = _parser().parse_args(arguments)
    if wanted.version:
        from flowls.version import version

        print(f"flowls {version()}")
        return OK
    try:
        if wanted.ws is not None:
            import websockets  # noqa: F401
        from flowls.server import make_server
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in ("pygls", "lsprotocol", "cattrs", "websockets"):
            raise
        sys.stderr.write(f"error: flowls needs {package}: pip install 'flowls[lsp]'\n")
        return FAILURE
    logging.basicConfig(
        level=wanted.log_level.upper(), stream=sys.stderr, format="%(levelname)s %(message)s"
    )
    server = make_server()
    if wanted.tcp is not None or wanted.ws is not None:
        listen = server.start_ws if wanted.tcp is None else server.start_tcp
        try:
            listen(*_address(wanted.tcp or wanted.ws))
        except (OSError, OverflowError) as error:
            sys.stderr.write(f"error: cannot listen on {wanted.tcp or wanted.ws}: {error}\n")
            return FAILURE
    else:
        server.start_io(sys.stdin.buffer, _own_output())
    return server.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="flowls", description="The language server of flowlint.")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--stdio", action="store_true", help="speak on standard streams (default)")
    ways.add_argument("--tcp", metavar="[HOST:]PORT", help="wait for an editor on a port")
    ways.add_argument("--ws", metavar="[HOST:]PORT", help="wait for an editor on a web socket")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="warning"
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    # Editors pass this, so that servers can see that they are gone; the end of the input tells us.
    parser.add_argument("--clientProcessId", help=argparse.SUPPRESS)
    return parser


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit():
        raise SystemExit(f"error: `{text}` is no [HOST:]PORT")
    return host or "127.0.0.1", int(port)


def _own_output() -> BinaryIO:
    """Standard output for the protocol alone: whatever else prints goes to standard error."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output
