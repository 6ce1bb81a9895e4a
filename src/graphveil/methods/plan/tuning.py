"""Every constant that steers the search of `plan`, each with its reason (docs/plan.md).

None of them is part of a guarantee. Those of the compiled loops stand beside these, in kernels/scan.py and
kernels/plan.py: a kernel is compiled with the constants of its own file.
"""

from __future__ import annotations

from graphveil.methods.plan.step_costs import Stage, StepCosts

# ---------------------------------------------------------------------- size of the work

BUDGET = 300.0  # seconds, where none are given: most graphs end by themselves before
PAPER_STEPS = (
    5_000  # edges that the paper's method brings to their counts before it has to wait for the search
)
LARGEST_TABLE = 20_000_000  # entries of the dynamic program: two tables of 160 MB
MOST_EDGES_TWICE = 5_000_000  # of a graph that is there twice, for two descents at a time
FEW_VERTICES = 20_000  # with fewer, a step is cheap, and more is tried
ATTEMPTS = 3  # whole searches in a graph with few vertices, until one beats the paper's result

# ---------------------------------------------------------------------- one round of edits

ROOM = 64  # edits that a scan keeps for exact evaluation, and fewer than as many again: nearly always enough
MORE_ROOM = 1024  # the same where none of those gained anything: marginals do not simply add up
ENOUGH = 0.5  # of the best gain: what other edits must still gain to be made without a new scan
MISSES = 30  # edits in a row that lost their gain before a round ends: the rest is out of date as well
TAKEN_SHARE = 10  # with degrees, misses up to one in so many edits: each disturbs few others
HOPE = 1.0  # of the edits to come if each gains as much as the best: later ones gain less
GRAIN = 0.5  # of the drift, in coefficients of one vertex: edits that differ by less are equally good
MOST_AWAY = 1.0  # drift of one edit that counts when edits are compared: as much as a gain of one
TRIALS = 16  # random pairs for each that is to be without mutual friends: in a dense graph few are
EDGES_TO_RAISE = 40  # of one count in one round: the first that fails ends it

# ---------------------------------------------------------------------- descents for mutual friends

FALLS = tuple(
    1 << power for power in range(7)
)  # costs of lowering an edge: where a search is stuck, plans raise
FIRST = (  # plans to begin with: which is best differs from graph to graph by a factor of two and more
    StepCosts(),
    StepCosts(drop=20),
    StepCosts(toll=3),
    StepCosts(drop=20, toll=3),
    StepCosts(drop=10),
    StepCosts(rise=3, fall=2),
    StepCosts(drop=3),
)
MORE = (  # in a graph with few vertices, where a descent is cheap
    *(StepCosts(drop=2), StepCosts(drop=1), StepCosts(toll=1), StepCosts(rise=3)),
    *(StepCosts(rise=3, drop=drop) for drop in (10, 5, 3)),
    *(StepCosts(rise=3, toll=2), StepCosts(rise=3, drop=10, toll=3)),
    *(StepCosts(rise=rise, drop=drop) for rise, drop in ((8, 4), (8, 2), (20, 5))),
)
TOLLS = tuple(range(5))  # where edges only rise, for the highest class: edges that rise together cost less
SECOND_TOLLS = (0, 2)  # of those for the next class, which is nearer
ROUNDS_IF_STUCK = 20  # of taking back and descending in which nothing got better, where all descents failed

# ---------------------------------------------------------------------- descents for mutual friends and degrees


def _first(rise: int, fall: int, *weights: tuple[int, int]) -> tuple[Stage, ...]:
    return tuple(Stage(StepCosts(), StepCosts(rise, fall), pair) for pair in weights)


HARMLESS = (1000, 1)  # weights with which no edge moves any more that hides among k
FIRST_WITH_DEGREES = (  # degrees first, or edges kept in order: falls are dear, for they need two friends who both fall
    _first(2, 3, (1, 3), (1, 1), (3, 1)),
    _first(1, 2, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 1), (3, 1)),
)
MORE_WITH_DEGREES = (  # in a graph with few vertices, where a descent is cheap
    _first(2, 3, (2, 3), (3, 1)),
    _first(2, 3, (1, 1), (3, 1)),
    _first(1, 2, (2, 3), (3, 1)),
    _first(1, 3, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 20), (1, 4), (1, 1), (3, 1)),
)
AGAIN_WITH_DEGREES = tuple(  # after a ruin, where most degrees are in order; one by chance, for variety
    _first(rise, fall, (1, weight), (3, 1))
    for rise, fall in ((1, 1), (2, 3), (1, 2))
    for weight in range(1, 5)
)
ROUNDS = 4  # of disturbing one guarantee for the other, before only harmless edits are left


