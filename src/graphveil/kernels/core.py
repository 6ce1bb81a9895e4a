"""Who is made a friend of whom so that all pairs of a small core get the mutual friends they lack (docs/plan.md)."""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1


@jit
def best_joining(has, lack, joins):
    """The members that one vertex should be joined to: the most worth for each new edge, which is returned.

    ``has`` tells the members it knows. A pair that gets its new mutual friend is worth as much as it lacks; one that
    lacks none must not get it. Fills ``joins``.
    """
    size = len(has)
    know = has.copy()
    order = np.empty(size, np.int64)
    number, chosen = 0, 0
    worth, best = 0.0, 0.0
    if not know.any():  # a stranger begins with the pair that lacks most
        order[0] = np.argmax(lack) // size
        know[order[0]] = True
        number = 1
    while number < size:
        most, member = 0, NONE
        for i in range(size):
            more = 0
            for j in range(size):
                if know[j]:
                    if lack[i, j] <= 0:
                        more = 0
                        break
                    more += lack[i, j]
            if not know[i] and more > most:
                most, member = more, i
        if member == NONE:
            break
        know[member] = True
        order[number] = member
        number += 1
        worth += most
        if worth > best * number:
            best, chosen = worth / number, number
    joins[:] = False
    for i in range(chosen):
        joins[order[i]] = True
    return best


@jit
def fill(known, number, lack):
    """Joinings of vertices to members of a core, one by one, until no pair can get a mutual friend that it lacks.

    ``known`` has a row for each kind of vertex, with the members that it knows, and ``number`` says how many are of
    that kind; ``number`` and ``lack``, the mutual friends that each pair lacks, are used up. Returns the kind and the
    new friends of each vertex that is joined. The worth of a kind hardly ever rises while pairs are filled, so it
    is computed again only for the kind that was the best.
    """
    kinds, size = known.shape
    worth = np.full(kinds, np.inf)
    joins = np.zeros((kinds, size), np.bool_)
    kind_of, joined, steps = np.empty(64, np.int64), np.empty((64, size), np.bool_), 0
    while True:
        kind = np.argmax(worth)
        before = worth[kind]
        if before <= 0:
            return kind_of[:steps], joined[:steps]
        worth[kind] = best_joining(known[kind], lack, joins[kind]) if number[kind] > 0 else 0.0
        if worth[kind] < before:
            continue
        if steps == len(kind_of):
            kind_of = np.concatenate((kind_of, np.empty_like(kind_of)))
            joined = np.concatenate((joined, np.empty_like(joined)))
        kind_of[steps] = kind
        joined[steps] = joins[kind]
        steps += 1
        number[kind] -= 1
        for i in range(size):
            for j in range(i):
                new_i, new_j = joins[kind, i], joins[kind, j]
                if (new_i or new_j) and (new_i or known[kind, i]) and (new_j or known[kind, j]):
                    lack[i, j] -= 1
                    lack[j, i] -= 1
