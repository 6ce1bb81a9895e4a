"""Which vertex of one graph is which of another: one step of propagation.

A. Narayanan, V. Shmatikov: De-anonymizing social networks, IEEE S&P 2009. A matched neighbour x of u, whose image is y,
votes for every neighbour w of y. Here a vote counts less where y has many neighbours (1/√degree, as in the paper), and
where the two edges differ in mutual friends: (1 + fewer)³ / (1 + more)³, which is exp(−3·|Δ log|). The sum is
multiplied by how alike u and w are in each of their traits, smaller over larger.
"""

from __future__ import annotations

from graphveil.kernels._jit import jit


@jit
def propose(
    start_a, near_a, ties_a, traits_a, start_b, near_b, ties_b, traits_b,
    image, discount, which, score, votes, seen, best, first, second, support,
):  # fmt: skip
    """For each vertex of ``which`` in graph a, its best candidate in graph b.

    Writes the candidate (−1 where no neighbour is matched), its score, the score of the runner-up and the number of
    votes for the candidate. ``score``, ``votes`` and ``seen`` are room to work in; the first two come and go filled
    with 0. Ties go to the candidate that was seen first, but no tie passes a threshold.
    """
    for u in which:
        found = 0
        for slot in range(start_a[u], start_a[u + 1]):
            y = image[near_a[slot]]
            if y < 0:
                continue
            tie, weight = ties_a[slot], discount[y]
            for other in range(start_b[y], start_b[y + 1]):
                w = near_b[other]
                if votes[w] == 0:
                    seen[found] = w
                    found += 1
                alike = min(tie, ties_b[other]) / max(tie, ties_b[other])
                score[w] += weight * alike * alike * alike
                votes[w] += 1
        highest = next_highest = 0.0
        candidate = -1
        for place in range(found):
            w = seen[place]
            total = score[w]
            for trait in range(traits_a.shape[1]):
                mine, its = traits_a[u, trait], traits_b[w, trait]
                total *= min(mine, its) / max(mine, its)
            if total > highest:
                next_highest, highest, candidate = highest, total, w
            elif total > next_highest:
                next_highest = total
        best[u], first[u], second[u] = candidate, highest, next_highest
        support[u] = votes[candidate] if candidate >= 0 else 0
        for place in range(found):
            score[seen[place]] = 0.0
            votes[seen[place]] = 0
