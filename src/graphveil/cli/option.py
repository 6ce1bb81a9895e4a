"""What an option is: its flags, what it takes, and how it is described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphveil.cli.kinds import Kind

GUARANTEES, SEARCH, PUBLISHED, PLAIN = "Guarantees", "Search", "What is published", "Options"
TIES = "Attributes of friendships"
REDUCTIONS = "Less risk, without a guarantee"
READING_FILE, ON_SPARK = "Reading FILE", "Spark"
RARE = (READING_FILE, ON_SPARK)  # groups that only --help-all shows


@dataclass(frozen=True)
class Option:
    """One row."""

    flags: str  # as they are typed; ``--a/--no-a`` for yes or no
    kind: Kind  # what it takes
    help: str  # in the imperative, without the default
    default: str | None = None  # as it would be typed
    otherwise: str = ""  # what happens without it, in words, where there is no default
    group: str = PLAIN  # under which heading a help page lists it
    label: str = ""  # the name of its field on a page
    required: bool = False
    name: str = ""  # of the argument that a command gets

    def __post_init__(self) -> None:
        """Name it after its flag, if nothing else was said."""
        object.__setattr__(self, "name", self.name or self.key.replace("-", "_"))

    @property
    def flag(self) -> str:
        """The one that is shown: ``--output``, not ``-o``."""
        flags = self.flags.split("/")[0].split()
        return next((each for each in flags if each.startswith("--")), flags[0])

    @property
    def key(self) -> str:
        """Its name in a file of options."""
        return self.flag.lstrip("-")

    @property
    def title(self) -> str:
        """The name of its field."""
        words = self.key.replace("-", " ")
        return self.label or (words.capitalize() if len(words) > 1 else words)

    def in_words(self) -> str:
        """The help with default and range."""
        words = self.help
        if self.kind.lazy and self.kind.choices:
            words += "  " + "; ".join(f"{name}: {each}" for name, each in self.kind.choices().items()) + "."
        default = self.default or self.otherwise
        more = "; ".join(filter(None, (default and f"default: {default}", self.kind.range)))
        return f"{words}  [{more}]" if more else words

    def parse(self, text: str, name: str | None = None) -> Any:
        """The value of what was typed; errors name the option, or what the caller calls it.

        >>> from graphveil.cli.kinds import TIME, whole
        >>> Option("--budget", TIME, "").parse("1.5m")
        90.0
        >>> Option("--seed", whole(), "").parse("-1")
        Traceback (most recent call last):
        graphveil.errors.ParameterError: --seed must be a whole number of at least 0, not -1.
        """
        return self.kind.parse(name or self.flag, text)
