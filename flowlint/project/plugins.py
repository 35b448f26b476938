"""Plugins as a run meets them: loaded before anything is looked at, or told."""

from __future__ import annotations

from flowlint.plugins.installed import all_installed


def load_plugins() -> tuple[str, ...]:
    """Load the plugins there are, and say of each that cannot be used why that is so."""
    if not all_installed():
        return ()
    from flowlint.dialects.plugins import plugin_dialects
    from flowlint.rules.plugins import plugin_rules

    return tuple(str(one) for one in (*plugin_dialects().refused, *plugin_rules().refused))


def plugins_state() -> str:
    """What changes whenever plugins may give other answers: for those who keep answers."""
    if not all_installed():
        return ""
    from flowlint.plugins.fingerprint import plugins_fingerprint

    return "\n".join([plugins_fingerprint(), *load_plugins()])
