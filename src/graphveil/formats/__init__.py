"""Graphs from files and into files.

`table` has a row for each format. The bytes come in decompressed (`compression`), the format is told by content or
name, and its reader hands over vertices and pairs (`parsed`), which `read` makes a simple graph, counting what it
dropped. `write` goes the other way and replaces a file only when the new one is whole (`atomic`). `as_graph` takes
what other libraries have. Names are loaded when they are first used, so that the table alone costs nothing.
"""
