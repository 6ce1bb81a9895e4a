"""Files of options: what ``--config`` reads and ``--save-config`` writes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphveil.cli.option import Option
from graphveil.errors import InputError, ParameterError
from graphveil.words import plain

FILE = "file"  # the key of what is read, which is no option
NOT_SAVED = {"config", "save_config", "force"}


def options_in(path: str, rows: Mapping[str, Option]) -> dict[str, Any]:
    """What a TOML file holds, by the names of arguments: its keys are long options without the dashes, and ``file``."""
    known = {row.key: row for row in rows.values() if row.name not in NOT_SAVED}
    found: dict[str, Any] = {}
    for key, value in _document(path).items():
        if key == FILE and isinstance(value, str):
            found[FILE] = value
        elif key in known:
            found[known[key].name] = _typed(f"{plain(path)}: {key}", known[key], value)
        else:
            choice = ", ".join((FILE, *known))
            raise InputError(
                plain(path), f"there is no option {plain(key, 40)!r}", remedy=f"Choose from {choice}."
            )
    return found


def _document(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(plain(path), f"it cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(plain(path), "this is not UTF-8", remedy="Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            plain(path), f"this is not TOML: {plain(error)}", remedy="Write name = value."
        ) from None


def _typed(where: str, row: Option, value: Any) -> Any:
    """A value of the file as the command line has it, checked by the option's own rules."""
    if row.kind.form in ("tick", "yes or no"):
        if isinstance(value, bool):
            return value
        raise ParameterError(f"{where} must be true or false, not {plain(value, 40)}.")
    values = value if isinstance(value, list) else [value]
    if not values or any(
        isinstance(each, bool) or not isinstance(each, str | int | float) for each in values
    ):
        raise ParameterError(f"{where} must be a text, a number or a list of them, not {plain(value, 40)}.")
    texts = [str(each) for each in values]
    row.parse(",".join(texts), where)
    if row.kind.choices and (wrong := set(texts) - set(row.kind.choices())):
        raise ParameterError(
            f"{where}: there is no {plain(min(wrong), 40)!r}; choose {', '.join(row.kind.choices())}."
        )
    return texts if row.kind.several else ",".join(texts)


def save_options(path: str, rows: Mapping[str, Option], given: Mapping[str, Any]) -> None:
    """Write options into a file that only its owner can read: the seed among them is a secret."""
    from graphveil.formats.atomic import write_whole

    keys = {FILE: FILE, **{row.name: row.key for row in rows.values()}}
    lines = [f"{keys[name]} = {_toml(value)}" for name, value in given.items() if name not in NOT_SAVED]
    try:
        content = "\n".join((*lines, "")).encode()
    except UnicodeEncodeError:
        raise ParameterError("a name that is not UTF-8 cannot be saved in a file of options.") from None
    write_whole(path, [content], private=True)


def _toml(value: Any) -> str:
    if value == ():  # of -k
        return '"off"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")
