"""Files: texts read whole or line by line, written whole or not at all, and what is wrong in them.

What is wrong with a file is a `Problem` with its line: raised at once, or gathered by `Problems`
while the rest is read.

Reading: `read_text`, `lines_of`, `require_utf8`. Writing: `write_text`, `write_whole`.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from errno import ENAMETOOLONG
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_one_of
from porank.errors import Hint, ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def write_whole(content: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file whole or not at all: beside its place first, then moved there."""
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
    begun = _begun_name(place)
    _clear_partial_files(place.parent, begun)
    beside = place.with_name(f"{begun}{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


#: What nobody has written to for so many seconds was left behind.
_LEFT_BEHIND = 60
#: A name has at most so many bytes, beside what stands before and after it.
_LONGEST_NAME = 200


def _begun_name(place: Path) -> str:
    """Return how the names of the files begin in which a file is written, before it has its own."""
    name = place.name.encode("utf-8", "surrogateescape")[:_LONGEST_NAME].decode("utf-8", "ignore")
    return f".{name}.partial-"


def _clear_partial_files(folder: Path, begun: str) -> None:
    """Remove what runs that were killed while they wrote a file have left beside it."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            is_left = path.name.startswith(begun) and path.is_file()
            if is_left and time.time() - path.stat().st_mtime > _LEFT_BEHIND:
                path.unlink()


LINE_END = re.compile(r"\r\n|\r|\n")
#: What a file in UTF-16 begins with, each byte for itself.
_UTF16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")


def read_text(source: Any, problems: Problems | None = None) -> tuple[str, str]:
    """Read the whole text of a file, a path or an open one; return it and the file's name.

    Who brings problems reads lines: one that has no end is refused before it fills the memory.
    """
    is_lined = problems is not None
    problems = problems or Problems("raise")
    if hasattr(source, "read"):
        name = getattr(source, "name", "")
        try:
            content = _read_in_parts(source, is_lined=is_lined)
        except UnicodeDecodeError as error:
            raise _wrong_encoding(error) from None
    else:
        with _open_path(source, open, "rb") as file:
            name, content = os.fspath(source), _read_in_parts(file, is_lined=is_lined)
    problems.source = name if isinstance(name, str) else ""
    text = content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")
    text = text.removeprefix("\ufeff")
    broken = None if text.isascii() else BROKEN_BYTE.search(text)
    if broken is not None and problems.is_strict:
        lines = LINE_END.split(text[: broken.start()])
        line = LINE_END.split(text[broken.start() - len(lines[-1]) :], maxsplit=1)[0]
        problems.meet(_not_utf8(line), line=len(lines), text=line)
    return text, problems.source


#: Lines of files are not longer; what goes on so is no text, but zeros that were packed well.
_LONGEST_LINE = 1 << 26


def _read_in_parts(file: Any, *, is_lined: bool) -> str | bytes:
    """Return what a file holds, and stop where a line of a file of lines has no end."""
    if not is_lined or not isinstance(file, io.IOBase):
        return _require_texts(file.read())
    parts: list[Any] = []
    begun = 0
    while part := _require_texts(file.read(_LONGEST_LINE)):
        whole: Any = part
        ends = ("\n", "\r") if isinstance(part, str) else (b"\n", b"\r")
        last = max(map(whole.rfind, ends))
        begun = len(part) - last - 1 + (begun if last < 0 else 0)
        if begun >= _LONGEST_LINE:
            raise _endless_line(file)
        parts.append(part)
    return "".join(parts) if parts and isinstance(parts[0], str) else b"".join(parts)


def _endless_line(file: Any) -> ParseError:
    name = getattr(file, "name", "")
    return ParseError(
        f"expected lines of less than {_LONGEST_LINE:,} signs, found a longer one",
        source=name if isinstance(name, str) else "",
    )


def require_utf8(line: str) -> None:
    r"""Raise a bare `ParseError` if a byte of a line of a file was not UTF-8."""
    if not line.isascii() and BROKEN_BYTE.search(line):
        raise _not_utf8(line)


def _not_utf8(line: str) -> ParseError:
    broken = next(BROKEN_BYTE.finditer(line))
    if line.startswith(_UTF16_MARKS):
        message = "expected a text in UTF-8, found one in UTF-16"
        return ParseError(message, column=1, hint=Hint.UTF16)
    return ParseError(
        f"expected a text in UTF-8, found the byte 0x{ord(broken[0]) - 0xDC00:02x}",
        column=broken.start() + 1,
        hint=Hint.ENCODING,
    )


def _wrong_encoding(error: UnicodeDecodeError) -> ParseError:
    return ParseError(
        f"expected a text in {error.encoding}, as which the file was opened, found the byte "
        f"0x{error.object[error.start]:02x}",
        hint=Hint.ENCODING,
    )


def lines_of(source: Any, *, is_compressed: bool = False) -> tuple[Iterator[str], Any]:
    r"""Return the lines of a file, read as they are asked for, and what is to be closed at last."""
    options: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
    if not hasattr(source, "read"):
        file = _open_path(source, gzip.open if is_compressed else open, "rt", **options)
        return _lines_with_ends(file), file
    lent = contextlib.ExitStack()
    if isinstance(_require_texts(source.read(0)), str):
        return _decoded(source), lent
    wrapper = io.TextIOWrapper(source, **options)
    # A wrapper that is forgotten would close what it wraps.
    lent.callback(wrapper.detach)
    return _lines_with_ends(wrapper), lent


def _lines_with_ends(file: Any) -> Iterator[str]:
    """Yield the lines of an open file, none of which goes on without end."""
    for line in iter(partial(file.readline, _LONGEST_LINE), ""):
        if len(line) >= _LONGEST_LINE and not line.endswith(("\n", "\r")):
            raise _endless_line(file)
        yield line


def _decoded(source: Any) -> Iterator[str]:
    try:
        yield from _lines_with_ends(source) if hasattr(source, "readline") else source
    except UnicodeDecodeError as error:
        raise _wrong_encoding(error) from None


def _require_texts(content: Any) -> str | bytes:
    """Return what an open file has given if it is a text, or the bytes of one."""
    if not isinstance(content, (str, bytes, bytearray)):
        raise PorankError(
            f"expected a file that holds a text, found one of type {type(content).__name__} in it"
        )
    return content if isinstance(content, str) else bytes(content)


def _require_path(path: Any) -> str | os.PathLike[str]:
    if isinstance(path, (bytes, bytearray)):
        raise PorankError(
            f"expected a path or an open file, found {len(path)} bytes; io.BytesIO(content) makes "
            "a file of them"
        )
    if not isinstance(path, (str, os.PathLike)):
        found = "None" if path is None else f"a value of type {type(path).__name__}"
        raise PorankError(f"expected a path or an open file, found {found}")
    text = os.fspath(path)
    if "\0" in text and "\n" not in text:
        raise PorankError(f"expected a path, which has no null byte, found {text!r:.60}")
    return path


def _open_path(path: Any, opened: Callable[..., Any], mode: str, **options: Any) -> Any:
    """Open the file of a path, refusing folders and texts that are no paths."""
    _require_path(path)
    try:
        return opened(path, mode, **options)
    except (OSError, ValueError) as error:
        is_too_long = isinstance(error, OSError) and error.errno == ENAMETOOLONG
        if is_too_long or any(sign in os.fspath(path) for sign in "\n\r\0"):
            text = os.fspath(path)
            raise PorankError(
                f"expected the path of a file, found the text {text[:40]!r}"
                f"{'...' if len(text) > 40 else ''}; io.StringIO(text) makes a file of it"
            ) from None
        _refuse_folder(Path(path))
        raise


def _refuse_folder(path: Path) -> None:
    if path.is_dir():
        raise PorankError(f"expected a file, found the folder {os.fspath(path)!r}")


def write_text(text: str, target: Any) -> None:
    """Write a text to a path or an open file, in UTF-8 where the file does not say otherwise."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PorankError(
            f"expected texts that UTF-8 can hold, found {text[error.start]!r}"
        ) from None
    if hasattr(target, "write"):
        _write_stream(text, content, target)
        return
    path = _require_path(target)
    if not os.fspath(path):
        raise PorankError("expected the path of a file, found an empty text")
    _refuse_folder(Path(path))
    write_whole(content, path)


