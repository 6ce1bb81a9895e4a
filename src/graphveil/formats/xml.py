"""An XML parser that opens nothing but the text it is given: no document type definitions, no entities of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from graphveil.errors import InputError
from graphveil.formats.parsed import File
from graphveil.words import plain

Parser = Any  # the type of expat's parsers has no public name
Texts = dict[str | int, tuple[str, int]]  # by node, or number of the edge: text and line


@dataclass
class Column:
    """An attribute as it is declared."""

    name: str
    type: str
    default: str | None = None


def parser_for(file: File) -> Parser:
    """A parser that refuses definitions."""
    parser = expat.ParserCreate(encoding=file.encoding)
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        problem = "it carries a document type definition, which is not safe to read"
        raise InputError(file.path, problem, line=parser.CurrentLineNumber, remedy="Remove the definition.")

    def refuse_inner(_: str, __: str | None, ___: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            refuse()

    parser.StartDoctypeDeclHandler = refuse_inner
    parser.EntityDeclHandler = refuse
    return parser


def parse(file: File, parser: Parser) -> None:
    """Parse the whole text, or say in which line it is wrong."""
    try:
        parser.Parse(file.raw, True)
    except expat.ExpatError as error:
        problem = f"this is no well-formed XML ({expat.errors.messages[error.code]})"
        raise InputError(
            file.path, problem, line=error.lineno, remedy="Check that the file is whole."
        ) from None
    except (LookupError, ValueError):
        problem = "its text is not in the encoding that it declares, or that encoding is not known"
        raise InputError(file.path, problem, line=1, remedy="Convert the file to UTF-8.") from None


def local_name(name: str) -> str:
    """The name of an element without the prefix of its namespace."""
    return name.rpartition(":")[2]


def incomplete(file: File, parser: Parser, what: str) -> InputError:
    return InputError(file.path, what, line=parser.CurrentLineNumber, remedy="Complete it.")


def cells(
    path: str,
    column: Column,
    casts: Mapping[str, Callable[[str], Any]],
    texts: Texts,
    places: Iterable[str | int],
) -> list[Any]:
    """The values of an attribute of these nodes or edges, each as its declared type."""

    def cast(text: str, line: int | None) -> Any:
        try:
            return casts.get(column.type, str)(text)
        except ValueError:
            what = f"{plain(text, 40)} is no value of type {column.type}, as {plain(column.name, 40)} is declared"
            raise InputError(path, what, line=line, remedy="Correct the value or the declaration.") from None

    default = None if column.default is None else cast(column.default, None)
    return [cast(*texts[each]) if each in texts else default for each in places]
