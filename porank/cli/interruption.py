"""Ctrl-C while the command line is still being loaded: it ends without a traceback."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


#: Options of Python whose value is the next word.
_WITH_VALUE = {"-W", "-X", "--check-hash-based-pycs"}
_shown_before = sys.excepthook


def is_command(words: Sequence[str]) -> bool:
    """Return whether a process that was started with these words runs the command line."""
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            return PurePath(word).stem == "porank"
        if word in _WITH_VALUE:
            next(rest, None)
        elif word == "-c":
            return False
        elif not word.startswith(("--", "-W", "-X")) and "m" in word:
            return (word.partition("m")[2] or next(rest, "")) == "porank"
    return False


def end_quietly(
    kind: type[BaseException], error: BaseException, where: TracebackType | None
) -> None:
    """Show an error that nobody caught, but for an interruption."""
    if not issubclass(kind, KeyboardInterrupt):
        _shown_before(kind, error, where)


if is_command(sys.orig_argv):
    # Python still ends by the signal, as a shell expects of what was interrupted.
    sys.excepthook = end_quietly
