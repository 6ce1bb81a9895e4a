"""Degree sequences cut into groups.

The optimal cut is the dynamic programme of Liu and Terzi in linear time. Sorted descending, the group of
positions i…j−1 is raised to degree d[i], so the best cost of the first j positions is

    cost[j] = min over i of  cost[i] + d[i]·(j − i) − (S[j] − S[i]),   S the prefix sums of d.

Apart from S[j], every i is a straight line in j whose slope d[i] falls with i, and j only grows: the lower
envelope of these lines is a queue that is entered at one end and left at the other. (Groups need not be held
below 2k: a larger one never costs less than its two halves.)
"""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit


@jit
def optimal_groups(descending, k):
    """Where the groups of at least k start that raise a descending sequence at the lowest cost."""
    n = len(descending)
    total = np.zeros(n + 1, np.int64)
    for i in range(n):
        total[i + 1] = total[i] + descending[i]
    cost = np.zeros(n + 1, np.int64)
    start_of = np.zeros(n + 1, np.int64)  # where the last group of the first j positions starts
    intercept = np.empty(n + 1, np.int64)
    queue = np.empty(n + 1, np.int64)  # the starts whose lines make up the envelope
    takes_over = np.empty(n + 1, np.int64)  # the first j at which a line is no higher than the one before it
    first, last = 0, -1
    for j in range(k, n + 1):
        i = j - k
        if i == 0 or i >= k:  # fewer than k positions before i cannot be groups
            intercept[i] = cost[i] + total[i] - descending[i] * i
            while last >= first:
                since = _crossing(queue[last], i, intercept, descending)
                if last == first or since > takes_over[last]:
                    break
                last -= 1
            if last < first:
                since = 0
            if since <= n:
                last += 1
                queue[last], takes_over[last] = i, since
        while first < last and takes_over[first + 1] <= j:
            first += 1
        i = queue[first]
        start_of[j] = i
        cost[j] = intercept[i] + descending[i] * j - total[j]
    return _walk_back(start_of)


@jit
def _crossing(earlier, later, intercept, slope):
    """The first j from which on the line of the later start is no higher than that of the earlier one."""
    rise = intercept[later] - intercept[earlier]
    fall = slope[earlier] - slope[later]
    if rise <= 0:
        return 0
    if fall == 0:
        return len(slope) + 1  # parallel and above: never
    return -(-rise // fall)


@jit
def _walk_back(start_of):
    """Group starts in ascending order, from the start of the last group of every prefix."""
    n = len(start_of) - 1
    groups = 0
    j = n
    while j > 0:
        j = start_of[j]
        groups += 1
    starts = np.empty(groups, np.int64)
    j = n
    for group in range(groups - 1, -1, -1):
        j = start_of[j]
        starts[group] = j
    return starts
