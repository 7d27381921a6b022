"""Two weak orders as two sequences of whole numbers: how many pairs stand the same way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from porank.typing import Numbers


def count_weak_agreement(first: Numbers, second: Numbers) -> tuple[int, int]:
    """Return how many pairs two weak orders decide alike, and how many contrarily.

    Parameters
    ----------
    first, second : array of int
        The layer of each item, 0 the best.

    Examples
    --------
    >>> count_weak_agreement(np.array([0, 1, 2]), np.array([0, 2, 1]))
    (2, 1)
    """
    one = np.sign(first[:, None] - first[None, :])
    other = np.sign(second[:, None] - second[None, :])
    agreed = one * other
    return int(np.count_nonzero(agreed > 0)) // 2, int(np.count_nonzero(agreed < 0)) // 2
