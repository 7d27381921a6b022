"""PrefLib files of orders: soc, soi, toc, toi and cat [1]_.

Below the header, a line ``count: 3,{1,2},4`` is an order, best first, with ties in braces.

`read_preflib`, `write_preflib`; the header is in `preflib_header`.

References
----------
.. [1] N. Mattei, T. Walsh, "PrefLib: A Library for Preferences", Algorithmic Decision Theory, 2013,
   pp. 259-270. https://doi.org/10.1007/978-3-642-41575-3_20
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from porank.convert.profiles import Profile
from porank.core.arguments import require_one_of
from porank.core.files import LINE_END, Problems, Text, name_of, require_utf8, write_text
from porank.errors import NotApplicableError, ParseError, PorankError, a_kind, counted, listed
from porank.readwrite.preflib_header import header_lines, read_categories, read_header, read_names

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from porank.readwrite.preflib_header import Header
    from porank.typing import Item

#: The levels of an order, best first.
_Levels: TypeAlias = "Sequence[Sequence[Item]]"

_TYPES = ("soc", "soi", "toc", "toi", "cat")
_WRITTEN = ("soc", "soi", "toc", "toi")
#: Types of PrefLib whose lines are pairs, which would be mistaken for short rankings, and what to
#: do with such a file.
_OF_PAIRS = {
    **dict.fromkeys(
        ("tog", "mjg", "wmg", "pwg"),
        "read the file of orders that it was computed from; majority_graph(profile) computes the "
        "pairs",
    ),
    "wmd": "nx.read_weighted_edgelist(path, delimiter=',', create_using=nx.DiGraph) reads it",
}


def read_preflib(
    source: Any,
    *,
    names: str = "names",
    unranked: str = "ignore",
    errors: str = "raise",
) -> Profile:
    r"""Read the profile in a PrefLib file.

    Each line is an order with its count. Alternatives in braces are tied. The type of the file
    (soc, soi, toc, toi or cat) is that in the header, otherwise the suffix. Without both, orders
    may be incomplete and have ties.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8, with a header.
    names : {"names", "numbers"}
        Whether items are the names of the alternatives or their numbers.
    unranked : {"ignore", "last"}
        Whether alternatives that a line does not list are absent from its order, or tied below all
        others.
    errors : {"raise", "report"}
        ``"raise"`` stops at the first bad line; ``"report"`` skips bad lines and lists them in
        `problems`.

    Returns
    -------
    Profile
        The orders are scores, where the lowest level has 1; in cat files the last category has 1.
        The metadata are the ``categories`` and the fields of the header, except those that describe
        the file itself.

    Raises
    ------
    ParseError
        If a line is not in the format or contradicts the header, with line and column.
    PorankError
        If an option is unknown, the lines of the type are pairs, or `source` is neither a path nor
        an open file.

    See Also
    --------
    write_preflib, Profile

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> text = "# DATA TYPE: toi\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n"
    >>> text += "# ALTERNATIVE NAME 3: C\n5: 3,{1,2}\n2: 1,3\n"
    >>> profile = po.read_preflib(io.StringIO(text))
    >>> profile.counts, profile.orders
    ((5, 2), ({'C': 2, 'A': 1, 'B': 1}, {'A': 2, 'C': 1}))
    >>> last = po.read_preflib(io.StringIO(text), unranked="last")
    >>> last.orders[1]
    {'A': 2, 'C': 1, 'B': 0}

    Notes
    -----
    Time O(n) for n alternatives in all lines together. The file is read at once.
    """
    require_one_of(names, ("names", "numbers"), name="names")
    require_one_of(unranked, ("ignore", "last"), name="unranked")
    problems = Problems(errors)
    with Text(source, problems) as file:
        text = file.read()
    lines = LINE_END.split(text)
    header = read_header(lines, problems)
    kind = _choose_type(header, problems)
    items = read_names(header, names, problems)
    metadata = header.metadata()
    if names == "numbers" and (named := header.names("ALTERNATIVE")):
        metadata["names"] = {number: stated.value for number, stated in named.items()}
    item_of = {str(number): item for number, item in items.items()}
    categories: Sequence[Item] = ()
    if kind == "cat":
        categories = read_categories(header, problems)
        metadata["categories"] = categories
    form = _OrderForm(kind, item_of, categories)
    orders, counts = _read_orders(header, form, problems)
    profile = Profile(orders, counts, tuple(items.values()), metadata, problems.by_line())
    return profile.completed() if unranked == "last" else profile


def _choose_type(header: Header, problems: Problems) -> str:
    """Return the type of a PrefLib file by its header, its suffix or its fields."""
    stated = header.fields.get("DATA TYPE")
    suffix = _suffix_of(problems.source)
    kind = stated.value.lower() if stated else suffix
    if kind in _OF_PAIRS:
        error = ParseError(
            f"expected a file of type {', '.join(_TYPES)}, found {kind!r}, whose lines are no "
            "orders",
            hint=_OF_PAIRS[kind],
        )
        line, text = (stated.line, stated.text) if stated else (0, "")
        raise error.placed(line=line, text=text, source=problems.source)
    if stated and kind not in _TYPES:
        stated.meet(f"expected one of {', '.join(_TYPES)} as DATA TYPE, found {kind!r}", problems)
        kind = suffix
    if kind in _TYPES:
        return kind
    return "cat" if "NUMBER CATEGORIES" in header.fields else ""


def _suffix_of(name: str) -> str:
    """Return the suffix of a PrefLib file, also if it is compressed."""
    return PurePath(name.removesuffix(".gz")).suffix.lower().removeprefix(".")


class _OrderForm(NamedTuple):
    """The form of the orders in a PrefLib file: its type, and its alternatives by their texts."""

    kind: str
    item_of: Mapping[str, Item]
    categories: Sequence[Item]


def _read_orders(
    header: Header, form: _OrderForm, problems: Problems
) -> tuple[list[dict[Item, int]], list[int]]:
    """Return the orders in lines ``count: order``, with the counts of equal orders added up."""
    lines = header.below
    voters = {number: _read_count(line) for number, line in lines.items()}
    first: dict[frozenset[tuple[Item, int]], int] = {}
    orders: dict[int, dict[Item, int]] = {}
    counts: dict[int, int] = {}
    again = 0
    for number, line in lines.items():
        try:
            scores = _read_scores(line, voters[number], form)
            before = first.setdefault(frozenset(scores.items()), number)
            if before != number:
                counts[before] += voters[number]
                again += 1
                found = f"found that of line {before} again"
                raise ParseError(f"expected each order on one line, {found}")
            orders[number], counts[number] = scores, voters[number]
        except ParseError as error:
            problems.meet(error, line=number, text=line)
    header.require("the number of orders", len(lines) - again, problems)
    if all(voters.values()):
        header.require("the sum of the counts", sum(voters.values()), problems)
    return list(orders.values()), list(counts.values())


_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")
_BLANKS = " \t"


def _read_count(line: str) -> int:
    """Return how many voters have the order in a line, or 0 if the line does not say it."""
    count = line.partition(":")[0].strip()
    return int(count) if _COUNT.fullmatch(count) else 0


def _read_scores(line: str, voters: int, form: _OrderForm) -> dict[Item, int]:
    """Return the order in a line as scores, or raise an error without its place."""
    require_utf8(line)
    count, separator, text = line.partition(":")
    if not voters:
        found = f"found {count.strip()!r:.60}"
        raise ParseError(f"expected a whole number above 0 as count, {found}", column=1)
    if not separator:
        raise ParseError("expected ':' after the count, found none")
    levels = _split_levels(text, len(count) + 1, form) if text.strip() else []
    if fault := _misfit(levels, form.kind, form.item_of.values(), form.categories):
        raise ParseError(fault)
    return {item: len(levels) - k for k, level in enumerate(levels) for item in level}


def _split_levels(text: str, start: int, form: _OrderForm) -> list[list[Item]]:
    """Return the levels of an order in a line, where its text starts at that column."""
    levels: list[list[Item]] = []
    present: set[Item] = set()
    end, opened = start, 0
    for cell in text.split(","):
        number, column = cell.strip(_BLANKS), end + 1
        end += len(cell) + 1
        if not opened:
            levels.append([])
            if number.startswith("{"):
                number, opened = number[1:].lstrip(_BLANKS), column + cell.index("{")
        if opened and number.endswith("}"):
            number, opened = number[:-1].rstrip(_BLANKS), 0
            if form.kind == "cat" and not (number or levels[-1]):
                continue
        item = form.item_of.get(number)
        if item is None or item in present:
            wanted = f"expected the number of one of the {len(form.item_of)} alternatives"
            fault = f"{wanted}, found {number!r:.60}"
            if item is not None:
                fault = f"expected each alternative once, found {number} ({item!r}) again"
            raise ParseError(fault, column=end - len(cell.lstrip(_BLANKS)))
        present.add(item)
        levels[-1].append(item)
    if opened:
        raise ParseError("expected '}' to close this '{'", column=opened)
    return levels


def _misfit(
    levels: Sequence[Sequence[Item]],
    kind: str,
    items: Collection[Item],
    categories: Collection[Item],
) -> str:
    """Return the reason why an order does not fit a PrefLib file of that type, or an empty text."""
    wanted = found = ""
    if not levels:
        wanted, found = "at least one alternative", "none"
    elif kind == "cat" and len(levels) != len(categories):
        wanted = counted(len(categories), "category", "categories")
        found = counted(len(levels), "level")
    elif kind in ("soc", "soi") and (most := max(map(len, levels))) > 1:
        wanted, found = "no ties", f"{most} tied items"
    elif kind in ("soc", "toc") and (present := sum(map(len, levels))) < len(items):
        there = set(chain.from_iterable(levels))
        wanted = f"all {len(items)} alternatives"
        found = f"{present}, without {listed(item for item in items if item not in there)}"
    where = f" in a file of type {kind}" if kind else ""
    return wanted and f"expected {wanted}{where}, found {found}"


def write_preflib(profile: Profile, path: Any) -> None:
    """Write a profile to a PrefLib file, each distinct order once.

    The type (soc, soi, toc or toi) is the suffix of the file, or without a suffix the narrowest one
    that the profile fits.

    Equal orders of the profile become one line, at the place of the first one, with the sum of
    their counts.

    Parameters
    ----------
    profile : Profile
        The profile; its items become the names of the alternatives, numbered in their order.
    path : path or open file
        An existing file is replaced only after everything has been written.

    Raises
    ------
    NotApplicableError
        If the profile does not fit the type; the message names an order that does not, and a type
        that does. Also if an order has no items.
    PorankError
        If a name or a metadata field is not a single line of text, two items have the same text, or
        `path` is neither a path nor an open file.

    See Also
    --------
    read_preflib, Profile

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_preflib(po.Profile([{"A": 2, "B": 1, "C": 1}], counts=[5]), file)
    >>> print(file.getvalue().partition("# NUMBER ALTERNATIVES")[2], end="")
    : 3
    # NUMBER VOTERS: 5
    # NUMBER UNIQUE ORDERS: 1
    # ALTERNATIVE NAME 1: A
    # ALTERNATIVE NAME 2: B
    # ALTERNATIVE NAME 3: C
    5: 1,{2,3}
    >>> po.write_preflib(po.Profile([{"A": 2, "B": 1, "C": 1}]), "file.soc")
    Traceback (most recent call last):
    porank.errors.NotApplicableError: expected no ties in a file of type soc, found 2 tied items
    in order 1; the profile fits toc

    Notes
    -----
    Time linear in the number of items in all orders, plus ranking those that are graphs.
    Categories are written as levels.
    """
    if not isinstance(profile, Profile):
        raise PorankError(f"expected a Profile, found {a_kind(profile)}; use Profile(orders)")
    kind = _suffix_of(name_of(path))
    if kind and kind not in _WRITTEN:
        raise PorankError(f"expected one of {', '.join(_WRITTEN)} as suffix, found {kind!r}")
    orders = list(profile.levels())
    kind = kind or _type_of(profile, orders)
    for number, levels in enumerate(orders, start=1):
        if fault := _misfit(levels, kind, profile.items, ()):
            fits = f"the profile fits {_type_of(profile, orders)}" if levels else "leave it out"
            raise NotApplicableError(f"{fault} in order {number}; {fits}")
    lines = _order_lines(profile, orders)
    header = header_lines(profile, PurePath(name_of(path)).name, kind, lines=len(lines))
    write_text("".join(f"{line}\n" for line in chain(header, lines)), path)


def _type_of(profile: Profile, orders: Sequence[_Levels]) -> str:
    """Return the narrowest type of PrefLib file that these orders fit."""
    fits = (
        kind
        for kind in ("soc", "soi", "toc")
        if not any(_misfit(levels, kind, profile.items, ()) for levels in orders)
    )
    return next(fits, "toi")


def _order_lines(profile: Profile, orders: Sequence[_Levels]) -> list[str]:
    """Return the lines of orders in a PrefLib file, each distinct order with its count."""
    number = {item: str(place) for place, item in enumerate(profile.items, start=1)}

    def spell(level: Sequence[Item]) -> str:
        numbers = ",".join(map(number.__getitem__, level))
        return numbers if len(level) == 1 else f"{{{numbers}}}"

    voters: dict[tuple[frozenset[Item], ...], int] = {}
    first: dict[tuple[frozenset[Item], ...], str] = {}
    for count, levels in zip(profile.counts, orders, strict=True):
        order = tuple(map(frozenset, levels))
        voters[order] = voters.get(order, 0) + count
        if order not in first:
            first[order] = ",".join(map(spell, levels))
    return [f"{voters[order]}: {text}" for order, text in first.items()]