def _write_stream(text: str, content: bytes, target: Any) -> None:
    """Write a text to an open file, or its bytes if the file takes no texts."""
    for form in (text, content):
        try:
            target.write(form)
        except TypeError:
            continue
        except UnicodeEncodeError as error:
            raise PorankError(
                f"expected texts that {error.encoding} can hold, as which the file was opened, "
                f"found {text[error.start]!r}"
            ) from None
        return
    raise PorankError(
        f"expected a path or an open file, found a value of type {type(target).__name__}, which "
        "takes no text"
    )


#: What stands in a text for a byte that is not UTF-8; it cannot be printed.
BROKEN_BYTE = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Problem:
    """A line of a file that could not be read, and why.

    Attributes
    ----------
    line, column : int
        Where, both counted from 1; column 0 means the whole line.
    text : str
        The line in question.
    message : str
        What was expected and what was found.

    See Also
    --------
    ParseError

    Examples
    --------
    >>> print(Problem(7, 3, "2 x", "expected ':' after the count, found 'x'"))
    line 7, column 3: expected ':' after the count, found 'x'
    """

    line: int
    column: int
    text: str
    message: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.message}"


class Problems:
    """The problems met while reading one file: raised at once, or gathered with their lines."""

    def __init__(self, errors: Any, *, source: str = "") -> None:
        require_one_of(errors, ("raise", "report"), name="errors")
        self.source = source
        self.found: list[Problem] = []
        self.is_strict = errors == "raise"

    def meet(self, error: ParseError, *, line: int, text: str) -> None:
        """Raise the error of a line of the file with its place, or gather it."""
        text = BROKEN_BYTE.sub(lambda broken: f"\\x{ord(broken[0]) - 0xDC00:02x}", text)
        if self.is_strict:
            raise error.placed(line=line, text=text, source=self.source) from None
        self.found.append(Problem(line, error.column, text, str(error)))

    def by_line(self) -> tuple[Problem, ...]:
        """Return the problems gathered, from the first line of the file to the last."""
        return tuple(sorted(self.found, key=lambda problem: problem.line))
