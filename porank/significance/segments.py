"""Test whether two segments of sessions prefer different items, for all pairs of items together.

`compare_segments`, `SegmentComparison`, `SegmentPair`; `segment_values`.

Idea: *if segments do not matter, they could be assigned to the units at random.* The statistic of a
pair is compared with the maximum over random assignments of the pairs whose observed statistics are
not larger (max-T). So the number of pairs does not lead to false findings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.units import read_units
from porank.core.arguments import generator_of, require_level, require_samples
from porank.core.progress import track
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, listed
from porank.significance.p_values import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.clicks.units import LogUnits, UnitCounts
    from porank.typing import Floats, Item, Numbers, Seed


class SegmentPair(NamedTuple):
    """A pair of items that is compared in both segments.

    Attributes
    ----------
    preferred, other : item
        The item that more sessions of both segments together prefer, and the other item.
    support, against : tuple of int
        Numbers of sessions in the first and second segment that prefer `preferred`, and that prefer
        `other`.
    shares : tuple of float
        Share of support in each segment.
    difference : float
        First share minus second share.
    statistic : float
        Square root of the likelihood-ratio statistic, with the sign of the difference.
    p_value : float
        p-value in (0, 1], adjusted for the number of pairs.

    See Also
    --------
    compare_segments, SegmentComparison

    Examples
    --------
    >>> from porank.results import SegmentPair
    >>> SegmentPair("a", "b", (8, 5), (2, 5), (0.8, 0.5), 0.3, 1.4, 0.2).difference
    0.3
    """

    preferred: Item
    other: Item
    support: tuple[int, int]
    against: tuple[int, int]
    shares: tuple[float, float]
    difference: float
    statistic: float
    p_value: float


@dataclass(frozen=True, eq=False)
class SegmentComparison(Tabular):
    """The result of `compare_segments`: pairs of items that are compared in both segments.

    Attributes
    ----------
    segment : str
        Column of the segments.
    segments : tuple
        First and second segment.
    unit : {"session", "user"}
        Units to which segments are randomly assigned.
    units : tuple of int
        Number of units in each segment; those with sessions in both count in both.
    pairs : tuple of SegmentPair
        Pairs, sorted by p-value and then by the size of the statistic.
    level : float
        Maximum p-value at which a difference is significant.
    samples : int
        Number of random assignments.

    See Also
    --------
    compare_segments, SegmentPair

    Examples
    --------
    >>> import porank as po
    >>> clicks = [("phone", "ab")] * 20 + [("desk", "ba")] * 20
    >>> log = [{"session": number, "device": device, "item": item, "event": event}
    ...        for number, (device, pair) in enumerate(clicks)
    ...        for item, event in zip(pair, ("click", "view"))]
    >>> found = po.compare_segments(log, "device")
    >>> found.segments, found.units, len(found.parted)
    (('phone', 'desk'), (20, 20), 1)
    """

    segment: str
    segments: tuple[Any, Any]
    unit: str
    units: tuple[int, int]
    pairs: tuple[SegmentPair, ...]
    level: float
    samples: int

    @property
    def parted(self) -> tuple[SegmentPair, ...]:
        """The pairs on which the segments differ significantly."""
        return tuple(pair for pair in self.pairs if pair.p_value <= self.level)

    def to_table(self) -> Table:
        """Return the pairs, the clearest first, with the counts for and against in each segment."""
        first, second = map(str, self.segments)
        counts = (f"{first} for", "against", f"{second} for", "against")
        columns = ("preferred", "other", *counts, first, second, "difference", "p-value")
        rows = [
            (
                pair.preferred,
                pair.other,
                *(count for both in zip(pair.support, pair.against, strict=True) for count in both),
                *pair.shares,
                pair.difference,
                pair.p_value,
            )
            for pair in self.pairs
        ]
        title = (
            f"{self.segment}: {first} ({self.units[0]:,}) and {second} ({self.units[1]:,}) differ "
            f"on {len(self.parted):,} of {len(self.pairs):,} pairs at level {self.level:g}"
        )
        return Table(columns, rows, title)


def compare_segments(
    log: Any,
    segment: str,
    *,
    values: Any = None,
    unit: str = "session",
    rule: Any = "levels",
    samples: int = 999,
    level: float = 0.05,
    seed: Seed = 0,
) -> SegmentComparison:
    """Test on which pairs of items the preferences of two segments of a log differ.

    For each pair and segment, we take the share of sessions that prefer one of the items among
    those that compare the two. To test the difference, the segments are randomly reassigned to the
    units, and all pairs are tested together by a permutation test (step-down max-T [1]_). If the
    segments do not differ on some pairs, the probability that any of these has a p-value of at most
    `level` is at most `level`.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions.
    segment : str
        Column of the segments, with one value in each session.
    values : value or pair of values, optional
        One segment, to compare it with the rest, or a list or tuple of two segments. By default the
        values of the column, if there are two.
    unit : {"session", "user"}
        Units to which segments are randomly assigned. Use ``"user"`` if users have several
        sessions, because these are not independent. If a user has sessions in both segments, they
        are swapped with probability 1/2.
    rule
        As for `preference_pairs`.
    samples : int
        Number of random assignments.
    level : float
        Maximum p-value at which a difference is significant.
    seed : int, Generator or None
        Seed of the random assignments. The result does not depend on the order of the sessions.

    Returns
    -------
    SegmentComparison
        A `SegmentPair` for each pair that is compared in both segments; ``parted`` has the pairs
        with significant differences. Prints as a table.

    Raises
    ------
    PorankError
        As in `preference_pairs`, or if there are not two segments, or a value is unknown.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    bootstrap_feedback, validate_feedback, SegmentComparison

    Examples
    --------
    >>> import porank as po
    >>> drinks = {"tea": 4, "juice": 2, "cocoa": 1}
    >>> log = po.simulate_log(drinks, 600, seed=0)
    >>> other = po.simulate_log(drinks | {"cocoa": 8}, 600, seed=1)
    >>> other["session"] += 600
    >>> both = {name: [*log[name], *other[name]] for name in log}
    >>> both["season"] = ["summer"] * len(log["item"]) + ["winter"] * len(other["item"])
    >>> found = po.compare_segments(both, "season")
    >>> for pair in found.parted:
    ...     print(pair.preferred, pair.other, *(round(share, 2) for share in pair.shares))
    cocoa juice 0.39 0.75
    tea cocoa 0.72 0.41

    Notes
    -----
    Same cost as `preference_pairs`, plus O(p) for each sample, about 10 ns for each of the p pairs
    of items that units compare. The statistic is the likelihood ratio of two different shares to a
    common share. Unlike a difference divided by its standard error, it does not become extreme if a
    single session is compared with a hundred.

    References
    ----------
    .. [1] P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing", Wiley, 1993.
    """
    require_level(level)
    samples, rng = require_samples(samples), generator_of(seed)
    units = read_units(log, rules=rule, unit=unit, segment=segment)
    one, other, names = _read_values(units, values)
    compared = _Compared.of(units, one, other)
    contested, is_contested = compared.contested()
    # p_j = (1 + #{samples : max of L_k >= l_j, over the pairs k with l_k <= l_j}) / (1 + #samples),
    # for observed log ratios l and those L of a sample.
    bounds = contested.log_ratios(contested.in_first()) - ROUNDING * contested.n_ln_n.max()
    order = np.argsort(bounds, kind="stable")
    as_striking = np.zeros(bounds.size, dtype=np.int64)
    for _ in track(range(samples), label="samples"):
        ratios = contested.log_ratios(contested.in_first(contested.draw_changed(rng)))
        as_striking += np.maximum.accumulate(ratios[order]) >= bounds[order]
    # Make the adjusted p-values monotone, from the pair with the largest statistic on.
    as_striking = np.maximum.accumulate(as_striking[::-1])[::-1]
    p_values = np.ones(is_contested.size)
    p_values[np.flatnonzero(is_contested)[order]] = (as_striking + 1) / (samples + 1)
    pairs = tuple(compared.pairs(p_values, units.items))
    sizes = compared.sizes
    return SegmentComparison(segment, names, units.unit, sizes, pairs, float(level), samples)


def _read_values(units: LogUnits, values: Any) -> tuple[Numbers, Numbers, tuple[Any, Any]]:
    """Return the numbers and the names of the two segments to compare."""
    number = segment_values(units)
    if values is None:
        wanted = list(number)
        if len(wanted) != 2:
            raise PorankError(
                f"expected two values of {units.segment!r}, found {listed(wanted)}",
                hint="pass values= with one value, to compare it with the rest, or with two",
            )
    else:
        wanted = list(values) if isinstance(values, (list, tuple)) else [values]
        unknown = [value for value in wanted if value not in number]
        if unknown or len(set(wanted)) < len(wanted) or len(wanted) not in (1, 2):
            raise PorankError(
                f"expected one or two of {listed(number)} as values, found {values!r:.100}"
            )
    first = number[wanted[0]]
    second = [number[value] for value in wanted[1:]] or [k for k in number.values() if k != first]
    names = (wanted[0], wanted[1] if len(wanted) == 2 else "the rest")
    return np.array([first]), np.array(second), names


def segment_values(units: LogUnits) -> dict[Any, int]:
    """Return the segments of a log and their numbers, or raise an error if there is only one.

    They are in order of appearance.
    """
    labels = units.log.labels[str(units.segment)].values()
    number = {labels[k]: k for k in np.unique(units.segment_of_session).tolist() if k >= 0}
    if len(number) < 2:
        found = f"only {listed(number)}" if number else "none"
        raise PorankError(f"expected at least two values of {units.segment!r}, found {found}")
    return number


class _Compared(NamedTuple):
    """The counts of preferences for each unit in each of two segments.

    The counts of unit k are at 2k for the first segment and at 2k + 1 for the second; `is_there`
    tells which of these have a session. `n_ln_n` is a table of n ln(n) for whole numbers.
    """

    counts: UnitCounts
    is_there: NDArray[np.bool_]
    totals: Numbers
    n_ln_n: Floats

    @classmethod
    def of(cls, units: LogUnits, first: Numbers, second: Numbers) -> _Compared:
        """Return the counts of the units for two groups of segments."""
        segment = units.segment_of_session
        is_second = np.isin(segment, second)
        is_kept = np.isin(segment, first) | is_second
        sides = 2 * units.unit_of_session + is_second
        counts = units.unit_counts(units.first_rule, is_kept, sides)
        is_there = np.bincount(sides[is_kept], minlength=2 * units.n_units) > 0
        totals = counts.totals()
        n = np.arange(counts.of_compared(totals).max(initial=0) + 1)
        return cls(counts, is_there, totals, n * np.log(np.maximum(n, 1)))

    def contested(self) -> tuple[_Compared, NDArray[np.bool_]]:
        """Return the counts of the pairs on which units differ, and which pairs these are.

        If all units agree on a pair, both shares are 1 for any assignment of segments.
        """
        is_contested = self.totals < self.counts.of_compared(self.totals)
        counts = self.counts.restrict(is_contested)
        return self._replace(counts=counts, totals=self.totals[is_contested]), is_contested

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of units with sessions in the first and in the second segment."""
        first, second = np.count_nonzero(self.is_there.reshape(-1, 2), axis=0).tolist()
        return first, second

    def in_first(self, is_changed: NDArray[np.bool_] | None = None) -> Numbers:
        """Return the support of each pair in the first segment after some units change segments."""
        is_first = np.tile([True, False], self.is_there.size // 2)
        if is_changed is not None:
            is_first ^= np.repeat(is_changed, 2)
        support: Numbers = self.counts.totals(is_first)
        return support

    def draw_changed(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return which units change segments in a random assignment."""
        first, second = self.is_there.reshape(-1, 2).T
        is_changed = np.zeros(first.size, dtype=bool)
        is_single, is_both = first ^ second, first & second
        # Units in one segment are permuted; those in both swap segments with probability 1/2.
        labels = second[is_single]
        is_changed[is_single] = rng.permutation(labels) != labels
        is_changed[is_both] = rng.random(np.count_nonzero(is_both)) < 0.5
        return is_changed

    def log_ratios(self, first: Numbers) -> Floats:
        """Return the log-likelihood ratio of two shares to one common share for each pair."""
        f, n, n_1 = self.n_ln_n, *map(self.counts.of_compared, (self.totals, first))
        second, n_2 = self.totals - first, n - n_1
        # With f(n) = n ln n, and s_k of n_k units for u in segment k: ln ratio = the sum over k of
        # f(s_k) + f(n_k - s_k) - f(n_k), minus f(s) + f(n - s) - f(n) for both segments together.
        ratios: Floats = f[first] + f[n_1 - first] + f[second] + f[n_2 - second] + f[n]
        ratios -= f[n_1] + f[n_2] + f[self.totals] + f[n - self.totals]
        return ratios

    def pairs(self, p_values: Floats, items: Sequence[Item]) -> Iterator[SegmentPair]:
        """Yield the pairs compared in both segments, the clearest first."""
        first = self.in_first()
        ratios = self.log_ratios(first)
        n, n_1 = map(self.counts.of_compared, (self.totals, first))
        u, v = self.counts.preferred, self.counts.other
        is_stronger = (2 * self.totals > n) | ((2 * self.totals == n) & (u < v))
        chosen = np.flatnonzero(is_stronger & (n_1 > 0) & (n_1 < n))
        for k in chosen[np.lexsort((-ratios[chosen], p_values[chosen]))].tolist():
            support = int(first[k]), int(self.totals[k] - first[k])
            counts = int(n_1[k]), int(n[k] - n_1[k])
            shares = support[0] / counts[0], support[1] / counts[1]
            difference = shares[0] - shares[1]
            yield SegmentPair(
                items[u[k]],
                items[v[k]],
                support,
                (counts[0] - support[0], counts[1] - support[1]),
                shares,
                difference,
                # sign(difference) (2 ln ratio)^(1/2).
                math.copysign(math.sqrt(max(2 * float(ratios[k]), 0.0)), difference),
                float(p_values[k]),
            )
