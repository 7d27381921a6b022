"""The header of a PrefLib file, read and written: lines ``# KEY: value``, or the old form.

The old form has no such lines: the number of alternatives, a line ``i,name`` for each, then
``voters,sum of counts,different orders``; or, in a wmd file, ``alternatives,edges`` and the names.
A number that a header states is held against the file, and never believed beyond what the file
shows: nothing is made in its size.

`read_header`, `read_names`, `header_lines`; `Header` is what a header says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
_NUMBER = re.compile(r"\s*[0-9]+\s*")
#: The fields that state a number, and what number that is.
_NUMBERS = {
    "NUMBER ALTERNATIVES": "",
    "NUMBER CATEGORIES": "",
    "NUMBER EDGES": "the number of edges",
    "NUMBER VOTERS": "the sum of the counts",
    "NUMBER UNIQUE ORDERS": "the number of orders",
    "NUMBER UNIQUE PREFERENCES": "the number of orders",
}
#: What the last line of the old header states, in its sequence.
_LAST_LINE = {
    "the first number": "the sum of the counts",
    "the second number": "the sum of the counts",
    "the third number": "the number of orders",
}
#: What states the number of edges in the old header of a wmd file.
_OLD_EDGES = "the first line"
_MEANINGS = {**_NUMBERS, **_LAST_LINE, _OLD_EDGES: "the number of edges"}
_LAST_FORM = "voters,sum of counts,different orders"
_COUNT_KEYS = {"ALTERNATIVE": "NUMBER ALTERNATIVES", "CATEGORY": "NUMBER CATEGORIES"}
#: So many alternatives or categories without names are believed in a file of any size.
_BELIEVED = 10_000


class _HeaderLine(NamedTuple):
    """What a line of a PrefLib header states, and which line that is."""

    value: Any
    line: int
    text: str

    def meet(self, fault: str, problems: Problems, hint: str = "") -> None:
        """Meet a problem with this line of a PrefLib header."""
        problems.meet(ParseError(fault, hint=hint), line=self.line, text=self.text)


@dataclass
class Header:
    """What the header of a PrefLib file states, and how many lines of the file it is."""

    names: dict[str, dict[int, _HeaderLine]] = field(
        default_factory=lambda: {"ALTERNATIVE": {}, "CATEGORY": {}}
    )
    fields: dict[str, _HeaderLine] = field(default_factory=dict)
    metadata: dict[str, _HeaderLine] = field(default_factory=dict)
    separator: str = ":"
    size: int = 0

    @property
    def is_old_graph(self) -> bool:
        """Whether it is the header of a PrefLib wmd file in the old form."""
        return _OLD_EDGES in self.fields

    def state(self, key: str, value: Any, line: str) -> None:
        """Take in what the last line read of a PrefLib header states."""
        name = _NAME.fullmatch(key)
        table: dict[Any, _HeaderLine] = self.metadata
        place: Any = key.lower().replace(" ", "_")
        if name is not None:
            table, place = self.names[name[1]], int(name[2])
        elif key in _MEANINGS:
            table, place, value = self.fields, key, _read_number(value, key)
        elif key == "FILE NAME" or not value:
            return
        elif key == "DATA TYPE":
            table, place, value = self.fields, key, value.lower()
        stated = _HeaderLine(value, self.size, line)
        if table.setdefault(place, stated) is not stated:
            raise ParseError(f"expected one field {key}, found it again")

    def require(self, what: str, found: int, problems: Problems) -> None:
        """Meet a problem for each field of a PrefLib header that states another number."""
        for key, meaning in _MEANINGS.items():
            stated = self.fields.get(key)
            if meaning == what and stated is not None and stated.value != found:
                stated.meet(
                    f"expected {stated.value} as {what}, as {key} says, found {found}", problems
                )


def read_header(lines: Sequence[str], problems: Problems) -> Header:
    """Return the header of a PrefLib file in either form."""
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    header = Header(size=first)
    if first == len(lines):
        fault = "expected a header or the number of alternatives, found an empty file"
        problems.meet(ParseError(fault), line=1, text="")
    elif lines[first].lstrip().startswith("#"):
        _read_fields(header, lines, problems)
        if not header.names["ALTERNATIVE"] and "NUMBER ALTERNATIVES" not in header.fields:
            fault = "expected NUMBER ALTERNATIVES or their names in the header, found none"
            problems.meet(ParseError(fault), line=first + 1, text=lines[first])
    else:
        _read_old_form(header, lines, problems)
    return header


def _read_fields(header: Header, lines: Sequence[str], problems: Problems) -> None:
    """Read the lines ``# KEY: value`` of a PrefLib header."""
    for number, line in enumerate(lines[header.size :], start=header.size + 1):
        if not line.strip():
            continue
        if not line.lstrip().startswith("#"):
            return
        header.size = number
        try:
            require_utf8(line)
            match = _FIELD.fullmatch(line)
            if match is None:
                raise ParseError("expected '# KEY: value' in the header, found no ':'")
            header.state(" ".join(match[1].upper().split()), match[2], line)
        except ParseError as error:
            problems.meet(error, line=number, text=line)


