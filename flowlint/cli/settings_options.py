"""Options that say which settings hold and which files are taken, and what they come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from flowlint.project.settings.files import SettingsError
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.model import Settings

if TYPE_CHECKING:
    from flowlint.project.settings.stated import Layer

RULE_OPTIONS = ("select", "ignore", "extend_select", "extend_ignore")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says about settings and files."""

    config: tuple[str, ...] = ()
    isolated: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    respect_gitignore: bool | None = None
    force_exclude: bool = False
    stdin_filename: str | None = None
    show_settings: bool = False
    show_files: bool = False

    def configuration(self) -> Configuration:
        """Where settings come from. Raises SettingsError."""
        return Configuration(self._layers(), self.file(), isolated=self.isolated)

    def file(self) -> str | None:
        """The only file of settings to read, if one is named. Raises SettingsError."""
        files = [given for given in self.config if not _is_pair(given)]
        if len(files) > 1:
            raise SettingsError("--config can name one file only: let it extend the other")
        if files and self.isolated:
            raise SettingsError("--isolated and a file of settings do not go together")
        return files[0] if files else None

    def _layers(self) -> list[Layer]:
        layers: list[Layer] = []
        for given in filter(_is_pair, self.config):
            from flowlint.project.settings.reading import layer_of_pair

            layers.append(layer_of_pair(given))
        for name in RULE_OPTIONS:
            words: Sequence[str] = getattr(self, name)
            if words:
                key = name.replace("_", "-")
                layers.append(_layer(f"--{key}", key, _words(key, words)))
        if self.respect_gitignore is not None:
            no = "" if self.respect_gitignore else "no-"
            name = "respect-gitignore"
            layers.append(_layer(f"--{no}{name}", name, self.respect_gitignore))
        return _joined_rules(layers)


def _layer(source: str, key: str, value: object) -> Layer:
    from flowlint.project.settings.reading import layer_of_words

    return layer_of_words(source, {key: value})


def _words(key: str, texts: Sequence[str]) -> list[str]:
    words: list[str] = []
    for text in texts:
        found = [word.strip() for word in text.split(",") if word.strip()]
        if not found:
            raise SettingsError(f"--{key} names no rule")
        words += found
    return words


def _joined_rules(layers: Sequence[Layer]) -> list[Layer]:
    """All that the command line states as one layer, in which the narrower selector wins."""
    if not layers:
        return []
    from flowlint.project.settings.stated import Layer

    values = {name: stated for layer in layers for name, stated in layer.values.items()}
    tables: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for name, entries in layer.tables.items():
            tables.setdefault(name, {}).update(entries)
    return [Layer(values, tables)]


def _is_pair(given: str) -> bool:
    return "=" in given and not os.path.isfile(given)


def run_settings(configuration: Configuration, stdin_filename: str | None = None) -> Settings:
    """The settings of the run as a whole: those of the working folder. Raises SettingsError."""
    if stdin_filename is not None:
        return configuration.of_file(stdin_filename)
    return configuration.of_folder(os.getcwd())


def settings_options(command: Callable[..., int]) -> Callable[..., int]:
    """Options of which the command gets a Wanted as `wanted`."""
    return _wanting(command, (*_RULES, *_PLACES, *_FILES))


def places_options(command: Callable[..., int]) -> Callable[..., int]:
    """Those that say where settings come from, of which the command gets a Wanted as `wanted`."""
    return _wanting(command, _PLACES)


_Option = Callable[[Callable[..., int]], Callable[..., int]]


def _wanting(command: Callable[..., int], taken: Sequence[_Option]) -> Callable[..., int]:
    @wraps(command)
    def settled_command(**options: Any) -> int:
        named = [part.name for part in fields(Wanted) if part.name in options]
        wanted = Wanted(**{name: options.pop(name) for name in named})
        return command(wanted=wanted, **options)

    decorated: Callable[..., int] = settled_command
    for option in reversed(taken):
        decorated = option(decorated)
    return decorated


_RULES: tuple[_Option, ...] = (
    click.option(
        "--select",
        multiple=True,
        metavar="RULES",
        help="Report these rules only: names, codes, categories or beginnings of codes, by commas.",
    ),
    click.option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules."),
    click.option(
        "--extend-select",
        multiple=True,
        metavar="RULES",
        help="Report these rules besides those that the settings select.",
    ),
    click.option(
        "--extend-ignore",
        multiple=True,
        metavar="RULES",
        help="Do not report these rules, nor those that the settings ignore.",
    ),
)

_PLACES: tuple[_Option, ...] = (
    click.option(
        "-c",
        "--config",
        multiple=True,
        metavar="KEY=VALUE|FILE",
        help="A setting that holds over all files of settings, or the only such file to read.",
    ),
    click.option("--isolated", is_flag=True, help="Read no files of settings."),
)

_FILES: tuple[_Option, ...] = (
    click.option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what git ignores.  [default: as the settings say, else leave out]",
    ),
    click.option(
        "--force-exclude",
        is_flag=True,
        help="Leave out what the settings or git leave out even where it is named, as hooks do.",
    ),
    click.option(
        "--stdin-filename",
        metavar="FILE",
        help="The name of what is read from standard input, where PATH is `-`.",
    ),
    click.option(
        "--show-settings",
        is_flag=True,
        help="Show what holds for each PATH, and where that is stated, instead of checking it.",
    ),
    click.option(
        "--show-files", is_flag=True, help="Show which files would be checked, and check none."
    ),
)
