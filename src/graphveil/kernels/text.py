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

# How the cutting of rows ended.
MORE = 1  # the block is full, and there may be more
DONE = 0
UNCLOSED = -1  # a quotation mark is opened and never closed
TRAILING = -2  # something follows a closing quotation mark
RAGGED = -3  # another number of columns than in the first line
NARROW = -4  # fewer columns than were asked for
MISSING = -5  # the first id is empty
LONE = -6  # one id only, and it looks like two in another dialect

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
def next_field(data, pos, delimiter, quote):
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

    Column 0 stands in for ``first`` where the line has no more. Returns the number of columns (0 at the end of the
    data, below 0 what is wrong with the quotation marks), the number of the line, and position and line to go on
    from.
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
            continue
        row_line, columns, more = line, 0, True
        while more:
            start, end, kind, pos, more = next_field(data, pos, delimiter, quote)
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
    if width > 0 and columns != width:
        return RAGGED
    if columns <= max(first, second):
        return NARROW
    for which in range(2):
        if _is_empty(fields, which):
            return which if which else MISSING
    return 2


@jit
def cut_rows(data, pos, line, delimiter, quote, comments, first, second, width, slices, lines):
    """Fill a block with rows: start, end and kind of both ids in ``slices``, the line of each row in ``lines``.

    Where a line gives one id only, the start of the other is -1. ``width`` is the number of columns of the lines
    before, 0 if there are none, or -1 if it may change from line to line. Returns `MORE`, `DONE` or what is wrong with
    line ``lines[rows]``; the rows; position and line to go on from; and the columns of all lines and of the last.
    """
    fields = np.zeros((2, 3), np.int64)
    columns = 0
    for rows in range(len(slices)):
        columns, lines[rows], pos, line = next_row(
            data, pos, line, delimiter, quote, comments, first, second, fields
        )
        if columns == 0:
            return DONE, rows, pos, line, width, columns
        if width == 0 and (columns > 1 or delimiter != 0):
            width = columns
        given = _ends_given(data, columns, width, delimiter, first, second, fields)
        if given < 0:
            return given, rows, pos, line, width, columns
        for part in range(3):
            slices[rows, part], slices[rows, 3 + part] = fields[0, part], fields[1, part]
        if given == 1:
            slices[rows, 3:] = -1
    return MORE, len(slices), pos, line, width, columns


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
def parse_integers(data, slices, values):
    """The ids of a block of rows as integers; whether all are such."""
    for row in range(len(slices)):
        for which in range(2):
            start, end = slices[row, 3 * which], slices[row, 3 * which + 1]
            if start >= 0:
                fits, values[row, which] = _parse_integer(data, start, end)
                if not fits:
                    return False
    return True


@jit
def are_zero(data, slices, zero):
    """Whether the second id of each row is the number 0; the first row where it is no number, or -1."""
    for row in range(len(slices)):
        start, end = slices[row, 3], slices[row, 4]
        value, digits = 0, 0
        for pos in range(start, end):
            byte = data[pos]
            if byte == 101 or byte == 69:  # what follows e does not matter
                break
            if byte >= 48 and byte <= 57:
                digits += 1
                value += byte != 48
            elif byte != 46 and byte != 43 and byte != 45:  # . + -
                return row
        if start < 0 or digits == 0:
            return row
        zero[row] = value == 0
    return -1


@jit
def _plain_digits(data, pos):
    """The value of the digits at ``pos`` and where they end; -1 if they lead with zeros or do not fit 64 bits."""
    start, value = pos, np.int64(0)
    while pos < len(data):
        digit = np.int64(data[pos]) - 48
        if digit < 0 or digit > 9:
            break
        value = value * 10 + digit
        pos += 1
    # What has 19 digits and does not fit has become negative.
    if pos == start or pos - start > 19 or value < 0 or (pos - start > 1 and data[start] == 48):
        return value, -1
    return value, pos


