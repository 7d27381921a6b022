"""The pair table: what two orders say about each unordered pair of items, counted.

For every two items, an order says that one is preferred, or it is silent: it knows them to be tied,
or it knows nothing. Nearly every measure of agreement is a formula in how often the two orders say
the same, the opposite, or one of them nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING

from porank.core.tables import Table, Tabular
from porank.measures.counting import count_ties, decisions_of
from porank.measures.pairing import pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.measures.pairing import Pairing
    from porank.typing import Item, OrderLike


@dataclass(frozen=True)
class PairTable(Tabular):
    """How many unordered pairs of items fall into each class.

    Attributes
    ----------
    concordant, discordant : int
        Pairs that both orders decide, alike (C) or contrarily (D).
    target_only, predicted_only : int
        Pairs that only the target (A) or only the prediction (N) decides.
    neither : int
        Pairs that neither decides (I).
    target_only_tied, predicted_only_tied : int
        Of the pairs that one decides, those that the silent side knows to be tied.
    both_tied, target_tied, predicted_tied : int
        Of the pairs that neither decides, those tied in both, in the target only, and in the
        prediction only; the rest are incomparable in both.

    Examples
    --------
    >>> table = pair_table({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 2})
    >>> table.concordant, table.discordant, table.target_only, table.target_only_tied
    (0, 2, 1, 1)
    """

    concordant: int
    discordant: int
    target_only: int
    predicted_only: int
    neither: int
    target_only_tied: int
    predicted_only_tied: int
    both_tied: int
    target_tied: int
    predicted_tied: int

    @property
    def target_only_incomparable(self) -> int:
        """Pairs that the target decides and of which the prediction knows nothing."""
        return self.target_only - self.target_only_tied

    @property
    def predicted_only_incomparable(self) -> int:
        """Pairs that the prediction decides and of which the target knows nothing."""
        return self.predicted_only - self.predicted_only_tied

    @property
    def both_incomparable(self) -> int:
        """Pairs of which neither knows anything."""
        return self.neither - self.both_tied - self.target_tied - self.predicted_tied

    @property
    def target_pairs(self) -> int:
        """T = C + D + A, the pairs that the target decides."""
        return self.concordant + self.discordant + self.target_only

    @property
    def predicted_pairs(self) -> int:
        """P = C + D + N, the pairs that the prediction decides."""
        return self.concordant + self.discordant + self.predicted_only

    @property
    def all_pairs(self) -> int:
        """All unordered pairs, n (n - 1) / 2."""
        return self.target_pairs + self.predicted_only + self.neither

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_table(self) -> Table:
        """Return what the prediction says (columns) of what the target says (rows)."""
        columns = ("target", "agrees", "contradicts", "decides alone", "tied", "incomparable")
        silent = (self.target_only_tied, self.target_only_incomparable)
        rows = (
            ("decided", self.concordant, self.discordant, None, *silent),
            ("tied", None, None, self.predicted_only_tied, self.both_tied, self.target_tied),
            (
                "incomparable",
                None,
                None,
                self.predicted_only_incomparable,
                self.predicted_tied,
                self.both_incomparable,
            ),
        )
        return Table(columns, rows)


def pair_table(target: OrderLike, predicted: OrderLike) -> PairTable:
    """Return how many pairs of items two orders decide alike, contrarily, or not at all.

    An unordered pair {u, v} is concordant if both orders prefer the same of the two, discordant if
    each prefers another, and otherwise decided by the target only, by the prediction only, or by
    neither; where one is silent, it knows the two to be tied or knows nothing.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    PairTable
        Whole numbers that add up to n (n - 1) / 2.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ; `align` mends it.

    Examples
    --------
    >>> import porank as po
    >>> print(po.pair_table(*po.load_example("table1-corrected")))
    target        agrees  contradicts  decides alone  tied  incomparable
    ------------  ------  -----------  -------------  ----  ------------
    decided            3            1                    0             2
    tied                                           0     0             0
    incomparable                                   3     0             1

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.
    """
    pairing = pair_up(target, predicted)
    return PairTable(*pairing.counts, *count_ties(pairing))


def pair_classes(target: OrderLike, predicted: OrderLike) -> Iterator[tuple[Item, Item, str]]:
    """Return each unordered pair of items once, with its class.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Yields
    ------
    (u, v, class)
        The class is ``"concordant"``, ``"discordant"``, ``"target_only"``, ``"predicted_only"`` or
        ``"neither"``. The target prefers u to v; where it is silent, the prediction does; where
        both are, u stands before v in the target.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which. Raised at the call, not later.
    ItemMismatchError
        If their items differ; `align` mends it.

    Examples
    --------
    >>> import porank as po
    >>> for u, v, kind in po.pair_classes(po.parse("a > b; c"), po.parse("b > a; b > c")):
    ...     print(u, v, kind)
    a b discordant
    a c neither
    b c predicted_only

    Notes
    -----
    Time O(n) a pair row, n**2 in all, beyond the closures; nothing is stored.
    """
    return _classes(pair_up(target, predicted))


def _classes(pairing: Pairing) -> Iterator[tuple[Item, Item, str]]:
    items = pairing.target.items
    target = decisions_of(pairing.target)
    predicted = decisions_of(pairing.predicted)
    turned = range(pairing.n) if pairing.turned is None else pairing.turned.tolist()
    for i, j in combinations(range(pairing.n), 2):
        truth, guess = target(i, j), predicted(turned[i], turned[j])
        first, second = (i, j) if (truth or guess) >= 0 else (j, i)
        yield items[first], items[second], _class_of(truth, guess)


def _class_of(truth: int, guess: int) -> str:
    if truth and guess:
        return "concordant" if truth == guess else "discordant"
    if truth:
        return "target_only"
    return "predicted_only" if guess else "neither"
