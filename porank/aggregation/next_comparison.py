"""Choose the pair of items to compare next, so an order takes few comparisons: `next_comparison`.

Idea: *a comparison is most informative if nobody can guess its outcome.* If all linear extensions
are equally likely, a pair with mutual rank probability 1/2 halves their number, and n! extensions
need log2 n! such halvings.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.settled import sign_p_values
from porank.clicks.pair_counts import counts_of
from porank.convert.notation import quotient_of
from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import graph_of
from porank.errors import PorankError, a_kind, quoted
from porank.extensions.rank_probabilities import mutual_rank_probabilities
from porank.orders.open_pairs import settled_cycles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from porank.typing import Item, OrderLike, Seed


#: Probabilities that differ by less than this are equal.
_ROUNDING = 1e-12


def next_comparison(
    order: OrderLike,
    *,
    skip: Iterable[tuple[Item, Item]] = (),
    evidence: Any = None,
    max_ideals: int | None = None,
    seed: Seed = 0,
) -> tuple[Any, Any] | None:
    """Return the two items to compare next, or None if there is no pair left to ask about.

    The result is the incomparable pair u, v whose mutual rank probability is nearest to 1/2. This
    is the share of linear extensions with u before v.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        The order known so far. Items known to be tied count as one.
    skip : iterable of pairs
        Pairs to leave out, because nobody knows the answer. This also leaves out pairs of items
        that are tied with these.
    evidence : table of evidence, PreferenceRelation, DiGraph, mapping or matrix, optional
        Counts of answers, if a single answer does not settle a question; `order` must be their
        `settled_order`. The result is then a pair that the fewest further answers can settle, if
        all of them prefer the item that leads; among several such pairs, the one nearest to 1/2.
    max_ideals : int, optional
        Maximum number of ideals (sets of items that may be at the top) of a part of the order whose
        probabilities are counted exactly, by default as for `mutual_rank_probabilities`. In orders
        with a larger part they are estimated.
    seed : int, Generator or None
        Seed or source of random numbers for estimates.

    Returns
    -------
    tuple or None
        Two items. Of equally good pairs, the one whose items are comparable to the fewest others,
        then the first one by type name and repr.

    Raises
    ------
    CycleError
        If `order` has a cycle.
    PorankError
        If `skip` or `evidence` has an unknown item, if there is evidence and `order` is not a
        settled order, or if there are more than 5,000 items.

    See Also
    --------
    mutual_rank_probabilities, settled_order, count_linear_extensions

    Examples
    --------
    >>> import porank as po
    >>> po.next_comparison(po.parse("tea > milk; cocoa > water"))
    ('cocoa', 'tea')

    Sort items, one answer at a time:

    >>> truth, answers = "dacb", "a; b; c; d"
    >>> while pair := po.next_comparison(po.parse(answers)):
    ...     better, worse = sorted(pair, key=truth.index)
    ...     answers += f"; {better} > {worse}"
    >>> answers
    'a; b; c; d; a > b; d > c; d > a; a > c; c > b'

    Ask several people, who may disagree, until the pair is settled:

    >>> counts = {("tea", "milk"): 4, ("milk", "tea"): 1, ("tea", "water"): 5}
    >>> po.next_comparison(po.settled_order(counts), evidence=counts)
    ('tea', 'water')

    Notes
    -----
    Random orders of 8, 10 and 12 items take 15.4, 21.9 and 28.9 questions on average; log2 n! is
    15.3, 21.8 and 28.8. It is conjectured that every order that is not total has a pair with a
    probability between 1/3 and 2/3. It is proved that there is one between 0.2764 and 0.7236 [1]_,
    so each answer reduces the number of linear extensions by a factor of at most 0.7236. For a
    dozen items, a question takes a few milliseconds; if parts are estimated, up to a second or two.
    Time as for `mutual_rank_probabilities`.

    With counts, the sign test of a pair is repeated after each answer, but `risk` only bounds
    errors for a number of answers that is fixed in advance: with a risk of .05, two items that are
    liked equally are settled falsely in 17 % of runs of up to 50 answers, and in 34 % of up to 400.
    With ``settled_order(log, anytime=True)`` and ``from_log(log)`` as evidence, the bound
    holds after each answer. Items that are liked equally may need answers without end.

    References
    ----------
    .. [1] G. R. Brightwell, S. Felsner, W. T. Trotter, "Balancing pairs and the cross product
       conjecture", Order 12, 1995, pp. 327-349. https://doi.org/10.1007/BF01110378
    """
    compiled, _ = compile_order(order).by_name()
    classes, rows = quotient_of(compiled)
    items = [compiled.items[members[0]] for members in classes]
    number = {compiled.items[i]: k for k, members in enumerate(classes) for i in members}
    known = graph_of(range(len(items)), rows)
    reached = compile_order(known).matrix()
    is_open = ~(reached | reached.T | np.eye(len(items), dtype=bool))
    for pair in skip:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise PorankError(f"expected pairs of items as skip, found {quoted(pair):.80} in it")
        require_items(number, pair)
        u, v = map(number.__getitem__, pair)
        is_open[u, v] = is_open[v, u] = False
    if evidence is not None:
        is_open &= _nearest_to_settled(order, evidence, number, is_open)
    if not is_open.any():
        return None
    chances = mutual_rank_probabilities(known, max_ideals=max_ideals, seed=seed).matrix()
    # |P(u before v) - 1/2|.
    distance = np.where(is_open, np.abs(chances - 0.5), np.inf)
    even = np.argwhere(distance <= distance.min() + _ROUNDING)
    comparable = (reached | reached.T).sum(axis=1)
    by_name = [members[0] for members in classes]
    u, v = min(
        even.tolist(), key=lambda pair: (comparable[pair].sum(), *map(by_name.__getitem__, pair))
    )
    return items[u], items[v]


def _nearest_to_settled(
    order: Any, evidence: Any, number: Mapping[Item, int], is_open: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which open pairs the fewest further answers can settle, all for the item that leads.

    Pairs within a cycle of settled preferences contradict each other. Answers to one of
    them do not settle it, so they are left out.
    """
    found, settled = counts_of(evidence), getattr(order, "graph", {})
    if found is None:
        raise PorankError(f"expected counts as evidence, found {a_kind(evidence)}")
    if "limit" not in settled:
        raise PorankError(
            "expected a settled order, because there is evidence, found another order; pass "
            "settled_order(evidence)"
        )
    require_items(number, found[0])
    is_nearest = is_open.copy()
    for members in settled_cycles(order):
        inside = [number[item] for item in members if item in number]
        is_nearest[np.ix_(inside, inside)] = False
    lead, behind = np.zeros((2, *is_open.shape), dtype=np.int64)
    for (u, v), sides in found[1].items():
        pair = [number[u], number[v]], [number[v], number[u]]
        lead[pair], behind[pair] = max(sides), min(sides)
    pairs = np.nonzero(is_nearest)
    # The smallest m with p(lead + m, behind) <= limit for some pair.
    for further in count() if pairs[0].size else ():
        is_settled = sign_p_values(lead[pairs] + further, behind[pairs]) <= settled["limit"]
        if is_settled.any():
            is_nearest[pairs] = is_settled
            break
    return is_nearest
