"""Map results that others computed on pseudonyms back to the owner's ids."""

from __future__ import annotations

import csv
import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice, product
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from graphveil.errors import InputError, ParameterError, PublicationError, warn
from graphveil.formats.advice.column_names import find_ends, words_of
from graphveil.formats.advice.guessing import HARD, delimiter_byte
from graphveil.formats.advice.vocabulary import IDS
from graphveil.formats.dialect import BLANKS
from graphveil.publication.private_part import Run, as_published
from graphveil.publication.staging import private_file
from graphveil.publication.tables import WhoIsWho, read_who_is_who
from graphveil.verification.safe_files import armour, sha256
from graphveil.words import plain

DELIMITERS = tuple(map(chr, HARD))  # those of the readers
LOOKED_AT = 1000  # rows, to find the delimiter and the pseudonyms
FEW_PEOPLE = 5  # fewer results than this may well be the first people of a larger graph
NEW_VERTEX = "(new vertex "
PSEUDONYM = re.compile(r"\s*([0-9]{1,10})(?:\.0*)?\s*", re.ASCII)  # programs like to turn numbers into 17.0
PLAIN_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?", re.ASCII)
NEEDS_QUOTES = re.compile(r"\r|[,;|\t]\s*[=+@-]")
PEOPLE = IDS - {"number", "nr", "no", "num", "idx", "index", "key"} | {"pseudonym", "pseudonyms"}
NUMBER = re.compile(r"\W*\d")  # so begins 1e0, -1, '17 or 1.234,5; the name of a column seldom does


@dataclass(frozen=True)
class Restored:
    """What `restore` did."""

    rows: int
    new_vertices: int  # cells that name vertices that the input does not have
    header: bool  # whether the first row was taken for one
    people: int = 0  # whom the private folder names
    columns: tuple[str, ...] = ()  # where the pseudonyms were: names of columns, or their numbers from 0


def restore(
    private: str | os.PathLike[str],
    results: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    columns: Sequence[str | int] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    exact: bool = False,
    graph: str | os.PathLike[str] | None = None,
) -> Restored:
    """Copy a CSV file of results, with the owner's ids in place of the pseudonyms.

    Vertices that the anonymization added become ``(new vertex 17)``, with their pseudonym. Rows are copied one after
    the other, so the file may be of any size. Pseudonyms are numbers and tell nothing of where they come from: results
    on another publication become the ids of other people. With ``graph`` this is refused. Without it, a warning tells
    of results that have exactly the pseudonyms of a smaller graph.

    Parameters
    ----------
    private
        The private folder of a publication
    results
        A CSV file, in UTF-8, with or without a byte order mark
    output
        A file that is not there yet, readable for its owner only; ``-`` for the standard output
    columns
        Those that hold pseudonyms, by name or by position from 0. Default: the only one that holds nothing else, or of
        several the one that its name tells; otherwise an error asks for it
    delimiter
        One character between columns, or a tab spelled out as ``\\t``; by default the one of comma, semicolon, tab and
        bar that puts pseudonyms into the columns
    header
        Whether the first row names columns; by default it does if one is given by name, or if none of them begins
        with a number there
    exact
        Write ids and all other cells as they are, also those that a spreadsheet would take for a formula
    graph
        The published graph file that the results are about, to be sure that it belongs to the private folder

    Raises
    ------
    InputError
        if the graph belongs to another private folder, if the private folder is not as it was published, and at the
        first row that holds no pseudonym of this
        publication; then no output is written

    Examples
    --------
    >>> import graphveil, pathlib, tempfile
    >>> friends = graphveil.Graph.from_edges([("Ann", "Bob"), ("Bob", "Cem"), ("Cem", "Dora")])
    >>> home = pathlib.Path(tempfile.mkdtemp())
    >>> publication = graphveil.publish(graphveil.anonymize(friends, k=2, seed=7), home / "out")
    >>> _ = (home / "rank.csv").write_text("person,rank\\n0,0.4\\n3,0.1\\n")
    >>> restore(publication.private, home / "rank.csv", home / "rank-by-id.csv").rows
    2
    """
    if graph is not None:
        _check_graph(Path(private), Path(graph))
    with _restoring(private, results, columns, delimiter, header, exact) as found, _new_file(output) as sink:
        write = _row_writer(sink, found.delimiter)
        for row in found.rows():
            write(row)
    if graph is None:
        _warn_of_another_graph(found)
    places = (found.first[place] if found.header else str(place) for place in found.positions)
    return Restored(found.count, found.new, found.header, len(found.translation), tuple(places))


def _check_graph(private: Path, graph: Path) -> None:
    """Refuse a published graph that is not the one of this private folder."""
    as_published(private, "pseudonyms.csv")
    if not graph.is_file():
        raise InputError(graph, "there is no such file", remedy="Name the graph file in public/.")
    digests = [digest for name, digest in Run.read(private).files.items() if name.startswith("public/graph.")]
    if sha256(graph) not in digests:
        raise InputError(
            graph,
            f"this is not the graph whose people {private} names: its SHA-256 is another one",
            remedy="Take the private folder of the same publication.",
        )


