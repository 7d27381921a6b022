"""What stands before the orders in a PrefLib file: lines ``# KEY: value``, or the old form.

The old form has no such lines: the number of alternatives, a line ``i,name`` for each, then
``voters,sum of counts,different orders``.

The header of a PrefLib file, as it is written.

The shape of a line in a PrefLib file: how many alternatives stand on each level.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.arguments import texts_of
from porank.core.files import require_utf8
from porank.errors import ParseError, PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.convert.profiles import Profile
    from porank.core.files import Problems
    from porank.typing import Item


_FIELD = re.compile(r"\s*#\s*([^:]*?)\s*:\s*(.*?)\s*")
_NAME = re.compile(r"(ALTERNATIVE|CATEGORY) NAME ([0-9]{1,9})")
_NUMBER = re.compile(r"\s*[0-9]{1,999}\s*")
#: What the last line of the old header states, and the fields of the new one that say so.
VOTERS = "NUMBER VOTERS", "the first number", "the second number"
ORDERS = "NUMBER UNIQUE ORDERS", "NUMBER UNIQUE PREFERENCES", "the third number"
#: The fields that state a number to be held against the file.
NUMBERS = (
    "NUMBER ALTERNATIVES",
    "NUMBER CATEGORIES",
    "NUMBER EDGES",
    "NUMBER VOTERS",
    "NUMBER UNIQUE ORDERS",
    "NUMBER UNIQUE PREFERENCES",
)
_OLD_FORM = "voters,sum of counts,different orders"
_OLD_NUMBERS = VOTERS[1], VOTERS[2], ORDERS[2]


@dataclass(frozen=True)
class Stated:
    """What a line of the header states, and which line that is."""

    value: Any
    line: int
    text: str


@dataclass
class Header:
    """The header of a file."""

    names: dict[int, Stated] = field(default_factory=dict)
    categories: dict[int, Stated] = field(default_factory=dict)
    numbers: dict[str, Stated] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    data_type: Stated | None = None
    separator: str = ":"
    size: int = 0

    def require(self, key: str, found: int, what: str, problems: Problems) -> None:
        """Meet a problem unless a field states the number that was found, or is not there."""
        stated = self.numbers.get(key)
        if stated is not None and stated.value != found:
            problems.meet(
                ParseError(f"expected {stated.value} as {what}, as {key} says, found {found}"),
                line=stated.line,
                text=stated.text,
            )


def read_header(lines: Sequence[str], problems: Problems) -> Header:
    """Return the header of a file in either form."""
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        fault = ParseError("expected a header or the number of alternatives, found an empty file")
        problems.meet(fault, line=1, text="")
        return Header(size=first)
    if not lines[first].lstrip().startswith("#"):
        return _read_old_form(lines, first, problems)
    header = Header(size=first)
    for line in lines[first:]:
        if line.strip() and not line.lstrip().startswith("#"):
            break
        header.size += 1
        try:
            require_utf8(line)
            _read_field(header, line)
        except ParseError as error:
            problems.meet(error, line=header.size, text=line)
    if not header.names and "NUMBER ALTERNATIVES" not in header.numbers:
        fault = ParseError("expected NUMBER ALTERNATIVES or their names in the header, found none")
        problems.meet(fault, line=first + 1, text=lines[first])
    return header


def _read_field(header: Header, line: str) -> None:
    if not line.strip():
        return
    match = _FIELD.fullmatch(line)
    if match is None:
        raise ParseError("expected '# KEY: value' in the header, found no ':'")
    key, value = " ".join(match[1].upper().split()), match[2]
    name = _NAME.fullmatch(key)
    if name is not None:
        names = header.names if name[1] == "ALTERNATIVE" else header.categories
        _add_once(names, int(name[2]), Stated(value, header.size, line), key)
    elif key in NUMBERS:
        _add_once(header.numbers, key, Stated(_read_number(value, key), header.size, line), key)
    elif key == "DATA TYPE":
        if header.data_type is not None:
            raise ParseError(f"expected one field {key}, found it again")
        header.data_type = Stated(value.lower(), header.size, line) if value else None
    elif key != "FILE NAME" and value:
        _add_once(header.metadata, key.lower().replace(" ", "_"), value, key)


def _add_once(known: dict[Any, Any], key: Any, value: Any, field_name: str) -> None:
    if known.setdefault(key, value) is not value:
        raise ParseError(f"expected one field {field_name}, found it again")


def _read_number(text: str, what: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ParseError(f"expected a whole number as {what}, found {text.strip()!r}")
    return int(text)


def _read_old_form(lines: Sequence[str], first: int, problems: Problems) -> Header:
    header = Header(separator=",", size=first)
    position = 0
    for line in lines[first:]:
        header.size += 1
        if not line.strip():
            continue
        try:
            require_utf8(line)
            is_last = _read_old_line(header, line, position)
        except ParseError as error:
            problems.meet(error, line=header.size, text=line)
            is_last = False
        if is_last:
            return header
        position += 1
    fault = ParseError(f"expected {_OLD_FORM!r} after the names, found the end of the file")
    problems.meet(fault, line=header.size, text=lines[header.size - 1])
    return header


def _read_old_line(header: Header, line: str, position: int) -> bool:
    """Read a line of the old form and say whether it is the last one of the header."""
    if position == 0:
        number = _read_number(line, "the number of alternatives in the first line")
        header.numbers["NUMBER ALTERNATIVES"] = Stated(number, header.size, line)
        return False
    stated = header.numbers.get("NUMBER ALTERNATIVES")
    if stated is not None and position <= stated.value:
        text, comma, name = line.partition(",")
        if not comma:
            raise ParseError("expected 'number,name' of an alternative, found no ','")
        number = _read_number(text, "the number of an alternative")
        named = Stated(name.strip(), header.size, line)
        _add_once(header.names, number, named, f"for the name of alternative {number}")
        return False
    numbers = line.split(",")
    if len(numbers) != 3:
        raise ParseError(f"expected {_OLD_FORM!r}, found {counted(len(numbers), 'cell')}")
    for key, text in zip(_OLD_NUMBERS, numbers, strict=True):
        header.numbers[key] = Stated(_read_number(text, key), header.size, line)
    return True


def read_names(
    header: Header, names: str, problems: Problems, *, kind: str = "alternative"
) -> dict[int, Item]:
    """Return number -> item of the alternatives or the categories, in the sequence of numbers."""
    is_alternative = kind == "alternative"
    key = "NUMBER ALTERNATIVES" if is_alternative else "NUMBER CATEGORIES"
    found = dict(sorted((header.names if is_alternative else header.categories).items()))
    stated = header.numbers.get(key)
    if stated is None:
        stated = Stated(len(found), header.size, "")
    if names == "numbers" and not found:
        return {number: number for number in range(1, stated.value + 1)}
    if list(found) != list(range(1, stated.value + 1)):
        wanted = range(1, max(found, default=0) + 1)
        lacking = [number for number in wanted if number not in found]
        why = f", none for {lacking[0]}" if lacking else ""
        problems.meet(
            ParseError(
                f"expected {counted(stated.value, 'name')}, as {key} says, found {len(found)}{why}"
            ),
            line=stated.line,
            text=stated.text,
        )
    if names == "numbers":
        return {number: number for number in found}
    return _distinct_names(found, problems)


def _distinct_names(found: dict[int, Stated], problems: Problems) -> dict[int, Item]:
    number_of: dict[str, int] = {}
    for number, stated in found.items():
        name = stated.value
        if name and number_of.setdefault(name, number) == number:
            continue
        fault = f"{name!r} for {number_of[name]} and {number}" if name else f"none for {number}"
        problems.meet(
            ParseError(
                f"expected a name of its own for each number, found {fault}; "
                "names='numbers' takes the numbers instead"
            ),
            line=stated.line,
            text=stated.text,
        )
    return {number: name for name, number in number_of.items()}


_FIELDS = (
    "TITLE",
    "DESCRIPTION",
    "DATA TYPE",
    "MODIFICATION TYPE",
    "RELATES TO",
    "RELATED FILES",
    "PUBLICATION DATE",
    "MODIFICATION DATE",
)


def fields_of(
    profile: Profile, name: str, kind: str, *, lines: int, categories: Sequence[Any]
) -> Iterator[tuple[str, str]]:
    """Yield the fields of the header, each with its value."""
    fields = {"FILE NAME": name, **dict.fromkeys(_FIELDS, ""), "DATA TYPE": kind}
    for key, value in profile.metadata.items():
        if key != "categories" and not (key == "names" and isinstance(value, Mapping)):
            fields[_read_key(key)] = _line_of(value, f"the metadata field {key!r}")
    names = _names_of(profile)
    fields["NUMBER ALTERNATIVES"] = str(len(names))
    if kind == "wmd":
        fields["NUMBER EDGES"] = str(lines)
    else:
        fields["NUMBER VOTERS"] = str(profile.voters)
        fields["NUMBER UNIQUE " + ("PREFERENCES" if kind == "cat" else "ORDERS")] = str(lines)
    if kind == "cat":
        fields["NUMBER CATEGORIES"] = str(len(categories))
    yield from fields.items()
    for what, texts in (("CATEGORY", categories), ("ALTERNATIVE", names)):
        for number, text in enumerate(texts, start=1):
            key = f"{what} NAME {number}"
            yield key, _line_of(text, key)


def _names_of(profile: Profile) -> list[str]:
    """Return what the items are called: numbers by the names in the metadata, if all have one."""
    names = profile.metadata.get("names")
    if isinstance(names, Mapping) and all(item in names for item in profile.items):
        return [names[item] for item in profile.items]
    return list(texts_of(profile.items).values())


def _read_key(key: Any) -> str:
    """Return the field of a header that a key of the metadata stands for."""
    field = key.upper().replace("_", " ") if isinstance(key, str) else ""
    is_own = field in ("FILE NAME", "DATA TYPE", *NUMBERS) or field.startswith(
        ("ALTERNATIVE NAME", "CATEGORY NAME")
    )
    is_read_back = " ".join(field.split()).lower().replace(" ", "_") == key
    if not field or is_own or ":" in field or "#" in field or not is_read_back:
        raise PorankError(
            "expected a key in small letters that the header does not use itself, such as 'title', "
            f"in the metadata, found {key!r}"
        )
    return field


def _line_of(value: Any, what: str) -> str:
    text = str(value)
    if not text or text != text.strip() or "\n" in text or "\r" in text:
        raise PorankError(
            f"expected one line of text without blanks at its ends as {what}, found {text!r}"
        )
    return text


_DIGITS = bytes.maketrans(b"023456789", b"111111111")
_LEVEL = rb"(?:\{ *1(?: *, *1)* *\}|1)"


class Shape(NamedTuple):
    """How many alternatives stand on each level."""

    sizes: tuple[int, ...] | None
    width: int
    levels: bytes


def shape_of(sizes: tuple[int, ...]) -> Shape:
    """Return the shape of a line with levels of these sizes."""
    levels = array("i", chain.from_iterable(map(repeat, range(len(sizes)), sizes)))
    return Shape(sizes if set(sizes) - {1} else None, len(levels), levels.tobytes())


def mask_numbers(text: bytes) -> bytes:
    """Return the text with ``1`` for each number."""
    text = text.translate(_DIGITS)
    while b"11" in text:
        text = text.replace(b"11", b"1")
    return text


class Shapes(dict[bytes, "Shape | None"]):
    """Shapes by lines with ``1`` for each number; None if that is no line of numbers and braces."""

    def __init__(self, separator: str, *, is_strict: bool = False) -> None:
        super().__init__()
        self._is_strict = is_strict
        self._separator = separator.encode()
        self._is_ranking = re.compile(
            rb" *1 *%b *%b(?: *, *%b)* *" % (self._separator, _LEVEL, _LEVEL)
        ).fullmatch

    def __missing__(self, line: bytes) -> Shape | None:
        self[line] = self._read(line) if self._is_ranking(line) else None
        return self[line]

    def _read(self, line: bytes) -> Shape | None:
        before, *groups = line.partition(self._separator)[2].split(b"{")
        sizes = [1] * before.count(b"1")
        for group in groups:
            tied, _, after = group.partition(b"}")
            sizes += [tied.count(b"1"), *[1] * after.count(b"1")]
        shape = shape_of(tuple(sizes))
        return None if self._is_strict and shape.sizes else shape