def _read_number(text: str, what: str, *, most_digits: int = 999) -> int:
    """Return the whole number that a PrefLib header states."""
    if not _NUMBER.fullmatch(text) or len(text.strip()) > most_digits:
        raise ParseError(f"expected a whole number as {what}, found {text.strip()!r:.60}")
    return int(text)


def _read_old_form(header: Header, lines: Sequence[str], problems: Problems) -> None:
    """Read the numbers and the names of an old PrefLib header without keys."""
    header.separator = ","
    numbered = enumerate(lines[header.size :], start=header.size + 1)
    for place, (number, line) in enumerate(row for row in numbered if row[1].strip()):
        stated = header.fields.get("NUMBER ALTERNATIVES")
        names = stated.value if stated else 0
        if place > names and header.is_old_graph:
            return
        header.size = number
        try:
            require_utf8(line)
            if place == 0:
                _read_first_line(header, line)
            elif place <= names:
                _read_old_name(header, line)
            else:
                _read_last_line(header, line)
                return
        except ParseError as error:
            problems.meet(error, line=number, text=line)
    if not header.is_old_graph:
        header.size = len(lines)
        fault = f"expected {_LAST_FORM!r} after the names, found the end of the file"
        problems.meet(ParseError(fault), line=len(lines), text=lines[-1])


def _read_first_line(header: Header, line: str) -> None:
    """Read the numbers of alternatives and edges that an old PrefLib header begins with."""
    number, comma, edges = line.partition(",")
    value = _read_number(number, "the number of alternatives in the first line")
    header.fields["NUMBER ALTERNATIVES"] = _HeaderLine(value, header.size, line)
    if comma:
        header.state(_OLD_EDGES, edges, line)


def _read_old_name(header: Header, line: str) -> None:
    """Read the line ``number,name`` of an old PrefLib header."""
    text, comma, name = line.partition(",")
    if not comma:
        raise ParseError("expected 'number,name' of an alternative, found no ','")
    number = _read_number(text, "the number of an alternative", most_digits=9)
    header.state(f"ALTERNATIVE NAME {number}", name.strip(), line)


def _read_last_line(header: Header, line: str) -> None:
    """Read the line of counts that ends an old PrefLib header."""
    cells = line.split(",")
    if len(cells) != len(_LAST_LINE):
        raise ParseError(f"expected {_LAST_FORM!r}, found {counted(len(cells), 'cell')}")
    for key, text in zip(_LAST_LINE, cells, strict=True):
        header.state(key, text, line)


