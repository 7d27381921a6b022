"""Ctrl-C while the command line is still being loaded: it ends without a traceback."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


def is_command(words: Sequence[str]) -> bool:
    """Return whether a process that was started with these words runs the command line.

    Examples
    --------
    >>> is_command(["python3", "/usr/bin/porank", "ranks"]), is_command(["python3", "study.py"])
    (True, False)
    >>> is_command(["python3", "-m", "porank", "ranks"])
    True
    """
    if "-m" in words:
        return list(words[words.index("-m") + 1 :][:1]) == ["porank"]
    return any(PurePath(word).stem == "porank" for word in words[:2])


def end_quietly(
    kind: type[BaseException], error: BaseException, where: TracebackType | None
) -> None:
    """Show an error that nobody caught, but for an interruption."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, where)


if is_command(sys.orig_argv):
    # Python still ends by the signal, as a shell expects of what was interrupted.
    sys.excepthook = end_quietly
