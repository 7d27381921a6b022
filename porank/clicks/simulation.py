"""Click logs made by chance from known preferences, so that what is read from them can be judged.

Idea: *in each session a ranking of the items shown and of clicking nothing is drawn by the model of
Plackett and Luce.* Items above nothing are attractive. What is attractive and looked at is clicked,
and one of two models of examination says who looks where. A logging policy draws the lists,
whatever the tastes, and users who trust it also click what is not attractive. All sessions of a
block are drawn together; row i of each array is session i, column k what stands at position k + 1.

`simulate_log`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.clicks.preference_pairs import examination_of
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
from porank.errors import PorankError
from porank.generators.random_orders import require_strength

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, Seed


#: So many seconds a session lasts beyond the reading of its list.
PAUSE = 2
#: So many numbers are shuffled at a time.
_BLOCK = 1 << 20


def _draw_lists(rng: np.random.Generator, count: int, n: int, size: int) -> Numbers:
    """Return lists of different items to show in simulated sessions, all equally likely."""
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
    """Return lists of items to show, drawn by the model of Plackett and Luce."""
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
    """Return the showings, clicks and purchases of a simulated log, those of one time by place."""
    size = lists.shape[1]
    event, session, place = np.nonzero(happened)
    after = np.choose(event, [0, place + 1, size + 1])
    # All of a session happens before the next one begins.
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


#: So many items are shown by default.
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

    Each session shows a list of items. The item at position k, of strength v, is looked at with
    probability e_k, and attractive with probability r = v / (v + v0), where v0 is the strength of
    clicking nothing: it stands above nothing in a ranking that is drawn, anew in each session, by
    the model of Plackett and Luce. It is clicked with probability e_k r, or e_k (r + (1 - r) t_k)
    if users trust position k so much that they click a share t_k of what is not attractive.

    Parameters
    ----------
    preferences : mapping or DiGraph
        Item -> strength, a positive, finite number; or an order, each level of which, in the sense
        of `set_ranks`, is half as strong as the one above: strength 2 ** -rank.
    sessions : int
        How many sessions.
    examination : {"position", "cascade"}, mapping, sequence or callable
        Who looks where. With ``"position"`` position k is looked at with probability 1 / k,
        whatever stands elsewhere [1]_; a mapping, a sequence (of the positions 1, 2 and so on) or a
        function of the position gives other probabilities. With ``"cascade"`` a list is read from
        the top to the first click, and no further [2]_.
    shown : "random", sequence of items, or mapping
        The logging policy. "random" draws a list anew in each session, all equally likely. A
        sequence is always shown as it is. A mapping of items to positive, finite numbers draws a
        list anew by the model of Plackett and Luce, larger numbers mostly higher: the strengths
        themselves make lists that follow taste, their cubes follow it more closely, any other
        numbers follow something else. A sequence or mapping need not hold all items.
    trust : mapping, sequence or callable, optional
        For each position, the probability t_k that an item looked at there is clicked though it is
        not attractive [3]_. By default 0.
    length : int, optional
        How many items are shown in a session, at most all: by default 10 drawn ones, or all of the
        sequence given.
    outside : float, optional
        v0, the strength of clicking nothing, a finite number from 0 on. By default the geometric
        mean of all strengths.
    purchase : float in [0, 1]
        The probability that a session in which an attractive item is clicked ends with a purchase:
        that of the clicked item which ranks highest.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    dict of arrays
        A row for each event, with the columns ``session`` (from 1 on), ``item``, ``position`` (from
        1 on), ``event`` (``"view"`` for all that was shown, ``"click"``, ``"purchase"``), ``time``
        in seconds, and ``examined``, which no real log has: whether the item was looked at. Lists
        are read from the top, one item a second, so that clicks come in the order of positions.
        `preference_pairs` and `from_log` take it as it is.

    Raises
    ------
    CycleError
        If `preferences` is a graph with a cycle.
    PorankError
        If a strength, a probability or a number is none, or an item shown has no strength.

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

    Bought is what ranks highest, here tea in about three of four sessions:

    >>> log = po.simulate_log({"tea": 3, "cocoa": 1}, 1000, examination=[1, 1], outside=0,
    ...                       purchase=1, seed=0)
    >>> bought = log["item"][log["event"] == "purchase"]
    >>> [(bought == drink).sum().item() for drink in ("tea", "cocoa")]
    [757, 243]

    The policy puts cocoa on top in nine of ten lists, and users click half of what they do not like
    there. So cocoa is clicked with probability .9 * .75 + .1 * .25 = .7, and tea with .425.

    >>> log = po.simulate_log({"tea": 3, "cocoa": 1}, 1000, outside=1, purchase=0, seed=0,
    ...                       shown={"tea": 1, "cocoa": 9}, trust=[0.5, 0])
    >>> clicked = log["item"][log["event"] == "click"]
    >>> [(clicked == drink).sum().item() for drink in ("tea", "cocoa")]
    [427, 717]

    Notes
    -----
    Time and memory O(s k log k) for s sessions of k items, and O(s min(n, k**2)) to draw which of n
    items are shown, or time O(s n log n) by a mapping. Reading from the top to the first click,
    position k is reached with probability v0 / (v0 + V) if nothing is trusted, with V the sum of
    the strengths of the items above it. Two items are never equally good to a session; those whose
    strengths are equal are so on average only.

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
    """Return item -> logarithm of its strength in a simulation; a deep order underflows."""
    if isinstance(preferences, nx.Graph):
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
    """Return what draws so many lists of a simulation, as numbers of items, and their length."""
    if isinstance(shown, str) and shown != "random":
        raise PorankError(
            f"expected 'random', a sequence of items or a mapping as shown, found {shown!r}"
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
    """Return the logarithm of a simulated user's strength of clicking nothing, or the mean."""
    if outside is None:
        # The sum must not depend on the sequence of the items.
        return math.fsum(ln_strength) / max(ln_strength.size, 1)
    strength = float(require_amount(outside, name="outside"))
    return math.log(strength) if strength else -math.inf


def _attention(examination: Any, size: int) -> NDArray[np.float64] | None:
    """Return the chance that simulated users examine each position, None for the cascade model."""
    if isinstance(examination, str):
        if examination == "cascade":
            return None
        if examination != "position":
            raise PorankError(
                "expected 'position', 'cascade' or probabilities by position as examination, "
                f"found {examination!r}"
            )
        return 1 / np.arange(1, size + 1)
    return _by_position(examination, size, "examination")


def _by_position(given: Any, size: int, name: str) -> NDArray[np.float64]:
    """Return the probabilities of the positions of a list, in an array."""
    found = examination_of(np.arange(1, size + 1), given, name=name)
    return np.array([*found.values()], dtype=np.float64)
