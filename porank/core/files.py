"""Files: texts read whole or line by line, written whole or not at all, and what is wrong in them.

What is wrong with a file is a `Problem` with its line: raised at once, or gathered by `Problems`
while the rest is read.

Reading: `Text`, `require_utf8`. Writing: `write_text`, `write_whole`.
"""

from __future__ import annotations

import codecs
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
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_one_of
from porank.errors import ParseError, PorankError

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


def count_ends(text: str) -> int:
    """Return how many lines end in a piece of a file's text."""
    return text.count("\r") + text.count("\n") - text.count("\r\n")


#: What a file in UTF-16 begins with, each byte for itself.
_UTF16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")
#: So many signs of a text are read together.
_PART = 1 << 18
#: Lines of files are not longer, nor are the texts in JSON.
_LONGEST_LINE = 1 << 26
#: So many blanks, ends of lines and null bytes do not stand together in a text.
_MOST_BLANKS = 1 << 20
_BLANKS = " \t\r\n\f\v\0"


class Text:
    """The text of a file, a path or an open one, handed out as it is read.

    What has no end is refused before it fills the memory: it is no text, but was packed well.
    """

    def __init__(
        self, source: Any, problems: Problems | None = None, *, is_compressed: bool = False
    ) -> None:
        self._lent = contextlib.ExitStack()
        is_open = hasattr(source, "read")
        name = getattr(source, "name", "") if is_open else source
        if not is_open:
            opened = gzip.open if is_compressed else open
            source = self._lent.enter_context(_open_path(source, opened, "rb"))
            name = os.fspath(name)
        self.name = name if isinstance(name, str) else ""
        self._problems = problems or Problems("raise")
        self._problems.source = self.name
        self._file = source
        self._blocks = self._whole_lines()

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
        for block in self._blocks:
            yield from io.StringIO(block, newline="")

    def peek(self) -> str:
        """Return the first lines of the text, which are handed out all the same."""
        first = next(self._blocks, "")
        self._blocks = chain([first], self._blocks)
        return first

    def blocks(self) -> Iterator[str]:
        """Yield the text in blocks of some lines each."""
        return self._blocks

    def parts(self, ends: str = "\r\n", what: str = "lines") -> Iterator[str]:
        """Yield the text as it is read; each line, or text of JSON, has one of the ends."""
        signs = blanks = 0
        for number, part in enumerate(filter(None, self._decoded())):
            is_blank = not part.strip(_BLANKS)
            blanks = blanks + len(part) if is_blank else 0
            last = max(map(part.rfind, ends))
            signs = len(part) - last - 1 + (signs if last < 0 else 0)
            if max(signs - _LONGEST_LINE, blanks - _MOST_BLANKS) >= 0:
                found = (
                    f"a text, found {_MOST_BLANKS:,} blanks, empty lines or null bytes in a row"
                    if blanks >= _MOST_BLANKS
                    else f"{what} of less than {_LONGEST_LINE:,} signs, found a longer one"
                )
                raise ParseError(f"expected {found}", source=self.name)
            yield part if number else part.removeprefix("\ufeff")

    def _decoded(self) -> Iterator[str]:
        """Yield what the file holds as texts, bytes that are no UTF-8 each as a sign."""
        decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        # Of a file that is damaged, what stands before that is read.
        read = getattr(self._file, "read1", self._file.read)
        sizes = (_PART,) if hasattr(self._file, "readable") else ()
        try:
            while part := _require_texts(read(*sizes)):
                yield part if isinstance(part, str) else decode(part)
                if not sizes:
                    break
        except UnicodeDecodeError as error:
            raise _wrong_encoding(error) from None
        yield decode(b"", final=True)

    def _whole_lines(self) -> Iterator[str]:
        """Yield the text in blocks of whole lines, all UTF-8 if what is wrong is raised."""
        lines = 0
        rest: list[str] = []
        for part in self.parts():
            # The end of a line may be cut in two.
            cut = max(part.rfind("\n"), part.rfind("\r", 0, -1)) + 1
            if not cut or part.isspace():
                rest.append(part)
                continue
            block = "".join([*rest, part[:cut]])
            yield self._checked(block, lines)
            lines += count_ends(block)
            rest = [part[cut:]]
        yield self._checked("".join(rest), lines)

    def _checked(self, block: str, before: int) -> str:
        """Return a text, in which all is UTF-8 if what is wrong is to be raised."""
        broken = None if block.isascii() else BROKEN_BYTE.search(block)
        if broken is not None and self._problems.is_strict:
            lines = LINE_END.split(block[: broken.start()])
            line = LINE_END.split(block[broken.start() - len(lines[-1]) :], maxsplit=1)[0]
            self._problems.meet(_not_utf8(line), line=before + len(lines), text=line)
        return block

    def read(self, ends: str = "\r\n", what: str = "lines") -> str:
        """Return the whole text."""
        return self._checked("".join(self.parts(ends, what)), 0)


def require_utf8(line: str) -> None:
    r"""Raise a bare `ParseError` if a byte of a line of a file was not UTF-8."""
    if not line.isascii() and BROKEN_BYTE.search(line):
        raise _not_utf8(line)


def _not_utf8(line: str) -> ParseError:
    broken = next(BROKEN_BYTE.finditer(line))
    if line.startswith(_UTF16_MARKS):
        message = "expected a text in UTF-8, found one in UTF-16"
        return ParseError(message, column=1, hint="open(path, encoding='utf-16') reads it")
    return ParseError(
        f"expected a text in UTF-8, found the byte 0x{ord(broken[0]) - 0xDC00:02x}",
        column=broken.start() + 1,
        hint="open(path, encoding=...) reads other encodings",
    )


def _wrong_encoding(error: UnicodeDecodeError) -> ParseError:
    return ParseError(
        f"expected a text in {error.encoding}, as which the file was opened, found the byte "
        f"0x{error.object[error.start]:02x}",
        hint="open(path, encoding=...) reads other encodings",
    )


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
