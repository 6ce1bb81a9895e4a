"""Which two columns of a table hold the ends of an edge, by the names of the columns.

Two columns belong together if their names are the same but for one word, and this word is that of one end and of the
other: ``source`` and ``target``, ``from_id`` and ``to_id``, ``person_a`` and ``person_b``. Of several pairs the plain
one wins (``source``, ``target``), then ids, e-mail addresses, names. Where no pair stands out, the file is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphveil.errors import InputError, ParameterError
from graphveil.formats.advice.vocabulary import (
    ADDRESSES,
    ATTRIBUTES,
    CALLED,
    DIRECTION,
    FAMILY,
    GIVEN,
    IDS,
    MESSAGES,
    NEED_A_STEM,
    ONE_WAY,
    PLACES,
    PLAIN_ROLES,
    POSSIBLE_ROLES,
    RELATIONS,
)
from graphveil.words import plain

CALLED_RANK = 3  # up to here the words beside those for the ends are known to name people
# Where people were, or when, as often as who they are.
OFTEN_NO_PEOPLE = frozenset(
    [
        ("from", "to"),
        ("source", "target"),
        ("origin", "destination"),
        ("source", "destination"),
        ("von", "nach"),
    ]
)
YEAR = re.compile(
    r"(?:1[89]|20)[0-9]{2}(?:\.0|[-/.][0-9]{1,2}.*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}.*"
)
ROLE_WORDS = frozenset(word for pair in PLAIN_ROLES for word in pair)
GLUED = re.compile(
    f"(id)?({'|'.join(sorted(ROLE_WORDS, key=len, reverse=True))})((?:id|node|name|user|person|email)*)"
)


class ChooseColumns(InputError):  # noqa: N818
    """The two columns with the ids are for the caller to choose."""


@dataclass(frozen=True)
class Ends:
    """Two columns that may be the ends of an edge."""

    columns: tuple[int, int]
    rank: int  # 0 is the plainest
    plain: bool  # the words for the ends say so wherever they are met
    roles: tuple[str, str] = ("", "")  # these words


def words_of(name: str) -> tuple[str, ...]:
    """The words of a column's name.

    >>> words_of("fromNodeId"), words_of("Person A"), words_of("id_1"), words_of("sourceid")
    (('from', 'node', 'id'), ('person', 'a'), ('id', '1'), ('source', 'id'))
    """
    spaced = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])|(?<=[A-Z])(?=[0-9])", " ", name[:200])
    words: list[str] = []
    for word in re.findall(r"[^\W_]+", spaced.lower()):
        glued = None if word in FAMILY else GLUED.fullmatch(word)  # a Nachname is no name of a target
        parts = (
            [*glued.groups("")[:2], *re.findall("id|node|name|user|person|email", glued[3])]
            if glued
            else [word]
        )
        words += [part for part in parts if part]
    return tuple(words)


def find_ends(fields: Sequence[str]) -> list[Ends]:
    """The pairs of columns whose names mean the two ends of an edge, the plainest first."""
    names = [words_of(field) for field in fields[:100]]
    found = [ends for i, j in combinations(range(len(names)), 2) for ends in _pair(names, i, j)]
    return sorted(found, key=lambda ends: ends.rank)


def _pair(names: Sequence[tuple[str, ...]], i: int, j: int) -> Iterable[Ends]:
    for first, second in ((i, j), (j, i)):
        roles, stem = _roles(names[first], names[second])
        if roles is None or (roles in NEED_A_STEM and not stem):
            continue
        rank = _rank(stem)
        if rank is not None:
            yield Ends((first, second), rank, roles in PLAIN_ROLES, roles)
            return


def _roles(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
    """The one word in which two names differ, if it is that of the two ends; and the words that they share."""
    if len(first) == len(second) == 1 and len(first[0]) > 2 and (first[0][-1], second[0][-1]) in NEED_A_STEM:
        first, second = ((word[0][:-1], word[0][-1]) for word in (first, second))  # persona, personb
    if len(first) != len(second):
        return None, ()
    differing = [place for place, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    if len(differing) != 1:
        return None, ()
    place = differing[0]
    roles = first[place], second[place]
    stem = (*first[:place], *first[place + 1 :])
    if roles not in PLAIN_ROLES and roles not in POSSIBLE_ROLES and not _are_variables(roles, stem):
        return None, ()
    return roles, stem


def _are_variables(roles: tuple[str, str], stem: tuple[str, ...]) -> bool:
    """Whether two letters stand for two people, as in p.name and q.name, which Cypher returns."""
    letters = all(len(role) == 1 and role.isalpha() for role in roles)
    return letters and bool(stem) and (IDS | ADDRESSES | CALLED).issuperset(stem)


def _rank(stem: tuple[str, ...]) -> int | None:
    """How plainly the shared words say that these are ids; None if they say that they are not."""
    words = set(stem)
    if words & (ATTRIBUTES | PLACES) - ADDRESSES:
        return None
    for rank, known in enumerate((frozenset[str](), IDS, IDS | ADDRESSES, IDS | ADDRESSES | CALLED)):
        if words <= known:
            return rank
    return 4


def is_header(fields: Sequence[str]) -> bool:
    """Whether a row names columns and nothing else: plain words for the ends of an edge, or known words only."""
    if any(ends.plain for ends in find_ends(fields)):
        return True
    known = IDS | ADDRESSES | CALLED | ATTRIBUTES | PLACES | DIRECTION | RELATIONS | GIVEN | FAMILY | {"by"}
    names = [words_of(field) for field in fields]
    return (
        len(fields) > 1
        and all(words and known.issuperset(words) for words in names)
        and len(set(names)) == len(names)
    )


def may_pass_for_header(fields: Sequence[str]) -> bool:
    """Whether a row might be taken for the names of columns, whatever follows."""
    return is_header(fields) or bool(find_ends(fields))


def choose_columns(
    path: str,
    fields: Sequence[str],
    columns: Sequence[str | int] | None,
    *,
    header: bool,
    line: int | None,
    below: Sequence[Sequence[str]] = (),
) -> tuple[tuple[int, int], bool]:
    """Positions of the two columns with the ids, and whether their names declare the graph directed.

    Where the names do not tell, the rows ``below`` the header say which pairs to offer first.
    """
    if columns is None:
        chosen = _by_names(path, fields, line, below) if header else (0, 1)
        return chosen, header and declare_direction(fields, chosen)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise ParameterError(
            f"columns must be two different ones, by name or by position from 0, not {columns!r}"
        )
    first, second = (_position(path, fields, column, line) for column in columns)
    if first == second:
        raise ParameterError(f"columns must be two different ones, and {columns!r} are the same")
    return (first, second), header and declare_direction(fields, (first, second))


def declare_direction(fields: Sequence[str], columns: tuple[int, int]) -> bool:
    """Whether one of two names says that an edge leads from one end to the other."""
    return any(DIRECTION.intersection(words_of(fields[place])) for place in columns)


def direction_of(fields: Sequence[str], columns: tuple[int, int]) -> str:
    """What says that the first id does something to the second; empty if nothing does.

    >>> direction_of(["sender", "recipient"], (0, 1)), direction_of(["person_a", "person_b"], (0, 1))
    ('the columns are sender and recipient', '')
    """
    first, second = (fields[place] for place in columns)
    one_way = any(ONE_WAY.intersection(words_of(name)) for name in (first, second))
    return f"the columns are {plain(first, 40)} and {plain(second, 40)}" if one_way else ""


def _by_names(
    path: str, fields: Sequence[str], line: int | None, below: Sequence[Sequence[str]]
) -> tuple[int, int]:
    found = find_ends(fields)
    if found and _lists_friends(fields, found[0].columns):
        problem = "each line names a person and several friends"
        remedy = "Give one line for each pair, for example with melt of pandas."
        raise InputError(path, problem, line=line, remedy=remedy)
    _refuse_names_in_two_columns(path, fields, found, line)
    best = [ends for ends in found if ends.rank == found[0].rank]
    if any(ends.plain for ends in best):
        best = [ends for ends in best if ends.plain]
    if len(best) == 1 and _has_a_third(fields, best[0].columns):
        problem = "each line names several people"
        remedy = "Give one line for each pair, for example all pairs of authors of a paper."
        raise InputError(path, problem, line=line, remedy=remedy)
    rivals = _rivals(fields, best[0], found, below) if len(best) == 1 else []
    if rivals:
        pairs = [best[0].columns, *rivals]
        shown = " and ".join(" – ".join(plain(fields[place], 40) for place in pair) for pair in pairs[:3])
        problem = f"{len(pairs)} pairs of columns look like the two ends of an edge: {shown}"
        options = " or ".join(ready_made(fields, pair) for pair in pairs[:3])
        raise ChooseColumns(path, problem, line=line, remedy=f"Choose one, with {options}.")
    if len(best) == 1:
        return best[0].columns
    names = [words_of(field) for field in fields]
    if not found:
        described = [
            place
            for place, words in enumerate(names)
            if fields[place].strip() and not (words and ATTRIBUTES.issuperset(words))
        ]
        if len(fields) == 2 and len(described) == 2 and not _same_person(names):
            return 0, 1
        if (
            len(described) == 2
            and not any(PLACES & set(names[place]) for place in described)
            and not _same_person([names[place] for place in described])
            and not _have_nothing_in_common(described, below)
        ):
            return described[0], described[1]
        if _describes_people(names, below):
            problem = "this looks like a table of people, not of pairs"
            remedy = "Name the file with the pairs. This one goes with it (vertices=)."
            raise InputError(path, problem, line=line, remedy=remedy)
    candidates = [ends.columns for ends in found] or pairs_by_values(len(fields), below)
    problem = "the names of the columns do not tell which two are the ends of an edge"
    shown = ", ".join(plain(field, 40) or "(no name)" for field in fields[:12]) + ", …" * (len(fields) > 12)
    examples = " or ".join(ready_made(fields, pair) for pair in candidates[:3])
    remedy = f"Choose two, for example with {examples}. There are: {shown}."
    raise ChooseColumns(path, problem, line=line, remedy=remedy)


def _rivals(
    fields: Sequence[str], best: Ends, found: Sequence[Ends], below: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Other pairs of columns that may be the ends: from and to may be years beside person1 and person2.

    By their names, or because the values in two columns are the same people, while the best pair holds times.
    """
    by_name = [
        ends.columns
        for ends in found
        if ends.roles != best.roles and ends.rank <= CALLED_RANK and not set(ends.columns) & set(best.columns)
    ]
    if by_name or best.roles not in OFTEN_NO_PEOPLE or best.rank:
        return by_name[:1]
    places = [
        place
        for place, name in enumerate(fields)
        if place not in best.columns
        and name.strip()
        and not (ATTRIBUTES | PLACES).intersection(words_of(name))
    ]
    columns = {place: _values(below, place) for place in {*places, *best.columns}}
    others = [pair for pair in combinations(places, 2) if all(columns[place] for place in pair)]
    if all(columns[place] and all(map(YEAR.fullmatch, columns[place])) for place in best.columns):
        return others[:1]
    return [pair for pair in others if _are_the_same_people(*(columns[place] for place in pair))][:1]