def _rounds() -> list[Stage]:
    """Edges in order, at ever higher costs of falls; then more weight on the degrees; and again."""
    edges = [Stage(StepCosts(fall=fall), StepCosts(), (3, 1), fall > 1) for fall in FALLS[:-1]]
    stages = list(edges)
    for number in range(ROUNDS - 1):
        dear = StepCosts(fall=2 << number)
        stages += [Stage(weights=(1, 4)), Stage(degree=dear), Stage(), *edges]
    return stages


AFTER = (*_rounds(), *(Stage(degree=StepCosts(fall=1 << power), weights=HARMLESS) for power in range(12)))
AFTER_UPWARDS = tuple(Stage(weights=pair).upwards() for pair in ((1, 4), (1, 1), (3, 1), HARMLESS))

# ---------------------------------------------------------------------- candidates for degrees

TRIES, MORE_TRIES = 24, 400  # random edits of each kind around a vertex; the same where those gained nothing
KEPT, MORE_KEPT = 6, 40  # the best of them, evaluated exactly
MOST_VERTICES = 20_000  # that have to move and are looked at in one scan: less than a second
LEAVES = 8  # people of each kind to whom a leaf may move: nearly always the first will do
CHAINS = 400  # first edits of a chain of two in one round, each with a look around both ends

# ---------------------------------------------------------------------- a spread

COME = 4  # cost of a new edge without mutual friends: a plan exists even where one person has all edges
MOST_ASKED = 20  # times that a descent asks for larger groups: beyond, it is stuck for another reason
AROUND = 2  # counts beside a small group where more is asked for: an edit moves edges to these as well
TRIES_AROUND_LEADER = 32  # random edits of each kind around one person who has too much of a group

# ---------------------------------------------------------------------- cores, where edges only rise

CORES = 3  # to begin a descent with: the cheapest is not always the best
GROUNDS = 2  # descents after whose first class the next one is filled in a core as well
STEP = 0.7  # edits that one step of one edge takes in the end, about: an edit moves several
BEGINNINGS = 20  # highest edges from which a core is grown: they lie in few circles
STRANGERS = (0, 1, 2, 4, 8)  # members that a new one may not know: no circle is complete
CHOICE = 60  # vertices tried as the next member, those with the most friends: others know too few
# Of the number that has k pairs; what a smaller core lacks comes from elsewhere
CORE_SIZES = (1, 7 / 8, 6 / 8, 5 / 8)
MOST_MEMBERS = 24  # of a core, however large k is: larger circles are rare
MOST_KINDS = 2000  # of people around a core that are looked at, those who know most of it
HELPERS = 100  # of one kind, among whom the best is joined to a core
OF_A_SIZE = 4  # cores of one size that are returned: they differ by few members

# ---------------------------------------------------------------------- improving

# Solutions improved, in a graph with few vertices, and how much longer than the shortest
SEVERAL, SLACK = (6, 1.3)
SEVERAL_UP, SLACK_UP = 3, 1.05  # the same where edges only rise: a descent takes longer, and they differ less
SHORTER = 1 - 1e-9  # slack with degrees: descents are long, so only shorter ones go to their end
MOST_VERTICES_SEEN = 1_000_000_000  # by all scans of the improvement: a step scans the graph about once
FEW_EDGES = 10_000  # with fewer, the effort is a share, for there is less to improve
LEAST_SHARE = 0.1  # of the effort, however few edges
MOST_SEEN_UP = 3_700_000_000  # vertices, where edges only rise: there is more to improve
MOST_STEPS_UP = 100_000  # the same: beyond, hardly anything is found
MOST_CELLS_UP = 1_060_000_000  # the same, in counts times k: a step fills the tables about once
STEPS, FEW_STEPS = 100_000, 10_000  # with degrees: where a step is cheap, and else
ROUNDS_APART = 4  # of taking back and descending, before the twins go on from the better of both
PATIENCE = 4  # times the number of edits: rounds in vain before the improvement ends
LEAST_PATIENCE = 25  # the same, however few edits there are: in a small graph
LEAST_IN_LARGE = 200  # and in one with many edges; between the two, a share of the edges
PATIENCE_PER_EDGE = 0.02  # that share
MORE_PATIENCE, MOST_PATIENCE = 4, 200  # with degrees: one round in vain for each edit and so many; at most
RUIN = (0.02, 0.4)  # of the edits: how many are taken back to find better ones
RUIN_WITH_DEGREES, MOST_RUINED = (0.01, 0.2), 200  # the same with degrees: there are many more edits
RUIN_LATEST = (0.02, 0.6)  # of the latest edits, where edges only rise: the order is that of the classes
LATEST = 1 / 3  # of the rounds in which these are taken back

# ---------------------------------------------------------------------- clustering

CLOSE = 0.05  # drift that is not worth a swap of edits
WORTH = 2.0  # drift that one more edit has to put right: it is a change that no guarantee needs
MOST_SEEN_IN_SWAPS = 50_000_000  # vertices: a swap scans the graph once
MOST_FRIENDS = 6  # of those whose coefficients are counted: with more, one pair decides little
MOST_PAIRS = 1000  # that may be added or deleted for it: those that decide most
