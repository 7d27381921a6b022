"""Simulated click logs with known preferences, to test what is inferred from logs.

Idea: *each session draws a ranking of the shown items and of clicking nothing from the
Plackett-Luce model.* Items that rank above nothing are attractive. Items that are attractive and
looked at are clicked; a model of examination decides who looks where. A logging policy draws the
lists, independently of taste, and users who trust it also click items that are not attractive. All
sessions of a block are drawn together: row i of each array is session i, column k is position k +
1.

`simulate_log`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import (
    generator_of,
    ranked_items,
    require_amount,
    require_count,
    require_share,
)
from porank.core.arrays import in_parts, labels_as_array
from porank.core.compiled_order import compile_order, require_items
from porank.core.progress import track
from porank.core.scores import Ranks
from porank.errors import PorankError, quoted
from porank.generators.random_orders import require_strength

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, Seed


#: Seconds from the end of a list to the start of the next session.
PAUSE = 2
#: How many numbers are shuffled at a time.
_BLOCK = 1 << 20


def _draw_lists(rng: np.random.Generator, count: int, n: int, size: int) -> Numbers:
    """Return lists of distinct items to show in simulated sessions, all equally likely."""
    lists = np.empty((count, size), dtype=np.int64)
    if size * size >= n:
        for part in in_parts(count, max(1, _BLOCK // max(n, 1))):
            all_items = np.tile(np.arange(n), (part.stop - part.start, 1))
            lists[part] = rng.permuted(all_items, axis=1)[:, :size]
        return lists
    for place, last in enumerate(range(n - size, n)):
        drawn = rng.integers(0, last, size=count, endpoint=True)
        again = (lists[:, :place] == drawn[:, None]).any(axis=1)
        lists[:, place] = np.where(again, last, drawn)
    return rng.permuted(lists, axis=1)


def _draw_by_strength(
    rng: np.random.Generator,
    count: int,
    numbers: Numbers,
    ln_strength: NDArray[np.float64],
    size: int,
) -> Numbers:
    """Return lists of items to show, drawn from the Plackett-Luce model."""
    lists = np.empty((count, size), dtype=np.int64)
    for part in in_parts(count, max(1, _BLOCK // max(numbers.size, 1))):
        keys = ln_strength + rng.gumbel(size=(part.stop - part.start, numbers.size))
        lists[part] = numbers[np.argsort(-keys, axis=1)[:, :size]]
    return lists


def _browse(
    rng: np.random.Generator,
    lists: Numbers,
    ln_strength: NDArray[np.float64],
    ln_nothing: float,
    *,
    attention: NDArray[np.float64] | None,
    trust: NDArray[np.float64] | None,
    purchase: float,
) -> dict[str, NDArray[Any]]:
    """Return the events of some simulated sessions in columns, sorted by time."""
    taste = ln_strength[lists] + rng.gumbel(size=lists.shape)
    attractive = taste > ln_nothing + rng.gumbel(size=(len(lists), 1))
    wanted = attractive
    if trust is not None:
        wanted = attractive | (rng.random(attractive.shape) < trust)
    examined: NDArray[np.bool_]
    if attention is None:  # down to the first item that is clicked when looked at
        examined = np.cumsum(wanted, axis=1) - wanted == 0
    else:
        examined = rng.random(wanted.shape) < attention
    clicked = examined & wanted
    bought = np.zeros(clicked.shape, dtype=bool)
    liked = clicked & attractive
    buys = liked.any(axis=1) & (rng.random(len(clicked)) < purchase)
    if buys.any():  # the clicked item that ranks highest
        best = np.where(liked, taste, -np.inf)[buys].argmax(axis=1)
        bought[np.flatnonzero(buys), best] = True
    return _events_of(lists, examined, [np.ones_like(clicked), clicked, bought])


def _events_of(
    lists: Numbers, examined: NDArray[np.bool_], happened: Sequence[NDArray[np.bool_]]
) -> dict[str, NDArray[Any]]:
    """Return views, clicks and purchases of a simulated log by time, then by position."""
    size = lists.shape[1]
    event, session, place = np.nonzero(happened)
    after = np.choose(event, [0, place + 1, size + 1])
    # Each session ends before the next one begins.
    time = session * (size + PAUSE) + after
    order = np.argsort(time, kind="stable")
    event, session, place = event[order], session[order], place[order]
    return {
        "session": session + 1,
        "item": lists[session, place],
        "position": place + 1,
        "event": _EVENTS[event],
        "time": time[order],
        "examined": examined[session, place],
    }


#: Number of items shown by default.
_SHOWN = 10
_EVENTS = np.array(["view", "click", "purchase"], dtype=object)
_LN2 = math.log(2)


def simulate_log(
    preferences: Mapping[Any, Any] | nx.DiGraph,
    sessions: int,
    *,
    examination: str | Mapping[int, Any] | Sequence[Any] | Callable[[int], Any] = "position",
    shown: str | Sequence[Item] | Mapping[Any, Any] = "random",
    trust: Mapping[int, Any] | Sequence[Any] | Callable[[int], Any] | None = None,
    length: int | None = None,
    outside: float | None = None,
    purchase: float = 0.3,
    seed: Seed = None,
) -> dict[str, NDArray[Any]]:
    """Return a simulated click log of users whose preferences are known.

    Each session shows a list of items. An item of strength v at position k is looked at with
    probability e_k and is attractive with probability r = v / (v + v0), where v0 is the strength of
    clicking nothing: each session draws a new ranking of the items and of clicking nothing from the
    Plackett-Luce model, and items that rank above nothing are attractive. An item is clicked with
    probability e_k r, or e_k (r + (1 - r) t_k) if users trust position k so much that they click a
    share t_k of the items there that are not attractive.

    Parameters
    ----------
    preferences : mapping, DiGraph or ranks
        Item -> strength, a positive, finite number; or an order, in which each level of `set_ranks`
        is half as strong as the one above: strength 2 ** -rank.
    sessions : int
        Number of sessions.
    examination : {"position", "cascade"}, mapping, sequence or callable
        Model of where users look. ``"position"``: position k is looked at with probability 1 / k,
        independently of the other positions [1]_; a mapping, a sequence (for positions 1, 2 and so
        on) or a function of the position gives other probabilities. ``"cascade"``: users read a
        list from the top and stop at the first click [2]_.
    shown : "random", sequence of items, or mapping
        Logging policy. "random" draws a new list in each session, all equally likely. A sequence is
        always shown as it is. With a mapping of items to positive, finite numbers, each session
        draws a new list from the Plackett-Luce model, usually with larger numbers higher: the
        strengths themselves give lists that follow taste, their cubes follow it more closely, and
        other numbers give other policies. A sequence or mapping may leave out items.
    trust : mapping, sequence or callable, optional
        For each position, the probability t_k that an item looked at there is clicked although it
        is not attractive [3]_. By default 0.
    length : int, optional
        Number of items shown in a session, at most all: by default 10, or all if there are fewer;
        for a sequence, all of it.
    outside : float, optional
        Strength v0 of clicking nothing, finite and at least 0. By default the geometric mean of all
        strengths.
    purchase : float in [0, 1]
        Probability that a session in which an attractive item is clicked ends with a purchase, of
        the clicked item that ranks highest.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    dict of arrays
        A row for each event, with the columns ``session`` (from 1), ``item``, ``position`` (from
        1), ``event`` (``"view"`` for each item shown, ``"click"``, ``"purchase"``), ``time`` in
        seconds, and ``examined``, which no real log has: whether the item was looked at. Lists are
        read from the top, one item a second, so clicks come in the order of positions.
        `preference_pairs` and `from_log` accept it as it is.

    Raises
    ------
    CycleError
        If `preferences` is a graph with a cycle.
    PorankError
        If a strength, a probability or a number is invalid, or an item shown has no strength.

    See Also
    --------
    from_log

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 3, "cocoa": 1}, 1, examination=[1, 1], outside=0, purchase=1,
    ...                       shown=["cocoa", "tea"], seed=0)
    >>> for row in zip(*log.values()):
    ...     print(*row)
    1 cocoa 1 view 0 True
    1 tea 2 view 0 True
    1 cocoa 1 click 1 True
    1 tea 2 click 2 True
    1 tea 2 purchase 3 True

    The item that ranks highest is bought, here tea in about three of four sessions:

    >>> log = po.simulate_log({"tea": 3, "cocoa": 1}, 1000, examination=[1, 1], outside=0,
    ...                       purchase=1, seed=0)
    >>> bought = log["item"][log["event"] == "purchase"]
    >>> [(bought == drink).sum().item() for drink in ("tea", "cocoa")]
    [757, 243]

    The policy puts cocoa on top of nine of ten lists, and users click half of the items there that
    they do not like. So cocoa is clicked with probability .9 * .75 + .1 * .25 = .7, and tea with
    .425.

    >>> log = po.simulate_log({"tea": 3, "cocoa": 1}, 1000, outside=1, purchase=0, seed=0,
    ...                       shown={"tea": 1, "cocoa": 9}, trust=[0.5, 0])
    >>> clicked = log["item"][log["event"] == "click"]
    >>> [(clicked == drink).sum().item() for drink in ("tea", "cocoa")]
    [427, 717]

    Notes
    -----
    Time and memory O(s k log k) for s sessions of k items, plus O(s min(n, k**2)) to draw which of
    n items are shown, or time O(s n log n) with a mapping. With ``"cascade"`` and without trust,
    position k is reached with probability v0 / (v0 + V), where V is the sum of the strengths of the
    items above it. In a single session no two items are equally good; items of equal strength are
    equally good on average.

    References
    ----------
    .. [1] M. Richardson, E. Dominowska, R. Ragno, "Predicting clicks: estimating the click-through
       rate for new ads", WWW 2007, pp. 521-530. https://doi.org/10.1145/1242572.1242643
    .. [2] N. Craswell, O. Zoeter, M. Taylor, B. Ramsey, "An experimental comparison of click
       position-bias models", WSDM 2008, pp. 87-94. https://doi.org/10.1145/1341531.1341545
    .. [3] A. Agarwal, X. Wang, C. Li, M. Bendersky, M. Najork, "Addressing trust bias for unbiased
       learning-to-rank", WWW 2019, pp. 4-14. https://doi.org/10.1145/3308558.3313697
    """
    ln_strengths = _ln_strengths(preferences)
    items = list(ln_strengths)
    ln_strength = np.array([*ln_strengths.values()], dtype=np.float64)
    draw, size = _read_shown(items, shown, length)
    browse = partial(
        _browse,
        ln_strength=ln_strength,
        ln_nothing=_ln_of_outside(outside, ln_strength),
        attention=_attention(examination, size),
        trust=None if trust is None else _by_position(trust, size, "trust"),
        purchase=require_share(purchase, "purchase"),
    )
    rng = generator_of(seed)
    count = require_count(sessions, name="sessions")
    blocks = list(in_parts(count, max(1, _BLOCK // max(size, 1)))) or [slice(0, 0)]
    parts = []
    for block in track(blocks, label="sessions"):
        part = browse(rng, draw(rng, block.stop - block.start))
        part["session"] += block.start
        part["time"] += block.start * (size + PAUSE)
        parts.append(part)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    columns["item"] = labels_as_array(items)[columns["item"]]
    return columns


def _ln_strengths(preferences: Any) -> dict[Item, float]:
    """Return item -> logarithm of its strength in a simulation; strengths may underflow."""
    if isinstance(preferences, (nx.Graph, Ranks)):
        order = compile_order(preferences, name="preferences")
        ranks = (order.levels + 1).tolist()
        return {item: -rank * _LN2 for item, rank in zip(order.items, ranks, strict=True)}
    if isinstance(preferences, Mapping):
        return {
            item: math.log(require_strength(item, value)) for item, value in preferences.items()
        }
    raise PorankError(
        "expected a mapping item -> strength or a DiGraph as preferences, found a "
        f"{type(preferences).__name__}; from_ranking makes a DiGraph of a list, best first"
    )


def _read_shown(
    items: Sequence[Item], shown: Any, length: int | None
) -> tuple[Callable[[np.random.Generator, int], Numbers], int]:
    """Return a function that draws the lists of a simulation, and the length of the lists."""
    if isinstance(shown, str) and shown != "random":
        raise PorankError(
            f"expected 'random', a sequence of items or a mapping as shown, found {quoted(shown)}"
        )
    is_drawn = isinstance(shown, (str, Mapping))
    wanted: Sequence[Item] = [*shown] if is_drawn else ranked_items(shown, name="the items shown")
    wanted = items if isinstance(shown, str) else wanted
    number = {item: place for place, item in enumerate(items)}
    require_items(number, wanted)
    numbers = np.array([number[item] for item in wanted], dtype=np.int64)
    usual = min(len(wanted), _SHOWN) if is_drawn else len(wanted)
    size = usual if length is None else require_count(length, name="length")
    if size > len(wanted):
        raise PorankError(
            f"expected a length of at most the {len(wanted)} items to show, found {length}"
        )
    if isinstance(shown, str):
        return partial(_draw_lists, n=len(items), size=size), size
    if not is_drawn:
        return lambda _, count: np.tile(numbers[:size], (count, 1)), size
    ln_strength = np.array([*_ln_strengths(shown).values()], dtype=np.float64)
    return partial(_draw_by_strength, numbers=numbers, ln_strength=ln_strength, size=size), size


def _ln_of_outside(outside: Any, ln_strength: NDArray[np.float64]) -> float:
    """Return the logarithm of a simulated user's strength of clicking nothing."""
    if outside is None:
        # An exact sum, so it does not depend on the order of the items.
        return math.fsum(ln_strength) / max(ln_strength.size, 1)
    strength = float(require_amount(outside, name="outside"))
    return math.log(strength) if strength else -math.inf


def _attention(examination: Any, size: int) -> NDArray[np.float64] | None:
    """Return the probability that each position is examined in a simulation, None for cascade."""
    if isinstance(examination, str):
        if examination == "cascade":
            return None
        if examination != "position":
            raise PorankError(
                "expected 'position', 'cascade' or probabilities by position as examination, "
                f"found {quoted(examination)}"
            )
        return 1 / np.arange(1, size + 1)
    return _by_position(examination, size, "examination")


def _by_position(given: Any, size: int, name: str) -> NDArray[np.float64]:
    """Return the probabilities of the positions of a list in an array."""
    positions = range(1, size + 1)
    try:
        if callable(given):
            values = [given(position) for position in positions]
        elif isinstance(given, Mapping):
            values = [given[position] for position in positions]
        else:
            values = [given[position - 1] for position in positions]
    except (KeyError, IndexError, TypeError):
        raise PorankError(
            f"expected a mapping, a sequence or a function of the positions 1 to {size} as {name}, "
            f"found {quoted(given):.100}"
        ) from None
    shares = zip(values, positions, strict=True)
    return np.array([require_share(value, f"the {name} of position {k}") for value, k in shares])
