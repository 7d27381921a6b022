"""Seeds: where every random number comes from."""

from __future__ import annotations

from typing import Any

import numpy as np

from porank.errors import PorankError


def generator_of(seed: Any) -> np.random.Generator:
    """Return the generator that a seed stands for, or raise an error if it is none.

    Parameters
    ----------
    seed : int, Generator or None
        Whole numbers >= 0 give the same draws every time. A generator is taken as it is, and drawn
        from. None gives other draws every time. What else `numpy.random.default_rng` takes, such as
        a sequence of whole numbers, is taken too.

    Examples
    --------
    >>> [int(generator_of(7).integers(100)) for _ in range(3)]
    [94, 94, 94]
    >>> rng = np.random.default_rng(7)
    >>> generator_of(rng) is rng
    True
    >>> generator_of(-1)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a whole number >= 0, a numpy.random.Generator or None as
    seed, found -1
    """
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise PorankError(
            "expected a whole number >= 0, a numpy.random.Generator or None as seed, "
            f"found {seed!r:.100}"
        ) from None
