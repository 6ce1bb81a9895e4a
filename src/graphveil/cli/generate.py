"""``graphveil generate``: a graph that resembles a network of friends."""

from __future__ import annotations

from graphveil.cli.commands import command
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.cli.writing import check_target, write_graph
from graphveil.formats.table import WritableFormat


@command("generate")
def generate(edges: int, seed: int, output: str, to: WritableFormat | None, force: bool) -> None:
    """Generate a random graph that resembles a network of friends.

    A few people have very many friends, and a few friendships have very many mutual friends. Everybody has a friend.

    \b
    Examples:
      graphveil generate --edges 1000000 --seed 4 -o town.txt.gz
    """
    from graphveil import generate

    check_target(output, force=force)
    announce_compilation()
    with stage(f"Generating {edges:,} friendships"):
        graph = generate(edges, seed)
    write_graph(graph, output, to)
