"""The parts of a valued relation: checked, and taken among some of the items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import distinct_items, require_count
from porank.ensemble.degree_values import read_values, values_at
from porank.ensemble.pair_matrices import read_matrix, sealed, strengths_of_wins
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.typing import Item


def read_strength(strength: Any, unit: int) -> int:
    """Return a strength as an int, or raise an error unless it lies between 0 and the unit.

    Examples
    --------
    >>> read_strength(2, 3)
    2
    >>> read_strength(4, 3)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a strength from 0 to 3, found 4
    """
    number = require_count(strength, name="strength")
    if number > unit:
        raise PorankError(f"expected a strength from 0 to {unit}, found {number}")
    return number


class RelationParts(NamedTuple):
    """What a `PreferenceRelation` consists of.

    Attributes
    ----------
    items : tuple
    strength : array of int, n x n
    unit : int
    n_members : int
    wins : array of int, n x n, or None
    values : sequence of Fraction, or None
        As in `PreferenceRelation`.

    Examples
    --------
    >>> RelationParts(("a",), np.zeros((1, 1), dtype=int), 3).n_members
    0
    """

    items: tuple[Item, ...]
    strength: NDArray[Any]
    unit: int
    n_members: int = 0
    wins: NDArray[Any] | None = None
    values: Sequence[Fraction] | None = None

    def checked(self) -> RelationParts:
        """Return the parts, or raise an error unless they fit together.

        Arrays that somebody can write to are copied.

        Examples
        --------
        >>> RelationParts(("a", "b"), np.array([[0, 4], [0, 0]]), 3).checked()
        Traceback (most recent call last):
        porank.errors.PorankError: expected whole numbers from 0 to 3 as strength, found 4
        """
        items = tuple(distinct_items(self.items, name="items"))
        unit = require_count(self.unit, name="unit", least=1)
        n_members = require_count(self.n_members, name="n_members")
        values = None if self.values is None else read_values(self.values, unit)
        # Of degrees given by hand the strengths are places, which do not add up.
        strength = read_matrix(
            self.strength, len(items), name="strength", most=unit, in_all=values is None
        )
        wins = self.wins
        if wins is not None and values is not None:
            raise PorankError("expected wins or values beside strength, found both")
        if wins is not None and unit not in (n_members, 2 * n_members):
            raise PorankError(
                "expected the number of members, or twice it, as unit beside wins, found "
                f"{unit} for {n_members} members"
            )
        if wins is not None:
            is_same = wins is self.strength
            wins = (
                strength if is_same else read_matrix(wins, len(items), name="wins", most=n_members)
            )
            _require_strength_of_wins(strength, unit, wins, n_members)
        return RelationParts(items, strength, unit, n_members, wins, values)

    def among(self, kept: Sequence[int]) -> RelationParts:
        """Return the parts of the relation that the same members make of the items at some places.

        What is no degree among these items is none any more, and if no pair of them is left open,
        no pair is counted half.

        Examples
        --------
        >>> wins = np.array([[0, 2, 2], [0, 0, 1], [0, 0, 0]])
        >>> strength, unit = strengths_of_wins(wins, 2, ties="half")
        >>> parts = RelationParts(("a", "b", "c"), strength, unit, 2, wins)
        >>> parts.unit, parts.among([0, 1]).unit
        (4, 2)
        """
        square, items = np.ix_(kept, kept), tuple(self.items[place] for place in kept)
        strength, unit, wins, values = self.strength[square], self.unit, self.wins, self.values
        if values is not None:
            present = np.union1d(strength, [0, unit])
            strength = np.searchsorted(present, strength).astype(strength.dtype)
            unit, values = len(present) - 1, values_at(values, present)
        if wins is not None:
            wins = sealed(wins[square])
            # Whether open pairs count half shows in the unit.
            ties = "half" if unit > self.n_members else "none"
            strength, unit = strengths_of_wins(wins, self.n_members, ties=ties)
        return RelationParts(items, sealed(strength), unit, self.n_members, wins, values)


def _require_strength_of_wins(
    strength: NDArray[Any], unit: int, wins: NDArray[Any], n_members: int
) -> None:
    """Raise an error unless the strengths are the wins, or twice them and once the open pairs."""
    if strength is wins and unit == n_members:
        return
    ties = "none" if unit == n_members else "half"
    expected, made = strengths_of_wins(wins, n_members, ties=ties)
    if made != unit:
        # No pair is open, so that twice the wins say the same.
        expected = expected.astype(np.min_scalar_type(unit)) * 2
    is_wrong = strength != expected
    if is_wrong.any():
        raise PorankError(
            f"expected strengths that follow from the wins, {expected[is_wrong][0]} of {unit}, "
            f"found {strength[is_wrong][0]}"
        )
