"""Profiles into PrefLib files and back."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.errors import NotApplicableError, PorankError
from porank.readwrite.preflib import read_preflib, write_preflib

if TYPE_CHECKING:
    from pathlib import Path

LINES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
    lambda text: text == text.strip() and "\n" not in text and "\r" not in text
)
NAMES = st.one_of(st.sampled_from(["A", "B: b", "C, c", "{D}", "#", "1", "a\x85b", "日本"]), LINES)
KEYS = st.sampled_from(["title", "description", "relates_to", "publication_date", "sex_of_voters"])
COUNTS = st.integers(1, 10**20)


@st.composite
def ballots(draw: st.DrawFn, items: list[str]) -> Any:
    """A ranking of some of the items, as scores or as a graph."""
    listed = draw(st.lists(st.sampled_from(items), unique=True, min_size=1))
    scores = {item: draw(st.integers(0, 3)) for item in listed}
    return po.from_scores(scores) if draw(st.booleans()) else scores


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    items = draw(st.lists(NAMES, unique=True, max_size=5))
    found = draw(st.lists(st.tuples(ballots(items), COUNTS), max_size=4)) if items else []
    metadata = draw(st.dictionaries(KEYS, LINES))
    return Profile([order for order, _ in found], [count for _, count in found], items, metadata)


@st.composite
def matchings(draw: st.DrawFn) -> Profile:
    items = draw(st.lists(NAMES, unique=True, max_size=4))
    G = nx.DiGraph()
    G.add_nodes_from(items)
    for u in items:
        for v in items:
            if draw(st.booleans()):
                weight = draw(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
                G.add_edge(u, v, weight=weight)
    return Profile([G], items=items)


def write(profile: Profile, **options: Any) -> str:
    target = io.StringIO(newline="")
    write_preflib(profile, target, **options)
    return target.getvalue()


def read(text: str, **options: Any) -> Profile:
    return read_preflib(io.StringIO(text, newline=""), **options)


def merged(profile: Profile) -> Profile:
    """The profile with each order once, told by its levels and the category of each item."""
    first: dict[Any, Any] = {}
    voters: dict[Any, int] = {}
    for order, count in zip(profile.orders, profile.counts, strict=True):
        is_graph = isinstance(order, nx.DiGraph)
        category = order.nodes(data="category") if is_graph else ((item, None) for item in order)
        said = *map(frozenset, po.levels(order)), frozenset(category)
        first.setdefault(said, order)
        voters[said] = voters.get(said, 0) + count
    return Profile([*first.values()], [*voters.values()], profile.items, profile.metadata)


@given(profiles())
def test_there_and_back(profile: Profile) -> None:
    assert read(write(profile)) == merged(profile)
    assert read(write(read(write(profile)))) == merged(profile)


@given(matchings())
def test_matching_data_there_and_back(profile: Profile) -> None:
    (G,) = profile.orders
    (H,) = read(write(profile, data_type="wmd")).orders
    assert isinstance(G, nx.DiGraph)
    assert isinstance(H, nx.DiGraph)
    assert list(H) == list(G)
    assert set(H.edges(data="weight")) == set(G.edges(data="weight"))
    assert set(map(type, nx.get_edge_attributes(H, "weight").values())) == set(
        map(type, nx.get_edge_attributes(G, "weight").values())
    )


@given(st.data())
def test_categories_there_and_back(data: st.DataObject) -> None:
    items = data.draw(st.lists(NAMES, unique=True, max_size=4))
    names = data.draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    graphs = []
    for _ in range(data.draw(st.integers(0, 3))):
        category = {item: data.draw(st.sampled_from([None, *names])) for item in items}
        levels = [[item for item in items if category[item] == name] for name in names]
        G = po.from_levels([level for level in levels if level])
        nx.set_node_attributes(G, {item: category[item] for item in G}, "category")
        graphs.append(G)
    profile = Profile(graphs, items=items, metadata={"categories": tuple(names)})
    back = read(write(profile))
    assert back == merged(profile)
    assert [dict(G.nodes(data="category")) for G in back.orders] == [
        dict(G.nodes(data="category")) for G in merged(profile).orders
    ]
    assert write(back) == write(profile)


@pytest.mark.parametrize(
    ("orders", "narrowest"),
    [
        ([{"A": 2, "B": 1}], "soc"),
        ([], "soc"),
        ([{"A": 2, "B": 1}, {"A": 1}], "soi"),
        ([{"A": 1, "B": 1}], "toc"),
        ([{"A": 1, "B": 1}, {"B": 1}], "toi"),
    ],
)
def test_the_narrowest_type_is_the_default(orders: list[Any], narrowest: str) -> None:
    profile = Profile(orders, items="AB")
    assert f"# DATA TYPE: {narrowest}\n" in write(profile)
    assert read(write(profile, data_type="toi")) == profile
    for kind in ("soc", "soi", "toc", "toi"):
        fits = kind[0] >= narrowest[0] and kind[2] >= narrowest[2]
        if fits:
            assert read(write(profile, data_type=kind)) == profile
        else:
            with pytest.raises(NotApplicableError, match=f"{kind}, found .*; it fits {narrowest}"):
                write(profile, data_type=kind)


def test_the_suffix_tells_the_type_and_the_header_the_file(tmp_path: Path) -> None:
    profile = Profile([{"A": 2, "B": 1}], [3], metadata={"title": "Two"})
    path = tmp_path / "two.TOI"
    write_preflib(profile, path)
    text = path.read_text()
    assert text.startswith("# FILE NAME: two.TOI\n# TITLE: Two\n")
    assert "# DATA TYPE: toi\n" in text
    assert text.endswith("3: 1,2\n")
    assert read_preflib(path) == profile
    with pytest.raises(PorankError, match=r"soc, soi, .* as data_type or suffix, found 'csv'"):
        write_preflib(profile, tmp_path / "two.csv")
    write_preflib(profile, tmp_path / "two.csv", data_type="soc")
    assert read_preflib(tmp_path / "two.csv") == profile


def test_the_order_that_does_not_fit_is_named() -> None:
    ties = Profile([{"A": 2, "B": 1}, {"A": 1, "B": 1}])
    with pytest.raises(NotApplicableError, match="type soi, found ties in order 2; it fits toc"):
        write(ties, data_type="soi")
    partial = Profile([{"A": 2, "B": 1, "C": 0}, {"B": 1}])
    with pytest.raises(NotApplicableError, match="found order 2 without 'A', 'C'; it fits soi"):
        write(partial, data_type="soc")
    with pytest.raises(NotApplicableError, match="2 orders of 2 voters; it fits soi"):
        write(partial, data_type="wmd")
    with pytest.raises(NotApplicableError, match="3 levels in order 1 and 2 categories; it fits"):
        write(Profile(partial.orders, metadata={"categories": ("x", "y")}))
    with pytest.raises(NotApplicableError, match="1 order of 2 voters; it fits none"):
        write(Profile([nx.DiGraph(["ab", "ba"])], [2]), data_type="wmd")
    with pytest.raises(NotApplicableError, match="3 levels in order 1 and 1 category; it fits"):
        write(Profile(partial.orders, metadata={"categories": ("x",)}))
    for kind in (None, "soi", "toi", "cat"):
        with pytest.raises(
            NotApplicableError, match=r"one item in a PrefLib file, .* order 1; lea"
        ):
            write(Profile([{}]), data_type=kind)
    unknown = Profile([nx.DiGraph(["ab", "ac"])])
    with pytest.raises(NotApplicableError, match="order 1, found 'b' and 'c' incomparable"):
        write(unknown, data_type="toc")
    with pytest.raises(PorankError, match="weight of 'a' > 'b' for PrefLib, found None; a partial"):
        write(unknown)
    with pytest.raises(NotApplicableError, match=r"graph of all items .* found a graph of some"):
        write(Profile([nx.DiGraph(["ab"])], items="abc"), data_type="wmd")
    with pytest.raises(NotApplicableError, match=r"graph of all items .* found scores"):
        write(Profile([{"a": 1}]), data_type="wmd")


def test_levels_become_categories_where_none_are_known() -> None:
    text = write(Profile([{"A": 2, "B": 1}, {"B": 1}]), data_type="cat")
    assert "# CATEGORY NAME 2: 2\n" in text
    assert text.endswith("1: 1,2\n1: 2,{}\n")
    assert read(text).metadata == {"categories": ("1", "2")}


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (Profile([{" A": 1}]), "one line of text without blanks at its ends as ALTERNATIVE NAME 1"),
        (Profile([{"A\nB": 1}]), r"as ALTERNATIVE NAME 1, found 'A\\nB'"),
        (Profile([{"": 1}]), "as ALTERNATIVE NAME 1, found ''"),
        (Profile([{1: 1, "1": 2}]), "items whose texts differ, found 1 and '1'"),
        (Profile([], metadata={"title": "a\nb"}), "as the metadata field 'title', found 'a\\\\nb'"),
        (Profile([], metadata={"data_type": "soc"}), "does not use itself, .* found 'data_type'"),
        (Profile([], metadata={"number_voters": "1"}), "found 'number_voters'"),
        (Profile([], metadata={"Title": "x"}), "small letters .* found 'Title'"),
        (Profile([], metadata={" title": "x"}), "found ' title'"),
        ([{"A": 1}], "expected a Profile, found a list; Profile"),
    ],
)
def test_what_the_format_cannot_say_is_refused(profile: Any, message: str) -> None:
    with pytest.raises(PorankError, match=message):
        write(profile)


def test_numbers_and_their_names_there_and_back() -> None:
    text = write(Profile([{"A": 2, "B": 1}]))
    numbered = read(text, names="numbers")
    assert numbered.items == (1, 2)
    assert read(write(numbered), names="numbers") == numbered
    assert read(write(numbered)) == read(text)


def test_names_go_with_their_numbers() -> None:
    numbered = read(
        "# ALTERNATIVE NAME 1: Red\n# ALTERNATIVE NAME 2: White\n3: 1,2\n", names="numbers"
    )
    assert numbered.metadata == {"names": {1: "Red", 2: "White"}}
    for items in ((1, 2), (2, 1)):
        profile = Profile([*numbered.orders], numbered.counts, items, numbered.metadata)
        assert list(read(write(profile)).scores()) == [{"Red": 2, "White": 1}]
    more = Profile([*numbered.orders], numbered.counts, (1, 2, 3), numbered.metadata)
    assert read(write(more)).items == ("1", "2", "3"), "not all of them have names"
    own = Profile([{"A": 1, "B": 2}], metadata={"names": "of wines"})
    assert read(write(own)) == own


def test_numbers_that_the_format_does_not_know_are_metadata() -> None:
    text = "# NUMBER VOTERS: 3\n# NUMBER JUDGES: two\n# ALTERNATIVE NAME 1: A\n3: 1\n"
    profile = read(text)
    assert profile.metadata == {"number_judges": "two"}
    assert read(write(profile)) == profile


@pytest.mark.parametrize("categories", [("Yes", "No"), ("Yes", "Yes"), ()])
def test_categories_of_numbers_keep_their_names(categories: tuple[str, ...]) -> None:
    lines = [f"# CATEGORY NAME {n}: {name}" for n, name in enumerate(categories, start=1)]
    header = "# NUMBER CATEGORIES: 2\n# NUMBER ALTERNATIVES: 2\n"
    profile = read(header + "\n".join([*lines, "3: 2,1"]), names="numbers")
    are_names = len(set(categories)) == 2
    assert profile.metadata == {"categories": categories if are_names else (1, 2)}
    assert dict(profile.orders[0].nodes(data="category")) == dict(
        zip([2, 1], profile.metadata["categories"], strict=True)
    )
    assert ("names" in profile.metadata) is False
