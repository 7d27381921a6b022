"""Formal contexts: the lattice against its definition, and files that lie."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po

Context: TypeAlias = dict[str, set[str]]

FROG = "B\n\n2\n2\n\nfrog\nbream\nswims\nwalks\nXX\nX.\n"


@st.composite
def contexts(draw: st.DrawFn) -> Context:
    objects = draw(st.lists(st.sampled_from("abcdef"), unique=True))
    return {x: draw(st.sets(st.sampled_from("pqrst"))) for x in objects}


def concepts_by_definition(context: Context) -> set[tuple[frozenset[str], frozenset[str]]]:
    """Return each set of objects that is all that share what it shares, with that."""
    attributes = frozenset().union(*context.values())
    found = set()
    for size in range(len(context) + 1):
        for some in combinations(context, size):
            shared = attributes.intersection(*(context[x] for x in some))
            found.add((frozenset(x for x in context if shared <= context[x]), shared))
    return found


@given(contexts())
def test_the_lattice_is_that_of_the_definition(context: Context) -> None:
    G = po.concept_lattice(context)
    concepts = {(frozenset(extent), frozenset(intent)) for extent, intent in G}
    assert concepts == concepts_by_definition(context)
    wider = nx.DiGraph([(u, v) for u in G for v in G if set(u[0]) > set(v[0])])
    wider.add_nodes_from(G)
    assert set(G.edges) == set(nx.transitive_reduction(wider).edges)
    objects = [x for _, own in G.nodes(data="objects") for x in own]
    names = [x for _, own in G.nodes(data="names") for x in own]
    assert sorted(objects) == sorted(context)
    assert sorted(names) == sorted(set().union(*context.values()))
    for (_, intent), own in G.nodes(data="objects"):
        assert all(context[x] == set(intent) for x in own)


@given(contexts())
def test_objects_stand_as_their_attributes_do(context: Context) -> None:
    G = po.from_context(context)
    tie = dict(G.nodes(data="tie"))
    for x, y in combinations(context, 2):
        assert po.prefers(G, x, y) == (context[x] > context[y])
        assert (tie[x] is not None and tie[x] == tie[y]) == (context[x] == context[y])


def test_as_many_concepts_as_allowed() -> None:
    context = {x: [y for y in "abcd" if y != x] for x in "abcd"}
    assert len(po.concept_lattice(context, max_concepts=16)) == 16
    with pytest.raises(po.PorankError, match="at most 15 concepts"):
        po.concept_lattice(context, max_concepts=15)


def test_files_as_they_occur() -> None:
    lower = FROG.lower().replace("b", "B", 1)
    for text in (FROG, FROG.replace("\n\nfrog", "\nfrog"), FROG + "\n\n", lower):
        context = po.read_cxt(io.StringIO(text))
        assert context.objects == ("frog", "bream")
        assert [set(row) for row in context.rows] == [{"swims", "walks"}, {"swims"}]


BAD: list[tuple[str, int, str]] = [
    ("C\n", 1, "expected 'B'"),
    ("B\n\ntwo\n2\n", 3, "number of objects"),
    ("B\n\n2\n", 4, "number of attributes"),
    (FROG.replace("2\n2", "3\n2"), 3, "3 objects, 2 attributes"),
    (FROG.replace("2\n2", f"2\n{10**30}"), 3, "2 objects"),
    (FROG + "XX\n", 3, "found 7 lines"),
    (FROG.replace("X.", "X"), 11, "2 characters X or"),
    (FROG.replace("X.", "Q."), 11, "found 'Q"),
]


def test_a_file_that_is_none(tmp_path: Path) -> None:
    for text, line, message in BAD:
        (tmp_path / "a.cxt").write_text(text)
        with pytest.raises(po.ParseError, match=rf"a\.cxt, line {line}:.*{message}"):
            po.read_cxt(tmp_path / "a.cxt")
