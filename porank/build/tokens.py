"""The words of the notation: labels, operators and the ends of statements, each with its place.

A bare label runs to the next operator, ``;``, ``#`` or the end of the line; blanks within it count
as one, those around it not at all. A quoted one, in double or single quotes, is taken to the
letter, save for the escapes of Python that begin with a backslash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from porank.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPERATORS = {">": ">", "≻": ">", "~": "~", "∼": "~"}
_RESERVED = {
    "<": "write the preferred item first, B > A",
    "≺": "write the preferred item first, B > A",
    "=": "equals are written A ~ B",
    ",": "separate statements by ';'",
    "{": "equals are written A ~ B",
    "}": "equals are written A ~ B",
    "→": "write A > B",
    "⇒": "write A > B",
    "≽": "write A > B, or A ~ B",
    "≥": "write A > B, or A ~ B",
    "|": "items that are not compared are separate statements, A; B",
}
# An apostrophe within a word belongs to it; after a blank it would begin a quoted label.
_BARE = re.compile(r"""(?:[^\s>≻~∼;#<≺=,{}→⇒≽≥|"']|(?<=\S)'|\s+(?!'))+""")
_ESCAPE = re.compile(
    r"""\\(?:([\\"'nrt])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(0010[0-9a-fA-F]{4}|000[0-9a-fA-F]{5}))"""
)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}
_NEEDS_NO_QUOTES = re.compile(r"[\w.+*/:()&-]+(?: [\w.+*/:()&-]+)*")


@dataclass(frozen=True, slots=True)
class Token:
    """A label (kind "label"), an operator (">" or "~") or the end of a statement (";").

    Examples
    --------
    >>> end = Token(";", "", 1, 8, "A > B ;")
    >>> end.kind, end.column
    (';', 8)
    """

    kind: str
    label: str
    line: int
    column: int
    text: str

    def error(self, message: str) -> ParseError:
        """Return the error with the place of this token."""
        return ParseError.at(message, line=self.line, column=self.column, text=self.text)


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, the end of each line being the end of a statement.

    Examples
    --------
    >>> [token.label or token.kind for token in tokens_of("red wine≻'A; B'  # a comment")]
    ['red wine', '>', 'A; B', ';']
    """
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        column = 0
        while column < len(line) and line[column] != "#":
            if line[column].isspace():
                column += 1
                continue
            kind, label, end = _read_token(line, number, column)
            yield Token(kind, label, number, column + 1, line)
            column = end
        yield Token(";", "", number, column + 1, line)


def _read_token(line: str, number: int, column: int) -> tuple[str, str, int]:
    """Return kind, label and end of the token that begins at `column`, counted from 0."""
    letter = line[column]
    if letter in _OPERATORS:
        return _OPERATORS[letter], "", column + 1
    if letter == ";":
        return ";", "", column + 1
    if letter in "\"'":
        label, end = _read_quoted(line, number, column)
        return "label", label, end
    bare = _BARE.match(line, column)
    if bare is None:
        message = (
            f"expected an item, '>', '~' or ';', found {letter!r}; {_RESERVED[letter]}, "
            "or put the whole label in quotes"
        )
        raise ParseError.at(message, line=number, column=column + 1, text=line)
    if bare[0].endswith("-") and line.startswith(">", bare.end()):
        raise ParseError.at(
            "expected '>', found '->'; write A > B, and a label that ends in '-' in quotes",
            line=number,
            column=bare.end(),
            text=line,
        )
    if bare[0].count("(") != bare[0].count(")"):
        raise ParseError.at(
            "expected parentheses that close within the label; groups of equals need none",
            line=number,
            column=column + 1,
            text=line,
        )
    return "label", " ".join(bare[0].split()), bare.end()


def _read_quoted(line: str, number: int, start: int) -> tuple[str, int]:
    """Return the label whose opening quote stands at `start`, and where it ends."""
    letters: list[str] = []
    column = start + 1
    while column < len(line) and line[column] != line[start]:
        if line[column] != "\\":
            letters.append(line[column])
            column += 1
            continue
        escape = _ESCAPE.match(line, column)
        if escape is None:
            message = (
                r"expected \\, \", \', \n, \r, \t, \xhh, \uhhhh or \Uhhhhhhhh after a backslash"
            )
            raise ParseError.at(message, line=number, column=column + 1, text=line)
        letter, *codes = escape.groups()
        code = next(filter(None, codes), "")
        letters.append(chr(int(code, 16)) if code else _LETTERS.get(letter, letter))
        column = escape.end()
    if column == len(line):
        message = (
            f"expected {line[start]} at the end of the quoted label, found the end of the line"
        )
        raise ParseError.at(message, line=number, column=start + 1, text=line)
    return "".join(letters), column + 1


def spell_label(label: str) -> str:
    r"""Return the label as the notation writes it, in quotes if it must be.

    Examples
    --------
    >>> print(spell_label("red wine"), spell_label("Schindler's List"), spell_label("a\n> b"))
    red wine "Schindler's List" "a\n> b"
    """
    if _NEEDS_NO_QUOTES.fullmatch(label) and label.count("(") == label.count(")"):
        return label
    return f'"{"".join(map(_spell_letter, label))}"'


def _spell_letter(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    if letter.isprintable():
        return letter
    for name, meant in _LETTERS.items():
        if letter == meant:
            return "\\" + name
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
