"""Where a graph came from: how its file was read, what was dropped on the way, and what looks odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphveil.words import counted, plain


@dataclass(frozen=True)
class Cleaning:
    """What was dropped or merged to make a graph simple."""

    self_loops: int = 0
    duplicates: int = 0  # the same pair again, in the same direction
    reciprocal: int = 0  # pairs given in both directions
    edge_attributes: tuple[str, ...] = ()  # names of what was dropped
    vertex_attributes: tuple[str, ...] = ()
    rules: tuple[tuple[str, str], ...] = ()  # by which the values of repeated edges became one, by attribute

    def __bool__(self) -> bool:
        return self != Cleaning()

    def __str__(self) -> str:
        """In words.

        Examples
        --------
        >>> print(Cleaning(self_loops=1, reciprocal=214_078, edge_attributes=("weight",)))
        merged 214,078 reciprocal pairs, dropped 1 self-loop, dropped the edge attribute weight
        """
        counts = (
            ("merged", self.reciprocal, "reciprocal pair"),
            ("merged", self.duplicates, "repeated edge"),
            ("dropped", self.self_loops, "self-loop"),
        )
        parts = [f"{did} {counted(number, what)}" for did, number, what in counts if number]
        if self.rules:
            parts.append(
                f"values of repeated edges: {', '.join(f'{plain(name, 40)} ({rule})' for name, rule in self.rules)}"
            )
        for whose, names in (("edge", self.edge_attributes), ("vertex", self.vertex_attributes)):
            if names:
                what = f"{whose} attribute{'s' * (len(names) > 1)}"
                shown = [plain(name, 40) or "(no name)" for name in names[:5]]
                shown += [f"{len(names) - 5:,} more"] * (len(names) > 5)
                parts.append(f"dropped the {what} {', '.join(shown)}")
        return ", ".join(parts)


@dataclass(frozen=True)
class Caution:
    """Something about a graph or its file that may not be as its owner thinks."""

    kind: str  # a word for programs, such as "memberships"
    message: str  # what was found, as a sentence
    remedy: str  # what to do about it, as a sentence

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}"


@dataclass(frozen=True)
class Reading:
    """How a file was read.

    The example and the sides come from the file's content, so `repr` does not show them.
    """

    file: str
    format: str
    delimiter: str | None = None  # in words, such as "commas"
    columns: tuple[str, str] | None = None  # the two that hold the ids; None where the format has no columns
    chosen: bool = True  # by the caller, not by us
    example: tuple[str, str] | None = field(default=None, repr=False)  # the ids of the first edge
    sides: tuple[int, int, int] | None = field(default=None, repr=False)  # ids in each column, and in both
    cautions: tuple[Caution, ...] = ()
    sha256: str = field(default="", repr=False)  # of the file as it was read; nothing of a folder
    comments: int = 0  # lines that were skipped as such
    skipped: tuple[int, ...] = ()  # lines of bad rows, which the caller asked to skip
    direction: str = ""  # what says that edges have one, which is dropped

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in sentences.

        Examples
        --------
        >>> Reading("calls.csv", "csv", comments=3, skipped=(4, 9)).notes
        ('skipped 3 comment lines', 'skipped 2 bad rows (lines 4, 9)')
        """
        notes = [f"skipped {counted(self.comments, 'comment line')}"] if self.comments else []
        if self.skipped:
            lines = [f"{line:,}" for line in self.skipped[:10]] + ["…"] * (len(self.skipped) > 10)
            where = "rows" if self.format in ("parquet", "json") else "lines"
            notes.append(f"skipped {counted(len(self.skipped), 'bad row')} ({where} {', '.join(lines)})")
        if self.direction:
            notes.append(f"{self.direction}: the direction is dropped, and every row is a friendship of both")
        return tuple(notes)

    def __str__(self) -> str:
        """In one line.

        Examples
        --------
        >>> print(Reading("calls.csv", "csv", "commas", ("caller", "callee"), False, ("Ann", "Bob")))
        calls.csv: edges from the columns caller and callee, for example Ann – Bob
        """
        if self.columns is None:
            return f"{plain(self.file)}: {self.format}"
        first, second = (plain(name, 40) for name in self.columns)
        shown = f"{plain(self.file)}: edges from the columns {first} and {second}"
        if self.example is not None:
            shown += ", for example {} – {}".format(*(plain(end, 40) for end in self.example))
        return shown
