"""Two columns of a text file, read from its bytes in one scan; and edges written as text.

A line holds fields, parted by one delimiter byte or, where the delimiter is 0, by runs of blanks. Blanks around a
field do not count; a field in quotation marks (RFC 4180) keeps whatever it holds, line ends included, and a doubled
quotation mark in it stands for one. Lines may end in LF, CRLF or CR. Lines without a field, and those that begin with
a comment byte, are skipped.

A line with one id only, where the others have two, is a vertex without edges: a single field among blanks, or an
empty second field between delimiters.

Only positions, integers and distinct names leave these functions: no Python object per line.
"""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

# How a field was written.
PLAIN, QUOTED, DOUBLED = 0, 1, 2  # DOUBLED: quoted, with doubled quotation marks inside

# How a scan ended.
DONE = 0
UNCLOSED = -1  # a quotation mark is opened and never closed
TRAILING = -2  # something follows a closing quotation mark
RAGGED = -3  # another number of columns than in the first line
NARROW = -4  # fewer columns than were asked for
MISSING = -5  # the first id is empty
LONE = -6  # one id only, and it looks like two in another dialect
NOT_INTEGER = -7  # an id that is no canonical decimal of 64 bits

LF, CR, SPACE, TAB = 10, 13, 32, 9
COMMA, SEMICOLON, PIPE = 44, 59, 124


@jit
def _is_blank(byte, delimiter):
    return (byte == SPACE or byte == TAB) and byte != delimiter


@jit
def _ends_line(data, pos):
    return pos >= len(data) or data[pos] == LF or data[pos] == CR


@jit
def _after_line_end(data, pos):
    """Where the next line begins, from the position of a line end."""
    if pos + 1 < len(data) and data[pos] == CR and data[pos + 1] == LF:
        return pos + 2
    return pos + 1


@jit
def _line_ends_within(data, start, end):
    count = 0
    pos = start
    while pos < end:
        if data[pos] == LF or data[pos] == CR:
            count += 1
            pos = _after_line_end(data, pos)
        else:
            pos += 1
    return count


@jit
def _closing_quote(data, pos, quote):
    """Position of the quotation mark that closes the field at ``pos`` (or -1), and how the field is written."""
    kind = QUOTED
    while pos < len(data):
        if data[pos] == quote:
            if pos + 1 >= len(data) or data[pos + 1] != quote:
                return pos, kind
            kind = DOUBLED
            pos += 1
        pos += 1
    return -1, kind


@jit
def _next_field(data, pos, delimiter, quote):
    """The field at ``pos``: its start, its end, how it is written, where to go on, and whether another follows."""
    size = len(data)
    while pos < size and _is_blank(data[pos], delimiter):
        pos += 1
    if quote != 0 and pos < size and data[pos] == quote:
        start = pos + 1
        end, kind = _closing_quote(data, start, quote)
        if end < 0:
            return start, size, UNCLOSED, size, False
        pos = end + 1
        if not (_ends_line(data, pos) or data[pos] == delimiter or _is_blank(data[pos], delimiter)):
            return start, end, TRAILING, pos, False
        while pos < size and _is_blank(data[pos], delimiter):
            pos += 1
        if delimiter != 0 and not (_ends_line(data, pos) or data[pos] == delimiter):
            return start, end, TRAILING, pos, False
    else:
        start, kind = pos, PLAIN
        while not _ends_line(data, pos) and data[pos] != delimiter:
            if delimiter == 0 and _is_blank(data[pos], delimiter):
                break
            pos += 1
        end = pos
        while end > start and _is_blank(data[end - 1], delimiter):
            end -= 1
        while pos < size and _is_blank(data[pos], delimiter):
            pos += 1
    more = not _ends_line(data, pos)
    if more and delimiter != 0:
        pos += 1
    return start, end, kind, pos, more