def _values(rows: Sequence[Sequence[str]], place: int) -> set[str]:
    return {row[place] for row in rows if place < len(row) and row[place]}


def _are_the_same_people(first: set[str], second: set[str]) -> bool:
    """Whether two columns have names in common, half of those of the smaller one or more."""
    names = {value for value in first & second if not re.fullmatch(r"[+-]?[0-9.,]+|\w?", value)}
    return len(names) > 1 and 2 * len(names) >= min(len(first), len(second))


def _refuse_names_in_two_columns(
    path: str, fields: Sequence[str], found: Sequence[Ends], line: int | None
) -> None:
    """Refuse first and last names in columns of their own, unless two others are the ends of an edge."""
    parts = [place for place, field in enumerate(fields) if (GIVEN | FAMILY).intersection(words_of(field))]
    given = [place for place in parts if GIVEN.intersection(words_of(fields[place]))]
    if not 0 < len(given) < len(parts) or (found and not set(found[0].columns) & set(parts)):
        return
    if len(given) > 1:
        problem, remedy = (
            "first and last names are in two columns",
            "Join them in one column for each person.",
        )
    else:
        problem = (
            "each line has the first and last name of one person: this is a list of people, not of pairs"
        )
        remedy = "Name a file with a line for each pair."
    raise InputError(path, problem, line=line, remedy=remedy)


