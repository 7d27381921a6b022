"""What people do with lists of items: they look, click and buy, by chance.

All sessions of a block are drawn together; row i of each array is session i, column k what stands
at position k + 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import in_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

#: The columns of a simulated log.
COLUMNS = ("session", "item", "position", "event", "time", "examined")
#: So many seconds a session lasts beyond the reading of its list.
PAUSE = 2
#: So many numbers are shuffled at a time.
_BLOCK = 1 << 20


def draw_lists(rng: np.random.Generator, count: int, n: int, size: int) -> Numbers:
    """Return `count` lists of `size` different numbers below n, all lists equally likely.

    Of many numbers few are drawn by Floyd's method: the j-th, counted from 0, is one of the first
    n - size + j + 1, and if that was drawn before, the last of these, which cannot have been.

    Examples
    --------
    >>> lists = draw_lists(np.random.default_rng(0), 1000, 3, 2)
    >>> sorted({(i, j) for i, j in lists.tolist()})
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]

    Notes
    -----
    Time O(count min(n, size**2)).
    """
    if size * size >= n:
        parts = in_parts(count, max(1, _BLOCK // max(n, 1)))
        # A view of the first columns would keep all the others.
        shuffled = (
            rng.permuted(np.tile(np.arange(n), (part.stop - part.start, 1)), axis=1)[
                :, :size
            ].copy()
            for part in parts
        )
        return np.concatenate([np.zeros((0, size), dtype=np.int64), *shuffled])
    lists = np.empty((count, size), dtype=np.int64)
    for place, last in enumerate(range(n - size, n)):
        drawn = rng.integers(0, last, size=count, endpoint=True)
        again = (lists[:, :place] == drawn[:, None]).any(axis=1)
        lists[:, place] = np.where(again, last, drawn)
    return rng.permuted(lists, axis=1)


def browse(
    rng: np.random.Generator,
    lists: Numbers,
    ln_strength: NDArray[np.float64],
    ln_nothing: float,
    *,
    attention: NDArray[np.float64] | None,
    purchase: float,
) -> dict[str, NDArray[Any]]:
    """Return the events of some sessions in columns, sorted by time.

    Parameters
    ----------
    rng : Generator
        Where the randomness comes from.
    lists : array of int, sessions x positions
        The number of the item that each session shows at each position.
    ln_strength : array
        The logarithm of the strength of each item.
    ln_nothing : float
        The logarithm of the strength of clicking nothing.
    attention : array or None
        The probability that each position is looked at; None if a list is read to the first click.
    purchase : float
        The probability that a session with a click ends with a purchase.

    Examples
    --------
    >>> rng, lists = np.random.default_rng(0), np.array([[1, 0]])
    >>> rows = browse(rng, lists, np.zeros(2), -np.inf, attention=None, purchase=1.0)
    >>> for row in zip(*rows.values()):
    ...     print(*row)
    1 1 1 0 0 True
    1 0 2 0 0 False
    1 1 1 1 1 True
    1 1 1 2 3 True

    Notes
    -----
    Time O(s k log k) for s sessions of k positions. Noise of Gumbel's distribution on the
    logarithms of strengths makes rankings of the model of Plackett and Luce.
    """
    taste = ln_strength[lists] + rng.gumbel(size=lists.shape)
    attractive = taste > ln_nothing + rng.gumbel(size=(len(lists), 1))
    examined = _examined(rng, attractive, attention)
    clicked = examined & attractive
    return _written(lists, examined, clicked, _bought(rng, taste, clicked, purchase))


def _examined(
    rng: np.random.Generator,
    attractive: NDArray[np.bool_],
    attention: NDArray[np.float64] | None,
) -> NDArray[np.bool_]:
    """Return who looks where: at each position by chance, or down to the first attractive item."""
    if attention is not None:
        return rng.random(attractive.shape) < attention
    clicks_above: Numbers = np.cumsum(attractive, axis=1) - attractive
    is_reached: NDArray[np.bool_] = clicks_above == 0
    return is_reached


def _bought(
    rng: np.random.Generator,
    taste: NDArray[np.float64],
    clicked: NDArray[np.bool_],
    purchase: float,
) -> NDArray[np.bool_]:
    """Return what is bought: in some sessions the clicked item that ranks highest."""
    bought = np.zeros(clicked.shape, dtype=bool)
    buys = clicked.any(axis=1) & (rng.random(len(clicked)) < purchase)
    best = np.where(clicked, taste, -np.inf)[buys].argmax(axis=1) if buys.any() else []
    bought[np.flatnonzero(buys), best] = True
    return bought


def _written(
    lists: Numbers,
    examined: NDArray[np.bool_],
    clicked: NDArray[np.bool_],
    bought: NDArray[np.bool_],
) -> dict[str, NDArray[Any]]:
    """Return all events, those of one time by position."""
    size = lists.shape[1]
    session, place = np.nonzero(np.ones(lists.shape, dtype=bool))
    kinds = [np.arange(session.size), np.flatnonzero(clicked), np.flatnonzero(bought)]
    row = np.concatenate(kinds)
    event = np.repeat(np.arange(3), [kind.size for kind in kinds])
    after = np.choose(event, [0, place[row] + 1, size + 1])
    # All of a session happens before the next one begins.
    time = session[row] * (size + PAUSE) + after
    order = np.argsort(time, kind="stable")
    row, event = row[order], event[order]
    columns = (
        session[row] + 1,
        lists.ravel()[row],
        place[row] + 1,
        event,
        time[order],
        examined.ravel()[row],
    )
    return dict(zip(COLUMNS, columns, strict=True))