def _warn_of_another_graph(found: _Restoring) -> None:
    """Warn of results that have all pseudonyms of a smaller graph: they may belong to another publication."""
    n, seen = len(found.translation), found.seen
    if FEW_PEOPLE <= len(seen) < n and max(seen) == len(seen) - 1:
        warn(
            f"{plain(found.source)} has exactly the pseudonyms 0…{len(seen) - 1:,}, and the private folder is of "
            f"{n:,} people. If the results are about another publication, the names are wrong. To be sure, name the "
            "published graph (graph=)."
        )


def preview_restore(
    private: str | os.PathLike[str],
    results: str | os.PathLike[str],
    *,
    columns: Sequence[str | int] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    exact: bool = False,
    rows: int = 10,
) -> list[list[str]]:
    """The first rows that `restore` would write with the same arguments, the header among them; nothing is written."""
    with _restoring(private, results, columns, delimiter, header, exact) as found:
        return list(islice(found.rows(), rows))


@dataclass
class _Restoring:
    """Results on their way back to ids."""

    source: Path
    delimiter: str
    header: bool
    positions: list[int]
    translation: list[str]
    first: list[str]
    others: Iterator[list[str]]
    exact: bool
    count: int = 0  # rows so far, without the header
    new: int = 0  # cells that name vertices that the input does not have
    seen: set[int] = field(default_factory=set)  # pseudonyms

    def rows(self) -> Iterator[list[str]]:
        """Every row with its ids, the header first."""
        if self.header:
            yield self._safe(self.first)
        for row in self.others if self.header else chain([self.first], self.others):
            pseudonyms = _translate(row, self.positions, self.translation, self.source, self.count + 1)
            self.seen.update(pseudonyms)
            self.new += sum(self.translation[each].startswith(NEW_VERTEX) for each in pseudonyms)
            self.count += 1
            yield self._safe(row, but=self.positions)

    def _safe(self, row: list[str], but: Sequence[int] = ()) -> list[str]:
        """The row with formulas guarded; the ids are already."""
        if self.exact:
            return row
        return [cell if place in but else guarded(cell) for place, cell in enumerate(row)]


@contextmanager
def _restoring(
    private: str | os.PathLike[str],
    results: str | os.PathLike[str],
    columns: Sequence[str | int] | None,
    delimiter: str | None,
    header: bool | None,
    exact: bool,
) -> Iterator[_Restoring]:
    by_name = any(isinstance(column, str) for column in columns or ())
    if by_name and header is False:
        raise ParameterError("columns have no names without a header: give their numbers, from 0.")
    who = read_who_is_who(as_published(Path(private), "pseudonyms.csv"))
    translation = _translation(who, exact=exact)
    with _regular(Path(results)) as source:
        delimiter = _separator(source, delimiter, columns)
        if columns is None:
            columns = _columns_with_pseudonyms(source, delimiter)
        with _rows_of(source, delimiter) as rows:
            first = next(rows, None)
            if first is None:
                raise InputError(source, "the file is empty", remedy="Check how it was made.")
            positions = list(dict.fromkeys(_position(source, first, column) for column in columns))
            if header is None:
                header = by_name or not any(NUMBER.match(first[position]) for position in positions)
            yield _Restoring(source, delimiter, header, positions, translation, first, rows, exact)


@contextmanager
def _regular(results: Path) -> Iterator[Path]:
    """The file itself, or a private copy of what comes through a pipe: it is read more than once."""
    if not results.exists() or results.is_file():
        yield results
        return
    with NamedTemporaryFile(prefix="graphveil-") as copy:
        with open(results, "rb") as source:
            shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


def _columns_with_pseudonyms(source: Path, delimiter: str) -> list[int]:
    """The columns that hold nothing but whole numbers, in the first rows; an error if several do and no name tells."""
    with _rows_of(source, delimiter) as rows:
        first, *below = list(islice(rows, LOOKED_AT)) or [[]]
    filled = [row for row in below if row] or [first]
    holding = [
        place
        for place in range(len(first))
        if all(place < len(row) and PSEUDONYM.fullmatch(row[place]) for row in filled)
    ]
    if len(holding) < 2:
        return holding or [0]  # what is wrong is said when it is read
    ends = next((ends.columns for ends in find_ends(first) if ends.plain), ())
    if ends and set(ends) <= set(holding):
        return sorted(ends)
    named = [place for place in holding if PEOPLE.intersection(words_of(first[place]))]
    if len(named) == 1:
        return named
    names = [plain(first[place], 40) or f"column {place}" for place in holding]
    raise InputError(
        source,
        f"several columns may hold pseudonyms: {', '.join(names[:8])}",
        remedy=f"Choose the right ones, by name or number from 0 (columns=[{holding[0]}]).",
    )


def guarded(cell: str) -> str:
    """A cell of somebody's results that no spreadsheet takes for a formula; a number stays a number.

    >>> guarded("=cmd()"), guarded("-0.5"), guarded("-1+cmd()"), guarded("Alice")
    ("'=cmd()", '-0.5', "'-1+cmd()", 'Alice')
    """
    cell = cell.lstrip("\ufeff")  # a spreadsheet passes over it
    return cell if PLAIN_NUMBER.fullmatch(cell) else armour(cell)


