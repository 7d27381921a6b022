"""The header of a PrefLib file, read and written: lines ``# KEY: value``.

The numbers in a header are checked against the file.

`read_header`, `read_names`, `read_categories`, `header_lines`; `Header` has the fields of a header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.arguments import texts_of
from porank.core.files import Problems, require_utf8
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.convert.profiles import Profile
    from porank.typing import Item


_FIELD = re.compile(r"\s*#\s*([^:]*?)\s*:\s*(.*?)\s*")
_NAME = re.compile(r"(ALTERNATIVE|CATEGORY) NAME ([0-9]{1,9})")
_NUMBER = re.compile(r"[0-9]{1,999}")
#: The fields with a number, and the meaning of the number.
_NUMBERS = {
    "NUMBER ALTERNATIVES": "the number of names",
    "NUMBER CATEGORIES": "the number of names of categories",
    "NUMBER VOTERS": "the sum of the counts",
    "NUMBER UNIQUE ORDERS": "the number of orders",
    "NUMBER UNIQUE PREFERENCES": "the number of orders",
}
#: Maximum number of alternatives or categories without names.
_MOST_UNNAMED = 100_000


class _HeaderLine(NamedTuple):
    """The value of a field of a header, and its line."""

    value: Any
    line: int
    text: str

    def meet(self, fault: str, problems: Problems, hint: str = "") -> None:
        """Report a problem with this line."""
        problems.meet(ParseError(fault, hint=hint), line=self.line, text=self.text)


@dataclass
class Header:
    """The fields of a PrefLib header, and the lines of the file below it."""

    fields: dict[str, _HeaderLine] = field(default_factory=dict)
    below: dict[int, str] = field(default_factory=dict)

    def read(self, number: int, text: str, problems: Problems) -> None:
        """Add the field in a line ``# KEY: value``."""
        try:
            require_utf8(text)
            match = _FIELD.fullmatch(text)
            if match is None:
                raise ParseError("expected '# KEY: value' in the header, found no ':'")
            key = " ".join(match[1].upper().split())
            self._state(key, _HeaderLine(match[2], number, text))
        except ParseError as error:
            problems.meet(error, line=number, text=text)

    def _state(self, key: str, stated: _HeaderLine) -> None:
        """Add a field, or raise an error if it is repeated."""
        if key in _NUMBERS:
            stated = stated._replace(value=_read_number(stated.value, key))
        elif name := _NAME.fullmatch(key):
            key = f"{name[1]} NAME {int(name[2])}"
        elif not stated.value:
            return
        if self.fields.setdefault(key, stated) is not stated:
            raise ParseError(f"expected the field {key} once, found it again")

    def names(self, kind: str) -> dict[int, _HeaderLine]:
        """Return number -> name of the alternatives or categories."""
        named = ((_NAME.fullmatch(key), stated) for key, stated in self.fields.items())
        found = {int(name[2]): stated for name, stated in named if name and name[1] == kind}
        return dict(sorted(found.items()))

    def numbers(self, key: str, problems: Problems) -> range:
        """Return the numbers from 1 to the number in a field."""
        stated = self.fields.get(key)
        if stated is not None and stated.value > _MOST_UNNAMED:
            wanted = f"expected at most {_MOST_UNNAMED:,} without names"
            stated.meet(f"{wanted} as {key}, found {stated.value}", problems)
        return range(1, 1 + min(stated.value if stated else 0, _MOST_UNNAMED))

    def metadata(self) -> dict[str, Any]:
        """Return the fields that are not about the file itself."""
        return {
            key.lower().replace(" ", "_"): stated.value
            for key, stated in self.fields.items()
            if key not in (*_NUMBERS, "FILE NAME", "DATA TYPE") and not _NAME.fullmatch(key)
        }

    def require(self, what: str, found: int, problems: Problems) -> None:
        """Report a problem for each field with another number."""
        for key, meaning in _NUMBERS.items():
            stated = self.fields.get(key)
            if meaning == what and stated is not None and stated.value != found:
                stated.meet(
                    f"expected {stated.value} as {what}, as {key} says, found {found}", problems
                )


