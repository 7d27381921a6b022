"""Progress bars: one home for tqdm.

`track` puts a bar over what is gone through one by one. `lasting` marks a function that may last:
between its bars, and while one stands, it says for how long; `at_work` does so for a part of one.
`interruptible` calls what would not be interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sized
from contextlib import suppress
from contextvars import ContextVar
from functools import wraps
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar
from weakref import WeakSet

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")
Given = ParamSpec("Given")

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
    """Tell whether somebody would see a progress bar, in a notebook or a terminal, and may."""
    if _is_silent.get():
        return False
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

    with _lock:
        _clear_clock()
        bar: Iterable[T] = tqdm(iterable, desc=label, leave=False, **options)
        _bars.add(bar)
    return bar


class at_work:  # noqa: N801  a context manager, read as words
    """A work that may last: while it does, a reader sees a bar, or for how long it has lasted.

    Idea: *one thread for all works looks twice a second whether any has lasted for two seconds; it
    keeps the time of the bars that stand, or else writes what is done and for how long.* Within a
    work that is to show nothing, nothing is shown unasked.
    """

    __slots__ = ("before", "is_shown", "is_silent", "label", "since")

    def __init__(self, label: str, *, progress: bool | None) -> None:
        require_progress(progress)
        self.label = label
        self.is_shown = progress is not False and (progress or _is_watched())
        self.since = monotonic() - PATIENCE * bool(progress)
        self.is_silent = progress is False

    def __enter__(self) -> None:
        if self.is_silent:
            self.before = _is_silent.set(True)
        if self.is_shown:
            with _lock:
                _works.append(self)
                if not (_pulse and _pulse[0].is_alive()):
                    _pulse[:] = [Thread(target=_keep_beating, name="porank bar", daemon=True)]
                    _pulse[0].start()

    def __exit__(self, *_: object) -> None:
        if self.is_silent:
            _is_silent.reset(self.before)
        if self.is_shown:
            with _lock:
                _works.remove(self)
                if not _works:
                    _clear_clock()


def lasting(label: str) -> Callable[[Callable[Given, T]], Callable[Given, T]]:
    """Return what marks a function that may last, to be seen at work as its `progress` says."""

    def marked(function: Callable[Given, T]) -> Callable[Given, T]:
        @wraps(function)
        def shown(*given: Given.args, **named: Given.kwargs) -> T:
            with at_work(label, progress=named.get("progress")):  # type: ignore[arg-type]
                return function(*given, **named)

        return shown

    return marked


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
        thread.join(_BEAT)
    if failed:
        raise failed[0]
    return done[0]


#: Whether something is at work that is to show nothing.
_is_silent: Final = ContextVar("is_silent", default=False)
#: The works that last, the innermost last; the bars there are; the line that says for how long.
_works: Final[list[at_work]] = []
_bars: Final[WeakSet[Any]] = WeakSet()
_clock: Final[list[Any]] = []
#: The thread that looks after them, and what it and they hold while they look.
_pulse: Final[list[Thread]] = []
_lock = Lock()
#: The seconds between two looks.
_BEAT: Final = 0.5


def _keep_beating() -> None:
    """Give a sign of life as long as anything is at work and somebody can be told."""
    with suppress(OSError, ValueError):
        while _beat():
            sleep(_BEAT)


def _beat() -> bool:
    """Give a sign of life if one is due, and tell whether anything is at work."""
    with _lock:
        if not _works:
            _pulse.clear()
            return False
        seconds = monotonic() - _works[0].since
        standing = [bar for bar in _bars if not bar.disable]
        for bar in standing:
            bar.refresh()
        if standing:
            _clear_clock()
        elif seconds >= PATIENCE:
            _set_clock(f"{_works[-1].label}: {seconds:.0f} s")
        return True


def _set_clock(text: str) -> None:
    """Write, where a bar would stand, what is at work and for how long."""
    if not _clock:
        from tqdm.auto import tqdm

        _clock.append(tqdm(bar_format="{desc}", leave=False))
    _clock[0].set_description_str(text)


def _clear_clock() -> None:
    """Take the line that says for how long away."""
    while _clock:
        with suppress(OSError, ValueError):
            _clock.pop().close()


def _begin_anew() -> None:
    """Forget, in a process that was forked, what is at work in the other one."""
    global _lock  # noqa: PLW0603
    _lock = Lock()
    for held in (_works, _bars, _clock, _pulse):
        held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
