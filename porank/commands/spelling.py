"""Orders as the content of a file, in the form asked for."""

from __future__ import annotations

import io
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.commands.forms import PREFLIB, suffix_of
from porank.commands.ranked import Ranked
from porank.convert.profiles import Profile
from porank.errors import PorankError

if TYPE_CHECKING:
    from porank.typing import OrderLike


def spell(found: Any, form: str, *, path: str = "", query: str | None = None) -> bytes:
    r"""Return an order, a profile, or orders by query as the content of a file.

    Parameters
    ----------
    found : DiGraph, scores, Profile or dict
        As `read_any` returns it.
    form : str
        One of the forms that can be written.
    path : str
        The file, whose suffix may tell a type of PrefLib.
    query : str, optional
        Of which query a single order is, for TREC.

    Examples
    --------
    >>> spell(nx.DiGraph(["ab", "bc"]), "notation")
    b'a > b > c\n'
    """
    if form == "preflib":
        return _spell_profile(found, path)
    if form.startswith("trec-"):
        return _spell_trec(found, form, query)
    target = io.BytesIO()
    _write(_one(found), form, target)
    return target.getvalue()


def is_by_query(found: Any) -> bool:
    """Return whether these are orders by query, and not the scores of one order.

    Examples
    --------
    >>> is_by_query({"q1": {"d1": 2.5}}), is_by_query({"d1": 2.5})
    (True, False)
    """
    return (
        not isinstance(found, Ranked)
        and isinstance(found, dict)
        and all(isinstance(each, (dict, nx.Graph)) for each in found.values())
    )


def _one(found: Any) -> OrderLike:
    """Return the order, if it is one."""
    if isinstance(found, Profile):
        if len(found.orders) != 1:
            raise PorankError(
                f"expected one order to write, found {len(found.orders)}; porank aggregate and "
                "porank predict make one of many, and PrefLib's formats hold many"
            )
        order: OrderLike = found.orders[0]
        return order
    return found


def _write(order: OrderLike, form: str, target: io.BytesIO) -> None:
    """Write one order in a form that holds one."""
    from porank.core.compiled_order import as_graph
    from porank.core.files import write_text
    from porank.readwrite.csv_files import write_pairs, write_ranks
    from porank.readwrite.dot import write_dot
    from porank.readwrite.graphml import write_graphml
    from porank.readwrite.json_files import write_json

    if form in ("csv", "tsv"):
        G = as_graph(order)
        number = "support" if nx.get_edge_attributes(G, "support") else "weight"
        sign = "\t" if form == "tsv" else ","
        write_pairs(G, target, columns=("preferred", "other", number), delimiter=sign)
    elif form == "ranks":
        write_ranks(order, target, delimiter=",")
    elif form == "parquet":
        from porank.commands.table_files import spell_parquet

        target.write(spell_parquet(as_graph(order)))
    elif form in ("notation", "tex"):
        write_text(_spell_text(order, form), target)
    else:
        {"json": write_json, "graphml": write_graphml, "dot": write_dot}[form](order, target)


def _spell_text(order: OrderLike, form: str) -> str:
    if form == "tex":
        from porank.commands.diagrams import require_quick_diagram
        from porank.drawing.tikz import to_tikz

        require_quick_diagram(order)
        return f"{to_tikz(order, progress=True)}\n"
    from porank.convert.notation import format_order

    return f"{format_order(order)}\n"


def _spell_profile(found: Any, path: str) -> bytes:
    from porank.readwrite.preflib_writing import write_preflib

    if is_by_query(found):
        found = Profile(list(found.values()))
    profile = found if isinstance(found, Profile) else Profile([found])
    kind = suffix_of(path).removeprefix(".")
    if kind != "wmd":
        _require_ballots(profile)
    target = io.BytesIO()
    write_preflib(profile, target, data_type=kind if kind in PREFLIB else None)
    return target.getvalue()


def _require_ballots(profile: Profile) -> None:
    """Raise an error for a cycle, which PrefLib holds only as a graph with weights."""
    from porank.core.compiled_order import compile_order

    for order in profile.orders:
        weights = [weight for *_, weight in order.edges(data="weight")] if _is_graph(order) else []
        if None in weights:
            compile_order(order)


def _is_graph(order: OrderLike) -> bool:
    return isinstance(order, nx.Graph)


def _spell_trec(found: Any, form: str, query: str | None) -> bytes:
    """Return orders by query as a file of TREC; a ranking has scores, the worst level 1."""
    from porank.readwrite.trec import write_trec_prefs, write_trec_qrels, write_trec_run

    by_query = found if is_by_query(found) else {query or "1": _one(found)}
    target = io.BytesIO()
    if form == "trec-prefs":
        write_trec_prefs(by_query, target)
        return target.getvalue()
    scores = {name: _scores_of(order) for name, order in by_query.items()}
    (write_trec_run if form == "trec-run" else write_trec_qrels)(scores, target)
    return target.getvalue()


def _scores_of(order: OrderLike) -> Any:
    if isinstance(order, Ranked):
        return dict(sorted(order.items(), key=itemgetter(1), reverse=True))
    return next(Profile([order]).scores()) if isinstance(order, nx.Graph) else order


def write_stdout(content: bytes, form: str) -> None:
    """Write the content of a file to standard output, which must not be a terminal for Parquet."""
    if form != "parquet":
        sys.stdout.write(content.decode())
        return
    require_no_terminal(form)
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


def require_no_terminal(form: str) -> None:
    """Raise an error if bytes that are no text would go to a terminal."""
    is_text = getattr(sys.stdout, "buffer", None) is None or sys.stdout.isatty()
    if form == "parquet" and is_text:
        raise PorankError("expected a file or a pipe for Parquet, found a terminal")
