"""As many as the budget buys: fewer exposed people for a number of changes (docs/reduce.md)."""
