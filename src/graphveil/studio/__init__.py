"""The studio: the whole way from a file to a published folder and back, on a page of this machine.

`server` opens the door to 127.0.0.1 alone and `guard` watches it; `pages` shows what `state` knows; `jobs` runs each
piece of work as a `worker` of its own and `events` tell the open tabs about it. The studio decides nothing itself: an
`actions.Action` names functions of graphveil and their arguments, and the worker, the command line and the Python
script are all made from it. docs/studio.md tells the rest.
"""
