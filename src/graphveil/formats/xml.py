"""An XML parser that opens nothing but the text it is given: no document type definitions, no entities of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from graphveil.errors import InputError
from graphveil.formats.parsed import File

Parser = Any  # the type of expat's parsers has no public name
Start = Callable[[str, dict[str, str]], None]


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
