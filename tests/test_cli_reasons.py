"""What errors advise to Python users, and what the command line says instead."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

import porank as po
from porank.cli.command import ADVICE, advised
from porank.clicks.rules import RULES
from porank.core.compiled_order import as_graph
from porank.core.workers import connected
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET = {"user": [1, 2], "preferred": ["a", "a"], "other": ["b", "b"]}
PREDICTED = {"user": [1], "preferred": ["a"], "other": ["c"]}
LOG = {"session": [1, 1], "item": ["a", "b"], "event": ["view", "look"]}
#: Two groups of one query that are at odds.
TORN = b"q1 1 1 a 2\nq1 1 1 b 1\nq1 2 1 b 2\nq1 2 1 a 1\n"
BROKEN = "; porank convert --break-cycles drops as few pairs as makes it an order"
NO_PARQUET = (
    "Parquet magic bytes not found in footer. Either the file is corrupted or this is not a "
    "parquet file"
)
TORN_QUERY = "'a' > 'b' > 'a' in the groups of query 'q1'"


def voted(*ballots: str) -> po.PreferenceRelation:
    return po.preference_relation([po.from_ranking(ballot) for ballot in ballots])


def around() -> po.PreferenceRelation:
    """Return a relation on which all sessions agree, in a circle."""
    said = po.parse("a > b > c > a")
    nx.set_edge_attributes(said, {edge: {"support": 1, "against": 0} for edge in said.edges})
    return po.feedback_relation(said)


def no_parquet() -> io.BytesIO:
    """Return an open file that is called Parquet and is none."""
    pytest.importorskip("pyarrow")
    source = io.BytesIO(b"no parquet")
    source.name = "x.parquet"
    return source


def connect(scheduler: str) -> None:
    pytest.importorskip("distributed")
    with connected(scheduler):
        pass


#: What raises an error, and how its first line ends on the command line.
RAISED: dict[str, tuple[Callable[[], Any], str]] = {
    "cycle": (lambda: po.levels(po.parse("a > b > a")), f"the cycle 'a' > 'b' > 'a'{BROKEN}"),
    "one cell": (
        lambda: po.read_pairs(io.BytesIO(b"a\n")),
        "found 1; --delimiter names another sign",
    ),
    "semicolon": (
        lambda: po.read_pairs(io.BytesIO(b"a;b\n"), delimiter=","),
        "the line holds ';', and --delimiter ';' splits it there",
    ),
    "columns": (
        lambda: po.preference_pairs({"one": [1]}),
        "found 'one'; --columns ROLE=NAME says which is which",
    ),
    "groups of a query": (
        lambda: po.read_trec_prefs(io.BytesIO(TORN)),
        f"found the cycle {TORN_QUERY}{BROKEN}",
    ),
    "utf-16": (
        lambda: po.read_pairs(io.BytesIO("a,b\n".encode("utf-16"))),
        "found one in UTF-16; iconv -f utf-16 -t utf-8 converts it",
    ),
    "latin": (
        lambda: po.read_pairs(io.BytesIO("é,b\n".encode("latin-1"))),
        "found the byte 0xe9; iconv -t utf-8 converts others",
    ),
    "by": (
        lambda: po.evaluate(TARGET, PREDICTED, by="shop"),
        "in target; rename the columns, or give --by",
    ),
    "items": (
        lambda: po.evaluate(TARGET, PREDICTED, items="error"),
        "of group 1; --items both compares what both have",
    ),
    "groups": (
        lambda: po.evaluate(TARGET, PREDICTED, groups="error"),
        "group 2 the first; --groups both counts them",
    ),
    "no ranking": (
        lambda: po.write_ranks(po.parse("a > b; c"), io.BytesIO()),
        "incomparable; notation, json, graphml and dot hold any order",
    ),
    "no weight": (
        lambda: po.write_preflib(po.Profile([po.parse("a > b; c")]), io.BytesIO(), data_type="wmd"),
        "found none; a partial order is no ballot, and as a graph it has a weight for each pair",
    ),
    "no grades": (
        lambda: po.ndcg_loss(po.parse("a > b"), po.parse("a > b")),
        "found a graph, which has none; a target in TREC's formats has grades",
    ),
    "no scheduler": (
        lambda: connect("nowhere"),
        "tells its address, without --scheduler it takes workers of this machine",
    ),
    "engine": (
        lambda: po.evaluate("a.csv", "b.csv", engine="dask"),
        "for --engine dask, found 'a.csv'; --engine columns takes tables in memory and CSV",
    ),
    "events": (lambda: po.preference_pairs(LOG), "found 'look'; --events names others"),
    "low threshold": (
        lambda: po.predict_order(voted("abc", "abc", "bca", "cab"), alpha=Fraction(1, 4)),
        "in the cut at 1/4; --alpha minimal is the least threshold without one",
    ),
    "unanimous circle": (
        lambda: po.minimal_threshold(around()),
        "found the cycle 'a' > 'b' > 'c' > 'a' in the pairs of degree 1",
    ),
    "no order at all": (
        lambda: po.predict_order(around()),
        "found the cycle 'a' > 'b' > 'c' > 'a' in the pairs of degree 1",
    ),
    "other items": (
        lambda: po.abstention_curve(voted("abc"), po.parse("a > b; x")),
        "found only in target: 'x'; only in the rankings: 'c'",
    ),
    "large levels": (
        lambda: po.from_ranks([number % 2 for number in range(8_000)]),
        "found 16,000,000; a table of ranks holds it",
    ),
    "large scores": (
        lambda: po.transitive_reduction(as_graph([number % 2 for number in range(8_000)])),
        "found 16,000,000; ranks, json and PrefLib hold it",
    ),
    "large page": (
        lambda: po.write_page(po.antichain(5_001), io.BytesIO()),
        "found 5,001; porank ranks tells where each item stands",
    ),
    "rule": (
        lambda: po.preference_pairs(LOG, rule="magic"),
        "expected one of " + ", ".join(map(repr, RULES)) + " as rule, found 'magic'",
    ),
    "roles": (
        lambda: po.preference_pairs(LOG, columns={"foo": "item"}),
        "or a column of --by before a = in --columns, found 'foo'",
    ),
    "groups twice": (
        lambda: po.preference_pairs(LOG, by=("a", "a")),
        "as --by, found 'a', 'a'",
    ),
    "no Parquet": (
        lambda: po.evaluate(no_parquet(), no_parquet()),
        f"x.parquet: expected a Parquet file, found an error: {NO_PARQUET}",
    ),
    "no Parquet as log": (
        lambda: po.preference_pairs(no_parquet()),
        f"x.parquet: expected a Parquet file, found an error: {NO_PARQUET}.",
    ),
    "deep": (
        lambda: po.read_json(io.BytesIO(b"[" * 100_000)),
        "expected plain JSON, found an error: it is nested too deeply",
    ),
    "whole number": (
        lambda: po.predict_order(voted("ab"), alpha=Fraction(2)),
        "expected a threshold above 0 and at most 1, found 2",
    ),
    "fraction": (
        lambda: po.predict_order(voted("ab"), alpha=Fraction(-7, 2)),
        "expected a threshold above 0 and at most 1, found -7/2",
    ),
}


def first_line(act: Callable[[], Any]) -> str:
    """Return the first line of the error that comes."""
    with pytest.raises(PorankError) as caught:
        act()
    return str(caught.value).partition("\n")[0]


@pytest.mark.parametrize(("act", "end"), RAISED.values(), ids=RAISED)
def test_what_is_advised_can_be_followed_in_a_shell(act: Callable[[], Any], end: str) -> None:
    text = first_line(act)
    assert advised(text).endswith(end)
    # The rules have done it: the text itself does not end so.
    assert not text.endswith(end)
    assert not re.search(r"\w=('|\.\.\.| |$|,)|Fraction|\(G\)|\bP\.\w", advised(text))


def test_every_rule_speaks_of_an_error_that_there_is() -> None:
    pytest.importorskip("distributed")
    used = set()
    for act, _ in RAISED.values():
        text = first_line(act)
        for pattern, instead in ADVICE:
            changed = re.sub(pattern, instead, text)
            if changed != text:
                used.add(pattern)
            text = changed
    assert [pattern for pattern, _ in ADVICE if pattern not in used] == []


def test_different_items_can_be_aligned_in_compare_only() -> None:
    text = first_line(lambda: po.compare(po.parse("a > b"), po.parse("a > c")))
    end = "found only in target: 'b'; only in predicted: 'c'"
    assert advised(text).endswith(end)
    ways = "; --align intersection compares what is in both"
    assert advised(text, command="compare").endswith(f"{end}{ways}")
