"""From the statements of a log to the comparisons of the taste model, numbered canonically.

Idea: *the same log gives the same answer, whatever the order of its rows.* Items are numbered by
their labels, and units by what they compare, so random signs fall on the same units.

`compare_items` makes `Comparisons`. Places that are deep in a list share a term with their
neighbours, and times are cut into blocks with the same number of sessions, so a block has enough
lists to tell its places apart. If the log has few queries, each is a page with places of its own,
because on a page with more clicks a higher place can matter more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.statements import PLACES, SIDES, VERDICT, repeats_of, values_of_lists
from porank.clicks.taste_model import Comparisons
from porank.core.arrays import distinct, grouped, inverse_of, of_groups, places_among
from porank.core.graphs import numbers_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Rows
    from porank.clicks.statements import Statements
    from porank.typing import Numbers


#: Maximum number of items in the model: those that are compared most.
MOST_ITEMS = 2000
#: Number of first places with a term each; deeper places share terms, in growing groups.
_FIRST_PLACES = 20
#: Maximum number of terms of places in all blocks, and of blocks; minimum of sessions in a block,
#: and of lists of a page.
_MOST_SPOTS, _MOST_BLOCKS, _LEAST_SESSIONS = 300, 20, 100
#: Maximum number of pages that each have terms of their own.
_MOST_PAGES = 5


class ItemsCompared(NamedTuple):
    """The comparisons of a log, and what their numbers stand for.

    Attributes
    ----------
    comparisons : Comparisons
        What the model is fitted to.
    number : array of int
        For each item of the comparisons its number among the statements' items.
    row : array of int
        For each comparison the row of its statement, among those that are decided.
    places : array of int
        The first position of each place's term; -1 for unknown positions.
    blocks : int
        Number of blocks of time.
    """

    comparisons: Comparisons
    number: Numbers
    row: Numbers
    places: Numbers
    blocks: int


def compare_items(statements: Statements) -> ItemsCompared:
    """Return the comparisons of a log's statements; ties are left out."""
    rows = statements.decided
    number, row = _chosen_items(statements, rows)
    rows = {name: column[row] for name, column in rows.items() if name != VERDICT}
    place = places_among(number, len(statements.items))
    winner, loser = (place[rows[side]] for side in SIDES)
    at = np.stack([rows[name] for name in PLACES])
    starts = _place_starts(at)
    spots = np.searchsorted(starts, at, side="right") - 1
    page, pages = _pages(statements, rows["list"])
    lists = int(np.count_nonzero(np.bincount(rows["list"])))
    most = min(_MOST_SPOTS // starts.size, lists // _LEAST_SESSIONS) // pages
    block, blocks = _blocks_of_time(statements, rows["session"], most)
    block = block * pages + page
    # A choice counts once in a list of any length, and a verdict that is repeated counts once.
    first = repeats_of(statements.log, rows)
    weight = 1 / (rows["size"] - 1.0) / np.bincount(first)[first]
    unit = statements.unit_of_session[rows["session"]]
    entries, n = _entries(statements, rows, np.stack([winner, loser])), number.size
    at, other_at = spots + block * starts.size
    compared = Comparisons(
        winner, loser, at, other_at, weight, unit, *entries, n, blocks * pages * starts.size, 0
    )
    # A canonical code of each comparison, whatever the numbers of its unit and session.
    code = np.stack([winner, loser, *spots, block]).astype(np.uint64)
    rivals = compared.rivals(_mixed(np.arange(n, dtype=np.uint64)))
    unit, units = _canonical(unit, code, weight.view(np.uint64) + rivals)
    compared = compared._replace(unit=unit, units=units)
    if statements.prompts is not None:
        prompt = statements.prompts[rows["session"]]
        prompt, prompts = _canonical(prompt, code, weight.view(np.uint64) + rivals)
        first, both = distinct(unit, prompt)
        # If each prompt has one unit, this is all in the units.
        if first.size > prompts:
            sizes = prompts, first.size
            compared = compared._replace(crossed=(prompt, both), sizes=sizes)
    return ItemsCompared(compared, number, row, starts, blocks)


def _entries(
    statements: Statements, rows: Rows, sides: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return for `Comparisons` where winners and losers stand in the lists, and the lists' items.

    Nothing is known in battles, in lists of two, and where a position is unknown.
    """
    at = np.stack([rows[name] for name in PLACES])
    is_known = (rows["size"] > 2) & (at >= 0).all(axis=0) & (not statements.log.are_battles)
    some = np.flatnonzero(is_known)
    columns = np.tile(rows["list"][some], 2), at[:, some].ravel(), sides[:, some].ravel()
    first, place = distinct(*columns)
    where = np.zeros_like(sides)
    where[:, some] = place.reshape(2, -1)
    entries = columns[-1][first] if some.size else np.zeros(min(sides.size, 1), dtype=np.int64)
    return *where, entries


def _chosen_items(statements: Statements, rows: Rows) -> tuple[Numbers, Numbers]:
    """Return the items that are compared, by their labels, and the rows that compare them.

    If some positions of the log are known, items without one are not compared: nothing allows for
    where they stood.
    """
    is_known = np.logical_and.reduce([rows[name] >= 0 for name in PLACES])
    known = np.flatnonzero(is_known) if is_known.any() else np.arange(is_known.size)
    sides = np.stack([rows[side][known] for side in SIDES])
    often = np.bincount(sides.ravel(), minlength=len(statements.items))
    some = np.flatnonzero(often).tolist()
    items = [statements.items[k] for k in some]
    order = np.array([some[k] for k in numbers_in_order(items)], dtype=np.int64)
    most = np.argsort(-often[order], kind="stable")[:MOST_ITEMS]
    number = order[np.sort(most)]
    is_kept = np.isin(sides, number).all(axis=0) if number.size < order.size else slice(None)
    return number, known[is_kept]


def _place_starts(at: Numbers) -> Numbers:
    """Return the first position of each place's term: single ones, then in growing steps."""
    found = np.unique(at)
    if not (found >= 0).any():
        return np.array([-1])
    first = int(found[found >= 0][0])
    deep = first + np.unique(np.round(_FIRST_PLACES * 2 ** (np.arange(1, 61) / 4))).astype(np.int64)
    starts = np.concatenate([first + np.arange(_FIRST_PLACES + 1), deep])
    starts = np.unique(starts[starts <= found[-1]])
    return np.append([-1] if (found < 0).any() else np.zeros(0, int), starts).astype(np.int64)


def _pages(statements: Statements, list_: Numbers) -> tuple[Numbers, int]:
    """Return the page of each statement, and the number of pages.

    Pages are the values of the column of queries if they are few and each has enough lists: they
    may look different, and get more or fewer clicks. Otherwise all lists are of one page.
    """
    whole = np.zeros_like(list_), 1
    if not statements.log.has("query") or statements.log.are_battles:
        return whole
    of_list = values_of_lists(statements.log, "query")
    lists = np.flatnonzero(np.bincount(list_))
    if lists.size == 0 or lists[-1] >= of_list.size:
        return whole
    values, page, count = np.unique(of_list[lists], return_inverse=True, return_counts=True)
    if not 1 < values.size <= _MOST_PAGES or values[0] < 0 or count.min() < _LEAST_SESSIONS:
        return whole
    labels = statements.log.labels["query"].values()
    order = inverse_of(np.array(numbers_in_order([labels[k] for k in values.tolist()])))
    return order[page][np.searchsorted(lists, list_)], values.size


def _blocks_of_time(statements: Statements, session: Numbers, most: int) -> tuple[Numbers, int]:
    """Return the block of time of each statement, and the number of blocks, at most `most`.

    Blocks have about as many sessions that compare items; sessions of the same time are together,
    and so are those of unknown times, at the end.
    """
    begins = statements.log.of_sessions("time")
    present = np.flatnonzero(np.bincount(session))
    if present.size == 0 or present[-1] >= begins.size or np.isnan(begins[present]).all():
        return np.zeros_like(session), 1
    most = min(most, present.size // _LEAST_SESSIONS)
    blocks = int(np.clip(most, 1, _MOST_BLOCKS))
    rank = np.searchsorted(np.sort(begins[present]), begins)
    values, block = np.unique(rank[present] * blocks // present.size, return_inverse=True)
    return block[np.searchsorted(present, session)], values.size


def _canonical(unit: Numbers, code: NDArray[Any], rest: NDArray[Any]) -> tuple[Numbers, int]:
    """Return the units of comparisons, numbered by what they compare, and their number.

    The key of a unit is the sum of the mixed codes of its comparisons, modulo 2^64, which does not
    depend on their order. Units with the same key compare the same, and may change places.
    """
    mixed = _mixed(rest)
    for column in code:
        mixed = _mixed(mixed + column)
    order, starts = grouped(unit)
    keys = np.add.reduceat(mixed[order], starts) if starts.size else mixed[:0]
    return of_groups(inverse_of(np.argsort(keys, kind="stable")), order, starts), starts.size


def _mixed(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return 64-bit numbers with all bits mixed (the finalizer of SplitMix64)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
