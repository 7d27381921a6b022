"""Progress bars: one home for tqdm."""

from __future__ import annotations

import sys
from collections.abc import Sized
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

#: The seconds after which a bar shows by itself.
PATIENCE: Final = 2.0


def require_progress(value: Any) -> None:
    """Raise an error if `progress` is neither True, False nor None."""
    if not (value is None or isinstance(value, bool)):
        raise PorankError(f"expected progress to be True, False or None, found {value!r:.100}")


def track(iterable: Iterable[T], *, progress: bool | None, label: str) -> Iterable[T]:
    """Put a progress bar over an iterable: None shows it late and to a reader, True at once."""
    require_progress(progress)
    if progress is None:
        return _late(iterable, label) if _is_watched() else iterable
    return _bar(iterable, label) if progress else iterable


def _is_watched() -> bool:
    """Tell whether there is somebody to see a progress bar: a notebook or a terminal."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def _late(iterable: Iterable[T], label: str) -> Iterator[T]:
    """Yield the items, under a progress bar from when two seconds have passed."""
    total = len(iterable) if isinstance(iterable, Sized) else None
    rest = iter(iterable)
    end = monotonic() + PATIENCE
    for done, item in enumerate(rest, start=1):
        yield item
        if monotonic() > end:
            yield from _bar(rest, label, initial=done, total=total)


def _bar(iterable: Iterable[T], label: str, **options: int | None) -> Iterable[T]:
    """Return the iterable under a progress bar of tqdm's."""
    from tqdm.auto import tqdm

    bar: Iterable[T] = tqdm(iterable, desc=label, leave=False, **options)
    return bar
