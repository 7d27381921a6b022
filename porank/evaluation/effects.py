"""How two systems differ: by how much, how surely, and how often."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class PairedDifference:
    """The differences of two systems in one measure, over the groups both have a value for.

    Attributes
    ----------
    first, second : label
        The two systems, the better one first.
    difference : float
        The mean of the first less that of the second, negative for a measure of which less is
        better.
    low, high : float
        A bootstrap interval for the difference, not adjusted for the number of tests.
    p_value, adjusted : float
        In (0, 1]: of the test, and adjusted for the number of tests. nan without any group.
    effect_size : float
        The mean of the differences over their standard deviation: Cohen's d for paired values. Its
        sign is that of the difference; infinite if all groups differ by the same.
    superiority : float
        In [0, 1]: the share of groups in which the first is better, ties counted half.
    wins, losses, ties : int
        In how many groups the first is better, worse, and neither.

    Examples
    --------
    >>> found = PairedDifference("A", "B", 0.25, 0.125, 0.5, 0.03, 0.06, 1.5, 0.75, 3, 1, 0)
    >>> found.turned().second, found.turned().low, found.turned().wins
    ('A', -0.5, 1)
    """

    first: Any
    second: Any
    difference: float
    low: float
    high: float
    p_value: float
    adjusted: float
    effect_size: float
    superiority: float
    wins: int
    losses: int
    ties: int

    def turned(self) -> PairedDifference:
        """Return the same difference seen from the second system."""
        return replace(
            self.negated(),
            first=self.second,
            second=self.first,
            superiority=1 - self.superiority,
            wins=self.losses,
            losses=self.wins,
        )

    def negated(self) -> PairedDifference:
        """Return the same difference of values with the other sign."""
        return replace(
            self,
            # 0.0 less a number, so that there is no -0.0.
            difference=0.0 - self.difference,
            low=0.0 - self.high,
            high=0.0 - self.low,
            effect_size=0.0 - self.effect_size,
        )
