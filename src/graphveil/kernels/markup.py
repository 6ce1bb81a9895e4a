"""Nodes and edges of GraphML and GML, found in the bytes of a file.

Both fill blocks as `graphveil.kernels.text.cut_rows` does: start, end and kind of two values in each row of
``slices``, the start of the second being -1 where there is none, and the row's line in ``lines``.

GraphML comes here after an XML parser has found it well-formed, so only what concerns nodes and edges is looked at.
GML has no parser behind it; its grammar is small: keys, each followed by a number, a string or a list in brackets.
"""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

PLAIN, QUOTED = 0, 1

MORE = 1  # the block is full, and there may be more
DONE = 0
INCOMPLETE = -1  # a node without id, an edge without source or target
HYPEREDGE = -2
MALFORMED = -3  # GML: no key where one should be, or no value
UNCLOSED = -4  # GML: a string or a list without end

LF, CR, SPACE, TAB = 10, 13, 32, 9

# What the words of a GML or GraphML file mean here.
NODE, EDGE, ID, SOURCE, TARGET, LABEL, DIRECTED, HYPER, OTHER = 0, 1, 2, 3, 4, 5, 6, 7, 8
WORDS = np.frombuffer(b"node edge id source target label directed hyperedge ", np.uint8)


@jit
def _is_space(byte):
    return byte == SPACE or byte == LF or byte == CR or byte == TAB


@jit
def _word(data, start, end, words):
    """Which of the words the bytes are, in the order above."""
    word, place = 0, 0
    while place < len(words):
        length = 0
        while words[place + length] != SPACE:
            length += 1
        if length == end - start:
            same = True
            for i in range(length):
                same &= data[start + i] == words[place + i]
            if same:
                return word
        place += length + 1
        word += 1
    return OTHER


@jit
def _find(data, pos, first, second, third):
    """Position behind the next occurrence of up to three bytes; 0 stands for none."""
    length = 1 + (second > 0) + (third > 0)
    while pos + length <= len(data):
        if (
            data[pos] == first
            and (length < 2 or data[pos + 1] == second)
            and (length < 3 or data[pos + 2] == third)
        ):
            return pos + length
        pos += 1
    return len(data)


@jit
def _lines_within(data, start, end):
    count = 0
    for pos in range(start, end):
        count += data[pos] == LF
    return count


@jit
def _skip_markup(data, pos):
    """Where a comment, a section of character data, an instruction or a closing tag ends; ``pos`` itself for a tag."""
    if data[pos + 1] == 33:  # !
        if data[pos + 2] == 45:  # <!-- … -->
            return _find(data, pos + 4, 45, 45, 62)
        if data[pos + 2] == 91:  # <![CDATA[ … ]]>
            return _find(data, pos + 9, 93, 93, 62)
        return _find(data, pos, 62, 0, 0)
    if data[pos + 1] == 63:  # <? … ?>
        return _find(data, pos, 63, 62, 0)
    if data[pos + 1] == 47:  # </ … >
        return _find(data, pos, 62, 0, 0)
    return pos


@jit
def _name_end(data, pos):
    """Where a name in a tag ends, and where its last part begins, behind a namespace's prefix."""
    start = pos
    while not (_is_space(data[pos]) or data[pos] == 47 or data[pos] == 62 or data[pos] == 61):  # / > =
        pos += 1
        if data[pos - 1] == 58:  # :
            start = pos
    return start, pos


@jit
def cut_graphml(data, pos, line, words, slices, lines, found):
    """Fill a block with nodes (id) and edges (source, target); ``found[0]`` becomes 1 at an edge declared directed.

    Returns status, number of rows, and where to go on.
    """
    rows = 0
    while pos < len(data) and rows < len(slices):
        tag = _find(data, pos, 60, 0, 0) - 1
        line += _lines_within(data, pos, tag)
        if tag + 1 >= len(data) or data[tag] != 60:
            return DONE, rows, len(data), line
        pos = _skip_markup(data, tag)
        if pos > tag:
            line += _lines_within(data, tag, pos)
            continue
        start, pos = _name_end(data, tag + 1)
        element = _word(data, start, pos, words)
        if element == HYPER:
            lines[rows] = line
            return HYPEREDGE, rows, pos, line
        slices[rows, :] = -1
        while data[pos] != 62:
            if _is_space(data[pos]) or data[pos] == 47:
                pos += 1
                continue
            start, end = _name_end(data, pos)
            attribute = _word(data, start, end, words)
            pos = end
            while data[pos] != 34 and data[pos] != 39:  # " '
                pos += 1
            end = _find(data, pos + 1, data[pos], 0, 0) - 1
            if (element == NODE and attribute == ID) or (element == EDGE and attribute == SOURCE):
                slices[rows, 0], slices[rows, 1], slices[rows, 2] = pos + 1, end, PLAIN
            elif element == EDGE and attribute == TARGET:
                slices[rows, 3], slices[rows, 4], slices[rows, 5] = pos + 1, end, PLAIN
            elif element == EDGE and attribute == DIRECTED and data[pos + 1] == 116:  # true
                found[0] = 1
            pos = end + 1
        lines[rows] = line
        line += _lines_within(data, tag, pos)
        if element == NODE or element == EDGE:
            if slices[rows, 0] < 0 or (element == EDGE and slices[rows, 3] < 0):
                return INCOMPLETE, rows, pos, line
            rows += 1
    return (MORE if pos < len(data) else DONE), rows, pos, line


