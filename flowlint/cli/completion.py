"""`flowlint completion`: let a shell complete the commands and options of flowlint."""

from __future__ import annotations

import click

from flowlint.cli.main import OK


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what lets a shell complete `flowlint`.

    \b
    bash: flowlint completion bash >> ~/.bashrc
    zsh:  flowlint completion zsh >> ~/.zshrc
    fish: flowlint completion fish > ~/.config/fish/completions/flowlint.fish
    """
    from click.shell_completion import get_completion_class

    from flowlint.cli.group import flowlint

    found = get_completion_class(shell)
    assert found is not None
    # Click would run a shell to learn its version, and say so where that is not to be had.
    made = found(flowlint, {}, "flowlint", "_FLOWLINT_COMPLETE")
    click.echo(made.source_template % made.source_vars())
    return OK
