"""Progress bars: one home for tqdm.

`track` puts a bar over what is gone through one by one; `interruptible` calls what would not be
interrupted.
"""

from __future__ import annotations

import sys
from threading import Thread
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")
Given = ParamSpec("Given")


def track(iterable: Iterable[T], *, label: str) -> Iterable[T]:
    """Put a progress bar over an iterable, shown after two seconds, and only to a reader."""
    if not _is_watched():
        return iterable
    from tqdm.auto import tqdm

    bar: Iterable[T] = tqdm(iterable, label, leave=False, delay=2)
    return bar


def _is_watched() -> bool:
    """Tell whether somebody would see a progress bar, in a notebook or a terminal."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def interruptible(call: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
    """Call what does not look whether it is interrupted, in a thread, so that nobody waits for it.

    After an interruption it goes on unseen to its end, which no Python program can hasten.
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
