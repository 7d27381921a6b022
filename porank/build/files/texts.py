"""Texts from files and into files: whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from errno import ENOENT
from pathlib import Path
from typing import Any

from porank.errors import ParseError, PorankError


def read_text(source: Any) -> tuple[str, str]:
    """Return the whole text of a file and the name of the file.

    Parameters
    ----------
    source : path or open file
        UTF-8, with or without a byte order mark.

    Examples
    --------
    >>> import io
    >>> read_text(io.StringIO("a,b"))
    ('a,b', '')
    """
    if hasattr(source, "read"):
        name, content = getattr(source, "name", ""), source.read()
    else:
        name, content = os.fspath(source), Path(source).read_bytes()
    name = name if isinstance(name, str) else ""
    text = content if isinstance(content, str) else _decode(bytes(content), name)
    return text.removeprefix("\ufeff"), name


def _decode(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        raise ParseError.at(
            f"expected a text in UTF-8, found the byte 0x{content[error.start]:02x}",
            line=before.count(b"\n") + 1,
            column=0,
            text=before.rpartition(b"\n")[2].decode("utf-8"),
            source=name,
        ) from None


def write_text(text: str, target: Any) -> None:
    """Write a text to a path or an open text file.

    A path is replaced only when the whole text has been written beside it.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_text("a,b", target)
    >>> target.getvalue()
    'a,b'
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PorankError(
            f"expected texts that UTF-8 can hold, found {text[error.start]!r}"
        ) from None
    if hasattr(target, "write"):
        target.write(text)
        return
    path = Path(target).resolve()
    if path.exists() and not path.is_file():
        # A pipe or a terminal takes what comes; a folder says that it is one.
        path.write_bytes(content)
        return
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(target))
    beside = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
