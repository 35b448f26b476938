"""Text in XML documents, whatever characters are in it."""

from __future__ import annotations

import re

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text for the content of an element; what XML cannot hold is shown by its number."""
    shown = _FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return (
        shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    )


def attribute(text: str) -> str:
    """Text for an attribute between double quotes, in which line ends are kept."""
    return escape(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