def read_names(
    header: Header, kind: str, names: str, problems: Problems, *, signs: int
) -> dict[int, Item]:
    """Return number -> item of the alternatives or categories that a PrefLib header names."""
    key = _COUNT_KEYS[kind]
    found = dict(sorted(header.names[kind].items()))
    stated = header.fields.get(key, _HeaderLine(len(found), header.size, ""))
    if names == "numbers" and not found:
        return _unnamed(key, stated, max(signs, _BELIEVED), problems)
    first = 0 if 0 in found else 1
    lacking = next((place for place, there in enumerate(found, first) if place != there), None)
    if lacking is not None or len(found) != stated.value:
        why = "" if lacking is None else f", none for {lacking}"
        wanted = counted(stated.value, "name")
        stated.meet(f"expected {wanted}, as {key} says, found {len(found)}{why}", problems)
    if names == "numbers":
        return {number: number for number in found}
    return _distinct_names(found, problems)


def _unnamed(key: str, stated: _HeaderLine, most: int, problems: Problems) -> dict[int, Item]:
    """Return the alternatives of a PrefLib file without names, if not too many for it."""
    if stated.value > most:
        stated.meet(
            f"expected at most {most:,} without names as {key} in a file of this size, "
            f"found {stated.value}",
            problems,
        )
    return {number: number for number in range(1, min(stated.value, most) + 1)}


def _distinct_names(found: dict[int, _HeaderLine], problems: Problems) -> dict[int, Item]:
    """Return number -> name of a PrefLib header, if each has a name of its own."""
    number_of: dict[str, int] = {}
    for number, stated in found.items():
        name = stated.value
        if name and number_of.setdefault(name, number) == number:
            continue
        fault = f"{name!r} for {number_of[name]} and {number}" if name else f"none for {number}"
        wanted = "expected a name of its own for each number"
        stated.meet(
            f"{wanted}, found {fault}", problems, "names='numbers' takes the numbers instead"
        )
    return {number: name for name, number in number_of.items()}


#: The fields that are written in any case, though they be empty.
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


def header_lines(
    profile: Profile, name: str, kind: str, *, lines: int, categories: Sequence[Any]
) -> Iterator[str]:
    """Yield the header of a PrefLib file of a type, which has that many lines below it."""
    fields = {"FILE NAME": name, **dict.fromkeys(_FIELDS, ""), "DATA TYPE": kind}
    for key, value in profile.metadata.items():
        if key != "categories" and not (key == "names" and isinstance(value, Mapping)):
            fields[_field_of(key)] = _line_of(value, f"the metadata field {key!r}")
    names = _names_of(profile)
    fields["NUMBER ALTERNATIVES"] = str(len(names))
    if kind == "wmd":
        fields["NUMBER EDGES"] = str(lines)
    else:
        fields["NUMBER VOTERS"] = str(profile.voters)
        fields["NUMBER UNIQUE " + ("PREFERENCES" if kind == "cat" else "ORDERS")] = str(lines)
    if kind == "cat":
        fields["NUMBER CATEGORIES"] = str(len(categories))
    for what, texts in (("CATEGORY", categories), ("ALTERNATIVE", names)):
        for number, text in enumerate(texts, start=1):
            key = f"{what} NAME {number}"
            fields[key] = _line_of(text, key)
    yield from (f"# {key}: {value}" for key, value in fields.items())


def _names_of(profile: Profile) -> list[str]:
    """Return what a PrefLib header calls the items: the metadata's names, or their texts."""
    names = profile.metadata.get("names")
    if isinstance(names, Mapping) and all(item in names for item in profile.items):
        return [names[item] for item in profile.items]
    return list(texts_of(profile.items).values())


def _field_of(key: Any) -> str:
    """Return the field of a PrefLib header that a key of the metadata stands for."""
    field = key.upper().replace("_", " ") if isinstance(key, str) else ""
    is_own = field in ("FILE NAME", "DATA TYPE", *_NUMBERS) or field.startswith(
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
    """Return a value as one line of a PrefLib header."""
    text = str(value)
    if not text or text != text.strip() or "\n" in text or "\r" in text:
        raise PorankError(
            f"expected one line of text without blanks at its ends as {what}, found {text!r}"
        )
    return text
