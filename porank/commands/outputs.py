"""Files that commands write: whole or not at all, and never over another unless that is asked."""

from __future__ import annotations

import os
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

from porank.commands.values import filled
from porank.errors import PorankError
from porank.whole import write_whole

if TYPE_CHECKING:
    import argparse


def add_output(parser: argparse.ArgumentParser, *, what: str, required: bool = False) -> None:
    """Let a command be told where to write."""
    parser.add_argument("-o", "--output", metavar="FILE", type=filled, required=required, help=what)
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Let a command be told that a file may be replaced."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def require_writable(path: str, *, force: bool) -> None:
    """Raise an error if a file is there that must be kept, or no folder for it.

    Examples
    --------
    >>> require_writable("/", force=True)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a file to write, found the folder '/'
    """
    target = Path(path)
    if target.is_dir():
        raise PorankError(f"expected a file to write, found the folder {path!r}")
    if target.is_file() and not force:
        raise PorankError(f"expected no file at {path!r}, found one; --force replaces it")
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(target.parent))


def write_output(content: bytes, path: str, *, force: bool) -> None:
    """Write a file whole or not at all, and over another only if that is asked."""
    require_writable(path, force=force)
    write_whole(content, path)
