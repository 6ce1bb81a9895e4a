"""What a comparison means, in words: which choice to take, by what is guaranteed and what it costs.

The rule, stated where the result is shown:

1. A choice is *useful* if it keeps the usefulness that was asked for, 95 % by default, see `usefulness`.
2. At each k, all choices give the same guarantee. Take the useful one with the fewest changes. With the aim
   ``least-risk``, take the useful one with the least remaining risk instead: the expected share that the best-informed
   of the audit's attackers finds. Choices within `EQUAL` of the least are equal, and the one with the fewest changes
   wins.
3. Of these, take the largest k; with the aim ``least-risk`` the one with the least remaining risk.

Changes that happen to confuse an attacker are not protection, so by default risk decides nothing. Only choices with the
k-NMF guarantee are recommended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from graphveil.experiments.comparison.results import Aim, Choice, Comparison, remaining_risk, usefulness
from graphveil.goals import NMF, Friendship
from graphveil.words import counted, percent

EQUAL = 0.01
USUAL = "plan"  # of equal choices


def recommend(comparison: Comparison) -> tuple[str, ...]:
    """Sentences: which choice to take and why, what each k costs and buys, and what no choice stops.

    >>> from graphveil import compare, generate
    >>> found = compare(generate(edges=400, seed=4), k=4, methods=["add-intuit", "add-del"])
    >>> found.recommendation[0]
    'Take add-intuit with k = 4.'
    """
    sentences: list[str] = []
    for demand in _demands(comparison):
        if choices := _guaranteed(comparison, *demand):
            sentences += _about(Rule(comparison.aim, comparison.useful), choices, *demand)
    sentences += [
        f"{choice.method} at k = {choice.k:,}: {choice.problem}"
        for choice in comparison.choices
        if choice.problem
    ]
    return tuple(sentences) or (
        "None of these methods gives the guarantees asked for, so none is recommended.",
    )


def best_choice(comparison: Comparison) -> Choice | None:
    """What to publish, by the rule above; of several degree k and friendship k, with the largest."""
    several = [_guaranteed(comparison, *demand) for demand in _demands(comparison)]
    choices = next(filter(None, reversed(several)), None)
    return None if choices is None else Rule(comparison.aim, comparison.useful).take(choices)


def frontier(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices that no other beats in remaining risk and in usefulness, the most useful first."""
    ordered = sorted(choices, key=lambda each: (-usefulness(each), remaining_risk(each)[0]))
    kept: list[Choice] = []
    for choice in ordered:
        if not kept or remaining_risk(choice)[0] < remaining_risk(kept[-1])[0]:
            kept.append(choice)
    return tuple(kept)


def _demands(comparison: Comparison) -> Iterator[tuple[int | None, int | None]]:
    """Each degree k with each friendship k that was asked for."""
    return product(comparison.degree_k or (None,), comparison.friendship_k or (None,))


def _guaranteed(comparison: Comparison, degree_k: int | None, friendship_k: int | None) -> list[Choice]:
    """The choices with one degree k and one friendship k that can be recommended."""
    further = {**comparison.further} | ({Friendship.parameter: friendship_k} if friendship_k else {})
    return [
        choice
        for choice in comparison.choices
        if NMF.name in choice.promises
        and choice.degree_k == degree_k
        and choice.further == further
        and choice.max_changes is None
        and not choice.problem
    ]


@dataclass(frozen=True)
class Rule:
    """How to choose: the aim, and the usefulness that has to be kept."""

    aim: Aim
    useful: float

    def keeps_enough(self, choice: Choice) -> bool:
        """Whether a choice is useful."""
        return usefulness(choice) >= self.useful

    def best(self, choices: Sequence[Choice]) -> dict[int, Choice]:
        """The choice to take at each k, ascending."""
        ks = sorted({each.k for each in choices})
        return {k: self._best_of([each for each in choices if each.k == k]) for k in ks}

    def _best_of(self, choices: Sequence[Choice]) -> Choice:
        useful = [each for each in choices if self.keeps_enough(each)]
        if not useful:
            return max(choices, key=lambda each: (usefulness(each), each.method == USUAL))
        return min(self.equal(useful), key=lambda each: (*_cost(each), each.method != USUAL))

    def equal(self, useful: Sequence[Choice]) -> list[Choice]:
        """The choices among which the changes decide: all, or those with the least remaining risk, or nearly."""
        if self.aim == "fewest-changes":
            return list(useful)
        least = min(remaining_risk(each)[0] for each in useful)
        return [each for each in useful if remaining_risk(each)[0] <= least + EQUAL]

    def take(self, choices: Sequence[Choice]) -> Choice:
        """The choice to publish."""
        best = self.best(choices)
        useful = [each for each in best.values() if self.keeps_enough(each)]
        if not useful:
            return best[min(best)]
        return min(self.equal(useful), key=lambda each: -each.k)


def _cost(choice: Choice) -> tuple[float, float]:
    return choice.mean("changed_percent") or 0.0, choice.mean("new_vertices") or 0.0


# ---------------------------------------------------------------------- in words


def _about(
    rule: Rule, choices: Sequence[Choice], degree_k: int | None, friendship_k: int | None
) -> Iterator[str]:
    """What is to be said of the choices with one degree k and one friendship k."""
    taken, best = rule.take(choices), rule.best(choices)
    others = "".join(
        f" and {name} k = {k:,}" for name, k in (("degree", degree_k), ("friendship", friendship_k)) if k
    )
    yield f"Take {taken.method} with k = {taken.k:,}{others}."
    yield _why(rule, taken, choices)
    for choice in best.values():
        yield _what_it_buys(choice, [each for each in choices if each.k == choice.k])
    yield from _told_apart(best[max(best)])
    yield (
        "No choice stops an attacker who holds a similar graph. Share under an agreement if that matters "
        "(graphveil attack measures it)."
    )


def _why(rule: Rule, taken: Choice, choices: Sequence[Choice]) -> str:
    enough = percent(rule.useful)
    if not rule.keeps_enough(taken):
        return (
            f"Why: no choice keeps {enough} usefulness. This one keeps the most at the smallest k, "
            f"{percent(usefulness(taken))}. Consider a smaller k."
        )
    if rule.aim == "least-risk":
        return (
            f"Why: of the choices that keep {enough} usefulness, this one leaves the least remaining risk"
            + (f", within {100 * EQUAL:g} percentage point, at the largest k with the fewest changes.")
        )
    useful = [each for each in choices if each.k == taken.k and rule.keeps_enough(each)]
    fewest = f" At this k, {taken.method} changes the least." if len(useful) > 1 else ""
    return f"Why: k = {taken.k:,} is the largest k tried that keeps {enough} usefulness.{fewest}"


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
