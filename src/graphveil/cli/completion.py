"""``graphveil completion``: the script that completes commands in a shell."""

from __future__ import annotations

import click

from graphveil.cli import COMPLETION
from graphveil.cli.commands import command


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the shell completion script.

    \b
    Examples:
      graphveil completion bash >> ~/.bashrc
      graphveil completion zsh >> ~/.zshrc
      graphveil completion fish > ~/.config/fish/completions/graphveil.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    print(script(context.find_root().command, {}, "graphveil", COMPLETION).source())
