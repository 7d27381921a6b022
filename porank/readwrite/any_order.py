"""Read and write an order in any format, told by the suffix of the file and by its content.

`read_order` and `write_order`. `read_any` returns all that a file has, and `order_of` chooses one
order of it; `spell` returns the content of a file. `form_of` chooses the format: the one given, or
that of the name. The formats themselves are in `porank.readwrite.formats`.
"""

from __future__ import annotations

from contextlib import ExitStack
from inspect import signature
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from porank.convert.profiles import Profile
from porank.core.arguments import require_one_of
from porank.core.files import DAMAGED, in_its_encoding, name_of, opened, write_content
from porank.errors import ParseError, PorankError, listed
from porank.readwrite.formats import FORMATS, Content, is_by_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import OrderLike


INPUTS = tuple(name for name, form in FORMATS.items() if form.read)
OUTPUTS = tuple(name for name, form in FORMATS.items() if form.write)
#: Formats that hold an order for each query.
TREC = tuple(name for name, form in FORMATS.items() if form.holds == "queries")
_FORM_OF = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}


def read_order(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    group: str | None = None,
    by: str | tuple[()] | None = None,
    delimiter: str | None = None,
    counts: bool = False,
    unranked: str = "ignore",
) -> OrderLike:
    r"""Read an order from a file of any format that porank knows.

    Parameters
    ----------
    source : path or open file
        A file, compressed if its name ends in .gz.
    format : str, optional
        Format of the file: "notation", "csv", "tsv", "pairs", "ranks", "graphml", "parquet",
        "preflib", "trec-run" or "trec-qrels". By default that of the suffix, or notation for an
        open file without a name. A table in CSV, TSV or Parquet has the columns ``preferred,
        other``, and optionally ``weight`` or ``support``; or ``item, rank``; or it is a matrix with
        a row for each column. "pairs" and "ranks" are tables without a header.
    group : str, optional
        Query of a TREC file, or group of a table of pairs, to read if there are several.
    by : str or (), optional
        Column that identifies groups of pairs, by default query, prompt, qid or group, if present;
        () merges all groups.
    delimiter : str, optional
        Separator of cells in a table, by default found in its first line.
    counts : bool
        Whether to count the lines of a table of pairs, as `read_pairs` does.
    unranked : {"ignore", "last"}
        Whether items that a PrefLib order does not list are absent or tied below the others.

    Returns
    -------
    DiGraph, ranks, or scores
        What the file has: graphs of pairs, which may have cycles; ranks of a table of ranks; scores
        of TREC and PrefLib files. All functions of porank take any of them as an order.

    Raises
    ------
    ParseError
        If the file does not have this format.
    PorankError
        If the format is unknown, or the file has several orders and `group` names none of them.

    See Also
    --------
    write_order, read_pairs, read_ranks, read_preflib, read_trec_run, from_log

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> po.read_order(io.StringIO("tea > milk ~ water"))
    tea > milk ~ water
    >>> table = "query,preferred,other\nq1,tea,milk\nq2,milk,tea\n"
    >>> po.read_order(io.StringIO(table), format="csv", group="q2")
    milk > tea
    >>> po.read_order(io.StringIO(table), format="csv")
    Traceback (most recent call last):
    porank.errors.PorankError: expected one query or group, found 'q1', 'q2'; group= selects one,
    and by=() merges the groups of a table

    Notes
    -----
    Time linear in the file. Options that do not concern a format are ignored.
    """
    options = {"by": by, "delimiter": delimiter, "counts": counts, "unranked": unranked}
    return order_of(read_any(source, format, **options), name_of(source), group)


