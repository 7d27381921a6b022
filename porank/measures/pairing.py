"""Two orders at the door: compiled, on the same items, numbered alike, counted once.

The pairing of two compiled orders is kept with the first of them, so that the second measure of the
same two graphs finds the pairs already counted.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from porank.core.compiled_order import compile_order
from porank.errors import ItemMismatchError, NotApplicableError, listed
from porank.measures.counting import count_agreement
from porank.measures.numbered import NumberedAlike, same_sequence
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import OrderLike


class Counts(NamedTuple):
    """The five numbers: how many unordered pairs both, one, or neither of two orders decides.

    Attributes
    ----------
    concordant, discordant : int
        Pairs that both decide, alike (C) or contrarily (D).
    target_only, predicted_only : int
        Pairs that only the target (A) or only the prediction (N) decides.
    neither : int
        Pairs that neither decides (I).

    Examples
    --------
    >>> Counts(3, 1, 2, 3, 1).target_pairs
    6
    """

    concordant: int
    discordant: int
    target_only: int
    predicted_only: int
    neither: int

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
        return sum(self)


class Pairing(NumberedAlike):
    """A target and a prediction with their pairs counted, once and when first asked for.

    Examples
    --------
    >>> pair_up({"a": 2, "b": 1}, {"b": 5, "a": 5}).counts
    Counts(concordant=0, discordant=0, target_only=1, predicted_only=0, neither=0)
    """

    @cached_property
    def counts(self) -> Counts:
        """The five numbers."""
        concordant, discordant = count_agreement(self)
        decided = concordant + discordant
        target_only = self.target.count_pairs() - decided
        predicted_only = self.predicted.count_pairs() - decided
        neither = self.n * (self.n - 1) // 2 - decided - target_only - predicted_only
        return Counts(concordant, discordant, target_only, predicted_only, neither)


def pair_up(target: OrderLike, predicted: OrderLike) -> Pairing:
    """Return the two orders compiled, having made sure that they have the same items.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        The truth and the prediction.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ.

    Examples
    --------
    >>> pair_up([1, 2], [2, 1]).n
    2

    Notes
    -----
    Time O(n + m) the first time a graph is seen, O(n log n) for scores.
    """
    first = compile_order(target, name="target")
    second = compile_order(predicted, name="predicted")
    kept: Pairing | None = first.__dict__.get("_pairing")
    if kept is not None and kept.predicted is second:
        return kept
    if not same_sequence(first, second):
        _require_one_length(first, second)
        require_same_items(first, second)
    pairing = first.__dict__["_pairing"] = Pairing(first, second)
    return pairing


def _require_one_length(target: Order, predicted: Order) -> None:
    """Raise `ItemMismatchError` if two arrays have different lengths."""
    one, other = target.items, predicted.items
    if isinstance(one, range) and isinstance(other, range):
        side, more = ("target", one) if len(one) > len(other) else ("predicted", other)
        extra = [*more[min(len(one), len(other)) :]]
        raise ItemMismatchError(
            f"expected arrays of one length, found {len(one)} numbers in target and {len(other)} "
            f"in predicted, only in {side}: {listed(extra)}",
            only_target=extra if side == "target" else (),
            only_predicted=extra if side == "predicted" else (),
        )


def require_weak(pairing: Pairing, *, why: str) -> None:
    """Raise `NotApplicableError` unless both orders are weak.

    Examples
    --------
    >>> require_weak(pair_up([1, 2], [2, 1]), why="...")
    """
    for name, order in (("target", pairing.target), ("predicted", pairing.predicted)):
        if not order.is_weak:
            raise NotApplicableError(f"expected two weak orders, found {name} partial: {why}")
