"""Read and write text files, and collect the problems found in them.

A `Problem` is a faulty line of a file. `Problems` raises it at once, or collects it while the rest
of the file is read. A file is written completely or not at all.

Reading: `Text`, `opened`, `JoinedFile`, `name_of`, `require_utf8`. Writing: `write_text`,
`write_content`, `write_whole`.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import gzip
import io
import os
import re
import secrets
import shutil
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from porank.core.arguments import require_one_of
from porank.core.tables import one_line
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(content: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file completely or not at all: to a temporary file, which is then renamed."""
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        place.write_bytes(content)
        return
    partial = place.with_name(f".{place.name[:100]}.partial-{secrets.token_hex(8)}")
    try:
        partial.write_bytes(content)
        if place.exists():
            shutil.copymode(place, partial)
        partial.replace(place)
    except OSError as error:
        if error.errno is None:
            raise
        # Name the file that the user asked for, not the temporary file.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        partial.unlink(missing_ok=True)


LINE_END = re.compile(r"\r\n|\r|\n")


#: Maximum number of characters of a file that is read as a whole.
_MOST_SIGNS = 10**9


#: Errors raised for a compressed file that is truncated or not valid.
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class Text:
    """The text of a path or an open file, read line by line or as a whole."""

    def __init__(self, source: Any, problems: Problems | None = None) -> None:
        self._lent = contextlib.ExitStack()
        self.name = name_of(source)
        self._problems = problems or Problems("raise")
        self._problems.source = self.name
        file = opened(source, self._lent)
        if not isinstance(file, io.TextIOBase):
            file = io.TextIOWrapper(file, "utf-8", "surrogateescape", newline="")
            # Otherwise closing the text would close the file, too.
            self._lent.callback(file.detach)
        self._file = file

    def __enter__(self) -> Text:
        return self

    def __exit__(self, _: object, error: object, __: object) -> None:
        self.close()
        if isinstance(error, ParseError) and not error.source:
            error.source = self.name

    def close(self) -> None:
        """Close the file, unless the caller opened it."""
        self._lent.close()

    def __iter__(self) -> Iterator[str]:
        """Yield the lines with their ends; if problems are raised, all bytes must be UTF-8."""
        with in_its_encoding():
            for number, line in enumerate(self._file, start=1):
                text = line if number > 1 else line.removeprefix("\ufeff")
                fault = fault_of_bytes(text) if self._problems.is_strict else None
                if fault is not None:
                    self._problems.meet(fault, line=number, text=text.rstrip("\r\n"))
                yield text

    def read(self) -> str:
        """Return the whole text."""
        with in_its_encoding():
            text: str = self._file.read(_MOST_SIGNS + 1)
        if len(text) > _MOST_SIGNS:
            found = f"expected a file of at most {_MOST_SIGNS:,} characters, found a longer one"
            raise ParseError(found, source=self.name)
        self._file = io.StringIO(text, newline="")
        return "".join(self)