# Tokens of GML.
END, WORD, STRING, OPEN, CLOSE, BROKEN = 0, 1, 2, 3, 4, 5


@jit
def gml_token(data, pos, line):
    """The next token: what it is, its start and end, where to go on, in which line."""
    size = len(data)
    while pos < size:
        byte = data[pos]
        if byte == LF:
            line += 1
            pos += 1
        elif _is_space(byte):
            pos += 1
        elif byte == 35:  # a comment
            while pos < size and data[pos] != LF:
                pos += 1
        else:
            break
    if pos >= size:
        return END, pos, pos, pos, line
    if data[pos] == 91:
        return OPEN, pos, pos + 1, pos + 1, line
    if data[pos] == 93:
        return CLOSE, pos, pos + 1, pos + 1, line
    start = pos
    if data[pos] == 34:
        pos += 1
        while pos < size and data[pos] != 34:
            line += data[pos] == LF
            pos += 1
        if pos >= size:
            return BROKEN, start, pos, pos, line
        return STRING, start + 1, pos, pos + 1, line
    while pos < size and not (_is_space(data[pos]) or data[pos] == 91 or data[pos] == 93 or data[pos] == 34):
        pos += 1
    return WORD, start, pos, pos, line


@jit
def gml_skip(data, pos, line):
    """Go behind the bracket that closes an open list; the position is -1 if there is none."""
    depth = 1
    while depth > 0:
        token, _, _, pos, line = gml_token(data, pos, line)
        if token == END or token == BROKEN:
            return -1, line
        depth += (token == OPEN) - (token == CLOSE)
    return pos, line


@jit
def _note_key(data, start, end, keys):
    """Remember a key that is not known yet: ``keys[0, 0]`` counts them, rows from 1 hold their slices."""
    count = keys[0, 0]
    for row in range(1, count + 1):
        if keys[row, 1] - keys[row, 0] == end - start:
            same = True
            for i in range(end - start):
                same &= data[keys[row, 0] + i] == data[start + i]
            if same:
                return
    if count + 1 < len(keys):
        keys[count + 1, 0], keys[count + 1, 1] = start, end
        keys[0, 0] = count + 1


@jit
def _cut_list(data, pos, line, words, first, second, values, keys):
    """Read the list of a node or an edge: the values of two keys into ``values``, the slices of others into ``keys``.

    Returns status and where to go on.
    """
    values[:] = -1
    while True:
        token, start, end, pos, line = gml_token(data, pos, line)
        if token == CLOSE:
            return DONE, pos, line
        if token != WORD:
            return (UNCLOSED if token == END or token == BROKEN else MALFORMED), pos, line
        key = _word(data, start, end, words)
        if key != first and key != second:
            _note_key(data, start, end, keys)
        token, start, end, pos, line = gml_token(data, pos, line)
        if token == OPEN:
            pos, line = gml_skip(data, pos, line)
            if pos < 0:
                return UNCLOSED, len(data), line
        elif token == WORD or token == STRING:
            if key == first or key == second:
                place = 3 * (key == second)
                values[place], values[place + 1], values[place + 2] = (
                    start,
                    end,
                    PLAIN if token == WORD else QUOTED,
                )
        else:
            return (UNCLOSED if token == END or token == BROKEN else MALFORMED), pos, line


@jit
def cut_gml(data, pos, line, words, slices, lines, starts, is_edge, node_keys, edge_keys, found):
    """Fill a block with the nodes (id, label) and edges (source, target) of an open graph.

    ``starts`` tells where the list of each begins; ``found[0]`` becomes 1 if the graph is declared directed. Returns
    status, number of rows, and where to go on.
    """
    rows = 0
    while rows < len(slices):
        token, start, end, pos, line = gml_token(data, pos, line)
        lines[rows] = line
        if token == CLOSE:
            return DONE, rows, pos, line
        if token != WORD:
            return (UNCLOSED if token == END or token == BROKEN else MALFORMED), rows, pos, line
        key = _word(data, start, end, words)
        token, start, end, pos, line = gml_token(data, pos, line)
        if token == OPEN and (key == NODE or key == EDGE):
            starts[rows] = pos
            first, second = (ID, LABEL) if key == NODE else (SOURCE, TARGET)
            keys = node_keys if key == NODE else edge_keys
            status, pos, line = _cut_list(data, pos, line, words, first, second, slices[rows], keys)
            if status != DONE:
                lines[rows] = line
                return status, rows, pos, line
            if slices[rows, 0] < 0 or (key == EDGE and slices[rows, 3] < 0):
                return INCOMPLETE, rows, pos, line
            is_edge[rows] = key == EDGE
            rows += 1
        elif token == OPEN:
            pos, line = gml_skip(data, pos, line)
            if pos < 0:
                return UNCLOSED, rows, len(data), line
        elif token == WORD or token == STRING:
            if key == DIRECTED and not (end - start == 1 and data[start] == 48):
                found[0] = 1
        else:
            return (UNCLOSED if token == END or token == BROKEN else MALFORMED), rows, pos, line
    return MORE, rows, pos, line
