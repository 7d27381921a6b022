"""Progress bars: one home for tqdm."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable


T = TypeVar("T")


def track(iterable: Iterable[T], *, progress: bool, label: str) -> Iterable[T]:
    """Return the iterable, with a bar around it if `progress` is true."""
    if not progress:
        return iterable
    from tqdm.auto import tqdm

    in_notebook = "ipykernel" in sys.modules
    # disable=None is tqdm's spelling of "only on a terminal".
    bar: Iterable[T] = tqdm(
        iterable, desc=label, disable=False if in_notebook else None, leave=False
    )
    return bar
