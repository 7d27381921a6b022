"""How likely a position is looked at, and how much a click there weighs."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_share
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray


def weights_of(positions: NDArray[Any], propensity: Any, clip: float) -> NDArray[np.float64]:
    """Return 1 / max(examination, clip) of each position.

    Parameters
    ----------
    positions : array
        Whole numbers.
    propensity : mapping, sequence or callable
        Position -> the probability that what stands there is looked at; a sequence gives those of
        the positions 1, 2, and so on. A series of pandas with an index of its own gives those of
        the positions in the index.
    clip : float
        The least probability that is believed, in (0, 1].

    Examples
    --------
    >>> weights_of(np.array([2, 1, 4, 2]), lambda position: 1 / position, 0.5)
    array([2., 1., 2., 2.])
    >>> weights_of(np.array([3]), [1.0, 0.5], 0.1)
    Traceback (most recent call last):
    porank.errors.PorankError: expected an examination probability for each position, found none
    for 3
    """
    require_clip(clip)
    examination = examination_of(positions, propensity, name="propensity")
    known = np.array([*examination], dtype=np.int64)
    weights = np.array([1 / max(share, clip) for share in examination.values()], dtype=np.float64)
    # The positions that occur are sorted.
    return weights[np.searchsorted(known, positions)]


def examination_of(positions: NDArray[Any], examination: Any, *, name: str) -> dict[int, float]:
    """Return position -> the probability that it is looked at, for each position that occurs.

    Parameters
    ----------
    positions : array
        Whole numbers.
    examination : mapping, sequence or callable
        As for `weights_of`.
    name : str
        What it is called in an error.

    Examples
    --------
    >>> examination_of(np.arange(1, 4), [1, 0.5, 0.25], name="examination")
    {1: 1.0, 2: 0.5, 3: 0.25}
    """
    examine = _as_function(examination, name)
    found, unknown = {}, []
    for position in np.unique(positions).astype(np.int64).tolist():
        try:
            value = examine(position)
        except (KeyError, IndexError):
            unknown.append(position)
            continue
        found[position] = require_share(value, f"the examination of position {position}")
    if unknown:
        raise PorankError(
            f"expected an examination probability for each position, found none for "
            f"{listed(unknown)}"
        )
    return found


def require_clip(clip: Any) -> None:
    """Raise an error unless `clip` is a probability above 0.

    Examples
    --------
    >>> require_clip(0)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a number above 0 and up to 1 as clip, found 0
    """
    if not require_share(clip, "clip"):
        raise PorankError(f"expected a number above 0 and up to 1 as clip, found {clip!r}")


def _as_function(examination: Any, name: str) -> Any:
    if callable(examination):
        return examination
    if isinstance(examination, Mapping):
        return examination.__getitem__
    if hasattr(examination, "to_numpy") and hasattr(examination, "to_list"):
        return _as_function(_of_series(examination), name)
    if isinstance(examination, np.ndarray) or (
        isinstance(examination, Sequence) and not isinstance(examination, (str, bytes))
    ):
        by_position = dict(enumerate(examination, start=1))
        return by_position.__getitem__
    raise PorankError(
        f"expected a mapping, a sequence or a function of the position as {name}, "
        f"found {reprlib.repr(examination)}"
    )


def _of_series(series: Any) -> Any:
    """Return a series as a mapping if its index says more than that there are so many values."""
    index = getattr(series, "index", None)
    values = series.to_list()
    # The index of polars is a method.
    if callable(index) or index is None or list(index) == list(range(len(values))):
        return values
    return dict(zip(index, values, strict=True))