@jit
def _plain_row(data, pos, delimiter, quote):
    """The usual line, fast: it begins with two plain integers and has no quotation marks.

    Returns its columns (0 if the line is not of that kind), both integers, and where the next line begins.
    """
    u, pos = _plain_digits(data, pos)
    if pos < 0 or pos >= len(data):
        return 0, u, u, pos
    if delimiter == 0:
        if not _is_blank(data[pos], delimiter):
            return 0, u, u, pos
        while pos < len(data) and _is_blank(data[pos], delimiter):
            pos += 1
    elif data[pos] == delimiter:
        pos += 1
    else:
        return 0, u, u, pos
    v, pos = _plain_digits(data, pos)
    if pos < 0:
        return 0, u, v, pos
    columns, within = 2, True
    while not _ends_line(data, pos):
        if data[pos] == quote:
            return 0, u, v, pos
        if delimiter != 0:
            if data[pos] == delimiter:
                columns += 1
            elif columns == 2:
                return 0, u, v, pos
        elif _is_blank(data[pos], delimiter):
            within = False
        elif not within:
            within = True
            columns += 1
        elif columns == 2:
            return 0, u, v, pos
        pos += 1
    return columns, u, v, _after_line_end(data, pos)


@jit
def plain_rows(data, pos, delimiter, quote, width, pairs, rows):
    """Read lines as long as they are of the usual kind, into ``pairs`` from row ``rows``.

    Returns the number of rows then, where to go on, and the number of columns of the lines.
    """
    while pos < len(data):
        columns, u, v, after = _plain_row(data, pos, delimiter, quote)
        if columns == 0 or (width > 0 and columns != width):
            break
        pairs[rows, 0], pairs[rows, 1] = u, v
        rows += 1
        pos = after
        if width == 0:
            width = columns
    return rows, pos, width


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
def _find_name(pool, start, end, code, offsets, table):
    """The slot of the table that holds the name ``pool[start:end]``, or the empty one where it belongs.

    A slot has the hash and the number of a name in one word, or -1.
    """
    slot = code & (len(table) - 1)
    while table[slot] >= 0:
        if table[slot] >> 31 == code:
            number = table[slot] & 0x7FFFFFFF
            place, length = offsets[number], end - start
            if offsets[number + 1] - place == length:
                same = 0
                while same < length and pool[place + same] == pool[start + same]:
                    same += 1
                if same == length:
                    return slot
        slot = (slot + 1) & (len(table) - 1)
    return slot


@jit
def twice_as_large(table):
    """The same hash table with twice as many slots."""
    larger = np.full(2 * len(table), -1, np.int64)
    for word in table:
        if word >= 0:
            slot = word >> 31 & (len(larger) - 1)
            while larger[slot] >= 0:
                slot = (slot + 1) & (len(larger) - 1)
            larger[slot] = word
    return larger


@jit
def _same_bytes(data, start, end, other_start, other_end):
    if end - start != other_end - other_start:
        return False
    for i in range(end - start):
        if data[start + i] != data[other_start + i]:
            return False
    return True


@jit
def number_names(data, slices, lines, quote, pool, offsets, first_lines, table, names, numbers):
    """Number the ids of a block of rows as names, in the order of their first appearance.

    Name i is ``pool[offsets[i]:offsets[i + 1]]``, first seen in line ``first_lines[i]``; there are ``names`` of them
    before. Pool, offsets and table have room for a whole block more. Returns how many names there are.
    """
    for row in range(len(slices)):
        for which in range(2):
            start, end, kind = slices[row, 3 * which], slices[row, 3 * which + 1], slices[row, 3 * which + 2]
            if start < 0:
                continue
            # Sorted lists repeat the id of the line before, which is then known without a look into the table.
            known = row > 0 and slices[row - 1, 3 * which] >= 0 and slices[row - 1, 3 * which + 2] == kind
            if known and _same_bytes(
                data, start, end, slices[row - 1, 3 * which], slices[row - 1, 3 * which + 1]
            ):
                numbers[row, which] = numbers[row - 1, which]
                continue
            used, code = _copy_name(data, start, end, kind, quote, pool, offsets[names])
            slot = _find_name(pool, offsets[names], used, code, offsets, table)
            if table[slot] < 0:
                table[slot] = code << 31 | names
                first_lines[names] = lines[row]
                names += 1
                offsets[names] = used
            numbers[row, which] = table[slot] & 0x7FFFFFFF
    return names


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


@jit
def count_lines(data):
    """At most so many lines are in the text: its line ends, and one more."""
    ends = 1
    for pos in range(len(data)):
        ends += data[pos] == LF or data[pos] == CR
    return ends
