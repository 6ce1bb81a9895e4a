"""What a comparison means, in words.

The best method at a k is the one that changes the fewest edges; of equals, the one that adds fewer vertices, and
`plan` before all others, as it is the usual one. Whether
the same method is also the closest by what people compute on graphs is counted and said. Only methods that promise
k-NMF are recommended.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphveil.experiments.comparison.comparing import Choice, Comparison
from graphveil.words import percent

__all__ = ["best_choice", "recommend"]

USUAL = "plan"
CHEAP = 1.0  # per cent of the edges
# Figures by which methods are compared beside the edges changed, and what an unchanged graph has.
CLOSENESS = {
    "average_clustering": None,
    "average_path_length": None,
    "betweenness_rank": 1.0,
    "communities": 1.0,
}
OPEN = {
    "attack_edge_degrees_certain": "the numbers of friends of two friends",
    "attack_mutual_friends_around_certain": "all numbers of mutual friends around a person",
}


def recommend(comparison: Comparison) -> tuple[str, ...]:
    """Sentences: which method, how far k may go cheaply, what each k costs, and what stays open.

    Examples
    --------
    >>> from graphveil import compare, generate
    >>> found = compare(generate(edges=400, seed=4), k=4, methods=["add-intuit", "add-del"])
    >>> recommend(found)[0]
    'Take add-del: it changes the fewest edges.'
    """
    sentences: list[str] = []
    for degree_k in comparison.degree_k or (None,):
        if field := _field(comparison, degree_k):
            sentences += _of_field(field, degree_k)
    sentences += [
        f"{choice.method} at k = {choice.k:,}: {choice.problem}"
        for choice in comparison.choices
        if choice.problem
    ]
    if not sentences:
        return ("None of these methods hides numbers of mutual friends, so none is recommended.",)
    return tuple(sentences)


def best_choice(comparison: Comparison) -> Choice | None:
    """What to publish: the best method at the largest k that is cheap, or at the smallest if none is."""
    fields = [_field(comparison, degree_k) for degree_k in comparison.degree_k or (None,)]
    field = next(filter(None, reversed(fields)), None)
    if field is None:
        return None
    best = _best(field)
    return best[max(_cheap(best), default=min(best))]


def _field(comparison: Comparison, degree_k: int | None) -> list[Choice]:
    """The choices with one degree k that can be recommended."""
    return [
        choice
        for choice in comparison.choices
        if "k-NMF" in choice.promises and choice.degree_k == degree_k and not choice.problem
    ]


def _best(field: list[Choice]) -> dict[int, Choice]:
    """The best choice at each k."""
    ks = sorted({choice.k for choice in field})
    return {k: min((c for c in field if c.k == k), key=lambda c: (*_cost(c), c.method != USUAL)) for k in ks}


def _cheap(best: dict[int, Choice]) -> list[int]:
    return [k for k, choice in best.items() if _cost(choice)[0] < CHEAP]


def _of_field(field: list[Choice], degree_k: int | None) -> Iterator[str]:
    """What is to be said of the choices with one degree k."""
    best = _best(field)
    if degree_k is not None:
        yield f"With at least {degree_k:,} people for each number of friends:"
    yield _winner(best, field)
    yield _cheapest(best)
    for k, choice in best.items():
        yield _what_it_costs(choice, [other for other in field if other.k == k])
    if len(field) > len(best):
        yield _also_closest(best, field)
    yield from _told_apart(best[max(best)])
    yield from _what_stays_open(best[max(best)])


def _cost(choice: Choice) -> tuple[float, float]:
    return choice.mean("changed_percent") or 0.0, choice.mean("new_vertices") or 0.0


def _winner(best: dict[int, Choice], field: list[Choice]) -> str:
    methods = list(dict.fromkeys(choice.method for choice in best.values()))
    if len(methods) == 1:
        rivals = [each for each in field if each.method != methods[0]]
        equal = rivals and all(_cost(each) == _cost(best[each.k]) for each in rivals)
        why = "no other changes fewer edges" if equal else "it changes the fewest edges"
        return f"Take {methods[0]}: {why}{' at every k' if len(best) > 1 and not equal else ''}."
    parts = (f"{m} at k = {_listed(k for k, c in best.items() if c.method == m)}" for m in methods)
    return f"No method changes the fewest edges everywhere: take {'; '.join(parts)}."


def _cheapest(best: dict[int, Choice]) -> str:
    cheap = _cheap(best)
    if not cheap:
        return f"Even k = {min(best):,} changes more than {CHEAP:g} % of the edges."
    if len(cheap) == len(best):
        return f"Every k asked for, up to {max(best):,}, changes less than {CHEAP:g} % of the edges."
    return f"k = {max(cheap):,} is the largest k asked for that changes less than {CHEAP:g} % of the edges."


def _what_it_costs(choice: Choice, rivals: list[Choice]) -> str:
    others = sorted((each for each in rivals if each is not choice), key=_cost)
    beside = ", ".join(f"{each.method} {_percent(each)}" for each in others)
    people = choice.mean("new_vertices") or 0
    return (
        f"{choice.method} at k = {choice.k:,} changes {_percent(choice)} of the edges"
        + (f" ({beside})" if beside else "")
        + (f" and adds {people:,.0f} vertices" if people else "")
        + f"; average clustering goes {_move(choice, 'average_clustering')}, "
        + f"average path length {_move(choice, 'average_path_length')}."
    )


def _also_closest(best: dict[int, Choice], field: list[Choice]) -> str:
    asked = [(k, name) for k in best for name in CLOSENESS]
    won = sum(
        _distance(best[k], name) <= min(_distance(each, name) for each in field if each.k == k)
        for k, name in asked
    )
    return (
        f"In clustering, path length, betweenness ranks and communities, no other choice is closer to the "
        f"original in {won} of {len(asked)} comparisons."
    )


def _distance(choice: Choice, name: str) -> float:
    unchanged, value = CLOSENESS[name], choice.mean(name)
    moved = choice.difference(name) if unchanged is None or value is None else value - unchanged
    return abs(moved or 0.0)


def _told_apart(choice: Choice) -> Iterator[str]:
    """How well the better of two scores tells added from original edges; far below 0.5 tells as well as far above."""
    found = [choice.mean(f"added_edges_{score}") for score in ("jaccard", "adamic_adar")]
    chances = [max(value, 1 - value) for value in found if value is not None]
    if chances:
        yield (
            f"At k = {choice.k:,}, who ranks edges by the neighbours that their ends share puts an added and an "
            f"original one in the right order with probability {max(chances):.2f} (0.5 is guessing)."
        )


def _what_stays_open(choice: Choice) -> Iterator[str]:
    found = [(choice.mean(name), choice.mean(f"{name}_before"), what) for name, what in OPEN.items()]
    if any(after for after, _, _ in found):
        parts = (
            f"by {what} {after or 0:,.0f} are still found with certainty (before: {before or 0:,.0f})"
            for after, before, what in found
        )
        yield f"No method promises anything against who knows more: at k = {choice.k:,}, {', '.join(parts)}."


def _percent(choice: Choice) -> str:
    return percent((choice.mean("changed_percent") or 0.0) / 100)


def _move(choice: Choice, name: str) -> str:
    before, after = choice.mean(f"{name}_before"), choice.mean(name)
    if before is None or after is None:
        return "unmeasured"
    return f"from {before:.4g} to {after:.4g}"


def _listed(numbers: Iterator[int]) -> str:
    return ", ".join(f"{number:,}" for number in numbers)
