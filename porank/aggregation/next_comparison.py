"""Which two items to compare next, so that few comparisons make an order: `next_comparison`.

Idea: *a comparison whose outcome nobody can guess tells most.* If every linear extension is equally
likely, a pair of items with the mutual rank probability 1/2 halves their number; n! of them need
log2 n! such halvings.
"""

from __future__ import annotations

from itertools import count, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.settled import sign_p_values
from porank.clicks.settled_order import counts_of
from porank.convert.notation import quotient_of
from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import graph_of
from porank.errors import PorankError
from porank.extensions.rank_probabilities import mutual_rank_probabilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from porank.typing import Item, OrderLike, Seed


#: Parts of an order with more ideals than these, a fraction of a second's work, are estimated.
_MAX_IDEALS = 100_000
#: Probabilities nearer than this are equal.
_ROUNDING = 1e-12


def next_comparison(
    order: OrderLike,
    *,
    skip: Iterable[tuple[Item, Item]] = (),
    evidence: Any = None,
    max_ideals: int = _MAX_IDEALS,
    seed: Seed = 0,
) -> tuple[Any, Any] | None:
    """Return the two items to compare next, or None if nothing is left to ask.

    It is the incomparable pair u, v whose mutual rank probability, the share of the linear
    extensions with u before v, is nearest to 1/2.

    Parameters
    ----------
    order : DiGraph or scores
        What is known so far. Items known to be tied count as one.
    skip : iterable of pairs
        Pairs not to be asked, because nobody knows the answer. What is said of an item holds for
        those tied with it.
    evidence : table of evidence, PreferenceRelation, DiGraph, mapping or matrix, optional
        Counts of answers, if one answer to a question does not settle it: those of which `order` is
        the `settled_order`. Then the pair is one that the fewest further answers can settle, if all
        of them prefer the item that leads; among several such pairs the one nearest to 1/2.
    max_ideals : int
        Maximum number of ideals (sets of items that may stand on top) of a part of the order whose
        probabilities are counted exactly. Those of an order with a larger part are estimated.
    seed : int, Generator or None
        Source of randomness for the estimates.

    Returns
    -------
    tuple or None
        Two items. Of equally good pairs the one whose items are comparable to the fewest others,
        then the first by the name of their type and their repr.

    Raises
    ------
    CycleError
        If `order` has a cycle.
    PorankError
        If `skip` or `evidence` names another item, if `order` is no settled order beside evidence,
        or if there are more than 5,000 items.

    See Also
    --------
    mutual_rank_probabilities, settled_order, count_linear_extensions

    Examples
    --------
    >>> import porank as po
    >>> po.next_comparison(po.parse("tea > milk; cocoa > water"))
    ('cocoa', 'tea')

    Somebody who sorts, answer by answer:

    >>> truth, answers = "dacb", "a; b; c; d"
    >>> while pair := po.next_comparison(po.parse(answers)):
    ...     better, worse = sorted(pair, key=truth.index)
    ...     answers += f"; {better} > {worse}"
    >>> answers
    'a; b; c; d; a > b; d > c; d > a; a > c; c > b'

    Several people who may disagree, until the pair is settled:

    >>> counts = {("tea", "milk"): 4, ("milk", "tea"): 1, ("tea", "water"): 5}
    >>> po.next_comparison(po.settled_order(counts), evidence=counts)
    ('tea', 'water')

    Notes
    -----
    Random orders of 8, 10 and 12 items take 15.4, 21.9 and 28.9 questions on average; log2 n! is
    15.3, 21.8 and 28.8. That every order that is not total has a pair with a probability between
    1/3 and 2/3 is a conjecture; between 0.2764 and 0.7236 is proved [1]_, so that the number of
    linear extensions falls by a factor of at least 0.7236 with each answer. Of a dozen items a
    question takes a few milliseconds; where parts are estimated, up to a second or two. Time that
    of `mutual_rank_probabilities`.

    With counts the sign test of a pair is repeated after each answer, and `risk` bounds only what a
    number of answers that was fixed beforehand settles. It holds after each answer for
    ``settled_order(log, anytime=True)``, with ``evidence_table(log)`` as evidence. Items that are
    liked alike are never settled, and asked about as long as one asks.

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
            raise PorankError(f"expected pairs of items as skip, found {pair!r:.80} among them")
        require_items(number, pair)
        u, v = map(number.__getitem__, pair)
        is_open[u, v] = is_open[v, u] = False
    if evidence is not None:
        is_open &= _nearest_to_settled(order, evidence, number, is_open)
    if not is_open.any():
        return None
    chances = mutual_rank_probabilities(known, max_ideals=max_ideals, seed=seed).matrix()
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

    Pairs within the cyclic components of a settled order contradict each other, and are not among
    them: no answers to one of them settle it.
    """
    found, settled = counts_of(evidence), getattr(order, "graph", {})
    if found is None or "limit" not in settled:
        raise PorankError(
            "expected counts as evidence, and their settled_order as the order, found "
            f"{type(evidence).__name__} and {type(order).__name__}"
        )
    require_items(number, found[0])
    is_nearest = is_open.copy()
    for members in settled["cyclic_components"]:
        for u, v in permutations(members, 2):
            is_nearest[number[u], number[v]] = False
    lead, behind = np.zeros((2, *is_open.shape), dtype=np.int64)
    for (u, v), sides in found[1].items():
        pair = [number[u], number[v]], [number[v], number[u]]
        lead[pair], behind[pair] = max(sides), min(sides)
    pairs = np.nonzero(is_nearest)
    for further in count() if pairs[0].size else ():
        is_settled = sign_p_values(lead[pairs] + further, behind[pairs]) <= settled["limit"]
        if is_settled.any():
            is_nearest[pairs] = is_settled
            break
    return is_nearest
