"""The orders of a PrefLib file: lines ``count: 3,{1,2},4``, best first, ties in braces.

`read_orders`; `OrderForm` is what the orders of a file must be, `misfit` what one is not.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from porank.core.files import require_utf8
from porank.errors import ParseError, counted, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from porank.core.files import Problems
    from porank.readwrite.preflib_header import Header
    from porank.typing import Item


class OrderForm(NamedTuple):
    """What the orders of a PrefLib file must be: its type, and the alternatives by their texts."""

    kind: str
    separator: str
    item_of: Mapping[str, Item]
    categories: Sequence[Item]


def unknown_alternative(item_of: Mapping[str, Item], number: str) -> str:
    """Return what to say of a text in a PrefLib order that is the number of no alternative."""
    return f"expected the number of one of the {len(item_of)} alternatives, found {number!r:.60}"


def read_orders(
    header: Header, form: OrderForm, problems: Problems
) -> tuple[list[dict[Item, int]], list[int]]:
    """Return the orders of PrefLib lines ``count: order``, each once, with their summed counts."""
    lines = header.below
    voters = {number: _read_count(line, form) for number, line in lines.items()}
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


def _read_count(line: str, form: OrderForm) -> int:
    """Return how many voters hold the PrefLib order of a line, 0 if it states none."""
    count = line.partition(form.separator)[0].strip()
    return int(count) if _COUNT.fullmatch(count) else 0


def _read_scores(line: str, voters: int, form: OrderForm) -> dict[Item, int]:
    """Return the PrefLib order of a line as scores, or raise the bare error of its fault."""
    require_utf8(line)
    count, separator, text = line.partition(form.separator)
    if not voters:
        found = f"found {count.strip()!r:.60}"
        raise ParseError(f"expected a whole number above 0 as count, {found}", column=1)
    if not separator:
        raise ParseError(f"expected {form.separator!r} after the count, found none")
    levels = _split_levels(text, len(count) + 1, form) if text.strip() else []
    if fault := misfit(levels, form.kind, form.item_of.values(), form.categories):
        raise ParseError(fault)
    return {item: len(levels) - k for k, level in enumerate(levels) for item in level}


def _split_levels(text: str, start: int, form: OrderForm) -> list[list[Item]]:
    """Return the levels of a PrefLib order, whose text begins after so many signs of a line."""
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
            fault = unknown_alternative(form.item_of, number)
            if item is not None:
                fault = f"expected each alternative once, found {number} ({item!r}) again"
            raise ParseError(fault, column=end - len(cell.lstrip(_BLANKS)))
        present.add(item)
        levels[-1].append(item)
    if opened:
        raise ParseError("expected '}' to close this '{'", column=opened)
    return levels


def misfit(
    levels: Sequence[Sequence[Item]],
    kind: str,
    items: Collection[Item],
    categories: Collection[Item],
) -> str:
    """Return what keeps an order of these levels out of a PrefLib file of a type, or nothing."""
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
