"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path


def write_whole(content: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file beside its place, and put it there when all has been written.

    Parameters
    ----------
    content : bytes
        What it is to hold.
    path : path
        Its place. A file that is there is replaced, and keeps its permissions; a pipe or a terminal
        takes what comes.

    Raises
    ------
    OSError
        If it cannot be written, with the path as it was given.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_whole(b"a > b", folder / "order.txt")
    >>> [(file.name, file.read_bytes()) for file in folder.iterdir()]
    [('order.txt', b'a > b')]
    """
    try:
        _write(content, Path(os.path.realpath(path)))
    except OSError as error:
        if error.errno is None:
            raise
        # The name of a file that nobody has asked for would say nothing.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _write(content: bytes, place: Path) -> None:
    if place.exists() and not place.is_file():
        place.write_bytes(content)
        return
    beside = place.with_name(f".{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)
