"""Two compiled orders on the same items, numbered alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Numbers


@dataclass(frozen=True, eq=False)
class NumberedAlike:
    """A target and a prediction on the same items, items numbered as in the target.

    Attributes
    ----------
    target, predicted : Order
        The two orders, each in the sequence of its own items.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> target, predicted = compile_order({"a": 2, "b": 1}), compile_order({"b": 5, "a": 4})
    >>> both = NumberedAlike(target, predicted)
    >>> both.target.layers.tolist(), both.predicted_layers.tolist()
    ([0, 1], [1, 0])
    """

    target: Order
    predicted: Order

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.target.items)

    @cached_property
    def turned(self) -> Numbers | None:
        """The number in the prediction of each item of the target; None if all are the same."""
        if same_sequence(self.target, self.predicted):
            return None
        number = self.predicted.number
        return np.fromiter(map(number.__getitem__, self.target.items), np.int64, self.n)

    @cached_property
    def predicted_layers(self) -> Numbers:
        """The layer of each item in the prediction."""
        return self.as_in_target(self.predicted.layers)

    @cached_property
    def predicted_tie(self) -> Numbers:
        """The class of equals of each item in the prediction, -1 for none."""
        return self.as_in_target(self.predicted.tie)

    def as_in_target(self, values: Numbers) -> Numbers:
        """Return values of the items of the prediction in the sequence of the target."""
        return values if self.turned is None else values[self.turned]


def same_sequence(target: Order, predicted: Order) -> bool:
    """Return whether both orders have the same items in the same sequence.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> same_sequence(compile_order([1, 2]), compile_order([3, 3]))
    True
    """
    first, second = target.items, predicted.items
    if isinstance(first, range) and isinstance(second, range):
        return first == second
    return len(first) == len(second) and tuple(first) == tuple(second)
