"""PrefLib files: soc, soi, toc, toi, cat, wmd, and the old form without a header [1]_.

References
----------
.. [1] N. Mattei, T. Walsh, "PrefLib: A Library for Preferences", Algorithmic Decision Theory, 2013,
   pp. 259-270. https://doi.org/10.1007/978-3-642-41575-3_20
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.build.files.preflib_header import ORDERS, VOTERS, read_header, read_names
from porank.build.files.preflib_orders import RankingLines
from porank.build.files.preflib_signs import Alternatives
from porank.convert.profiles import Profile
from porank.convert.rankings import Rankings
from porank.core.arguments import require_one_of
from porank.core.csv_cells import read_number
from porank.core.files import LINE_END, Problems, read_text, require_utf8
from porank.errors import ParseError, PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.build.files.preflib_header import Header, Stated
    from porank.typing import Item

TYPES = ("soc", "soi", "toc", "toi", "cat", "wmd")
#: Types that PrefLib has given up; they hold pairs, which would pass for short rankings.
_RETIRED = ("tog", "mjg", "wmg", "pwg")
_GIVEN_UP = f"expected a file of type {', '.join(TYPES)}, found {{!r}}, a type that PrefLib gave up"


def read_preflib(
    source: Any,
    *,
    data_type: str | None = None,
    names: str = "names",
    unranked: str = "ignore",
    errors: str = "raise",
) -> Profile:
    r"""Return the profile that a PrefLib file holds.

    Each line is one order with its count. Alternatives in braces are tied. The matching data of a
    wmd file are one order with count 1: the graph with an edge for each line.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8, with a header or in the old form without one.
    data_type : {"soc", "soi", "toc", "toi", "cat", "wmd"}, optional
        By default what the header says, else the suffix of the file. Where nothing says it, the
        orders may be incomplete and tied.
    names : {"names", "numbers"}
        Whether the items are the names of the alternatives or their numbers.
    unranked : {"ignore", "last"}
        Whether alternatives that a line does not list are absent from its order, or tied below all
        the others.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        `problems`.

    Returns
    -------
    Profile
        The orders are DiGraphs, each made when it is first asked for; `Profile.scores` gives the
        compact spelling. In those of a cat file each item has its category as the node attribute
        ``category``; in that of a wmd file each edge has a ``weight``, and there may be cycles. The
        metadata are the fields of the header that are not about the file itself, and the
        ``categories``.

    Raises
    ------
    ParseError
        If a line is not in the format or contradicts the header, with line and column.
    PorankError
        If an option is none of those allowed or contradicts the header, the type is one that
        PrefLib gave up, or `source` is neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> text = "# DATA TYPE: toi\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n"
    >>> text += "# ALTERNATIVE NAME 3: C\n5: 3,{1,2}\n2: 1,3\n"
    >>> profile = read_preflib(io.StringIO(text))
    >>> profile.counts, [list(order.edges) for order in profile.orders]
    ((5, 2), [[('C', 'A'), ('C', 'B')], [('A', 'C')]])
    >>> last = read_preflib(io.StringIO(text), unranked="last")
    >>> list(last.orders[1].edges)
    [('A', 'C'), ('C', 'B')]

    Notes
    -----
    Time O(n log n) for a file, read whole, in which n alternatives are listed in all its lines; a
    graph takes time O(n + m) when it is asked for.
    """
    require_one_of(names, ("names", "numbers"), name="names")
    require_one_of(unranked, ("ignore", "last"), name="unranked")
    if data_type is not None:
        require_one_of(data_type, TYPES, name="data_type")
    problems = Problems(errors)
    text, _ = read_text(source, problems)
    lines = LINE_END.split(text) if "\r" in text else text.split("\n")
    header = read_header(lines, problems)
    kind = _choose_type(header, data_type, problems)
    alternatives = Alternatives(read_names(header, names, problems))
    if names == "numbers" and header.names:
        header.metadata["names"] = {n: name.value for n, name in sorted(header.names.items())}
    if kind == "wmd":
        orders: Any = [_read_graph(lines, header, alternatives, problems)]
        counts = [1]
    else:
        categories: Sequence[Item] = ()
        if kind == "cat":
            how = "names" if _are_names(header.categories) else names
            categories = tuple(read_names(header, how, problems, kind="category").values())
            header.metadata["categories"] = categories
        read = RankingLines(
            alternatives, separator=header.separator, kind=kind, categories=len(categories)
        )
        _take_lines(read, lines, header, problems)
        orders, counts = Rankings(read.items, read.ends, read.sizes, categories), read.counts
        if unranked == "last":
            orders = orders.completed(alternatives.items_in_order)
    items = alternatives.items_in_order
    return Profile(orders, counts, items, header.metadata, problems.by_line())


def _are_names(stated: Mapping[int, Stated]) -> bool:
    """Return whether there are names, and no two are the same."""
    different = {name.value for name in stated.values()}
    return len(different) == len(stated) > 0 and "" not in different


def _choose_type(header: Header, data_type: str | None, problems: Problems) -> str:
    """Return the type that the caller, the header, the suffix or the fields tell, or nothing."""
    suffix = PurePath(problems.source).suffix.lower().removeprefix(".")
    said = _stated_type(header, problems)
    if said and data_type and said != data_type:
        raise PorankError(f"expected data_type {said!r} as the header says, found {data_type!r}")
    if not (said or data_type) and suffix in _RETIRED:
        raise PorankError(_GIVEN_UP.format(suffix))
    chosen = said or data_type or (suffix if suffix in TYPES else "")
    if not chosen and "NUMBER EDGES" in header.numbers:
        return "wmd"
    if not chosen and "NUMBER CATEGORIES" in header.numbers:
        return "cat"
    if header.separator == "," and chosen in ("cat", "wmd"):
        raise PorankError(f"expected a header in a file of type {chosen}, found the old form")
    return chosen


def _stated_type(header: Header, problems: Problems) -> str:
    """Return the type that the header states, or nothing where it is none."""
    stated = header.data_type
    if stated is None or stated.value in TYPES:
        return stated.value if stated else ""
    if stated.value in _RETIRED:
        # Nothing in such a file can be read.
        problems = Problems("raise", source=problems.source)
        fault = _GIVEN_UP.format(stated.value)
    else:
        fault = f"expected one of {', '.join(TYPES)} as DATA TYPE, found {stated.value!r}"
    problems.meet(ParseError(fault), line=stated.line, text=stated.text)
    return ""


def _take_lines(
    read: RankingLines, lines: Sequence[str], header: Header, problems: Problems
) -> None:
    """Read the lines below the header, and hold their numbers against those that it states."""
    faults = read.take_all(lines[header.size :], first=header.size + 1)
    for line, error in faults:
        problems.meet(error, line=line, text=lines[line - 1])
    for key in ORDERS:
        orders = len(read.counts) + len(faults) - read.repeated
        header.require(key, orders, "the number of orders", problems)
    if read.voters is not None:
        for key in VOTERS:
            header.require(key, read.voters, "the sum of the counts", problems)


def _read_graph(
    lines: Sequence[str], header: Header, alternatives: Alternatives, problems: Problems
) -> nx.DiGraph:
    """Return the graph of a wmd file, whose lines are ``source,destination,weight``."""
    G = nx.DiGraph()
    G.add_nodes_from(alternatives.items_in_order)
    edges = 0
    for number, line in enumerate(lines[header.size :], start=header.size + 1):
        if not line.strip():
            continue
        edges += 1
        try:
            require_utf8(line)
            u, v, weight = _read_edge(line, alternatives)
            if G.has_edge(u, v):
                raise ParseError(f"expected each edge once, found {u!r} > {v!r} again")
            G.add_edge(u, v, weight=weight)
        except ParseError as error:
            problems.meet(error, line=number, text=line)
    header.require("NUMBER EDGES", edges, "the number of edges", problems)
    return G


def _read_edge(line: str, alternatives: Alternatives) -> tuple[Item, Item, int | float]:
    cells = line.split(",")
    if len(cells) != 3:
        found = counted(len(cells), "cell")
        raise ParseError(f"expected 'source,destination,weight', found {found}")
    column = 1
    for cell in cells[:2]:
        if alternatives.find(cell) is None:
            known = len(alternatives.items_in_order)
            raise ParseError(
                f"expected the number of one of the {known} alternatives, found {cell.strip()!r}",
                column=column,
            )
        column += len(cell) + 1
    try:
        weight = read_number(cells[2], "weight")
    except ParseError as error:
        raise ParseError(str(error), column=column) from None
    return alternatives[cells[0]], alternatives[cells[1]], weight
