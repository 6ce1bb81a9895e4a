"""A directive that shows the help of every command, taken from the program itself: ``{command-help}``."""

from __future__ import annotations

from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive

from graphveil.cli.app import graphveil
from graphveil.cli.commands import whole_help


class CommandHelp(Directive):
    """One section for each command, with its help as the terminal shows it."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        found: list[nodes.Node] = []
        with click.Context(graphveil, info_name="graphveil", max_content_width=96, terminal_width=96) as root:
            for name in graphveil.list_commands(root):
                command = graphveil.get_command(root, name)
                assert command is not None
                with click.Context(command, parent=root, info_name=name, max_content_width=96) as context:
                    found.append(self._section(f"graphveil {name}", whole_help(context)))
        return found

    def _section(self, title: str, text: str) -> nodes.section:
        section = nodes.section(ids=[nodes.make_id(title)], names=[title])
        section += nodes.title(text=title)
        section += nodes.literal_block(text, text, language="text")
        self.state.document.note_implicit_target(section)
        return section


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
