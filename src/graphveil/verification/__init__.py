"""Verification by itself: whoever gets a graph can check it, and read in an hour how.

It shares nothing with the methods, formats, reports and experiments. `documents` has the certificate, `graph_files`
strict readers for what graphveil writes, `facts` the recount, `harmless` the grammar of a report that can do nothing,
and `folders` puts them together. `graphs` rechecks a graph that is not in a published folder.
"""
