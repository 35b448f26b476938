"""The lines of a file as people see them in an editor, for comments and code frames."""

from __future__ import annotations

import io

from flowlint.encoding import is_usable, stated_encoding
from flowlint.suffixes import DATA_SUFFIXES, SCRIPT_SUFFIXES

_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def decode(data: bytes, *, is_python: bool = True) -> str:
    """The text of a file, whatever its encoding, which Python states; bad bytes are replaced."""
    if data.startswith(_UTF8_MARK):
        return data[len(_UTF8_MARK) :].decode("utf-8", "replace")
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    stated = stated_encoding(data)[0] if is_python else None
    if stated is not None and is_usable(stated):
        try:
            return data.decode(stated, "replace")
        except (LookupError, UnicodeError):
            pass
    return data.decode("utf-8", "replace")


def split_lines(text: str) -> list[str]:
    r"""Lines without their ends, broken where Python breaks them: at `\n`, `\r\n` and `\r`."""
    return [line.rstrip("\n") for line in io.StringIO(text, newline=None)]


def cells(data: bytes) -> dict[int, str]:
    """The code cells of a notebook by their index over all cells; none when it is malformed."""
    import json

    try:
        found = json.loads(decode(data, is_python=False))["cells"]
        return {
            index: _cell_text(cell["source"])
            for index, cell in enumerate(found)
            if cell["cell_type"] == "code"
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


def _cell_text(source: object) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def texts(path: str, data: bytes) -> dict[int | None, str]:
    """The texts of a file by cell; a file that is no notebook has one, of cell None."""
    if path.endswith(".ipynb"):
        return dict(cells(data).items())
    return {None: decode(data, is_python=not path.endswith((*DATA_SUFFIXES, *SCRIPT_SUFFIXES)))}
