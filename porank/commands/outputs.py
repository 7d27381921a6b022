"""Files that commands write: whole or not at all, and never over another unless that is asked."""

from __future__ import annotations

import gzip
import os
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

from porank.commands.forms import is_compressed
from porank.commands.values import filled
from porank.core.files import write_whole
from porank.errors import PorankError

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
    if path == "-":
        raise PorankError("expected a file to write, found '-'; ./- is a file of this name")
    target = Path(path)
    if target.is_dir():
        raise PorankError(f"expected a file to write, found the folder {path!r}")
    if target.is_file() and not force:
        raise PorankError(f"expected no file at {path!r}, found one; --force replaces it")
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(target.parent))


def write_output(content: bytes, path: str, *, force: bool) -> None:
    """Write a file whole or not at all, compressed if its name ends in ``.gz``.

    It is written over another only if that is asked.
    """
    write_outputs({path: content}, force=force)


def write_outputs(contents: dict[str, bytes], *, force: bool) -> None:
    """Write the contents of files, by their paths: all of them, or none.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_outputs({f"{folder}/a.csv": b"a,b", f"{folder}/b.csv.gz": b"c,d"}, force=False)
    >>> (folder / "a.csv").read_bytes(), gzip.decompress((folder / "b.csv.gz").read_bytes())
    (b'a,b', b'c,d')
    """
    for path in contents:
        require_writable(path, force=force)
    before = {path: _content(path) for path in contents if len(contents) > 1}
    written: list[str] = []
    try:
        for path, content in contents.items():
            # Without the time the same content gives the same file.
            write_whole(gzip.compress(content, mtime=0) if is_compressed(path) else content, path)
            written.append(path)
    except OSError:
        for path in written:
            _put_back(before[path], path)
        raise


def _content(path: str) -> bytes | None:
    """Return what is in a file, or None if there is no plain file."""
    return Path(path).read_bytes() if Path(path).is_file() else None


def _put_back(found: bytes | None, path: str) -> None:
    """Let a file be what it was before it was written."""
    if found is not None:
        write_whole(found, path)
    elif Path(path).is_file():
        Path(os.path.realpath(path)).unlink()
