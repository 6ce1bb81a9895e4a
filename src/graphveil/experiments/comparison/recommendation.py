"""What a comparison means, in words: which choice to take, by remaining risk and by cost.

The rule, stated where the result is shown:

1. A choice is *useful* if it keeps `USEFUL` of the original, see `usefulness`.
2. At each k, take the useful choice with the least remaining risk: the expected share that the best-informed of the
   audit's attackers finds. Choices within `EQUAL` of the least are equal, and the one with the fewest changes wins.
3. Of these, take the largest k.

Only choices with the k-NMF guarantee are recommended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphveil.experiments.comparison.results import Choice, Comparison, remaining_risk, usefulness
from graphveil.risk.guarantees import Guarantee
from graphveil.words import counted, percent

__all__ = ["best_choice", "frontier", "recommend"]

USEFUL = 0.95
EQUAL = 0.01
USUAL = "plan"  # of equal choices


def recommend(comparison: Comparison) -> tuple[str, ...]:
    """Sentences: which choice to take and why, what each k costs and buys, and what no choice stops.

    Examples
    --------
    >>> from graphveil import compare, generate
    >>> found = compare(generate(edges=400, seed=4), k=4, methods=["add-intuit", "add-del"])
    >>> found.recommendation[0]
    'Take add-del with k = 4.'
    """
    sentences: list[str] = []
    for degree_k in comparison.degree_k or (None,):
        if choices := _guaranteed(comparison, degree_k):
            sentences += _about(choices, degree_k)
    sentences += [
        f"{choice.method} at k = {choice.k:,}: {choice.problem}"
        for choice in comparison.choices
        if choice.problem
    ]
    return tuple(sentences) or (
        "None of these methods gives the guarantees asked for, so none is recommended.",
    )


def best_choice(comparison: Comparison) -> Choice | None:
    """What to publish, by the rule above; of several degree k, with the largest."""
    several = [_guaranteed(comparison, degree_k) for degree_k in comparison.degree_k or (None,)]
    choices = next(filter(None, reversed(several)), None)
    return None if choices is None else _take(choices)


def frontier(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices that no other beats in remaining risk and in usefulness, the most useful first."""
    ordered = sorted(choices, key=lambda each: (-usefulness(each), remaining_risk(each)[0]))
    kept: list[Choice] = []
    for choice in ordered:
        if not kept or remaining_risk(choice)[0] < remaining_risk(kept[-1])[0]:
            kept.append(choice)
    return tuple(kept)


def _guaranteed(comparison: Comparison, degree_k: int | None) -> list[Choice]:
    """The choices with one degree k that can be recommended."""
    return [
        choice
        for choice in comparison.choices
        if Guarantee.NMF in choice.promises
        and choice.degree_k == degree_k
        and choice.spread == comparison.spread
        and not choice.problem
    ]


def _best(choices: Sequence[Choice]) -> dict[int, Choice]:
    """The choice to take at each k, ascending."""
    return {
        k: _best_of([each for each in choices if each.k == k]) for k in sorted({each.k for each in choices})
    }


def _best_of(choices: Sequence[Choice]) -> Choice:
    useful = [each for each in choices if usefulness(each) >= USEFUL]
    if not useful:
        return max(choices, key=lambda each: (usefulness(each), each.method == USUAL))
    return min(_equal(useful), key=lambda each: (*_cost(each), each.method != USUAL))


def _equal(useful: Sequence[Choice]) -> list[Choice]:
    """The choices with the least remaining risk, or nearly."""
    least = min(remaining_risk(each)[0] for each in useful)
    return [each for each in useful if remaining_risk(each)[0] <= least + EQUAL]


def _take(choices: Sequence[Choice]) -> Choice:
    best = _best(choices)
    useful = [k for k, each in best.items() if usefulness(each) >= USEFUL]
    return best[max(useful, default=min(best))]


def _cost(choice: Choice) -> tuple[float, float]:
    return choice.mean("changed_percent") or 0.0, choice.mean("new_vertices") or 0.0


# ---------------------------------------------------------------------- in words


def _about(choices: Sequence[Choice], degree_k: int | None) -> Iterator[str]:
    """What is to be said of the choices with one degree k."""
    taken, best = _take(choices), _best(choices)
    degrees = "" if degree_k is None else f" and degree k = {degree_k:,}"
    yield f"Take {taken.method} with k = {taken.k:,}{degrees}."
    yield _why(taken, choices)
    for choice in best.values():
        yield _what_it_buys(choice, [each for each in choices if each.k == choice.k])
    yield from _told_apart(best[max(best)])
    yield (
        "No choice stops an attacker who holds a similar graph. Share under an agreement if that matters "
        "(graphveil attack measures it)."
    )


def _why(taken: Choice, choices: Sequence[Choice]) -> str:
    if usefulness(taken) < USEFUL:
        return (
            f"Why: no choice keeps {percent(USEFUL)} usefulness. This one keeps the most at the smallest k, "
            f"{percent(usefulness(taken))}. Consider a smaller k."
        )
    return (
        f"Why: k = {taken.k:,} is the largest k tried that keeps {percent(USEFUL)} usefulness."
        + _why_this_method(taken, [each for each in choices if each.k == taken.k])
    )


def _why_this_method(taken: Choice, same_k: Sequence[Choice]) -> str:
    """Risk decides; of choices that leave equal risk, the changes."""
    useful = [each for each in same_k if usefulness(each) >= USEFUL]
    if len(useful) < 2:
        return ""
    equal = [each.method for each in _equal(useful) if each is not taken]
    if not equal:
        return f" At this k, {taken.method} leaves the least remaining risk."
    verb = "leaves" if len(equal) == 1 else "leave"
    return (
        f" At this k, {taken.method} changes the least of the methods with the least remaining risk; "
        f"{' and '.join(equal)} {verb} as little, within {100 * EQUAL:g} percentage point."
    )


def _what_it_buys(choice: Choice, same_k: Sequence[Choice]) -> str:
    people = round(choice.mean("new_vertices") or 0)
    dummies = f" and {counted(people, 'dummy person', 'dummy people')}" if people else ""
    others = sorted((each for each in same_k if each is not choice), key=_cost)
    beside = ", ".join(f"{each.method} {_changed(each)}" for each in others)
    return (
        f"k = {choice.k:,} with {choice.method}: an attacker who knows one mutual-friend count identifies a "
        f"friendship with probability at most 1/{choice.k:,}. "
        f"It costs {_changed(choice)} of the friendships changed{dummies}"
        + (f" ({beside})" if beside else "")
        + f" and keeps {percent(usefulness(choice))} usefulness."
        + _still_found(choice)
    )


def _still_found(choice: Choice) -> str:
    risk, name = remaining_risk(choice)
    if not name:
        return ""
    before = choice.mean(f"{name}_before") or 0.0
    attacker = name.removeprefix("attack_").removesuffix("_expected").replace("_", " ")
    return (
        f" The best-informed attacker ({attacker}) still finds {percent(risk)} (before: {percent(before)})."
    )


def _told_apart(choice: Choice) -> Iterator[str]:
    """How well the better of two scores tells added from original edges; far below 0.5 tells as well as far above."""
    found = [choice.mean(f"added_edges_{score}") for score in ("jaccard", "adamic_adar")]
    chances = [max(value, 1 - value) for value in found if value is not None]
    if chances:
        yield (
            f"At k = {choice.k:,}, added friendships can be told from original ones with AUC {max(chances):.2f} "
            "(0.5 = not at all)."
        )


def _changed(choice: Choice) -> str:
    return percent((choice.mean("changed_percent") or 0.0) / 100)