@contextlib.contextmanager
def in_its_encoding() -> Iterator[None]:
    """Turn a decoding error of a file that the caller opened into a `ParseError`."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ParseError(
            f"cannot read the file as {error.encoding}, with which it was opened: found the byte "
            f"0x{error.object[error.start]:02x}",
            hint="open it with open(path, encoding=...)",
        ) from None


def require_utf8(line: str) -> None:
    """Raise a `ParseError` without a place if a byte of a line of a file is not UTF-8."""
    fault = fault_of_bytes(line)
    if fault is not None:
        raise fault


def fault_of_bytes(line: str) -> ParseError | None:
    """Return the error for a line of a file with a byte that is not UTF-8, or None."""
    if line.startswith(POINTER):
        message = "expected data, found the pointer of Git LFS to a file that is not here"
        return ParseError(message, hint="git lfs pull fetches it")
    broken = None if line.isascii() else BROKEN_BYTE.search(line)
    if "\0" in line and not line.startswith(_UTF16_MARKS):
        hint = "a text in another encoding is read by open(path, encoding=...)"
        message = "expected a text, found the character NUL, as in a binary file"
        return ParseError(message, column=line.index("\0") + 1, hint=hint)
    if broken is None:
        return None
    if line.startswith(_UTF16_MARKS) and "\0" in line:
        message = "expected a text in UTF-8, found one in UTF-16"
        return ParseError(message, column=1, hint="open(path, encoding='utf-16') reads it")
    return ParseError(
        f"expected a text in UTF-8, found the byte 0x{ord(broken[0]) - 0xDC00:02x}",
        column=broken.start() + 1,
        hint=_LATIN,
    )


_LATIN = "open it with open(path, encoding=...), often 'cp1252', or iconv -f cp1252 -t utf-8 FILE"
#: The beginning of what Git LFS writes in the place of a file.
POINTER = "version https://git-lfs.github.com/spec/"
#: The byte order marks of UTF-16, each byte decoded as a character of its own.
_UTF16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")


def _require_path(path: Any) -> str | os.PathLike[str]:
    """Return a path, or raise an error for another type or for a text passed instead of a path."""
    if isinstance(path, (bytes, bytearray)):
        raise PorankError(
            f"expected a path or an open file, found {len(path)} bytes; use io.BytesIO(content)"
        )
    if not isinstance(path, (str, os.PathLike)):
        found = "None" if path is None else f"a value of type {type(path).__name__}"
        raise PorankError(f"expected a path or an open file, found {found}")
    text = os.fspath(path)
    if any(sign in text for sign in "\r\n\0") or len(text) > _LONGEST_PATH:
        raise PorankError(
            f"expected the path of a file, found the text {text[:40]!r}"
            f"{'...' if len(text) > 40 else ''}; use io.StringIO(text)"
        )
    return path


#: Maximum length of a path.
_LONGEST_PATH = 4096


def name_of(file: Any) -> str:
    """Return the name of a path or an open file; empty if it has none."""
    is_open = hasattr(file, "read") or hasattr(file, "write")
    name = getattr(file, "name", "") if is_open else file
    return os.fspath(name) if isinstance(name, (str, os.PathLike)) else ""


def opened(source: Any, lent: contextlib.ExitStack) -> Any:
    """Open a path, unpacked if compressed, to be closed with `lent`; keep an open file."""
    if hasattr(source, "readable"):
        require_open(source)
        return source
    path = _require_path(source)
    is_packed = os.fspath(path).endswith(".gz")
    if os.path.isfile(path) and not os.path.getsize(path):
        raise ParseError("expected data, found an empty file", source=os.fspath(path))
    return lent.enter_context(gzip.open(path, "rb") if is_packed else open(path, "rb"))


def require_open(file: Any) -> None:
    """Raise an error if an open file has been closed."""
    if getattr(file, "closed", False) is True:
        raise PorankError("expected an open file, found a closed one")


def write_text(text: str, path: Any) -> None:
    """Write a text to an open file, or in UTF-8 to a path; compress it if the path ends in .gz."""
    if "\0" in text:
        raise PorankError("cannot write the character NUL to a file of text")
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PorankError(f"cannot write the text as UTF-8: found {text[error.start]!r}") from None
    write_content(content, path)


def write_content(content: bytes, path: Any) -> None:
    """Write bytes to an open file, or to a path; compress them if the path ends in .gz."""
    if hasattr(path, "write"):
        require_open(path)
        _write_stream(content, path)
        return
    path = _require_path(path)
    # Without the time, the same content gives the same file.
    write_whole(
        gzip.compress(content, mtime=0) if os.fspath(path).endswith(".gz") else content, path
    )


def _write_stream(content: bytes, path: Any) -> None:
    """Write the text in some bytes to an open file, or the bytes if the file takes only bytes."""
    forms: list[Any] = [content]
    with contextlib.suppress(UnicodeDecodeError):
        forms = [content.decode(), content]
    for form in forms:
        try:
            path.write(form)
        except TypeError:
            continue
        except UnicodeEncodeError as error:
            raise PorankError(
                f"cannot write the text as {error.encoding}, with which the file was opened: "
                f"found {error.object[error.start]!r}"
            ) from None
        return
    raise PorankError(
        f"expected a path or an open file, found a value of type {type(path).__name__}, to which "
        "it cannot be written"
    )


#: A surrogate that replaces a byte that is not UTF-8; it cannot be printed.
BROKEN_BYTE = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, repr=False)
class Problem:
    """A line of a file that could not be read, and the reason.

    Attributes
    ----------
    line, column : int
        Position, counted from 1; column 0 means the whole line.
    text : str
        The line.
    message : str
        What was expected and what was found.

    See Also
    --------
    ParseError

    Examples
    --------
    >>> from porank.results import Problem
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

    def __repr__(self) -> str:
        return one_line(self, str(self))


class Problems:
    """The problems found while reading one file: raised at once, with a hint, or collected."""

    def __init__(self, errors: Any, *, source: str = "", hint: str = "") -> None:
        require_one_of(errors, ("raise", "report"), name="errors")
        self.source, self._hint = source, hint
        self.found: list[Problem] = []
        self.is_strict = errors == "raise"

    def meet(self, error: ParseError, *, line: int, text: str) -> None:
        """Raise the error of a line of the file with its position, or collect it."""
        text = BROKEN_BYTE.sub(lambda broken: f"\\x{ord(broken[0]) - 0xDC00:02x}", text)
        if self.is_strict:
            # Who knows the encoding need not skip rows.
            error.hint = error.hint or self._hint * (_LATIN not in error.finding)
            raise error.placed(line=line, text=text, source=self.source) from None
        self.found.append(Problem(line, error.column, text, str(error)))

    def by_line(self) -> tuple[Problem, ...]:
        """Return the collected problems, sorted by line of the file."""
        return tuple(sorted(self.found, key=lambda problem: problem.line))


class JoinedFile(io.RawIOBase):
    """Several open files, read one after the other as one file; it does not close them."""

    def __init__(self, *files: Any) -> None:
        self._files = list(files)
        _JOINED.add(self)

    def readable(self) -> bool:
        """Return True, because the bytes can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer: as many as fit, from one of the files."""
        part = b""
        while self._files and not part:
            part = self._files[0].read(len(buffer))
            if not part:
                self._files.pop(0)
        buffer[: len(part)] = part
        return len(part)


#: The files that pyarrow may still hold.
_JOINED: WeakSet[JoinedFile] = WeakSet()


@atexit.register
def _wait_for_readers() -> None:
    """Wait at the end of the program until pyarrow has let go of files, for at most a second.

    A thread that has read ahead needs the interpreter for that. If the interpreter is ending then,
    it aborts the program.
    """
    if _JOINED:
        gc.collect()
    for _ in range(1000):
        if not _JOINED:
            break
        time.sleep(0.001)
