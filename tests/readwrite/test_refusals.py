"""What is no line, file or option, what cannot be written, and files changed at random."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.errors import ParseError, PorankError
from tests.support.preflib_texts import TOI, names
from tests.support.texts import source, written

csv, parquet = import_module("pyarrow.csv"), import_module("pyarrow.parquet")

PAIRS = po.read_pairs, "a,b,1\nc,d,\n"
RANKS = po.read_ranks, "A,1\nB,2\n"
RUN = po.read_trec_run, "q1 Q0 d1 1 9.5 t\nq2 Q0 d1 1 1e-3 t\n"
QRELS = po.read_trec_qrels, "q1 0 d1 2\n\nq1 0 d2 -1\n"
ORDERS = po.read_preflib, f"{names(3)}2: 1\n5: 3\n"
UNKNOWN = "the number of one of the 3 alternatives, found {!r}".format
COUNT = "a whole number above 0 as count, found {!r}".format
#: A file and a bad line below it; the column, or 0; what is said.
BAD_LINES: list[tuple[tuple[Callable[..., Any], str], str, int, str]] = [
    (PAIRS, "C", 0, "3 cells, found 1"),
    (PAIRS, ",B,", 0, "a preferred item, found an empty cell"),
    (PAIRS, "A,,3", 0, "no weight in a line without another item"),
    (PAIRS, "A,B,x", 0, "a finite number >= 0 as weight, found 'x'"),
    (PAIRS, "c,d,1", 0, "found no weight in line 2 and 1 in line 3"),
    (RANKS, ",3", 0, "an item, found an empty cell"),
    (RANKS, "D,first", 0, "a finite number as rank, found 'first'"),
    (RANKS, "A,1", 0, "one rank for each item, found 'A' again"),
    (RUN, "q1 Q0 d3 1 2", 0, "6 cells, 'query Q0 item rank score tag', found 5"),
    (RUN, "q1 Q0 d3 1 1e999 t", 0, "a finite number as score, found '1e999'"),
    (RUN, "q1 Q0 d1 1 9.5 t", 0, "once for query 'q1', found 'd1' again"),
    (QRELS, "q1 0 d3 1.0", 0, "a whole number as grade, found '1.0'"),
    (ORDERS, "1: 3,{1,2", 6, "'}' to close this '{'"),
    (ORDERS, "1: 3,1}", 6, UNKNOWN("1}")),
    (ORDERS, "1: {1,2}3", 7, UNKNOWN("2}3")),
    (ORDERS, "1: 1,3,1", 8, "each alternative once, found 1 ('A') again"),
    (ORDERS, "1: 2,{1, 2}", 10, "each alternative once, found 2 ('B') again"),
    (ORDERS, "0: 1", 1, COUNT("0")),
    (ORDERS, "7", 0, "':' after the count, found none"),
    (ORDERS, "2:", 0, "at least one alternative, found none"),
]


def plain(found: Any) -> Any:
    """Return what was read as something that can be compared."""
    if isinstance(found, nx.DiGraph):
        return list(found.nodes), list(found.edges(data=True))
    if isinstance(found, Profile):
        return found.items, found.voters, list(map(plain, found.orders))
    return {key: plain(found[key]) for key in found} if isinstance(found, dict) else found


def test_a_bad_line_has_a_place_and_a_report_has_all_others() -> None:
    for (read, good), bad, column, message in BAD_LINES:
        line = good.count("\n") + 1
        with pytest.raises(ParseError) as caught:
            read(source(f"{good}{bad}\n"))
        assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, bad)
        assert message in str(caught.value)
        report = read(source(f"{good}{bad}\n"), errors="report")
        problems = report.graph["problems"] if isinstance(report, nx.DiGraph) else report.problems
        assert [(problem.line, problem.text) for problem in problems] == [(line, bad)]
        assert message in problems[0].message
        assert plain(report) == plain(read(source(good)))


KEYLESS = '<graphml><graph><node id="a"><data key="w">1</data></node></graph></graphml>'
FILES: list[tuple[Callable[..., Any], str, dict[str, Any], str]] = [
    (po.read_pairs, "A B\n", {}, "line 1: expected 2 or 3 cells, found 1; delimiter= names"),
    (po.read_pairs, "other,weight\nA,B\n", {}, "one column 'preferred' in the header, found 0"),
    (po.read_pairs, "preferred,other,other\nA,B,C\n", {}, "one column 'other' in the header"),
    (po.read_pairs, '"A"x,B\n', {}, "line 1: cannot read the row as CSV"),
    (po.read_pairs, "A,B\n", {"columns": (0, 2)}, "expected 3 cells, found 2"),
    (po.read_graphml, KEYLESS, {}, "as GraphML: Bad GraphML data: no key w"),
    (po.read_pairs, "A,B\n", {"columns": ("a", "a")}, "two or three different names"),
    (po.read_pairs, "A,B\n", {"errors": "skip"}, "errors to be one of 'raise', 'report'"),
    (po.read_preflib, "", {"names": "both"}, "expected names to be one of"),
    (po.read_preflib, "", {"unranked": None}, "expected unranked to be one of"),
]


def test_what_is_no_such_file_or_option() -> None:
    for read, text, options, message in FILES:
        with pytest.raises(PorankError, match=re.escape(message)):
            read(source(text), **options)


def edge(u: Any = "a", v: Any = "b", **data: Any) -> nx.DiGraph:
    """Return a graph of one edge."""
    G = nx.DiGraph()
    G.add_edge(u, v, **data)
    return G


ITEM_NOTE = nx.DiGraph()
ITEM_NOTE.add_node("a", note=None)
WRITTEN: list[tuple[Callable[..., None], Any, dict[str, Any], str]] = [
    (po.write_pairs, edge("a "), {}, "found 'a ', whose text has blanks around it"),
    (po.write_pairs, edge("a\t"), {}, "whose text has blanks around it"),
    (po.write_pairs, edge("e\u0301"), {}, "whose text is not composed (NFC)"),
    (po.write_pairs, edge(1, "1"), {}, "items with different texts, found 1 and '1'"),
    (po.write_pairs, edge(""), {}, "items with a text, found '', whose text is empty"),
    (po.write_pairs, edge(weight=-1), {}, "finite number >= 0 as weight of 'a' > 'b', found -1"),
    (po.write_pairs, edge(note="x"), {"columns": ("u", "v", "note")}, ">= 0 as note of 'a' > 'b'"),
    (po.write_ranks, nx.DiGraph(["ab", "ac"]), {}, "'b' and 'c' incomparable"),
    (po.write_graphml, edge(("a", 1)), {}, "a text or a number as item, found ('a', 1)"),
    (po.write_graphml, edge(note=None), {}, "found 'note': None of ('a', 'b')"),
    (po.write_graphml, ITEM_NOTE, {}, "found 'note': None of 'a'"),
    (po.write_graphml, edge("a\x00"), {}, r"that XML allows, found '\x00' in 'a\x00'"),
    (po.write_graphml, edge(**{"note\x00": 1}), {}, r"found '\x00' in 'note"),
    (po.write_trec_run, {"q 1": {"d": 1}}, {}, "a text without blanks as query, found 'q 1'"),
    (po.write_trec_run, {"q": {"d": float("inf")}}, {}, "a finite score of 'd', found inf"),
    (po.write_trec_run, {"q": {"d": 10**400}}, {}, "a finite score of 'd', found 1000"),
    (po.write_trec_run, [{"d": 1}], {}, "a mapping with a value for each query, found a list"),
    (po.write_trec_run, {"q": "d"}, {}, "found the text 'd'"),
    (po.write_trec_run, {}, {"tag": "a b"}, "a text without blanks as tag, found 'a b'"),
    (po.write_trec_qrels, {"q": {"d": True}}, {}, "a whole number as grade of 'd', found True"),
    (po.write_preflib, [{"A": 1}], {}, "a Profile, found a list; use Profile"),
    (po.write_preflib, Profile([{" A": 1}]), {}, "blanks at its ends as ALTERNATIVE NAME 1"),
    (po.write_preflib, Profile([], metadata={"title": "a\nb"}), {}, "the metadata field 'title'"),
    (po.write_preflib, Profile([], metadata={"data_type": "s"}), {}, "found 'data_type'"),
    (po.write_preflib, Profile([], metadata={"Title": "x"}), {}, "lower-case keys"),
]


def test_what_cannot_be_written() -> None:
    for write, value, options, message in WRITTEN:
        with pytest.raises(PorankError, match=re.escape(message)):
            written(write, value, **options)


LOG = "session,time,position,item,event\n1,1.5,1,a,show\n1,2,2,b,click\n2,3,1,a,click\n"
SCORES = "user,item,score\nu1,a,1\nu1,b,2\nu2,a,2\nu2,b,1\n"
GRAPHML = '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/></graph></graphml>'


READERS: list[tuple[Callable[[Path], Any], str, str]] = [
    (po.read_preflib, ".toi", TOI),
    (po.read_trec_run, "", "q1 Q0 d1 1 9.5 m\nq1 Q0 d2 2 7.0 m\n"),
    (po.read_trec_qrels, "", "q1 0 d1 2\nq1 0 d2 0\n"),
    (po.read_graphml, ".graphml", GRAPHML),
    (po.read_pairs, ".csv", 'preferred,other,weight\nA,B,2\n"x, y",A,3\n'),
    (po.read_ranks, ".csv", "item,rank\nA,1\nB,2\n"),
    (lambda path: po.preference_pairs(po.ClickLog(path)), ".parquet", LOG),
    (lambda path: po.evaluate(path, path, by="user", measures="gamma"), ".parquet", SCORES),
]
#: What is put in the place of some bytes, and how many these are.
CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 9),
        st.binary(max_size=3)
        | st.sampled_from([b"9" * 5000, b"x" * 5000, b"nan", b"1e999", b"\xed\xa0\x80", b"&#0;"]),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.filterwarnings("ignore:labels that differ only", "ignore:.*a stray quote")
@pytest.mark.parametrize(("read", "suffix", "text"), READERS)
@given(changes=CHANGES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_mutated_file_is_read_or_ends_in_one_worded_error(
    read: Callable[[Path], Any], suffix: str, text: str, changes: Any, tmp_path: Path
) -> None:
    content = text.encode()
    if suffix == ".parquet":
        table = io.BytesIO()
        parquet.write_table(csv.read_csv(io.BytesIO(content)), table)
        content = table.getvalue()
    for share, length, new in changes:
        start = int(share * len(content))
        content = content[:start] + new + content[start + length :]
    path = tmp_path / f"mutated{suffix}"
    path.write_bytes(content)
    said = ""
    try:
        read(path)
    except (PorankError, OSError) as error:
        said = str(error)
    assert len(said) <= 2000


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "dot", "graphml", "soc", "tex"])
def test_an_int_that_python_does_not_write_is_refused(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(PorankError, match="cannot write"):
        po.write_order(po.from_ranking([10**4300, 1]), tmp_path / f"order.{suffix}")
    assert not [*tmp_path.iterdir()]
