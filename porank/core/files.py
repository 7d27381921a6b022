"""Files: texts read whole or line by line, written whole or not at all, and what is wrong in them.

What is wrong with a file is a `Problem` with its line: raised at once, or gathered by `Problems`
while the rest is read.

Reading: `Text`, `require_utf8`. Writing: `write_text`, `write_whole`.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import secrets
import shutil
import zlib
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_one_of
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(content: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file whole or not at all: beside its place first, then moved there."""
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        place.write_bytes(content)
        return
    beside = place.with_name(f".{place.name[:100]}.partial-{secrets.token_hex(8)}")
    try:
        beside.write_bytes(content)
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    except OSError as error:
        if error.errno is None:
            raise
        # The name of a file that nobody has asked for would say nothing.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        beside.unlink(missing_ok=True)


LINE_END = re.compile(r"\r\n|\r|\n")


class _Lent(io.TextIOWrapper):
    """The text of a file of bytes that stays open."""

    def close(self) -> None:
        """Let the file of bytes go, which whoever has opened it closes."""
        with contextlib.suppress(ValueError):
            self.detach()


#: So many lines are turned into bytes together.
_LINES_READ = 1 << 10
#: So many signs a file may have that is read whole.
_MOST_SIGNS = 10**9


#: What reading a compressed file raises when it is cut or no such file.
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class Text:
    """The text of a file, a path or an open one, handed out line by line or whole."""

    def __init__(
        self, source: Any, problems: Problems | None = None, *, is_compressed: bool = False
    ) -> None:
        self._lent = contextlib.ExitStack()
        is_open = hasattr(source, "readable")
        name = getattr(source, "name", "") if is_open else source
        if not is_open:
            source = self._lent.enter_context(_opened(source, is_compressed=is_compressed))
            name = os.fspath(name)
        self.name = name if isinstance(name, str) else ""
        self._problems = problems or Problems("raise")
        self._problems.source = self.name
        if not isinstance(source, io.TextIOBase):
            source = _Lent(source, "utf-8", "surrogateescape", newline="")
        self._file = source
        self._lines = self._checked()

    def __enter__(self) -> Text:
        return self

    def __exit__(self, _: object, error: object, __: object) -> None:
        self.close()
        if isinstance(error, ParseError) and not error.source:
            error.source = self.name

    def close(self) -> None:
        """Close the file, unless the caller has opened it."""
        self._lent.close()

    def __iter__(self) -> Iterator[str]:
        """Yield the lines of the text, with their ends."""
        return self._lines

    def peek(self) -> str:
        """Return the lines up to the first that is not empty, which are handed out all the same."""
        first = []
        for line in self._lines:
            first.append(line)
            if line.strip("\r\n"):
                break
        self._lines = chain(first, self._lines)
        return "".join(first)

    def read(self) -> str:
        """Return the whole text."""
        with _in_its_encoding():
            text: str = self._file.read(_MOST_SIGNS + 1)
        if len(text) > _MOST_SIGNS:
            found = f"expected a file of at most {_MOST_SIGNS:,} signs, found a longer one"
            raise ParseError(found, source=self.name)
        text = text.removeprefix("\ufeff")
        broken = BROKEN_BYTE.search(text) if self._problems.is_strict else None
        if broken is not None:
            before = LINE_END.split(text[: broken.start()])
            line = LINE_END.split(text[broken.start() - len(before[-1]) :], maxsplit=1)[0]
            self._require_utf8(line, len(before))
        return text

    def _checked(self) -> Iterator[str]:
        """Yield the lines, all of them UTF-8 if what is wrong is raised."""
        with _in_its_encoding():
            for number, line in enumerate(self._file, start=1):
                text = line if number > 1 else line.removeprefix("\ufeff")
                if self._problems.is_strict:
                    self._require_utf8(text.rstrip("\r\n"), number)
                yield text

    def _require_utf8(self, line: str, number: int) -> None:
        """Raise an error if a line of the text is not UTF-8 and what is wrong is raised."""
        try:
            require_utf8(line)
        except ParseError as error:
            self._problems.meet(error, line=number, text=line)


