"""Secrets are taken out before anything is written.

A cheap look at the encoded text decides whether it can hold a secret at all; only then the
value itself is walked, so that quoting and nesting never hide one, nor break the JSON.

A scrubber by itself puts `[secret]` for all of them. A run has its own (`Scrubber.for_run`),
which gives each a name, and hides one that it has seen wherever else it turns up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Literal

from flowrt.stores.encoding import dump, quote
from flowrt.stores.markers import HIDDEN, is_marker

NAMELESS = "secret"
"""What a secret is called that stood under no key."""

COMMON_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "secret_key",
    "signing_key",
    "encryption_key",
    "authorization",
    "credential",
    "credentials",
)
"""Keys whose texts are secrets: these, and keys that end with one (`db_password`, `apiKey`)."""

# On text in lower case: every secret below holds one of these. Built for speed: the letters
# that alternatives begin with are rare, so that nearly every position is passed over.
_SUSPECTS = (
    r"k(?:ey|en|ia|[-_][a-z0-9_-]{16})|wo?r?d|xox|za|yj|lpat-|-----b|h(?:[opsur]_|f_|ub_p|or|ra)|cre"
    r"|npm_|bearer|sia|@"
)

# Not within a word; but the `n` of an escaped line end in text in a text is none.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))"
_NOT_A_VALUE = (
    r"(?!(?:str|string|int|float|bool|bytes|any|none|null|true|false|undefined)\b)"
    r"(?!\$\{)(?!(?-i:\$[A-Z][A-Z0-9_]*)\b)"
)
_PAIR_NAMES = (
    r"password|passwd|passphrase|pwd|secret|token|credentials?"
    r"|(?:api|access|private|secret|signing|encryption)[_\-. ]?key"
)
_REFERENCE = re.compile(r"\$\{[^}]*\}|\{\{.*\}\}|\$[A-Z_][A-Z0-9_]*")
"""A value that only says where the secret is to be had is none."""

Pattern = tuple[tuple[str, ...], re.Pattern[str], str | None]
"""What texts with it hold, what to look for (all but the first group is secret), and what the
secret is called; None: by the word before it."""

Hider = Literal["all", "texts"]


def _pairs(names: str) -> re.Pattern[str]:
    """`name=value`, `name: value`, also quoted, also inside a text that is JSON itself."""
    return re.compile(
        rf"(?i)((?:{names})\\{{0,3}}[\"']?\s{{0,3}}[:=](?!=)\s{{0,3}}\\{{0,3}}[\"']?){_NOT_A_VALUE}"
        r"(?:(?<=[\"'])[^\"'\\\n]+|[^\s\"'\\,;&(){}\[\]<>|]{3,})"
    )


_PATTERNS: tuple[Pattern, ...] = (
    (
        ("-----begin",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
            r"(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
        ),
        "private_key",
    ),
    (("sk-", "sk_", "rk-", "rk_"), re.compile(_START + r"[sr]k[-_][A-Za-z0-9_-]{16,}"), "key"),
    (
        ("gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_"),
        re.compile(_START + r"(?:gh[opsur]|github_pat)_[A-Za-z0-9_]{16,}"),
        "github_token",
    ),
    (("akia", "asia"), re.compile(_START + r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])"), "access_key"),
    (("xox",), re.compile(_START + r"xox[a-z]-[A-Za-z0-9-]{10,}"), "slack_token"),
    (("aiza",), re.compile(_START + r"AIza[A-Za-z0-9_-]{30,}"), "api_key"),
    (
        ("eyj",),
        re.compile(_START + r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
        "jwt",
    ),
    (("glpat-",), re.compile(_START + r"glpat-[A-Za-z0-9_-]{16,}"), "gitlab_token"),
    (("hf_",), re.compile(_START + r"hf_[A-Za-z0-9]{20,}"), "hf_token"),
    (("npm_",), re.compile(_START + r"npm_[A-Za-z0-9]{30,}"), "npm_token"),
    (
        ("authorization",),
        re.compile(
            r"(?i)(authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?:[a-z]+\s+)?)"
            r"(?=[^\s\"'\\]*\d|[^\s\"'\\]{16})[^\s\"'\\,;]+"
        ),
        "authorization",
    ),
    (
        ("bearer",),
        re.compile(r"(?i)(bearer\s+)(?=\S*\d|\S{20})[A-Za-z0-9._~+/=-]{8,}"),
        "bearer",
    ),
    (("@",), re.compile(r"(://[^\s/?#:@\"'<>]*:)[^\s/?#@\"'<>]+(?=@)"), "url_password"),
    (
        ("word", "wd", "phrase", "secret", "token", "key", "cred"),
        _pairs(_PAIR_NAMES),
        None,
    ),
)


class Scrubber:
    """Replaces secrets by `[secret]`.

    `names` are keys whose values are hidden whatever they are, and `values` are secrets known
    by themselves. `common` adds what secrets usually look like (keys of well-known services,
    bearer tokens, private keys, addresses with a password, `password=` and `token:` pairs) and
    hides texts under the usual names (`COMMON_NAMES`). Raises ValueError for a secret of fewer
    than four characters: it cannot be told from other text.
    """

    __slots__ = ("_common", "_hider", "_names", "_patterns", "_suspicious", "_values")

    def __init__(
        self, names: Iterable[str] = (), values: Iterable[str] = (), *, common: bool = True
    ) -> None:
        self._names = tuple(_words(name) for name in names if name)
        self._values = tuple(sorted({*values}, key=len, reverse=True))
        if any(len(value) < 4 for value in self._values):
            raise ValueError("a secret of fewer than four characters cannot be told from text")
        self._common = tuple(_words(name) for name in COMMON_NAMES) if common else ()
        # Few keys come again and again.
        self._hider = lru_cache(maxsize=2048)(self._find_hider)
        spelled = [
            r"[_\-. ]?".join(map(re.escape, quote(name)[1:-1].split("_"))) for name in self._names
        ]
        patterns = list(_PATTERNS) if common else []
        if spelled:
            patterns.append((("",), _pairs("|".join(spelled)), None))
        self._patterns = tuple(patterns)
        suspects = [_SUSPECTS] if common else []
        suspects += spelled
        suspects += [re.escape(quote(value)[1:-1].lower()) for value in self._values]
        self._suspicious = re.compile("|".join(suspects)).search if suspects else _nothing

    def for_run(self) -> Scrubber:
        """The scrubber of one run. One that hides nothing does so for runs, too."""
        from flowrt.stores.hiding import RunScrubber

        hides = self._names or self._values or self._common or self._patterns
        return RunScrubber(self) if hides else self

    def hide(self, secrets: Mapping[str, Any], taken: Iterable[str] = ()) -> None:
        """Learn secrets by their names; only the scrubber of a run does."""

    def suspects(self, encoded: str) -> bool:
        """Whether JSON text might hold a secret. Cheap; says yes too often, never too rarely."""
        return self._suspicious(encoded.lower()) is not None

    def clean(self, value: Any) -> Any:
        """A JSON value without its secrets; the very same object where there are none."""
        kind = type(value)
        if kind is str:
            return self.text(value)
        if kind is dict:
            return self._clean_mapping(value)
        if kind is list or kind is tuple:
            cleaned = [self.clean(item) for item in value]
            same = all(new is old for new, old in zip(cleaned, value, strict=True))
            return value if same else cleaned
        return value

    def encoded(self, value: Any) -> str:
        """JSON text of a value, without its secrets. Raises NotStorableError."""
        text = dump(value)
        if not self.suspects(text):
            return text
        cleaned = self.clean(value)
        return text if cleaned is value else dump(cleaned)

    def encoded_together(self, values: Iterable[Any]) -> list[str]:
        """JSON texts of values, none with a secret that another one tells of.

        The names of secrets follow the order of the values.
        """
        return [self.encoded(value) for value in values]

    def text(self, text: str) -> str:
        """A text without its secrets; the very same object where there are none."""
        original = text
        for value in self._values:
            if value in text:
                text = text.replace(value, self._mark(NAMELESS, value, known=True))
        lower = text.lower()
        if self._suspicious(lower) is None:
            return original if text == original else text
        for needles, pattern, name in self._patterns:
            for needle in needles:
                if needle in lower:
                    text = pattern.sub(partial(self._marked, name), text)
                    break
        return original if text == original else text

    def content(self, content: bytes, suffix: str) -> bytes:
        """The bytes of an artifact without their secrets; what is no text stays as it is."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        if suffix == ".json":
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                pass
            else:
                cleaned = self.clean(value)
                return content if cleaned is value else _bytes(dump(cleaned))
        scrubbed = self.text(text)
        return content if scrubbed is text else _bytes(scrubbed)

    def _mark(self, name: str, value: Any, *, known: bool) -> str:
        """What is written for a secret. `known`: it is one beyond doubt, wherever it stands."""
        return HIDDEN

    def _marked(self, name: str | None, match: re.Match[str]) -> str:
        before = match[1] if match.re.groups else ""
        secret = match[0][len(before) :]
        if is_marker(secret):
            return match[0]
        known = name is not None
        if name is None:
            word = re.match(r"[\w.-]+(?: key)?", before)
            name = word[0] if word else NAMELESS
        return before + self._mark(name, secret, known=known)

    def _find_hider(self, key: str) -> Hider | None:
        """What hides the value of a key; None when the key tells of no secret."""
        words = _words(key)
        if _is_named(words, self._names):
            return "all"
        return "texts" if _is_named(words, self._common) else None

    def _clean_mapping(self, mapping: dict[Any, Any]) -> dict[Any, Any]:
        cleaned: dict[Any, Any] = {}
        changed = False
        for key, value in mapping.items():
            new_key, new = key, value
            if type(key) is str:
                hider = self._hider(key)
                if hider is not None:
                    hide = self._hide if hider == "all" else self._hide_texts
                    new = hide(key, value)
                if new is value:
                    new_key = self.text(key)
            if new is value:
                new = self.clean(value)
            if new is not value or new_key is not key:
                changed = True
            while new_key in cleaned:
                new_key += "_"
            cleaned[new_key] = new
        return cleaned if changed else mapping

    def _hide(self, key: str, value: Any) -> Any:
        """A value whose every part is a secret. None and truth values tell nothing and stay."""
        if value is None or isinstance(value, bool) or value == "" or is_marker(value):
            return value
        if isinstance(value, dict) and "$flowrt" not in value:
            return {name: self._hide(key, item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._hide(key, item) for item in value]
        return self._mark(key, value, known=True)

    def _hide_texts(self, key: str, value: Any) -> Any:
        """What stands under a usual name: texts. A number is a count, a mapping a schema."""
        if isinstance(value, str):
            is_none = not value or _REFERENCE.fullmatch(value) or is_marker(value)
            return value if is_none else self._mark(key, value, known=True)
        if isinstance(value, dict):
            return self._mark(key, value, known=True) if "$flowrt" in value else value
        if isinstance(value, list) and any(isinstance(item, str) for item in value):
            return [self._hide_texts(key, item) for item in value]
        return value


def _words(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[-. ]", "_", spaced).lower()


def _is_named(key: str, names: tuple[str, ...]) -> bool:
    return any(key == name or key.endswith("_" + name) for name in names)


def _nothing(text: str) -> re.Match[str] | None:
    return None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


DEFAULT_SCRUBBER = Scrubber()
"""Takes out what is commonly a secret."""

NO_SCRUBBER = Scrubber(common=False)
"""Writes everything as it is."""
