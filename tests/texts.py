"""Files in memory: what is read from a text, and the text of what is written."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any


def source(text: str) -> io.StringIO:
    """Return a text as an open file."""
    return io.StringIO(text, newline="")


def written(write: Callable[..., None], value: Any, **options: Any) -> str:
    """Return what a function writes."""
    target = io.StringIO(newline="")
    write(value, target, **options)
    return target.getvalue()
