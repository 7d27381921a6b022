"""Profiles as PrefLib files, with the type that the suffix names if the profile fits it."""

from __future__ import annotations

import math
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.convert.profiles import Profile
from porank.convert.rankings import Rankings, levels_of
from porank.core.compiled_order import plain_number
from porank.core.csv_cells import name_of
from porank.core.files import write_text
from porank.errors import CycleError, NotApplicableError, PorankError, counted, listed
from porank.readwrite.preflib import TYPES
from porank.readwrite.preflib_header import fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.convert.rankings import Ranking
    from porank.typing import Item


class _Written(NamedTuple):
    """What a profile is as a file: its type, its lines, and the names of its categories."""

    kind: str
    lines: list[str]
    categories: Sequence[Any] = ()


def write_preflib(profile: Profile, target: Any, *, data_type: str | None = None) -> None:
    """Write a profile as a PrefLib file, in which each order stands once.

    Equal orders of the profile become one line, in the place of the first, with all their voters.

    Parameters
    ----------
    profile : Profile
        Its items become the names of the alternatives, numbered as they come.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.
    data_type : {"soc", "soi", "toc", "toi", "cat", "wmd"}, optional
        By default the suffix of the file, and where it has none the narrowest type that the profile
        fits.

    Raises
    ------
    NotApplicableError
        If the profile does not fit the type, with the order that does not and a type that does; or
        an order has no items.
    PorankError
        If a name or a metadata field is not a line of text, two items have the same text, or
        `target` is neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_preflib(Profile([{"A": 2, "B": 1, "C": 1}], counts=[5]), target)
    >>> print(target.getvalue().partition("# NUMBER ALTERNATIVES")[2], end="")
    : 3
    # NUMBER VOTERS: 5
    # NUMBER UNIQUE ORDERS: 1
    # ALTERNATIVE NAME 1: A
    # ALTERNATIVE NAME 2: B
    # ALTERNATIVE NAME 3: C
    5: 1,{2,3}
    >>> write_preflib(Profile([{"A": 2, "B": 1, "C": 1}]), target, data_type="soc")
    Traceback (most recent call last):
    porank.errors.NotApplicableError: expected a profile that fits a file of type soc, found ties
    in order 1; it fits toc

    Notes
    -----
    Time linear in the items of all orders, that of ranking each where they are given as graphs.
    The lines say no more than the format can: of a graph that is no ranking only the items, the
    edges and their weights.
    """
    if not isinstance(profile, Profile):
        raise PorankError(
            f"expected a Profile, found a {type(profile).__name__}; Profile(orders) makes one"
        )
    path = PurePath(name_of(target))
    wanted = path.suffix.lower().removeprefix(".") if data_type is None else data_type
    if (data_type is not None or path.suffix) and wanted not in TYPES:
        raise PorankError(
            f"expected one of {', '.join(TYPES)} as data_type or suffix, found {wanted!r}"
        )
    written = _WRITERS[wanted](profile) if wanted else _narrowest(profile)
    fields = fields_of(
        profile, path.name, written.kind, lines=len(written.lines), categories=written.categories
    )
    header = (f"# {key}: {value}" for key, value in fields)
    write_text("".join(f"{line}\n" for line in [*header, *written.lines]), target)


def _narrowest(profile: Profile) -> _Written:
    """Return the profile as a file of the narrowest type that it fits."""
    if "categories" in profile.metadata:
        return _write_categories(profile)
    try:
        rankings = profile.rankings()
    except (NotApplicableError, CycleError):
        if len(profile.orders) == 1:
            return _write_graph(profile)
        raise
    return _write_rankings(profile, rankings=rankings)


def _type_of(profile: Profile, rankings: Sequence[Ranking]) -> str:
    ties = any(max(sizes or (1,), default=1) > 1 for _, sizes in rankings)
    complete = all(len(items) == len(profile.items) for items, _ in rankings)
    return ("to" if ties else "so") + ("c" if complete else "i")


def _write_rankings(
    profile: Profile, kind: str = "", rankings: Sequence[Ranking] | None = None
) -> _Written:
    """Return the profile as a file of a type of rankings, by default the narrowest."""
    rankings = profile.rankings() if rankings is None else rankings
    fits = _type_of(profile, rankings)
    kind = kind or fits
    for number, (items, sizes) in enumerate(rankings, start=1):
        found = ""
        if not items:
            raise _no_items(number)
        if kind[0] == "s" and max(sizes or (1,), default=1) > 1:
            found = f"ties in order {number}"
        if kind[2] == "c" and len(items) < len(profile.items):
            lacking = set(profile.items) - set(items)
            missing = [item for item in profile.items if item in lacking]
            found = f"order {number} without {listed(missing)}"
        if found:
            raise _misfit(kind, found, fits)
    rows = [[level for level in levels_of(ranking) if level] for ranking in rankings]
    return _Written(kind, _ranking_lines(profile, rows))