def _separator(source: Path, delimiter: str | None, columns: Sequence[str | int] | None) -> str:
    if delimiter is None:
        usual = "\t" if source.suffix.lower() == ".tsv" else ","
        tried = product([(0,), None] if columns is None else [columns], (usual, *DELIMITERS))
        return next((each for places, each in tried if _separates(source, each, places)), usual)
    byte = delimiter_byte("\t" if delimiter == r"\t" else delimiter)
    if byte == BLANKS:
        raise ParameterError("the delimiter of results is one character, or a tab, not blanks.")
    return chr(byte)


def _separates(source: Path, delimiter: str, columns: Sequence[str | int] | None) -> bool:
    """Whether the first rows, cut by this character, have pseudonyms in the columns; in any, if none are given."""
    try:
        with _rows_of(source, delimiter) as rows:
            first, *below = list(islice(rows, LOOKED_AT)) or [[]]
            given = [first.index(each) if isinstance(each, str) else each for each in columns or ()]
            filled = [row for row in below if row] or [first]
            holding = [
                all(place < len(row) and PSEUDONYM.fullmatch(row[place]) for row in filled)
                for place in given or range(len(first))
            ]
            return (all if given else any)(holding) and any(len(row) > 1 for row in (first, *filled))
    except (InputError, ValueError):  # what is wrong is said when it is read
        return False


def _translation(who: WhoIsWho, *, exact: bool) -> list[str]:
    """What to write for each pseudonym."""
    translation = [""] * len(who.ids)
    for name, pseudonym, new in zip(who.ids.tolist(), who.pseudonyms.tolist(), who.new.tolist(), strict=True):
        translation[pseudonym] = f"{NEW_VERTEX}{pseudonym})" if new else name if exact else armour(name)
    return translation


def _translate(
    row: list[str], positions: list[int], translation: list[str], source: Path, number: int
) -> list[int]:
    """Put ids into a row, in place; the pseudonyms that were there."""
    found = []
    for position in positions if row else ():
        text = row[position] if position < len(row) else ""
        match = PSEUDONYM.fullmatch(text)
        pseudonym = int(match[1]) if match else len(translation)
        if pseudonym >= len(translation):
            raise InputError(
                source,
                f"row {number} of the results has {text[:40]!r} where a pseudonym should be",
                remedy=f"Pseudonyms are 0…{len(translation) - 1}. Choose the columns that hold them; "
                "if the first row names the columns, say so (header=True).",
            )
        row[position] = translation[pseudonym]
        found.append(pseudonym)
    return found


def _position(source: Path, first: list[str], column: str | int) -> int:
    if isinstance(column, str):
        if column not in first:
            raise InputError(
                source, f"no column is named {column!r}", remedy=f"There are: {', '.join(first)}."
            )
        return first.index(column)
    if not 0 <= column < len(first):
        raise InputError(
            source, f"there is no column {column}, counted from 0", remedy=f"The first row has {len(first)}."
        )
    return column


@contextmanager
def _rows_of(path: Path, delimiter: str) -> Iterator[Iterator[list[str]]]:
    """The rows of a CSV file; fields may be of any length, which Python does not allow by itself."""
    try:
        source = open(path, encoding="utf-8-sig", newline="")  # noqa: SIM115
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})") from None
    limit = csv.field_size_limit(2**31 - 1)
    try:
        with source:
            yield csv.reader(source, delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise InputError(path, f"this is not a CSV file ({error})") from None
    except UnicodeDecodeError:
        raise InputError(path, "this is not text in UTF-8") from None
    finally:
        csv.field_size_limit(limit)


def _row_writer(sink: IO[str], delimiter: str) -> Callable[[list[str]], object]:
    """What writes rows so that they come back exactly, wherever a program cuts them.

    Python 3.11 puts no quotes around a carriage return, nor around a delimiter of others, behind which a spreadsheet of
    another country might see a formula.
    """
    sparing = csv.writer(sink, delimiter=delimiter, lineterminator="\n")
    quoting = csv.writer(sink, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    return lambda row: (quoting if any(map(NEEDS_QUOTES.search, row)) else sparing).writerow(row)


@contextmanager
def _new_file(output: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """A file that appears when it is whole, and takes no other's place; the standard output gets it as a whole too."""
    if os.fspath(output) == "-":
        with TemporaryFile("w+", encoding="utf-8", newline="") as spool:  # no name, and for nobody else
            yield spool
            spool.seek(0)
            shutil.copyfileobj(spool, sys.stdout)
        return
    target = Path(output)
    aside = target.with_name(f".graphveil-{secrets.token_hex(8)}")
    try:
        if os.path.lexists(target):
            raise FileExistsError
        with private_file(aside) as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        os.link(aside, target)
    except FileExistsError:
        raise PublicationError(
            f"{target}: it exists already, and nothing is overwritten. Name another file."
        ) from None
    except OSError as error:
        raise PublicationError(f"{target}: {error.strerror or error}. Nothing was written.") from None
    finally:
        aside.unlink(missing_ok=True)
