"""Uniform linear extensions, drawn part by part: over ideals where these fit, else perfectly.

Public: `random_linear_extensions`. `Draws` draws from an order taken apart, `draw_batches` from the
closure of one part, by `count_exchanges` exchanges for each.

Idea: *draw each part for itself; put the parts of a series one behind the other; shuffle components
like cards.* If each part is uniform, so is the whole.

A draw takes one row of random numbers, with columns for each part that needs some. So the first
draws are the same however many follow, unless coins are tossed for a part: of these there is no
knowing how many it takes.

Without ideals a part is drawn by coupling from the past. A chain walks on the linear extensions:
take two neighbouring places, toss a coin, and exchange the items there if it shows heads and
neither is above the other. In the long run all extensions are equally likely; how long that takes
need not be known. Huber's *bounding chain* [1]_ is walked along, with coins that agree with those
of the chain. It knows of every item a place at or above which the item stands, wherever the chain
began; nothing is known at first. Once every item has a place of its own, the chain stands there,
whatever its beginning: it is as if it had run forever, and its state is exactly uniform [2]_.

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
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arguments import generator_of, require_count, require_flag, require_one_of
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.extensions.decomposition import above_matrix, decompose, leaf_items, upwards
from porank.extensions.ideals import MAX_IDEALS, ideals_if_few, ideals_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.extensions.ideals import Ideals
    from porank.typing import Floats, Item, Numbers, OrderLike, Seed


_METHODS = ("auto", "ideals", "perfect")
#: So many draws are made together, fewer of long ones.
_TOGETHER = 10_000
#: So many random numbers are held at once.
_NUMBERS = 4_000_000
#: So many where coins are tossed: nobody shall wait long for the first draw.
_NUMBERS_BY_COINS = 1 << 16


def random_linear_extensions(
    G: OrderLike,
    size: int,
    *,
    seed: Seed = None,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    progress: bool = False,
) -> Iterator[list[Item]]:
    """Yield linear extensions drawn at random, each of all being as likely as any other.

    Each draw is uniform over the linear extensions of `G` and independent of the others.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    size : int
        How many.
    seed : int, Generator or None
        Where the randomness comes from. The same number gives the same draws, in whatever sequence
        items and edges were inserted.
    method : {"auto", "ideals", "perfect"}
        Where parts that cannot be divided get their draws from: ``"ideals"``, the counts over all
        their ideals; ``"perfect"``, Huber's perfect sampler [1]_, which needs no ideals and takes
        longer; ``"auto"``, the ideals if there are no more than `max_ideals`, else the sampler.
    max_ideals : int
        How many ideals a part may have, the sets of items that may stand on top; of parts of more
        than 64 items a sixteenth of it.
    progress : bool
        Show a bar.

    Yields
    ------
    list
        The items, best first.

    Raises
    ------
    CycleError
        If `G` has a cycle; at the call, as all errors.
    TooManyIdealsError
        If the method is ``"ideals"`` and there are too many.
    PorankError
        If `size` is no whole number of at least 0, or an option is out of its range.

    See Also
    --------
    porank.rank_probabilities : what many such draws estimate, exactly where it can be counted.

    Examples
    --------
    >>> import porank as po
    >>> for ranking in po.random_linear_extensions(po.parse("a > c; b > c; b > d"), 3, seed=0):
    ...     print(*ranking)
    a b d c
    a b c d
    b d a c

    Notes
    -----
    The ideals of a part are listed once, in time O(n) words for each and 16 bytes of memory; then
    ten thousand draws walk through them together, in time O(n w log k) for each, with w the width
    and k the number of ideals. They are uniform up to the rounding of floats, and the first ones do
    not depend on `size`. The sampler takes time O(n**3 log n) for each draw, is exactly uniform,
    and its draws depend on `size`, for many are made together.

    References
    ----------
    .. [1] M. Huber, "Fast perfect sampling from linear extensions", Discrete Mathematics 306(4),
       2006, pp. 420-428. https://doi.org/10.1016/j.disc.2006.01.003
    """
    order = compile_order(G)
    size = require_count(size, name="size")
    max_ideals = require_count(max_ideals, name="max_ideals", least=1)
    require_one_of(method, _METHODS, name="method")
    require_flag(progress, name="progress")
    rng = generator_of(seed)
    parts = decompose(order, by_name=True, progress=progress)
    draws = Draws(parts, rng, method=method, max_ideals=max_ideals, progress=progress)
    rankings = (ranking for batch in draws.batches(size) for ranking in batch.tolist())
    return ([order.items[number] for number in ranking] for ranking in rankings)


class _Coins:
    """A prime part that is drawn by the perfect sampler, from random numbers of its own."""

    def __init__(self, part: OrderPart, rng: np.random.Generator) -> None:
        self._above = above_matrix(part)
        self._rng = np.random.default_rng(rng.integers(2**63, size=2).tolist())

    def draw(self, uniform: Floats) -> Numbers:
        """Return as many linear extensions as there are rows, which have no columns."""
        return np.concatenate(list(draw_batches(self._above, len(uniform), self._rng)))


class Draws:
    """An order, taken apart, made ready to draw from."""

    def __init__(
        self,
        parts: Sequence[OrderPart],
        rng: np.random.Generator,
        *,
        method: str,
        max_ideals: int,
        progress: bool = False,
    ) -> None:
        self._rng = rng
        self._progress = progress
        self._parts = parts
        self._items = np.array(leaf_items(parts), dtype=np.int64)
        primes = {number: part for number, part in enumerate(parts) if part.kind == "prime"}
        self._sources = {k: self._source(part, method, max_ideals) for k, part in primes.items()}

    def batches(self, size: int) -> Iterator[Numbers]:
        """Yield `size` linear extensions in arrays, the items of one best first in each row."""
        by_coins = any(isinstance(source, _Coins) for source in self._sources.values())
        numbers = _NUMBERS_BY_COINS if by_coins else _NUMBERS
        together = max(1, min(_TOGETHER, numbers // max(len(self._items), 1)))
        batches = range(0, size, together)
        for first in track(batches, progress=self._progress, label="drawing"):
            yield self._draw(min(together, size - first))

    def _source(self, part: OrderPart, method: str, max_ideals: int) -> Ideals | _Coins:
        """Return the ideals of a prime part if they are wanted and not too many, else coins."""
        if method == "ideals":
            way_out = "method='auto' and 'perfect' do without"
            return ideals_of(part, max_ideals=max_ideals, progress=self._progress, way_out=way_out)
        if method == "auto":
            ideals = ideals_if_few(part, max_ideals=max_ideals, progress=self._progress)
            if ideals is not None:
                return ideals
        return _Coins(part, self._rng)

    def _columns(self, number: int) -> int:
        """Return how many random numbers a draw of a part takes, without the parts within it."""
        part = self._parts[number]
        takes_none = part.kind == "series" or isinstance(self._sources.get(number), _Coins)
        return 0 if takes_none else part.size

    def _draw(self, size: int) -> Numbers:
        """Return linear extensions as rows."""
        starts = list(accumulate(map(self._columns, range(len(self._parts))), initial=0))
        uniform = self._rng.random((size, starts[-1]))
        drawn: dict[int, Numbers] = {}
        for number, part in upwards(self._parts):
            own = uniform[:, starts[number] : starts[number + 1]]
            if part.kind == "prime":
                drawn[number] = self._sources[number].draw(own)
            elif part.kind == "free":
                drawn[number] = np.argsort(own, axis=1)
            else:
                others = [drawn.pop(other) for other in part.parts]
                drawn[number] = _joined(others, part.kind, own)
        return self._items[drawn[0]]


def _joined(drawn: list[Numbers], kind: str, uniform: Floats) -> Numbers:
    """Put draws of parts one behind the other or, of components, shuffle them."""
    sizes = [part.shape[1] for part in drawn]
    starts = list(accumulate(sizes, initial=0))
    behind = np.hstack([part + start for part, start in zip(drawn, starts, strict=False)])
    if kind == "series":
        return behind
    owners = np.repeat(np.arange(len(sizes)), sizes)
    cards = owners[np.argsort(uniform, axis=1)]
    shuffled = np.empty_like(behind)
    np.put_along_axis(shuffled, np.argsort(cards, axis=1, kind="stable"), behind, axis=1)
    return shuffled


#: So many array entries at a time: enough to make up for the calls, few enough for the cache.
_ENTRIES = 1 << 16
#: The mean number of gaps left at the end of a run is about e**-_SPARE: few runs are in vain.
_SPARE = 2.5


def draw_batches(
    above: NDArray[np.bool_], size: int, rng: np.random.Generator, *, progress: bool = False
) -> Iterator[Numbers]:
    """Yield uniform linear extensions in arrays, one in each row, `size` in all."""
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
    """Return one extension in each column; the number n is a gap, which anything may pass."""
    coins = np.random.SeedSequence(rng.integers(2**63, size=2).tolist())
    drawn = _run(allowed, lanes, coins)
    open_lanes = np.flatnonzero((drawn == len(drawn)).any(axis=0))
    if open_lanes.size:
        earlier = _draw_together(allowed, open_lanes.size, rng)
        drawn[:, open_lanes] = _run(allowed, lanes, coins, open_lanes, earlier)
    return drawn


def _count_sweeps(n: int) -> int:
    """Return for how many sweeps over every second pair of `n` places the bounds are walked."""
    return math.ceil(8 / math.pi**2 * n**2 * (math.log(n) + _SPARE))


def count_exchanges(n: int) -> int:
    """Return about how many exchanges of neighbours it takes to draw one extension of `n` items."""
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
