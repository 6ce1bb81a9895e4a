"""From a path that Spark can read to a frame of source and target, and back.

A path is a file or a folder of files of one format: Parquet, CSV, TSV or an edge list with blanks between its columns,
here or on hdfs://, s3a:// and the like. What the caller does not say is read off the first lines, by the rules of
`graphveil.formats.advice.column_names` as far as they need no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import choose_columns, is_header
from graphveil.spark.frames import two_columns
from graphveil.spark.session import errors_in_words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMATS = ("parquet", "csv", "tsv", "edgelist")
DELIMITERS = {"csv": ",", "tsv": "\t"}
SAMPLE = 200  # lines that are looked at
INTEGER = r"0|-?[1-9][0-9]{0,18}"  # the canonical decimal: 007 and 7 stay two people


def read_edges(
    spark: SparkSession,
    path: str,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    comments: str = "#%",
    quotes: bool = True,
    undirected: bool = False,
) -> DataFrame:
    """A frame of source and target, integers where all ids are and else text; parameters as in `graphveil.read`."""
    with errors_in_words(path):
        first = [row.value for row in spark.read.text(path).limit(SAMPLE).collect()]
        chosen = format or _format_of(path, first)
        if chosen not in FORMATS:
            raise InputError(
                path, f"Spark does not read {chosen}", remedy=f"Convert it first, to {', '.join(FORMATS)}."
            )
        if chosen == "parquet":
            return two_columns(spark.read.parquet(path), columns)
        lines = [line for line in first if line.strip() and line[0] not in comments]
        cut = delimiter or DELIMITERS.get(chosen) or _delimiter(lines)
        rows = [_cut(line, cut) for line in lines]
        named = _has_header(rows) if header is None else header
        if not rows:
            raise InputError(path, "there is no edge in it", remedy="Check the path.")
        places, directed = choose_columns(path, rows[0], columns, header=named, line=1)
        if directed and not undirected:
            remedy = "To take every edge as undirected, say so (undirected=True)."
            raise InputError(path, "the names of the columns declare the graph directed", remedy=remedy)
        ids = _text_columns(spark, path, cut, places, rows[0] if named else None, comments, quotes)
        return _integers_if_all(ids)


def _format_of(path: str, lines: Sequence[str]) -> str:
    if lines and lines[0].startswith("PAR1"):
        return "parquet"
    name = re.sub(r"\.(gz|bz2|zst|xz)$", "", path.rstrip("/*").lower())
    return {"csv": "csv", "tsv": "tsv", "parquet": "parquet"}.get(name.rpartition(".")[2], "edgelist")


def _delimiter(lines: Sequence[str]) -> str:
    """The first character that cuts every line; a run of blanks where none does."""
    return next((each for each in "\t,;|" if lines and all(each in line for line in lines)), " ")


def _cut(line: str, delimiter: str) -> list[str]:
    import csv

    if delimiter == " ":
        return line.split()
    return next(csv.reader([line], delimiter=delimiter))


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the two ends of an edge, or is no pair of integers while all others are."""
    if not rows or is_header(rows[0]):
        return bool(rows)
    integers = [all(re.fullmatch(INTEGER, field) for field in row[:2]) for row in rows]
    return len(rows) > 1 and not integers[0] and all(integers[1:])


def _text_columns(
    spark: SparkSession,
    path: str,
    delimiter: str,
    places: tuple[int, int],
    header: Sequence[str] | None,
    comments: str,
    quotes: bool,
) -> DataFrame:
    from pyspark.sql import functions as f

    lines = spark.read.text(path).where(f.trim("value") != "")
    if comments:
        lines = lines.where(~f.substring("value", 1, 1).isin(list(comments)))
    if delimiter == " ":
        fields = lines.select(f.split(f.trim("value"), r"\s+").alias("fields"))
    else:
        width = max(places) + 1
        options = {"sep": delimiter, "quote": '"' if quotes else "", "escape": '"', "mode": "PERMISSIVE"}
        schema = ", ".join(f"_c{place} string" for place in range(width))
        parsed = lines.select(f.from_csv("value", schema, options).alias("row"))
        fields = parsed.select(f.array(*(f"row._c{place}" for place in range(width))).alias("fields"))
    ids = fields.select(*(f.trim(f.get("fields", f.lit(place))).alias(str(place)) for place in places))
    ids = ids.toDF("source", "target").selectExpr("source", "nullif(target, '') target")
    if header is not None:
        names = tuple(header[place].strip() for place in places)
        ids = ids.where((f.col("source") != names[0]) | (f.col("target") != names[1]))
    return ids


def _integers_if_all(ids: DataFrame) -> DataFrame:
    """The ids as integers if every one of them is the canonical decimal of a number of 64 bits."""
    no_integer = [
        f"({end} is not null and (try_cast({end} as bigint) is null or not {end} rlike '^({INTEGER})$'))"
        for end in ("source", "target")
    ]
    others, empty = ids.selectExpr(
        f"count_if({' or '.join(no_integer)})", "count_if(source is null or source = '')"
    ).collect()[0]
    if empty:
        raise InputError(
            "the input", f"{empty:,} rows have no source", remedy="Fill it in, or drop the rows."
        )
    return ids if others else ids.selectExpr("bigint(source) source", "bigint(target) target")


# ---------------------------------------------------------------------------- writing


def as_rows(edges: DataFrame, format: str) -> DataFrame:
    """Edges as rows of text, or as they are for Parquet."""
    if format == "parquet":
        return edges
    between = {"csv": ",", "tsv": "\\t", "edgelist": " "}[format]
    after = "" if format == "edgelist" else between
    ends = [_quoted(end, format) for end in ("source", "target")]
    return edges.selectExpr(
        f"if(target is null, concat({ends[0]}, '{after}'), concat({ends[0]}, '{between}', {ends[1]})) value"
    )


def _quoted(end: str, format: str) -> str:
    """SQL that puts a name into quotes where it would be cut."""
    text = f"string({end})"
    special = r"""[ \\t\\r\\n",;|]|^[#%]|^$"""
    quoted = f"""concat('"', replace({text}, '"', '""'), '"')"""
    return f"if({text} rlike '{special}', {quoted}, {text})"


def write_rows(edges: DataFrame, path: str, format: str) -> None:
    """Write a frame of source and target into a new folder, in as many files as it has parts."""
    writer: Any = as_rows(edges, format).write
    options: Mapping[str, str] = {
        "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
        # Parquet lists the encodings of a column in an order that differs from one Java process to the next, and so do
        # the bytes of the same rows. In this version and without dictionaries there is one encoding.
        "parquet.writer.version": "PARQUET_2_0",
        "parquet.enable.dictionary": "false",
    }
    writer = writer.options(**options)
    if format == "parquet":
        writer.parquet(path)
    else:
        writer.text(path)