def read_header(lines: Sequence[str], problems: Problems) -> Header:
    """Return the header of a PrefLib file, and the lines below it."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    stated = [*takewhile(lambda line: line[1].lstrip().startswith("#"), numbered)]
    header = Header(below=dict(numbered[len(stated) :]))
    for number, text in stated:
        header.read(number, text, problems)
    if not header.names("ALTERNATIVE") and "NUMBER ALTERNATIVES" not in header.fields:
        number, text = numbered[0] if numbered else (1, "")
        found = "none" if stated else "no header" if numbered else "an empty file"
        fault = f"expected NUMBER ALTERNATIVES or their names in the header, found {found}"
        hint = "" if stated else "preflib.org has today's form of old files, with '# KEY: value'"
        problems.meet(ParseError(fault, hint=hint), line=number, text=text)
    return header


def _read_number(text: str, what: str) -> int:
    """Return the whole number in a text of a header."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ParseError(f"expected a whole number as {what}, found {text.strip()!r:.60}")
    return int(text)


def read_names(header: Header, names: str, problems: Problems) -> dict[int, Item]:
    """Return number -> item of the alternatives in a PrefLib file."""
    found = header.names("ALTERNATIVE")
    if names == "numbers" and not found:
        return {number: number for number in header.numbers("NUMBER ALTERNATIVES", problems)}
    header.require("the number of names", len(found), problems)
    if names == "numbers":
        return {number: number for number in found}
    return _distinct_names(found, problems)


def read_categories(header: Header, problems: Problems) -> tuple[Item, ...]:
    """Return the categories in a PrefLib file: their names, or numbers if they have no names."""
    found = header.names("CATEGORY")
    if not found:
        return tuple(header.numbers("NUMBER CATEGORIES", problems))
    header.require("the number of names of categories", len(found), problems)
    return tuple(stated.value for stated in found.values())


def _distinct_names(found: dict[int, _HeaderLine], problems: Problems) -> dict[int, Item]:
    """Return number -> name, or report a problem if names are missing or repeated."""
    number_of: dict[str, int] = {}
    for number, stated in found.items():
        name = stated.value
        if name and number_of.setdefault(name, number) == number:
            continue
        fault = f"{name!r} for {number_of[name]} and {number}" if name else f"none for {number}"
        wanted = "expected a different name for each number"
        stated.meet(
            f"{wanted}, found {fault}", problems, "names='numbers' uses the numbers instead"
        )
    return {number: name for name, number in number_of.items()}


#: The fields that are always written, even if empty.
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


def header_lines(profile: Profile, name: str, kind: str, *, lines: int) -> Iterator[str]:
    """Yield the header of a PrefLib file with that many lines below it."""
    fields = {"FILE NAME": name, **dict.fromkeys(_FIELDS, ""), "DATA TYPE": kind}
    for key, value in profile.metadata.items():
        if key != "categories" and not (key == "names" and isinstance(value, Mapping)):
            fields[_field_of(key)] = _line_of(value, f"the metadata field {key!r}")
    names = _names_of(profile)
    fields["NUMBER ALTERNATIVES"] = str(len(names))
    fields["NUMBER VOTERS"] = str(profile.voters)
    fields["NUMBER UNIQUE ORDERS"] = str(lines)
    for number, text in enumerate(names, start=1):
        key = f"ALTERNATIVE NAME {number}"
        fields[key] = _line_of(text, key)
    yield from (f"# {key}: {value}" for key, value in fields.items())


def _names_of(profile: Profile) -> list[str]:
    """Return the names of the items in the header: those in the metadata, or their texts."""
    names = profile.metadata.get("names")
    if isinstance(names, Mapping) and all(item in names for item in profile.items):
        return [names[item] for item in profile.items]
    return list(texts_of(profile.items).values())


def _field_of(key: Any) -> str:
    """Return the field for a key of the metadata."""
    field = str(key).upper().replace("_", " ")
    header = Header()
    header.read(1, f"# {field}: 1", Problems("raise"))
    if key == "" or header.metadata() != {key: "1"}:
        raise PorankError(
            "expected lower-case keys in the metadata that the header does not use itself, such as "
            f"'title', found {key!r}"
        )
    return field


def _line_of(value: Any, what: str) -> str:
    """Return a value as one line of a header."""
    text = str(value)
    if not text or text != text.strip() or "\n" in text or "\r" in text:
        raise PorankError(
            f"expected one line of text without blanks at its ends as {what}, found {text!r}"
        )
    return text