@jit
def next_row(data, pos, line, delimiter, quote, comments, first, second, fields):
    """Read the next line with data and put start, end and kind of its columns ``first`` and ``second`` into ``fields``.

    Column 0 stands in for ``first`` where the line has no more. ``fields[2, 0]`` is raised by one for each comment.

    Returns
    -------
    columns : their number; 0 at the end of the data; below 0 what is wrong with the quotation marks
    row_line : number of the line
    pos, line : where to go on
    """
    size = len(data)
    while pos < size:
        while pos < size and _is_blank(data[pos], delimiter):
            pos += 1
        if _ends_line(data, pos):
            pos = _after_line_end(data, pos)
            line += 1
            continue
        is_comment = False
        for mark in comments:
            is_comment |= data[pos] == mark
        if is_comment:
            while not _ends_line(data, pos):
                pos += 1
            pos = _after_line_end(data, pos)
            line += 1
            fields[2, 0] += 1
            continue
        row_line, columns, more = line, 0, True
        while more:
            start, end, kind, pos, more = _next_field(data, pos, delimiter, quote)
            if kind < 0:
                return kind, line, pos, line
            if kind != PLAIN:
                line += _line_ends_within(data, start, end)
            if columns == first or columns == 0:
                fields[0, 0], fields[0, 1], fields[0, 2] = start, end, kind
            if columns == second:
                fields[1, 0], fields[1, 1], fields[1, 2] = start, end, kind
            columns += 1
        return columns, row_line, _after_line_end(data, pos), line + 1
    return 0, line, size, line


@jit
def _is_empty(fields, which):
    return fields[which, 2] == PLAIN and fields[which, 0] == fields[which, 1]


@jit
def _looks_like_two(data, start, end):
    for pos in range(start, end):
        if data[pos] == COMMA or data[pos] == SEMICOLON or data[pos] == PIPE:
            return True
    return False


@jit
def _ends_given(data, columns, width, delimiter, first, second, fields):
    """How many ids the line gives, 1 or 2; below 0 what is wrong with it."""
    if columns < 0:
        return columns
    if delimiter == 0 and columns == 1:
        start, end, kind = fields[0]
        return LONE if kind == PLAIN and _looks_like_two(data, start, end) else 1
    if columns != width:
        return RAGGED
    if width <= max(first, second):
        return NARROW
    if _is_empty(fields, 0):
        return MISSING
    return 1 if _is_empty(fields, 1) else 2


@jit
def _parse_integer(data, start, end):
    """Whether the bytes are a canonical decimal that fits 64 bits, and its value."""
    negative = end > start and data[start] == 45
    if negative:
        start += 1
    digits = end - start
    if digits < 1 or digits > 19 or (data[start] == 48 and (digits > 1 or negative)):
        return False, np.int64(0)
    # Built up below zero, because -2^63 has no positive counterpart.
    value = np.int64(0)
    for pos in range(start, end):
        digit = np.int64(data[pos]) - 48
        if digit < 0 or digit > 9:
            return False, np.int64(0)
        if value < -922337203685477580 or (value == -922337203685477580 and digit > 7 + negative):
            return False, np.int64(0)
        value = value * 10 - digit
    return True, value if negative else -value


