"""The header of a PrefLib file, as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.build.files.preflib_header import NUMBERS
from porank.core.arguments import texts_of
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.convert.profiles import Profile

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
    """Yield the fields of the header, each with its value.

    Parameters
    ----------
    profile : Profile
        Its metadata become fields.
    name, kind : str
        The name of the file, and its type.
    lines : int
        How many lines stand below the header.
    categories : sequence
        The names of the categories.

    Examples
    --------
    >>> from porank.convert.profiles import Profile
    >>> profile = Profile([{"A": 1}], [3])
    >>> fields = dict(fields_of(profile, "", "soc", lines=1, categories=()))
    >>> fields["NUMBER VOTERS"], fields["ALTERNATIVE NAME 1"]
    ('3', 'A')
    """
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
