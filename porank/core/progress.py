"""Progress bars by tqdm, and long calls that can be interrupted.

`track` shows a bar for an iteration, and `interruptible` runs a call that would ignore an
interruption.
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
    """Iterate with a progress bar, which is shown after two seconds in a terminal or notebook."""
    if not _is_watched():
        return iterable
    from tqdm.auto import tqdm

    bar: Iterable[T] = tqdm(iterable, label, leave=False, delay=2)
    return bar


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
