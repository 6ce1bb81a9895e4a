"""The method `plan`: fewer changes than the paper, by a search over group sizes (docs/plan.md)."""