@jit
def _grown(array, size):
    """The array itself if it has that size, else a copy of at least twice its size."""
    if size <= len(array):
        return array
    larger = np.empty(max(size, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger


@jit
def _rehashed(hashes, count, size):
    """A hash table of ``size`` slots (a power of two) with the numbers of the first ``count`` names."""
    table = np.full(size, -1, np.int32)
    for number in range(count):
        slot = hashes[number] & (size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = number
    return table


@jit
def _copy_name(data, start, end, kind, quote, pool, used):
    """Copy a field behind the ``used`` bytes of the pool, doubled quotation marks as one; its end there, its hash."""
    code = np.int64(2166136261)  # FNV-1a, 32 bits: the product below stays within 64
    pos = start
    while pos < end:
        byte = data[pos]
        if kind == DOUBLED and byte == quote:
            pos += 1
        pool[used] = byte
        code = ((code ^ np.int64(byte)) * 16777619) & 0xFFFFFFFF
        used += 1
        pos += 1
    return used, code ^ (code >> 15)


@jit
def _find_name(pool, start, end, code, offsets, hashes, table):
    """The slot of the table that holds the name ``pool[start:end]``, or the empty one where it belongs."""
    slot = code & (len(table) - 1)
    while table[slot] >= 0:
        number = table[slot]
        if hashes[number] == code and offsets[number + 1] - offsets[number] == end - start:
            same, other = True, offsets[number]
            for i in range(end - start):
                if pool[other + i] != pool[start + i]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & (len(table) - 1)
    return slot


@jit
def scan(data, pos, line, delimiter, quote, comments, first, second, integers, limit, pairs):
    """Read the two columns: pairs into the front of ``pairs``, lone ids into its first column from the back.

    With ``integers`` the ids themselves are written, and the first id that is no integer ends the scan. Otherwise
    names are numbered as they first appear: name i is ``pool[offsets[i]:offsets[i + 1]]``, first seen in line
    ``lines[i]``. The scan also ends after ``limit`` pairs, and at the first line that is not as it should be.

    Returns
    -------
    status : `DONE` or what is wrong
    rows, lone : number of pairs and of lone ids
    width, columns : of the first line and of the last
    row_line : number of the last line that was read
    skipped : number of comments
    pool, offsets, lines : the names
    """
    fields = np.zeros((3, 3), np.int64)
    pool, offsets, lines = (
        np.empty(1 << 16, np.uint8),
        np.zeros(1 << 10, np.int64),
        np.zeros(1 << 10, np.int64),
    )
    hashes, table = np.empty(1 << 10, np.int64), np.full(1 << 11, -1, np.int32)
    status, rows, lone, names, width, columns, row_line = DONE, 0, 0, 0, 0, 0, line
    while status == DONE and rows < limit:
        columns, row_line, pos, line = next_row(
            data, pos, line, delimiter, quote, comments, first, second, fields
        )
        if columns == 0:
            break
        if width == 0 and (columns > 1 or delimiter != 0):
            width = columns
        given = _ends_given(data, columns, width, delimiter, first, second, fields)
        status = min(given, DONE)
        for which in range(given):
            start, end, kind = fields[which, 0], fields[which, 1], fields[which, 2]
            if integers:
                fits, value = _parse_integer(data, start, end)
                if not fits:
                    status = NOT_INTEGER
                    break
            else:
                used = offsets[names]
                pool = _grown(pool, used + end - start)
                used, code = _copy_name(data, start, end, kind, quote, pool, used)
                slot = _find_name(pool, offsets[names], used, code, offsets, hashes, table)
                if table[slot] < 0:
                    table[slot], hashes[names], lines[names] = names, code, row_line
                    names += 1
                    offsets = _grown(offsets, names + 1)
                    hashes, lines = _grown(hashes, names + 1), _grown(lines, names + 1)
                    offsets[names] = used
                    value = np.int64(names - 1)
                    if 2 * names >= len(table):
                        table = _rehashed(hashes, names, 2 * len(table))
                else:
                    value = np.int64(table[slot])
            if given == 2:
                pairs[rows, which] = value
            else:
                pairs[len(pairs) - 1 - lone, 0] = value
        if status == DONE:
            rows += given == 2
            lone += given == 1
    return (
        status,
        rows,
        lone,
        width,
        columns,
        row_line,
        fields[2, 0],
        pool,
        offsets[: names + 1],
        lines[:names],
    )


@jit
def join_pairs(edges, pool, offsets, before, between, after, text):
    """Write ``before``, the name of one end, ``between``, the name of the other and ``after`` for every edge.

    The names are slices of a pool of bytes, as in `scan`; ``text`` has room for all. Returns the bytes written.
    """
    used = 0
    for e in range(len(edges)):
        for byte in before:
            text[used] = byte
            used += 1
        for which in range(2):
            for pos in range(offsets[edges[e, which]], offsets[edges[e, which] + 1]):
                text[used] = pool[pos]
                used += 1
            for byte in after if which else between:
                text[used] = byte
                used += 1
    return used