def _describes_people(names: Sequence[tuple[str, ...]], rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row has an id or a name of its own, and no column has one of another row."""
    if {("id",), ("label",)} <= set(names):
        return True  # the nodes of Gephi
    known = IDS | ADDRESSES | CALLED
    ids = [place for place, words in enumerate(names) if words and known.issuperset(words)]
    named = any(CALLED.intersection(names[place]) for place in ids)
    others = known | ATTRIBUTES - MESSAGES | PLACES
    if len(ids) < 2 or not named or len(rows) < 3 or not all(map(others.issuperset, names)):
        return False
    columns = [_values(rows, place) for place in range(len(names))]
    unique = any(len(columns[place]) == len(rows) for place in ids)
    return unique and not any(
        columns[place] & columns[other] for place in ids for other in range(len(names)) if other != place
    )


def _have_nothing_in_common(columns: Sequence[int], rows: Sequence[Sequence[str]]) -> bool:
    """Whether no id of one column is in the other, in rows enough to tell."""
    first, second = (_values(rows, place) for place in columns)
    return len(rows) > 5 and not first & second


def _lists_friends(fields: Sequence[str], columns: tuple[int, int]) -> bool:
    """Whether friend_1 and friend_2 stand beside the person whose friends they are."""
    _, stem = _roles(words_of(fields[columns[0]]), words_of(fields[columns[1]]))
    known = IDS | ADDRESSES | CALLED
    others = [words_of(field) for place, field in enumerate(fields) if place not in columns]
    return bool(RELATIONS.intersection(stem)) and any(words and known.issuperset(words) for words in others)


def pairs_by_values(width: int, rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """All pairs of columns, those first that have the most values in common."""
    places = range(min(width, 20))
    columns = [_values(rows, place) for place in places]
    return sorted(
        combinations(places, 2), key=lambda pair: -len(columns[pair[0]] & columns[pair[1]]) * (len(rows) > 5)
    )


def _has_a_third(fields: Sequence[str], columns: tuple[int, int]) -> bool:
    """Whether author_1 and author_2 are followed by an author_3."""
    roles, _ = _roles(words_of(fields[columns[0]]), words_of(fields[columns[1]]))
    following = {("1", "2"): "3", ("a", "b"): "c", ("0", "1"): "2"}.get(roles or ("", ""))
    if following is None:
        return False
    second = list(words_of(fields[columns[1]]))
    last = (roles or ("", ""))[1]
    third = [following if word == last else word for word in second]
    if len(second) == 1:
        third = [second[0][:-1] + following]
    return tuple(third) in [words_of(field) for field in fields]


def _same_person(names: Sequence[tuple[str, ...]]) -> bool:
    """Whether two columns describe one person, as id and name do."""
    known = IDS | ADDRESSES | CALLED
    return len(names) == 2 and all(known.issuperset(words) for words in names)


def ready_made(fields: Sequence[str], pair: tuple[int, int]) -> str:
    """The parameter that chooses two columns, ready to be copied."""
    names = [fields[place] for place in pair]
    if all(
        re.fullmatch(r"[\w .-]+", name) and not name.isdecimal() and fields.count(name) == 1 for name in names
    ):
        return f'columns=["{names[0]}", "{names[1]}"]'
    return f"columns=[{pair[0]}, {pair[1]}]"


def _position(path: str, fields: Sequence[str], column: str | int, line: int | None) -> int:
    if isinstance(column, str):
        if fields.count(column) > 1:
            problem = f"{fields.count(column)} columns are named {plain(column, 40)}"
            raise ChooseColumns(
                path, problem, line=line, remedy="Choose them by position from 0 (columns=[0, 2])."
            )
        if column not in fields:
            remedy = f"There are: {', '.join(plain(field, 40) for field in fields[:20])}."
            raise InputError(path, f"no column is named {column!r}", line=line, remedy=remedy)
        return fields.index(column)
    if not 0 <= column < len(fields):
        problem = f"there is no column at position {column}, counted from 0, among {len(fields)}"
        raise InputError(
            path, problem, line=line, remedy="Choose others, or name the delimiter (delimiter=)."
        )
    return column
