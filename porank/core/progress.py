"""Progress bars by tqdm, and long calls that can be interrupted.

`track` shows a bar for an iteration, and `interruptible` runs a call that would ignore an
interruption.
"""

from __future__ import annotations

import sys
from collections.abc import Sized
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")
Given = ParamSpec("Given")

#: Seconds after which a loop has a bar.
_DELAY = 2


def track(iterable: Iterable[T], *, label: str) -> Iterable[T]:
    """Iterate with a progress bar, which is made after two seconds in a terminal or notebook."""
    return _Tracked(iterable, label) if _is_watched() else iterable


class _Tracked(Generic[T]):
    """Elements that are iterated over with a bar.

    Only the loop holds its generator, which is closed however the loop ends, and closes the bar.
    """

    def __init__(self, iterable: Iterable[T], label: str) -> None:
        self._iterable, self._label = iterable, label

    def __iter__(self) -> Iterator[T]:
        start, bar = monotonic(), None
        try:
            for number, element in enumerate(self._iterable):
                if bar is not None:
                    bar.update()
                elif monotonic() - start >= _DELAY:
                    bar = self._bar(number)
                yield element
        finally:
            if bar is not None:
                bar.close()

    def _bar(self, done: int) -> Any:
        """Return a new bar of this iteration."""
        from tqdm.auto import tqdm

        total = len(self._iterable) if isinstance(self._iterable, Sized) else None
        return tqdm(desc=self._label, total=total, initial=done, leave=False)


def _is_watched() -> bool:
    """Return whether a progress bar would be visible, in a notebook or a terminal."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def interruptible(call: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
    """Run a call that ignores interruptions in a thread, so that the user can interrupt it.

    After an interruption the call continues in the background, because Python cannot stop it.
    """
    done: list[T] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(call(*given, **named))
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=work, name=f"porank {getattr(call, '__name__', '')}", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.5)
    if failed:
        raise failed[0]
    return done[0]