def _no_items(number: int) -> NotApplicableError:
    return NotApplicableError(
        f"expected orders of at least one item in a PrefLib file, found none in order {number}; "
        "leave it out"
    )


def _misfit(kind: str, found: str, fits: str) -> NotApplicableError:
    return NotApplicableError(
        f"expected a profile that fits a file of type {kind}, found {found}; it fits {fits}"
    )


def _write_categories(profile: Profile) -> _Written:
    """Return the profile as a cat file, each level being a category."""
    rankings = profile.rankings()
    rows = [levels_of(ranking) for ranking in rankings]
    if not isinstance(profile.orders, Rankings):
        rows = list(map(_categorised, profile.orders, rows, [profile] * len(rows)))
    names = profile.metadata.get("categories")
    categories = max(map(len, rows), default=0) if names is None else len(names)
    for number, row in enumerate(rows, start=1):
        if not categories:
            raise _no_items(number)
        if len(row) > categories:
            known = counted(categories, "category", "categories")
            found = f"{counted(len(row), 'level')} in order {number} and {known}"
            raise _misfit("cat", found, _type_of(profile, rankings))
        row.extend([()] * (categories - len(row)))
    named: Sequence[Any] = range(1, categories + 1) if names is None else names
    return _Written("cat", _ranking_lines(profile, rows), named)


def _categorised(order: Any, row: list[Sequence[Item]], profile: Profile) -> list[Sequence[Item]]:
    """Return the levels with empty ones between, if the node attribute ``category`` tells them."""
    names = list(profile.metadata.get("categories", ()))
    if not isinstance(order, nx.DiGraph) or not names:
        return row
    by_name: dict[Any, list[Item]] = {name: [] for name in names}
    for item, category in order.nodes(data="category"):
        if category not in by_name:
            return row
        by_name[category].append(item)
    said = [set(level) for level in row]
    return list(by_name.values()) if [set(g) for g in by_name.values() if g] == said else row


def _ranking_lines(profile: Profile, rows: Sequence[Sequence[Sequence[Item]]]) -> list[str]:
    number = {item: str(place) for place, item in enumerate(profile.items, start=1)}

    def spell(level: Sequence[Item]) -> str:
        numbers = ",".join(map(number.__getitem__, level))
        return numbers if len(level) == 1 else f"{{{numbers}}}"

    voters: dict[tuple[frozenset[Item], ...], int] = {}
    first: dict[tuple[frozenset[Item], ...], Sequence[Sequence[Item]]] = {}
    for count, row in zip(profile.counts, rows, strict=True):
        said = tuple(map(frozenset, row))
        voters[said] = voters.get(said, 0) + count
        first.setdefault(said, row)
    return [f"{voters[said]}: {','.join(map(spell, row))}" for said, row in first.items()]


def _write_graph(profile: Profile) -> _Written:
    """Return the profile as a wmd file, with a line for each edge."""
    if len(profile.orders) != 1 or profile.counts != (1,):
        found = f"{counted(len(profile.orders), 'order')} of {counted(profile.voters, 'voter')}"
        try:
            fits = _type_of(profile, profile.rankings())
        except (NotApplicableError, CycleError):
            fits = "none"
        raise _misfit("wmd", found, fits)
    (G,) = profile.orders
    if not isinstance(G, nx.DiGraph) or set(G) != set(profile.items):
        raise NotApplicableError(
            "expected one graph of all items in a file of type wmd, found "
            f"{'a graph of some' if isinstance(G, nx.DiGraph) else 'scores'}"
        )
    number = {item: place for place, item in enumerate(profile.items, start=1)}
    lines = [
        f"{number[u]},{number[v]},{_spell_weight(u, v, weight)}"
        for u, v, weight in G.edges(data="weight")
    ]
    return _Written("wmd", lines)


def _spell_weight(u: Item, v: Item, weight: Any) -> str:
    weight = plain_number(weight)
    if not isinstance(weight, (int, float)) or not math.isfinite(weight):
        raise PorankError(
            f"expected a finite weight of {u!r} > {v!r} for PrefLib, found {weight!r}; a partial "
            "order is no ballot, and as a graph it has a weight for each pair"
        )
    return repr(int(weight) if isinstance(weight, int) else float(weight))


_WRITERS: dict[str, Callable[[Profile], _Written]] = {
    "cat": _write_categories,
    "wmd": _write_graph,
    **{kind: partial(_write_rankings, kind=kind) for kind in ("soc", "soi", "toc", "toi")},
}