#: What stands for bytes that are not UTF-8 in a text that must be: signs that nobody uses.
_STAND_INS = {0xDC00 + byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}
_BROKEN_BYTES = {stand_in: broken for broken, stand_in in _STAND_INS.items()}


def encoded(text: str) -> bytes:
    """Return the text of a file in UTF-8, signs standing for the bytes that were not."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.translate(_STAND_INS).encode("utf-8", "backslashreplace")


def decoded(text: str) -> str:
    """Return a text that has been `encoded` as it stands in the file."""
    return text if text.isascii() else text.translate(_BROKEN_BYTES)


class TextBytes(io.RawIOBase):
    """The text of a file as bytes in UTF-8, down to where the file is damaged."""

    def __init__(self, text: Text) -> None:
        self._lines = iter(text)
        self._rest = b""
        self.damage: Exception | None = None
        #: What was read so far: signs that open or close a quote, and lines that are not empty.
        self.n_quotes = self.n_filled = 0

    def readable(self) -> bool:
        """Return that the bytes of the text can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes of the text, as many as fit."""
        self._rest = self._rest or encoded(self._next_lines())
        part = self._rest[: len(buffer)]
        self._rest = self._rest[len(part) :]
        buffer[: len(part)] = part
        return len(part)

    def _next_lines(self) -> str:
        lines = []
        try:
            for line in islice(self._lines, _LINES_READ):
                lines.append(line)  # noqa: PERF402, for those before a damage count
        except DAMAGED as error:
            self.damage = error
        text = "".join(lines)
        self.n_quotes += text.count('"')
        self.n_filled += len(lines) - lines.count("\n") - lines.count("\r\n")
        return text


@contextlib.contextmanager
def _in_its_encoding() -> Iterator[None]:
    """Let a file that was opened in another encoding than its own end in an error of ours."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ParseError(
            f"expected a text in {error.encoding}, as which the file was opened, found the byte "
            f"0x{error.object[error.start]:02x}",
            hint="open(path, encoding=...) reads other encodings",
        ) from None


def require_utf8(line: str) -> None:
    r"""Raise a bare `ParseError` if a byte of a line of a file was not UTF-8."""
    broken = None if line.isascii() else BROKEN_BYTE.search(line)
    if broken is None:
        return
    if line.startswith(_UTF16_MARKS):
        message = "expected a text in UTF-8, found one in UTF-16"
        raise ParseError(message, column=1, hint="open(path, encoding='utf-16') reads it")
    raise ParseError(
        f"expected a text in UTF-8, found the byte 0x{ord(broken[0]) - 0xDC00:02x}",
        column=broken.start() + 1,
        hint="open(path, encoding=...) reads other encodings",
    )


#: What a file in UTF-16 begins with, each byte for itself.
_UTF16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")


def _require_path(path: Any) -> str | os.PathLike[str]:
    """Return a path; what is none, or a text in the place of one, is an error."""
    if isinstance(path, (bytes, bytearray)):
        raise PorankError(
            f"expected a path or an open file, found {len(path)} bytes; io.BytesIO(content) makes "
            "a file of them"
        )
    if not isinstance(path, (str, os.PathLike)):
        found = "None" if path is None else f"a value of type {type(path).__name__}"
        raise PorankError(f"expected a path or an open file, found {found}")
    text = os.fspath(path)
    if any(sign in text for sign in "\r\n\0") or len(text) > _LONGEST_PATH:
        raise PorankError(
            f"expected the path of a file, found the text {text[:40]!r}"
            f"{'...' if len(text) > 40 else ''}; io.StringIO(text) makes a file of it"
        )
    return path


#: No path is longer than this.
_LONGEST_PATH = 4096


def _opened(path: Any, *, is_compressed: bool) -> Any:
    """Open the file of a path, and read its bytes."""
    _require_path(path)
    return gzip.open(path, "rb") if is_compressed else open(path, "rb")


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
    write_whole(content, _require_path(target))


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