def write_order(order: Any, path: Any, *, format: str | None = None) -> None:  # noqa: A002
    """Write an order to a file in any format that porank knows.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        The order. PrefLib files also hold a `Profile`, and TREC files a mapping query -> order.
    path : path or open file
        An existing file is replaced only after everything has been written. It is compressed if its
        name ends in .gz.
    format : str, optional
        Format of the file: "notation", "csv", "tsv", "ranks", "graphml", "parquet", "preflib",
        "trec-run", "trec-qrels", "dot", "mermaid" or "tex". By default that of the suffix, or
        notation for an open file without a name.

    Raises
    ------
    PorankError
        If the format is unknown, or cannot hold the order.
    CycleError
        If the graph has a cycle and the format holds only orders.

    See Also
    --------
    read_order, write_pairs, write_graphml, to_dot, to_tikz, draw_hasse, write_page

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_order(po.parse("tea > milk ~ water"), file, format="ranks")
    >>> print(file.getvalue(), end="")
    item,rank
    tea,1
    milk,2
    water,2

    Notes
    -----
    Time linear in the file, plus laying out the diagram for "tex". Tables of pairs lose known ties;
    notation, ranks, PrefLib, TREC and "tex" lose the weights of pairs.
    """
    write_content(spell(order, form_of(path, format, known=OUTPUTS), path=name_of(path)), path)


def read_any(source: Any, given: str | None = None, **options: Any) -> Any:
    """Return all that a file has: a graph, ranks, a profile, or a dictionary query -> order."""
    content = content_of(source)
    read = FORMATS[form_of(source, given)].read
    assert read is not None
    takes = signature(read).parameters
    return read(content, **{name: options[name] for name in options if name in takes})


def content_of(source: Any) -> Content:
    """Return the uncompressed content of a path or an open file."""
    with ExitStack() as lent, in_its_encoding():
        try:
            return Content(opened(source, lent).read(), name_of(source))
        except DAMAGED as error:
            message = f"cannot decompress the file: {error}"
            raise ParseError(message, source=name_of(source)) from None


def form_of(
    file: Any, given: str | None, *, option: str = "format=", known: Sequence[str] = INPUTS
) -> str:
    """Return the format given by an option, or else by the name of a file."""
    if given is not None:
        return require_one_of(given, known, name="format")
    suffix = _suffix_of(name_of(file))
    is_open = hasattr(file, "read") or hasattr(file, "write")
    found = known[0] if is_open and not suffix else _FORM_OF.get(suffix)
    if found not in known:
        instead = f"{option} names the format: {', '.join(known)}"
        if found == "jsonl":
            instead = "explore reads logs in JSON Lines"
        name = name_of(file) or file
        raise PorankError(f"expected a file name with a known suffix, found {name!r}; {instead}")
    return found


def _suffix_of(name: str) -> str:
    """Return the suffix that tells the format of a file, without ``.gz``."""
    return PurePath(name.removesuffix(".gz")).suffix.lower()


def order_of(found: Any, source: str, group: str | None) -> OrderLike:
    """Return the order in a file, or that of the query or group if there are several."""
    if not is_by_query(found):
        if group is not None:
            raise PorankError("expected queries or groups, found none", source=source)
        return _only_order(found, source)
    if not found:
        raise PorankError("expected at least one line, found none", source=source)
    if group is None and len(found) == 1:
        (group,) = found
    if group not in found:
        missing = "" if group is None else f" {group!r}"
        raise PorankError(
            f"expected one query or group{missing}, found {listed(found)}",
            hint="group= selects one, and by=() merges the groups of a table",
            source=source,
        )
    order: OrderLike = found[group]
    return order


def _only_order(found: Any, source: str = "") -> OrderLike:
    """Return the one order in the content of a file; a profile may have one order, too."""
    if not isinstance(found, Profile):
        order: OrderLike = found
    elif len(found.orders) == 1:
        order = found.orders[0]
    else:
        raise PorankError(
            f"expected one order, found {len(found.orders)} orders",
            hint="aggregate combines them into one, and PrefLib's formats hold many",
            source=source,
        )
    return order


def spell(found: Any, form: str, *, path: str = "", group: str | None = None) -> bytes:
    """Return an order, a profile, or orders by query as the content of a file."""
    chosen, suffix, target = FORMATS[form], _suffix_of(path), Content(b"", "")
    assert chosen.write is not None
    if chosen.holds == "one order":
        found = _only_order(found)
    elif form in TREC and not is_by_query(found):
        found = {group or "1": _only_order(found)}
    if suffix in chosen.suffixes:  # it tells the type of a PrefLib file
        target.name = PurePath(path.removesuffix(".gz")).name
    chosen.write(found, target)
    return target.getvalue()
