"""The program: its help page and its commands, one file each."""

from __future__ import annotations

import sys

import click

from graphveil._version import __version__
from graphveil.cli import WRONG
from graphveil.cli.anonymize import anonymize
from graphveil.cli.audit import attack, audit
from graphveil.cli.commands import EXIT_CODES
from graphveil.cli.compare import compare
from graphveil.cli.compile import compile_kernels, completion
from graphveil.cli.demo import demo
from graphveil.cli.reproduce import reproduce
from graphveil.cli.restore import restore, statement
from graphveil.cli.studio import studio
from graphveil.cli.utility import utility
from graphveil.cli.verify import verify
from graphveil.cli.writing import convert, generate


class InOrder(click.Group):
    """Lists its commands in the order in which they are written down here."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="graphveil %(version)s", help="Show the version and exit.")
@click.pass_context
def graphveil(context: click.Context) -> None:
    """Publish social graphs that withstand mutual friend attacks.

    In a graph without names, an attacker can find two friends by the number of friends they have in common.
    graphveil measures this risk, changes a few friendships to remove it, and verifies the guarantee.

    \b
    Start here:
      graphveil demo                 the story in a minute
      graphveil audit friends.csv    how exposed is my graph?
      graphveil anonymize friends.csv -k 25 -o out
    """
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        context.exit(WRONG)


COMMANDS = (
    audit, anonymize, verify, restore, statement, studio, utility, attack, compare, reproduce, convert, generate, demo,
    compile_kernels, completion,
)  # fmt: skip
for command in COMMANDS:
    graphveil.add_command(command)
