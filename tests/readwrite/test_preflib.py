"""PrefLib files, read and written: every type and every quirk, there and back."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.errors import NotApplicableError, ParseError, PorankError
from porank.readwrite.preflib import read_preflib, write_preflib
from tests.oracles import closure
from tests.oracles_files import preflib_levels
from tests.preflib_texts import OLD, TOI, levels, names, read


class TestReading:
    """What is read."""

    def test_orders_counts_items_and_metadata(self) -> None:
        profile = read(TOI)
        assert profile.items == ("Red", "White", "Rosé", "None: of these")
        assert (profile.counts, profile.voters, len(profile.orders)) == ((5, 3, 2), 10, 3)
        assert profile.metadata == {
            "title": "A tasting: round 1",
            "modification_type": "synthetic",
        }
        assert profile.problems == ()
        assert [list(order) for order in profile.orders] == [
            ["Rosé", "Red", "White"],
            ["None: of these"],
            ["Red", "White", "Rosé", "None: of these"],
        ]
        assert profile.orders[0] == {"Rosé": 2, "Red": 1, "White": 1}

    def test_braces_are_known_ties_and_the_unlisted_are_not_there(self) -> None:
        first, second, third = read(TOI).orders
        assert po.describe(first).ties == 1
        assert po.describe(third).ties == 6
        assert "Red" not in second

    def test_unranked_last_ties_them_at_the_bottom(self) -> None:
        profile = read(TOI, unranked="last")
        rest = {"Red", "White", "Rosé"}
        assert levels(profile) == [
            [{"Rosé"}, {"Red", "White"}, {"None: of these"}],
            [{"None: of these"}, rest],
            [rest | {"None: of these"}],
        ]
        assert po.describe(profile.orders[1]).ties == 3
        assert levels(read(names(3) + "1: 3,1\n", unranked="last")) == [[{"C"}, {"A"}, {"B"}]]

    def test_numbers_as_items(self) -> None:
        profile = read(TOI, names="numbers")
        assert profile.items == (1, 2, 3, 4)
        assert levels(profile)[0] == [{3}, {1, 2}]
        assert profile.metadata["names"] == {1: "Red", 2: "White", 3: "Rosé", 4: "None: of these"}
        without = read("# NUMBER ALTERNATIVES: 3\n1: 3,1,2\n", names="numbers")
        assert list(without.orders[0]) == [3, 1, 2]
        assert without.metadata == {}

    @pytest.mark.parametrize(
        "text",
        [
            TOI.replace("\n", "\r\n"),
            TOI.replace("\n", "\r"),
            "\ufeff" + TOI,
            TOI + "\n\n",
            TOI.rstrip("\n"),
            TOI.replace("3,{1,2}", " 3 , { 1 ,\t2 } "),
            TOI.replace("5: 3", "  5 :3"),
            TOI.replace("# NUMBER", "#number"),
            TOI.replace("# ALTERNATIVE NAME", "#  ALTERNATIVE  NAME"),
            TOI.replace("5: 3,{1,2}\n", "\n5: 3,{1,2}\n"),
            TOI.replace("3: 4\n", "3: {4}\n"),
        ],
    )
    def test_quirks_that_change_nothing(self, text: str) -> None:
        assert read(text) == read(TOI)

    def test_a_path_an_open_file_and_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "wine.toi"
        path.write_text(TOI, "utf-8")
        assert read_preflib(path) == read_preflib(str(path)) == read(TOI)
        with path.open(encoding="utf-8") as text:
            assert read_preflib(text) == read(TOI)
        with path.open("rb") as content:
            assert read_preflib(content) == read(TOI)

    def test_the_old_form(self) -> None:
        profile = read(OLD)
        assert profile.items == ("A", "B, the second", "C")
        assert profile.counts == (4, 2)
        assert levels(profile) == [
            [{"A"}, {"B, the second", "C"}],
            [{"C"}, {"A"}, {"B, the second"}],
        ]

    def test_categories(self) -> None:
        text = (
            "# DATA TYPE: cat\n# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 6\n"
            "# NUMBER UNIQUE PREFERENCES: 3\n# NUMBER CATEGORIES: 3\n# CATEGORY NAME 1: Yes\n"
            f"# CATEGORY NAME 2: Perhaps\n# CATEGORY NAME 3: No\n{names(4)}"
            "3: {1,4},{},{2,3}\n2: {},{1},{}\n1: 1,2,{3,4}\n"
        )
        profile = read(text)
        assert profile.metadata == {"categories": ("Yes", "Perhaps", "No")}
        assert levels(profile) == [
            [{"A", "D"}, {"B", "C"}],
            [{"A"}],
            [{"A"}, {"B"}, {"C", "D"}],
        ]
        categories = [
            {item: profile.metadata["categories"][-score] for item, score in order.items()}
            for order in profile.orders
        ]
        assert categories == [
            {"A": "Yes", "D": "Yes", "B": "No", "C": "No"},
            {"A": "Perhaps"},
            {"A": "Yes", "B": "Perhaps", "C": "No", "D": "No"},
        ]
        with pytest.raises(ParseError, match="3 categories in a file of type cat, found 2"):
            read(text.replace("{},{1},{}", "{1},{}"))
        for few in ("1,2", "{1,2},{3}"):
            with pytest.raises(ParseError, match="3 categories in a file of type cat, found 2"):
                read(text.replace("{},{1},{}", few))

    def test_matching_data_are_one_weighted_graph(self) -> None:
        body = "1,2,0.5\n2,1,3\n1,1,-1e-3\n1, 3 , 2.0\n"
        text = f"# DATA TYPE: wmd\n# NUMBER EDGES: 4\n{names(3)}{body}"
        profile = read(text)
        (G,) = profile.orders
        assert isinstance(G, nx.DiGraph)
        assert profile.counts == (1,)
        assert list(G.edges(data="weight")) == [
            ("A", "B", 0.5),
            ("A", "A", -0.001),
            ("A", "C", 2.0),
            ("B", "A", 3),
        ]
        assert list(G) == ["A", "B", "C"]
        assert list(read(text.replace("# DATA TYPE: wmd\n", "")).orders[0].edges) == list(G.edges)

    def test_the_old_form_of_matching_data(self, tmp_path: Path) -> None:
        text = "3,2\n1,Pair 1\n2,Pair 2\n3,Altruist, the first\n1,2,1.0\n3,1,0.5\n"
        path = tmp_path / "00036-00000001.wmd"
        path.write_text(text)
        for profile in (read_preflib(path), read(text), read(text.replace("\n", "\n\n"))):
            assert profile.items == ("Pair 1", "Pair 2", "Altruist, the first")
            assert list(profile.orders[0].edges(data="weight")) == [
                ("Pair 1", "Pair 2", 1.0),
                ("Altruist, the first", "Pair 1", 0.5),
            ]
        with pytest.raises(
            ParseError, match="line 1: expected 9 as the number of edges, as NUMBER EDGES says"
        ):
            read(text.replace("3,2", "3,9"))
        with pytest.raises(ParseError, match="line 5: expected 'source,destination,weight', found"):
            read(text.replace("1,2,1.0", "1,2"))
        assert list(read("0,0\n").orders[0]) == []

    def test_categories_and_alternatives_numbered_from_0(self) -> None:
        header = "# NUMBER CATEGORIES: 2\n# CATEGORY NAME 0: Yes\n# CATEGORY NAME 1: No\n"
        profile = read(f"{header}{names(3)}4: {{1,3}},2\n")
        assert profile.metadata == {"categories": ("Yes", "No")}
        assert levels(profile) == [[{"A", "C"}, {"B"}]]
        named = "# ALTERNATIVE NAME 0: A\n# ALTERNATIVE NAME 1: B\n1: 1,0\n"
        assert levels(read(named)) == [[{"B"}, {"A"}]]
        with pytest.raises(ParseError, match=r"expected 3 as the number of names of categories"):
            read(header.replace("RIES: 2", "RIES: 3") + names(1))

    @pytest.mark.parametrize("text", ["# NUMBER ALTERNATIVES: 0\n", "0\n0,0,0\n"])
    def test_a_file_of_no_voters_is_an_empty_profile(self, text: str) -> None:
        profile = read(text)
        assert (list(profile.orders), profile.items, profile.voters) == ([], (), 0)

    def test_large_levels_take_no_edges(self) -> None:
        n = 8000
        upper = ",".join(map(str, range(1, n // 2 + 1)))
        lower = ",".join(map(str, range(n // 2 + 1, n + 1)))
        text = f"# NUMBER ALTERNATIVES: {n}\n1: {{{upper}}},{{{lower}}}\n"
        (scores,) = read(text, names="numbers").orders
        assert (scores[1], scores[n], len(scores)) == (2, 1, n)


class TestType:
    """How the type of the file is told, and what it demands."""

    def test_the_header_then_the_option_then_the_suffix(self, tmp_path: Path) -> None:
        body = names(2) + "1: {1,2}\n"
        message = "no ties in a file of type soc, found 2 tied items"
        with pytest.raises(ParseError, match=message):
            read("# DATA TYPE: soc\n" + body)
        with pytest.raises(ParseError, match=message):
            read(body, data_type="soc")
        path = tmp_path / "a.SOC"
        path.write_text(body)
        with pytest.raises(ParseError, match=message):
            read_preflib(path)
        path.write_text("# DATA TYPE: TOC\n" + body)
        assert len(read_preflib(path).orders) == 1
        assert len(read(body).orders) == 1
        with pytest.raises(PorankError, match="data_type 'toc' as the header says, found 'soc'"):
            read_preflib(path, data_type="soc")
        path = tmp_path / "a.pwg"
        path.write_text(body)
        with pytest.raises(PorankError, match="found 'pwg', a type that PrefLib gave up"):
            read_preflib(path)
        for kind in ("wmd", "cat"):
            with pytest.raises(PorankError, match=f"a header in a file of type {kind}, found the"):
                read(OLD, data_type=kind)

    @pytest.mark.parametrize("data_type", ["soc", "toc"])
    def test_complete_orders(self, data_type: str) -> None:
        assert len(read(names(3) + "1: 3,1,2\n", data_type=data_type).orders) == 1
        with pytest.raises(
            ParseError, match=f"all 3 alternatives .* {data_type}, found 1, without 'A', 'C'"
        ):
            read(names(3) + "1: 2\n", data_type=data_type)

    @pytest.mark.parametrize(
        ("option", "value"),
        [("data_type", "pdf"), ("names", "both"), ("unranked", None), ("errors", "ignore")],
    )
    def test_other_options_are_refused(self, option: str, value: Any) -> None:
        with pytest.raises(
            PorankError, match=rf"expected {option} to be one of '.*', found {value!r}"
        ):
            read(TOI, **{option: value})


@given(st.text(st.sampled_from("1234{},, "), max_size=12), st.booleans())
@example("3,{1,2}", False)
@example("{1,2},{},4", True)
@example("{}", True)
@example("1,1", False)
@example("1 ,{2}", False)
@example("{1,{2},3}", False)
def test_a_line_says_what_it_says_by_definition(text: str, empty: bool) -> None:
    expected = preflib_levels(text, 3, empty=empty)
    form = "# NUMBER ALTERNATIVES: 3\n"
    if empty:
        form += f"# DATA TYPE: cat\n# NUMBER CATEGORIES: {len(expected or ())}\n"
    profile = read(f"{form}1:{text}", names="numbers", errors="report")
    assert len(profile.problems) == (not expected), "no ranking, or a ranking of nothing"
    for scores in profile.orders:
        places = enumerate(reversed(expected or ()), start=1)
        assert scores == {number: score for score, level in places for number in level}


def test_what_is_read_can_be_used_at_once() -> None:
    profile = read(OLD)
    graph = po.from_scores(profile.orders[0])
    assert closure(graph.edges) == {("A", "B, the second"), ("A", "C")}
    assert po.kendall_distance(*profile.scores()) == 1
    assert po.pair_table(*profile.orders).concordant == 1


def test_a_weight_of_many_digits() -> None:
    header = "# DATA TYPE: wmd\n" + names(2)
    for text, weight in (("9" * 300, 10**300 - 1), ("0" * 5000 + "7", 7.0)):
        found = read(f"{header}1,2,{text}").orders[0].edges["A", "B"]["weight"]
        assert (found, type(found)) == (weight, type(weight))
    with pytest.raises(ParseError, match="expected a finite number as weight, found '9999"):
        read(f"{header}1,2,{'9' * 5000}")


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


def merged(profile: Profile) -> Profile:
    """The profile with each order once, told by its levels."""
    first: dict[Any, Any] = {}
    voters: dict[Any, int] = {}
    for order, count in zip(profile.orders, profile.counts, strict=True):
        said = tuple(map(frozenset, po.levels(order)))
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
    orders = [
        data.draw(st.dictionaries(st.sampled_from(items), st.integers(1, len(names)), min_size=1))
        for _ in range(data.draw(st.integers(0, 3)) if items else 0)
    ]
    profile = Profile(orders, items=items, metadata={"categories": tuple(names)})
    back = read(write(profile))
    assert list(back.orders) == [order for k, order in enumerate(orders) if order not in orders[:k]]
    assert (back.items, back.voters) == (profile.items, profile.voters)
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
            with pytest.raises(NotApplicableError, match=f"{kind}, .* fits {narrowest}"):
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
    with pytest.raises(NotApplicableError, match=r"soi, found 2 tied items in order 2; .* toc"):
        write(ties, data_type="soi")
    partial = Profile([{"A": 2, "B": 1, "C": 0}, {"B": 1}])
    with pytest.raises(NotApplicableError, match=r"without 'A', 'C' in order 2; .* soi"):
        write(partial, data_type="soc")
    with pytest.raises(NotApplicableError, match=r"3 items, 2 voters.: a dict of 3, a dict of 1$"):
        write(partial, data_type="wmd")
    with pytest.raises(NotApplicableError, match="2 categories in a file of type cat, found 3 lev"):
        write(Profile(partial.orders, metadata={"categories": ("x", "y")}))
    with pytest.raises(NotApplicableError, match="one voter in a file of type wmd, found Prof"):
        write(Profile([nx.DiGraph(["ab", "ba"])], [2]), data_type="wmd")
    with pytest.raises(NotApplicableError, match="1 category in a file of type cat, found 3 lev"):
        write(Profile(partial.orders, metadata={"categories": ("x",)}))
    for kind in (None, "soi", "toi", "cat"):
        with pytest.raises(
            NotApplicableError, match=r"expected at least one alternative.* order 1; lea"
        ):
            write(Profile([{}]), data_type=kind)
    unknown = Profile([nx.DiGraph(["ab", "ac"])])
    with pytest.raises(NotApplicableError, match="order 1, found 'b' and 'c' incomparable"):
        write(unknown, data_type="toc")
    with pytest.raises(PorankError, match="weight of 'a' > 'b' for PrefLib, found None"):
        write(unknown)
    with pytest.raises(NotApplicableError, match=r"graph of all items .* a DiGraph of 2$"):
        write(Profile([nx.DiGraph(["ab"])], items="abc"), data_type="wmd")
    with pytest.raises(NotApplicableError, match=r"graph of all items .* a dict of 1$"):
        write(Profile([{"a": 1}]), data_type="wmd")


def test_levels_become_categories_where_none_are_known() -> None:
    orders = [{"A": 2, "B": 1}, {"B": 1}, {"B": 0.5}, nx.DiGraph(["AB"])]
    text = write(Profile(orders), data_type="cat")
    assert "# CATEGORY NAME 2: 2\n" in text
    assert text.endswith("2: 1,2\n1: {},2\n1: 2,{}\n")
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
    assert profile.metadata == {"categories": categories or (1, 2)}
    assert profile.orders == ({2: 2, 1: 1},)
    assert ("names" in profile.metadata) is False
