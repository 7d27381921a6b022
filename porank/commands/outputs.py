"""Files that commands write: whole or not at all, and never over another unless that is asked."""

from __future__ import annotations

import os
import secrets
import shutil
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse


def add_output(parser: argparse.ArgumentParser, *, what: str, required: bool = False) -> None:
    """Let a command be told where to write."""
    parser.add_argument("-o", "--output", metavar="FILE", required=required, help=what)
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


def write_whole(content: bytes, path: str, *, force: bool) -> None:
    """Write a file beside its place, and put it there when all has been written."""
    require_writable(path, force=force)
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)  # a pipe or a terminal takes what comes
        return
    beside = target.with_name(f".{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
