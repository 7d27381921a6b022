"""Where each item may stand: its probabilities, its expected rank, and its chances against others.

A partial order leaves open in which sequence its items stand. Every linear extension is taken to be
equally likely; the rank of an item is then a random number, with a distribution and a mean. Tied
items are treated like incomparable ones.

Idea: *take the order apart; solve each part that cannot be divided by the best method that it
allows; put the parts together exactly.* A part is counted over its ideals if these are not too
many, else it is drawn, and one too large to be drawn is approximated. Nothing is guessed silently:
``.method`` names the least exact method that was used, ``.standard_error`` has a number for every
figure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.core.compiled_order import compile_order
from porank.errors import PorankError
from porank.order.figures import PairsOfLevels, RanksOfLevels, Written, all_zero, mid_ranks
from porank.order.ideals import MAX_IDEALS
from porank.order.leaf_choice import MOST_ITEMS, choose, method_of
from porank.order.placement import mean_ranks, mutual_table, rank_table
from porank.order.rank_tables import ExpectedRanks, MutualRankProbabilities, RankProbabilities

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import OrderLike, Seed

#: A standard error of at most 0.016 for a probability.
_SAMPLES = 1000


def rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> RankProbabilities:
    """Return how probable each rank is for each item.

    The probability of rank r for x is the share of the linear extensions of `G` in which r - 1
    items stand before x.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Tied items may come in either order, as incomparable ones.
    method : {"auto", "exact", "sample", "approximate"}
        How parts that cannot be divided are solved: counted over their ideals; drawn, each linear
        extension uniform; or, ``"auto"``, counted where `max_ideals` allows it, else drawn if that
        takes no more than half a minute, about 100 items at 1,000 samples and 200 at 100, else
        approximated. ``"approximate"`` takes the extended local partial order model [1]_ on the
        order as a whole. Weak orders are always solved exactly.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part may have to be counted, and
        drawn from; one of more than 64 items a sixteenth of it.
    samples : int
        How many linear extensions are drawn. Four times as many halve the errors.
    seed : int, Generator or None
        Where the randomness comes from. The same number gives the same figures, in whatever
        sequence items and edges were inserted.
    exact : bool
        Whether to return fractions. Nothing is estimated then.
    progress : bool
        Show a bar.

    Returns
    -------
    RankProbabilities
        A mapping item -> [p_1, ..., p_n], each in [0, 1], with `method` and `standard_error`
        beside it. They sum up to 1 for each item and, unless approximate, for each rank.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or the order has more than 5,000 items and is not weak.

    Examples
    --------
    >>> import porank as po
    >>> found = po.rank_probabilities(po.parse("a > c; b > c; b > d"), exact=True)
    >>> print(found)
    item    1    2    3    4
    ----  ---  ---  ---  ---
    a     2/5  2/5  1/5    0
    c       0    0  2/5  3/5
    b     3/5  2/5    0    0
    d       0  1/5  2/5  2/5
    >>> drawn = po.rank_probabilities(
    ...     po.parse("a > c; b > c; b > d"), method="sample", samples=400, seed=0
    ... )
    >>> found.method, drawn.method, abs(drawn["a"][0] - 2 / 5) < 3 * drawn.standard_error["a"][0]
    ('exact', 'sample', True)

    Notes
    -----
    Time O(n) for a weak order, and O(n) for each row read. Else that of the closure, and O(n) for
    each ideal of a part [2]_: a million take less than a second, 20 million some ten seconds and
    350 megabytes; exact fractions take fifteen times as long. Without ideals O(n**3 log n) for
    each linear extension drawn, or O(n**3) for the approximation. To shuffle
    components of a and b items takes O(a b (a + b)). The standard error of a share of N draws is
    that of N + 2, of which one is a hit and one is not: what was never drawn may still be possible.
    Ranks that the order itself rules out have probability 0 and error 0.

    References
    ----------
    .. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
       MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.
    .. [2] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    items, n = order.items, len(order.items)
    if order.is_weak:
        figures = RanksOfLevels(order.layers, exact=exact)
        none = RankProbabilities(items, all_zero(n), method="exact", of_errors=True)
        return RankProbabilities(items, figures, method="exact", standard_error=none)
    _require_table(order)
    parts, leaves = choice.solve(order)
    table, errors = map(Written, rank_table(parts, leaves, exact=exact))
    found = method_of(leaves)
    error = RankProbabilities(items, errors, method=found, of_errors=True)
    return RankProbabilities(items, table, method=found, standard_error=error)


