"""Uniform linear extensions of any order, drawn perfectly: by coupling from the past.

A chain walks on the linear extensions: take two neighbouring places, toss a coin, and exchange the
items there if it shows heads and neither is above the other. In the long run all extensions are
equally likely; how long that takes need not be known. Huber's *bounding chain* [1]_ is walked
along, with coins that agree with those of the chain. It knows of every item a place at or above
which the item stands, wherever the chain began; nothing is known at first. Once every item has a
place of its own, the chain stands there, whatever its beginning: it is as if it had run forever,
and its state is exactly uniform [2]_.

Idea: *items known to stand at or above place i and at or above place i + 1 change their places on
heads. A place that no item is bound to is a gap, and gaps wander like anything else. One that
reaches the last place is filled with the next item of a fixed extension, for every item stands at
or above the last place.* The gaps do not look at the order, so that how long it takes depends on
the number of items alone.

Huber takes a place at random in each step. Here the even and the odd places take turns, many draws
at a time, one array operation for all of them; the argument is the same for each exchange.

References
----------
.. [1] M. Huber, "Fast perfect sampling from linear extensions", Discrete Mathematics 306(4), 2006,
   pp. 420-428. https://doi.org/10.1016/j.disc.2006.01.003
.. [2] J. G. Propp, D. B. Wilson, "Exact sampling with coupled Markov chains and applications to
   statistical mechanics", Random Structures & Algorithms 9, 1996, pp. 223-252.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from porank.core.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: So many array entries at a time: enough to make up for the calls, few enough for the cache.
_ENTRIES = 1 << 16
#: The mean number of gaps left at the end of a run is about e**-_SPARE: few runs are in vain.
_SPARE = 2.5


def draw_batches(
    above: NDArray[np.bool_], size: int, rng: np.random.Generator, *, progress: bool = False
) -> Iterator[Numbers]:
    """Yield uniform linear extensions in arrays, one in each row, `size` in all.

    Parameters
    ----------
    above : array of bool
        Entry [i, j]: item i is above item j. The items are numbered along a linear extension.
    size : int
        How many.
    rng : Generator
        Where the randomness comes from. The extensions depend on `size` too: several are drawn
        together.
    progress : bool
        Show a bar.

    Examples
    --------
    >>> beside_a_chain = np.array([[False, True, False], [False] * 3, [False] * 3])
    >>> (batch,) = draw_batches(beside_a_chain, 1000, np.random.default_rng(0))
    >>> sorted(set(map(tuple, batch.tolist())))
    [(0, 1, 2), (0, 2, 1), (2, 0, 1)]

    Notes
    -----
    Expected time O(n**3 log n) for each extension, whatever the order: about 0.5 n**3 (ln n + 2.5)
    exchanges. No chain is known to come close to uniform in fewer by an order of magnitude; one
    that stops after a stated number of steps would save little and be inexact. Memory n**2 bytes
    for the order.
    """
    n = len(above)
    allowed = np.ones((n + 1, n + 1), dtype=bool)
    allowed[:n, :n] = ~above
    lanes = max(1, _ENTRIES // max(n, 1))
    for first in track(range(0, size, lanes), progress=progress, label="drawing"):
        together = min(lanes, size - first)
        if n < 2:
            yield np.zeros((together, n), dtype=np.int64)
        else:
            yield _draw_together(allowed, together, rng).T.astype(np.int64)


def _draw_together(
    allowed: NDArray[np.bool_], lanes: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return one extension in each column; the number n is a gap, which anything may pass.

    A run whose bounds leave something open is walked once more, from an extension drawn in the same
    way, with the coins that it had: that is the coupling from the past.
    """
    coins = np.random.SeedSequence(rng.integers(2**63, size=2).tolist())
    drawn = _run(allowed, lanes, coins)
    open_lanes = np.flatnonzero((drawn == len(drawn)).any(axis=0))
    if open_lanes.size:
        earlier = _draw_together(allowed, open_lanes.size, rng)
        drawn[:, open_lanes] = _run(allowed, lanes, coins, open_lanes, earlier)
    return drawn


def _count_sweeps(n: int) -> int:
    """Return for how many sweeps over every second pair of `n` places the bounds are walked.

    The pair that a gap is in moves by one place in each sweep, up or down alike, and is turned back
    at the first place; so n gaps are mostly gone after 8 / pi**2 n**2 (ln n + a few) sweeps.
    """
    return math.ceil(8 / math.pi**2 * n**2 * (math.log(n) + _SPARE))


def count_exchanges(n: int) -> int:
    """Return about how many exchanges of neighbours it takes to draw one extension of `n` items.

    Examples
    --------
    >>> [count_exchanges(n) for n in (1, 10, 100)]
    [0, 1950, 2879650]
    """
    return _count_sweeps(n) * (n // 2) if n > 1 else 0


def _run(
    allowed: NDArray[np.bool_],
    lanes: int,
    seed: np.random.SeedSequence,
    followed: Numbers | None = None,
    states: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Walk the bounds from nothing known, or with them the chains from the states given."""
    n = len(allowed) - 1
    rng = np.random.default_rng(seed)
    bounds = np.full((n, lanes if followed is None else followed.size), n, dtype=np.int32)
    bounds[-1] = 0
    following = np.ones(bounds.shape[1], dtype=np.int32)
    for sweep in range(_count_sweeps(n)):
        upper, lower = _pairs(bounds, sweep % 2)
        heads = _toss(rng, (len(upper), lanes))
        if followed is not None and states is not None:
            heads = heads[:, followed]
            x, y = _pairs(states, sweep % 2)
            # Where an item stands a place above its bound, and its bound goes up, it must stay.
            _exchange(x, y, heads ^ (x == lower), allowed)
        _exchange(upper, lower, heads, allowed)
        _fill_last(bounds, following)
    return bounds if states is None else states


def _pairs(places: NDArray[np.int32], first: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the upper and the lower places of the pairs that begin at every second place."""
    lower = places[first + 1 :: 2]
    return places[first::2][: len(lower)], lower


def _toss(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.bool_]:
    octets = np.frombuffer(rng.bytes(-(-shape[0] * shape[1] // 8)), np.uint8)
    return np.unpackbits(octets, count=shape[0] * shape[1]).reshape(shape).view(bool)


def _exchange(
    upper: NDArray[np.int32],
    lower: NDArray[np.int32],
    heads: NDArray[np.bool_],
    allowed: NDArray[np.bool_],
) -> None:
    """Exchange in place what stands in pairs of places, on heads and where it is allowed."""
    moves = heads & allowed.ravel().take(upper * np.int64(len(allowed)) + lower)
    change = (upper ^ lower) * moves
    upper ^= change
    lower ^= change


def _fill_last(bounds: NDArray[np.int32], following: NDArray[np.int32]) -> None:
    """Bind the next item to the last place where that is a gap."""
    n = len(bounds)
    is_gap = (bounds[-1] == n) & (following < n)
    bounds[-1] += (following - n) * is_gap
    following += is_gap
