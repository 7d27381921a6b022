"""Test on which pairs of items two segments of a log have opposite preferences.

`compare_segments`, which returns a `SegmentComparison` of `SegmentPair`, and `find_segments`, which
returns a `SegmentSearch`.

Idea: *a pair of items is opposed if it is significant in both segments, in different directions.*
Each segment has its own taste model, with places of its own. Log-odds shrink and grow with the
level of clicking, but keep their signs, so a segment that clicks more has no other taste.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.comparisons import compare_items
from porank.clicks.settled_order import rule_of_taste
from porank.clicks.statements import read_statements, require_choices
from porank.clicks.taste_model import fit_taste
from porank.clicks.taste_of_log import LogTaste
from porank.core.arguments import require_margin, require_risk_of_log
from porank.core.csv_cells import read_number
from porank.core.graphs import item_key
from porank.core.tables import Rows, Table, one_line
from porank.errors import ParseError, PorankError, counted, listed, quoted
from porank.orders.open_pairs import Reason, agreed_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import networkx as nx

    from porank.clicks.comparisons import ItemsCompared
    from porank.clicks.statements import Statements
    from porank.typing import Item


class SegmentPair(NamedTuple):
    """A pair of items that is compared in both segments.

    Attributes
    ----------
    preferred, other : item
        The item that the first segment prefers more than the second one does, and the other item.
    gaps : tuple of float
        Log-odds that `preferred` is chosen over `other` at equal places, in each segment.
    p_value : float
        p-value in (0, 1] of opposite preferences, adjusted for the number of pairs; 1 if the gaps
        have the same sign.

    See Also
    --------
    compare_segments, SegmentComparison

    Examples
    --------
    >>> from porank.results import SegmentPair
    >>> SegmentPair("a", "b", (1.5, -0.5), 0.001).gaps
    (1.5, -0.5)
    """

    preferred: Item
    other: Item
    gaps: tuple[float, float]
    p_value: float

    def __repr__(self) -> str:
        return one_line(self)


@dataclass(frozen=True, eq=False, repr=False)
class SegmentComparison(Rows):
    """The result of `compare_segments`: pairs of items that are compared in both segments.

    Attributes
    ----------
    segment : str
        Column of the segments.
    segments : tuple
        First and second segment.
    unit : str
        What is independent of each other: "user", "session" and so on.
    units : tuple of int
        Number of units in each segment; those with sessions in both count in both.
    pairs : tuple of SegmentPair
        Pairs, sorted by p-value and then by the difference of the gaps.
    risk : float
        Maximum p-value of a pair on which the segments are opposed.
    tastes : tuple
        The taste model of each segment, with its statements.
    fixed : str
        The users or judges, if they are too few to stand for others: opposite preferences may then
        be those of these persons, whatever the segment.

    See Also
    --------
    compare_segments, find_segments, SegmentPair

    Examples
    --------
    >>> import porank as po
    >>> lists = [("phone", "ab"), ("phone", "ba"), ("desk", "ab"), ("desk", "ba")] * 20
    >>> log = [{"session": number, "device": device, "item": item, "position": place,
    ...         "clicked": int(item == ("a" if device == "phone" else "b"))}
    ...        for number, (device, pair) in enumerate(lists)
    ...        for place, item in enumerate(pair, 1)]
    >>> found = po.compare_segments(log, "device")
    >>> found.segments, found.units, len(found.parted)
    (('phone', 'desk'), (40, 40), 1)
    """

    segment: str
    segments: tuple[Any, Any]
    unit: str
    units: tuple[int, int]
    pairs: tuple[SegmentPair, ...]
    risk: float
    tastes: tuple[LogTaste, ...] = ()
    fixed: str = ""

    def orders(self, *, margin: float | None = None) -> tuple[nx.DiGraph, ...]:
        """Return the order of each segment by `settled_order`, with its `margin` and this risk."""
        require_margin(margin)
        return tuple(replace(taste, margin=margin).order() for taste in self.tastes)

    def order(self, *, margin: float | None = None) -> nx.DiGraph:
        """Return the order on which both segments agree.

        `open_pairs` says why other pairs are open: pairs that the segments settle in opposite ways
        are traded, and others are open for the reason of the segment that knows less of them. With
        a `margin`, as of `settled_order`, pairs are equal enough if they are in both segments.
        """
        return agreed_order(dict(zip(self.segments, self.orders(margin=margin), strict=True)))

    @property
    def p_value(self) -> float:
        """The smallest p-value of a pair: how surprising the comparison is if none is opposed."""
        return min((pair.p_value for pair in self.pairs), default=1.0)

    @property
    def parted(self) -> tuple[SegmentPair, ...]:
        """The pairs on which the segments have opposite preferences."""
        return tuple(pair for pair in self.pairs if pair.p_value <= self.risk)

    def to_table(self) -> Table:
        """Return the pairs, the clearest first, with the gaps of both segments."""
        first, second = map(str, self.segments)
        if first == second:
            first, second = map(repr, self.segments)
        columns = ("preferred", "other", first, second, "p-value")
        rows = [(*pair[:2], *pair.gaps, pair.p_value) for pair in self.pairs]
        title = f"{self.segment}: {first} ({self.units[0]:,}) and {second} ({self.units[1]:,}) "
        found = f"are opposed on {len(self.parted):,} of {len(self.pairs):,} pairs at a risk of"
        title += f"{found} {self.risk:g}" if self.pairs else f"have too few {self.unit}s to compare"
        return Table(columns, rows, title + f"; this is about {self.fixed}" * bool(self.fixed))


@dataclass(frozen=True, eq=False, repr=False)
class SegmentSearch(Rows):
    """The result of `find_segments`: comparisons of segments, the clearest first.

    Attributes
    ----------
    comparisons : tuple of SegmentComparison
        The comparisons.
    risk : float
        Probability of finding any pair if no segments are opposed.

    See Also
    --------
    find_segments, SegmentComparison

    Examples
    --------
    >>> from porank.results import SegmentSearch
    >>> SegmentSearch((), 0.05).comparisons
    ()
    """

    comparisons: tuple[SegmentComparison, ...]
    risk: float

    def to_table(self) -> Table:
        """Return the comparisons with the numbers of their units and of opposed pairs."""
        names = ("column", "segment", "other", "units", "of other", "pairs", "opposed", "p-value")
        rows = [
            (x.segment, *x.segments, *x.units, len(x.pairs), len(x.parted), x.p_value)
            for x in self.comparisons
        ]
        opposed = sum(x.p_value <= x.risk for x in self.comparisons)
        title = f"{opposed} of {counted(len(rows), 'split')} found"
        return Table(names, rows, f"{title}; the risk of {self.risk:g} holds for all together")


def compare_segments(
    log: Any,
    segment: str,
    *,
    values: Any = None,
    unit: str | None = None,
    rule: Any = "levels",
    risk: float = 0.05,
) -> SegmentComparison:
    """Test on which pairs of items two segments of a log have opposite preferences.

    In each segment, u is chosen over v of the same list with log-odds s[u] - s[v] + b[j] - b[k] and
    a term for what stands above them, as in `settled_order`, with places j, k of its own. Tested is
    whether s[u] - s[v] is positive in one and negative in the other [1]_. The p-value is the larger
    one of both segments, each for all pairs together (step-down max-T [2]_). If the segments have
    no opposite preferences, the probability that any pair has a p-value of at most `risk` is at
    most about `risk`.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions.
    segment : str
        Column of the segments, with one value in each session.
    values : value or pair of values, optional
        One segment, to compare it with the rest, or a list or tuple of two segments. By default the
        values of the column, if there are two.
    unit, rule
        As for `settled_order`.
    risk : float
        Maximum p-value of a pair on which the segments are opposed, at least 0.001.

    Returns
    -------
    SegmentComparison
        A `SegmentPair` for each pair that can be tested in both segments; ``parted`` has those on
        which the segments are opposed. Prints as a table.

    Raises
    ------
    PorankError
        As in `settled_order`, or if there are not two segments, or a value is unknown.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    settled_order, validate_feedback, SegmentComparison

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
    ...     print(pair.preferred, pair.other, *(round(gap, 1) for gap in pair.gaps))
    juice cocoa 0.6 -1.5
    tea cocoa 1.3 -0.6

    Notes
    -----
    Gaps of the same sign are not compared: they are closer to 0 in a segment that clicks more, even
    if it likes the same items. Time as for `settled_order` of each segment.

    References
    ----------
    .. [1] M. Gail, R. Simon, "Testing for qualitative interactions between treatment effects and
       patient subsets", Biometrics 41(2), 1985, pp. 361-372. https://doi.org/10.2307/2530862
    .. [2] P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing", Wiley, 1993.
    """
    require_risk_of_log(risk)
    statements = read_statements(log, rule=rule_of_taste(rule), unit=unit, segments=[segment])
    require_choices(statements)
    sides = _read_values(segment_values(statements, segment), segment, values)
    return _compared(statements, compare_items(statements), segment, sides, float(risk))


def find_segments(
    log: Any,
    columns: str | Sequence[str],
    *,
    unit: str | None = None,
    rule: Any = "levels",
    risk: float = 0.05,
) -> SegmentSearch:
    """Search the columns of a log for segments with opposite preferences, the clearest first.

    Each of the ten most frequent values of a column is compared with the rest, as by
    `compare_segments`; a column of more than ten different numbers is cut at its quartiles instead,
    and one of two values is one comparison. Each of the k comparisons has the risk `risk` / k, so
    if no segments are opposed, the probability that any comparison finds a pair is at most about
    `risk`.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions.
    columns : str or sequence of str
        Columns to search, with one value in each session.
    unit, rule
        As for `settled_order`.
    risk : float
        Probability of finding any pair if no segments are opposed.

    Returns
    -------
    SegmentSearch
        A `SegmentComparison` for each split, those with the smallest p-value of a pair first.
        Prints as a table.

    Raises
    ------
    PorankError
        As in `compare_segments`, or if the risk of each comparison would be below 0.001.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    compare_segments, SegmentSearch

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "juice": 2, "cocoa": 1}, 600, seed=0)
    >>> other = po.simulate_log({"tea": 4, "juice": 2, "cocoa": 8}, 600, seed=1)
    >>> other["session"] += 600
    >>> both = {name: [*log[name], *other[name]] for name in log}
    >>> both["season"] = ["summer"] * len(log["item"]) + ["winter"] * len(other["item"])
    >>> both["shop"] = ["north" if session % 2 else "south" for session in both["session"]]
    >>> found = po.find_segments(both, ["shop", "season"])
    >>> print(found)
    1 of 2 splits found; the risk of 0.05 holds for all together
    column  segment  other   units  of other  pairs  opposed    p-value
    ------  -------  ------  -----  --------  -----  -------  ---------
    season  summer   winter    600       600      3        2  0.0004998
    shop    north    south     600       600      3        0          1
    >>> found.comparisons[0].orders()
    (tea > juice > cocoa, cocoa > tea > juice)

    Notes
    -----
    The log is read once. Time as for `compare_segments` for each comparison. A column that is made
    of the choices themselves, such as the item that was clicked, splits users of equal tastes, too.
    """
    require_risk_of_log(risk)
    columns = [columns] if isinstance(columns, str) else [*dict.fromkeys(columns)]
    if not columns:
        raise PorankError("expected at least one column to search, found none")
    statements = read_statements(log, rule=rule_of_taste(rule), unit=unit, segments=columns)
    require_choices(statements)
    found = split_by(statements, columns, risk=risk)
    return SegmentSearch(tuple(sorted(found, key=lambda one: one.p_value)), float(risk))


def split_by(
    statements: Statements, columns: Sequence[str], *, risk: float
) -> list[SegmentComparison]:
    """Return the comparisons that `find_segments` makes, by column and by size of the segments."""
    splits = [(column, sides) for column in columns for sides in _splits_of(statements, column)]
    share = require_risk_of_log(risk / max(len(splits), 1), "risk / number of comparisons")
    compared = compare_items(statements)
    return [_compared(statements, compared, *split, share) for split in splits]


class _Sides(NamedTuple):
    """Two segments: their numbers among the values of a column, and their names."""

    codes: tuple[Collection[int], Collection[int]]
    names: tuple[Any, Any]


#: Maximum number of values of a column that are compared with the rest.
_MOST_VALUES = 10


def _splits_of(statements: Statements, column: str) -> Iterator[_Sides]:
    """Yield the two segments of each comparison by a column."""
    number, code = segment_values(statements, column), statements.log.of_sessions(column)
    if len(number) == 2:
        yield _read_values(number, column, None)
        return
    if len(number) > _MOST_VALUES and (values := _as_numbers(number)):
        of_sessions = [values[k] for k in code.tolist() if k in values]
        cuts = np.quantile(of_sessions, (0.25, 0.5, 0.75), method="lower").tolist()
        for cut in sorted({*cuts} - {max(values.values())}):
            low = [k for k, value in values.items() if value <= cut]
            yield _Sides((low, values.keys() - low), (f"up to {cut:.15g}", f"above {cut:.15g}"))
        return
    sessions = Counter(code.tolist())
    largest = sorted(number, key=lambda value: (-sessions[number[value]], item_key(value)))
    for value in largest[:_MOST_VALUES]:
        yield _read_values(number, column, [value])


def _as_numbers(number: dict[Any, int]) -> dict[int, float]:
    """Return the values of a column by their numbers, if all are numbers or texts of numbers."""
    try:
        return {k: float(read_number(str(value), "segment")) for value, k in number.items()}
    except ParseError:
        return {}


def _compared(
    statements: Statements, compared: ItemsCompared, segment: str, sides: _Sides, risk: float
) -> SegmentComparison:
    """Return the comparison of the sessions of two segments."""
    code = statements.log.of_sessions(segment)
    found, session = compared.comparisons, statements.decided["session"][compared.row]
    parts = [np.isin(code, [*codes]) for codes in sides.codes]
    tastes = []
    for part in parts:
        some = part[session]
        own = compared._replace(comparisons=found.take(some), row=compared.row[some])
        tastes.append(LogTaste(statements.of(part), own, fit_taste(own.comparisons), risk))
    first, second = (np.unique(statements.unit_of_session[part]) for part in parts)
    sizes = int(np.count_nonzero(first >= 0)), int(np.count_nonzero(second >= 0))
    pairs = tuple(_pairs_of(tastes))
    more: Any = pairs, risk, tuple(tastes), statements.fixed
    return SegmentComparison(segment, sides.names, statements.unit, sizes, *more)


def _pairs_of(tastes: Sequence[LogTaste]) -> Iterator[SegmentPair]:
    """Yield the pairs that can be tested in both segments, the clearest first."""
    items, (u, v) = tastes[0].items, (tastes[0].tests.u, tastes[0].tests.v)
    gaps = np.stack([taste.tests.gap for taste in tastes])
    p_values = []
    for taste, gap in zip(tastes, gaps, strict=True):
        # What a pair's own comparisons say against the model counts only if they say the opposite.
        is_against = taste.opposed[u, v] & (gap * (taste.sides[0] - taste.sides[1])[u, v] < 0)
        p_values.append(np.where(is_against, 1.0, taste.tests.p_value))
    p_value = np.where(gaps[0] * gaps[1] < 0, np.maximum(*p_values), 1.0)
    both = np.all([taste.tests.reason == Reason.CHANCE for taste in tastes], axis=0)
    order = np.lexsort((-np.abs(gaps[0] - gaps[1]), p_value))
    for k in order[both[order]].tolist():
        sign = 1 if gaps[0, k] >= gaps[1, k] else -1
        one, other = (items[u[k]], items[v[k]])[::sign]
        first, second = (sign * gaps[:, k]).tolist()
        yield SegmentPair(one, other, (first, second), float(p_value[k]))


def segment_values(statements: Statements, segment: str) -> dict[Any, int]:
    """Return the segments of a log and their numbers, or raise an error if there is only one.

    They are in order of appearance.
    """
    labels, code = statements.log.labels[segment].values(), statements.log.of_sessions(segment)
    number = {labels[k]: k for k in np.unique(code[statements.is_present]).tolist() if k >= 0}
    if len(number) < 2:
        found = f"only {listed(number)}" if number else "none"
        raise PorankError(f"expected at least two values of {quoted(segment)}, found {found}")
    return number


def _read_values(number: dict[Any, int], segment: str, values: Any) -> _Sides:
    """Return the two segments to compare."""
    if values is None:
        wanted = list(number)
        if len(wanted) != 2:
            raise PorankError(
                f"expected two values of {quoted(segment)}, found {listed(wanted)}",
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
    return _Sides(([first], second), names)