def expected_ranks(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> ExpectedRanks:
    """Return the mean rank of each item.

    The expected rank of x is the mean, over the linear extensions of `G`, of the number of items
    that stand before x, plus 1.

    Parameters
    ----------
    G, method, max_ideals, samples, seed, exact, progress
        As for `rank_probabilities`.

    Returns
    -------
    ExpectedRanks
        A mapping item -> number in [1, n], with `method` and `standard_error` beside it. The
        numbers sum up to n (n + 1) / 2, unless they are approximate.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or a part that has to be drawn or approximated has more
        than 5,000 items.

    Examples
    --------
    >>> import porank as po
    >>> dict(po.expected_ranks(po.parse("a > b > c; d")))
    {'a': 1.25, 'b': 2.5, 'c': 3.75, 'd': 2.5}
    >>> dict(po.expected_ranks({"tea": 3, "coffee": 5, "water": 3}))
    {'tea': 2.5, 'coffee': 1.0, 'water': 2.5}

    Notes
    -----
    ``"approximate"`` gives the ranks of the extended local partial order model [1]_.

    Time O(n) for a weak order, else that of `rank_probabilities` for each part, O(n) to put the
    parts together: position q of a component of a items becomes rank q (n + 1) / (a + 1) in the
    mean. It is not the middle of the ranks that an item may take, which the position measures use
    unless ``positions="expected"`` is asked for.

    References
    ----------
    .. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
       MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    if order.is_weak:
        error = ExpectedRanks(order.items, [0.0] * len(order.items), method="exact", of_errors=True)
        ranks = mid_ranks(order.layers, exact=exact)
        return ExpectedRanks(order.items, ranks, method="exact", standard_error=error)
    parts, leaves = choice.solve(order)
    ranks, errors = mean_ranks(parts, leaves)
    found = method_of(leaves)
    error = ExpectedRanks(order.items, errors, method=found, of_errors=True)
    return ExpectedRanks(order.items, ranks, method=found, standard_error=error)


def mutual_rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> MutualRankProbabilities:
    """Return for each two items how probable it is that the one stands above the other.

    The probability of (u, v) is the share of the linear extensions of `G` in which u stands before
    v: 1 if u > v, 0 if v > u.

    Parameters
    ----------
    G, method, max_ideals, samples, seed, exact, progress
        As for `rank_probabilities`.

    Returns
    -------
    MutualRankProbabilities
        A mapping (u, v) -> number in [0, 1] for all ordered pairs of different items, with
        `method` and `standard_error` beside it. Those of (u, v) and (v, u) sum up to 1.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or the order has more than 5,000 items and is not weak.

    See Also
    --------
    porank.PreferenceRelation.from_degrees : makes a valued relation of them, to be cut.

    Examples
    --------
    >>> import porank as po
    >>> N = po.mutual_rank_probabilities(po.parse("a > c; b > c; b > d"), exact=True)
    >>> N["a", "c"], N["a", "b"], N["a", "d"]
    (Fraction(1, 1), Fraction(2, 5), Fraction(4, 5))

    As degrees of preference, cut where four rankings in five agree:

    >>> P = po.PreferenceRelation.from_degrees(N)
    >>> sorted(P.cut(0.8).edges)
    [('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd')]

    Notes
    -----
    Time O(1) for each pair of a weak order, else that of `rank_probabilities`; components of a and
    b items take O(a b (a + b)) more. The sum of the probabilities of (u, x) over all u, plus 1, is
    the expected rank of x, unless they are approximate: the model does not promise it. What the
    order says has exactly 1 and 0, and the floats of (u, v) and (v, u) sum up to exactly 1.
    They are counted over the lattice of ideals as De Loof, De Meyer and De Baets do [1]_.
    Majorities of linear extensions can run in circles: u above v, v above w, and w above u may each
    be more probable than not.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    items, n = order.items, len(order.items)
    if order.is_weak:
        figures = PairsOfLevels(order.layers, exact=exact)
        none = MutualRankProbabilities(items, all_zero(n), method="exact", of_errors=True)
        return MutualRankProbabilities(items, figures, method="exact", standard_error=none)
    _require_table(order)
    parts, leaves = choice.solve(order)
    table, errors = map(Written, mutual_table(parts, leaves, exact=exact))
    found = method_of(leaves)
    error = MutualRankProbabilities(items, errors, method=found, of_errors=True)
    return MutualRankProbabilities(items, table, method=found, standard_error=error)


def _require_table(order: Order) -> None:
    """Raise an error if a table of all items would be too large."""
    n = len(order.items)
    if n > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items of an order that is not weak, found {n:,}: "
            f"{n * n:,} numbers; expected_ranks and rank_intervals give one or two an item"
        )
