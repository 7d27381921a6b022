"""PrefLib files, read and written: every type and every quirk, there and back."""

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
from porank.results import Problem
from tests.support.oracles_files import preflib_levels
from tests.support.preflib_texts import TOI, content_of, levels, named, names, read
from tests.support.refusals import refuses

CAT = (
    "# DATA TYPE: cat\n# NUMBER VOTERS: 6\n# NUMBER UNIQUE PREFERENCES: 3\n"
    "# NUMBER CATEGORIES: 3\n# CATEGORY NAME 1: Yes\n# CATEGORY NAME 2: Perhaps\n"
    f"# CATEGORY NAME 3: No\n{names(4)}"
    "3: {1,4},{},{2,3}\n2: {},{1},{}\n1: 1,2,{3,4}\n"
)


def write(profile: Profile, kind: str | None = None) -> str:
    file = named(kind)
    write_preflib(profile, file)
    text: str = file.getvalue()
    return text


class TestReading:
    """What is read."""

    def test_orders_counts_items_and_metadata(self) -> None:
        profile = read(TOI)
        assert profile.items == ("Red", "White", "Rosé", "None: of these")
        assert (profile.counts, profile.voters, profile.problems) == ((5, 3, 2), 10, ())
        title = {"title": "A tasting: round 1", "modification_type": "synthetic"}
        assert profile.metadata == title
        first, second, third = profile.orders
        assert list(map(list, (first, second))) == [["Rosé", "Red", "White"], ["None: of these"]]
        assert list(third) == ["Red", "White", "Rosé", "None: of these"]
        assert first == {"Rosé": 2, "Red": 1, "White": 1}

    def test_unranked_last_ties_them_at_the_bottom(self) -> None:
        profile = read(f"{names(3)}2: 1,2\n3: 1,2,3\n1: 3\n", unranked="last")
        assert levels(profile) == [[{"A"}, {"B"}, {"C"}]] * 2 + [[{"C"}, {"A", "B"}]]
        assert profile.counts == (2, 3, 1), "the lines differ, and the file is right"
        assert po.describe(profile.orders[2]).ties == 1

    def test_numbers_as_items(self) -> None:
        profile = read(TOI, names="numbers")
        assert profile.items == (1, 2, 3, 4)
        assert levels(profile)[0] == [{3}, {1, 2}]
        assert profile.metadata["names"] == {1: "Red", 2: "White", 3: "Rosé", 4: "None: of these"}
        again = TOI.replace("4: None: of these", "4: Red")
        assert read(again, names="numbers").items == (1, 2, 3, 4)

    def test_quirks_that_change_nothing(self) -> None:
        for text in (
            TOI.replace("\n", "\r\n"),
            TOI.replace("\n", "\r"),
            "\ufeff" + TOI + "\n\n",
            TOI.rstrip("\n"),
            TOI.replace("3,{1,2}", " 3 , { 1 ,\t2 } ").replace("5: 3", "  005 :3"),
            TOI.replace("# NUMBER", "#number").replace(
                "# ALTERNATIVE NAME", "#  Alternative  NAME"
            ),
            TOI.replace("5: 3,{1,2}\n", "\n5: 3,{1,2}\n").replace("3: 4\n", "3: {4}\n"),
        ):
            assert content_of(read(text)) == content_of(read(TOI))

    def test_the_old_form_is_refused_with_a_way_out(self) -> None:
        with pytest.raises(ParseError, match=r"line 1: .* found no header; preflib\.org has"):
            read("3\n1,A\n2,B\n3,C\n6,6,2\n4,1,{2,3}\n2,3,1,2\n")

    def test_ballots_in_categories_are_scores_by_category(self) -> None:
        profile = read(CAT)
        assert profile.metadata == {"categories": ("Yes", "Perhaps", "No")}
        assert profile.orders == (
            {"A": 3, "D": 3, "B": 1, "C": 1},
            {"A": 2},
            {"A": 3, "B": 2, "C": 1, "D": 1},
        )
        with pytest.raises(ParseError, match="3 categories in a file of type cat, found 2"):
            read(CAT.replace("{},{1},{}", "{1},{}"))
        with pytest.raises(ParseError, match=r"line 15: .* found that of line 12 again"):
            read(CAT.replace("ERS: 6", "ERS: 9") + "3: {4,1},{},{2,3}\n")
        header = "# NUMBER CATEGORIES: 2\n# NUMBER ALTERNATIVES: 2\n"
        for categories in (("Yes", "No"), ("Yes", "Yes"), ()):
            lines = [f"# CATEGORY NAME {n}: {name}\n" for n, name in enumerate(categories)]
            found = read("".join([header, *lines, "3: 2,1"]), names="numbers")
            assert found.metadata == {"categories": categories or (1, 2)}
            assert found.orders == ({2: 2, 1: 1},)
        with pytest.raises(ParseError, match="3 as the number of names of categories"):
            read(f"# NUMBER CATEGORIES: 3\n# CATEGORY NAME 0: Yes\n{names(1)}")

    def test_a_file_without_alternatives(self) -> None:
        empty = read("# NUMBER ALTERNATIVES: 0\n")
        assert (list(empty.orders), empty.items, empty.voters) == ([], (), 0)

    def test_counts_and_numbers_of_alternatives_may_be_large(self) -> None:
        lines = "007: 1\n99999999999999999999: 2\n123456: 1,2000000\n"
        profile = read(f"{names(2)}# ALTERNATIVE NAME 2000000: C\n{lines}")
        assert profile.counts == (7, 99999999999999999999, 123456)
        assert levels(profile) == [[{"A"}], [{"B"}], [{"A"}, {"C"}]]


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


class TestType:
    """How the type of the file is told, and what it demands."""

    def test_the_header_then_the_suffix(self, tmp_path: Path) -> None:
        body = f"{names(2)}1: {{1,2}}\n"
        path = tmp_path / "a.SOC"
        path.write_text(body)
        message = "no ties in a file of type soc, found 2 tied items"
        for text, kind in ((f"# DATA TYPE: soc\n{body}", None), (body, "soc")):
            refuses(message, read, text, kind=kind, error=ParseError)
        refuses(message, read_preflib, path, error=ParseError)
        path.write_text(f"# DATA TYPE: TOC\n{body}")
        assert read_preflib(path).orders == read(body).orders
        for refused, way_out in {"pwg": "the file of orders", "wmd": "read_weighted_edge"}.items():
            other = tmp_path / f"a.{refused}"
            other.write_text(body)
            refuses(f"'{refused}', whose .*{way_out}", read_preflib, other)
        with pytest.raises(ParseError, match=r"line 4: .* 'pwg', whose lines are no orders"):
            read(TOI.replace("TYPE: toi", "TYPE: pwg"), errors="report")

    def test_a_complete_format_refuses_a_ballot_that_lacks_items(self) -> None:
        for kind in ("soc", "toc"):
            assert len(read(names(3) + "1: 3,1,2\n", kind=kind).orders) == 1
            with pytest.raises(ParseError, match=f"all 3 .* {kind}, found 1, without 'A', 'C'"):
                read(names(3) + "1: 2\n", kind=kind)

    def test_an_unknown_type_and_what_is_read_in_spite_of_it(self) -> None:
        text = TOI.replace("TYPE: toi", "TYPE: xyz")
        report = read(text, errors="report")
        assert levels(report) == levels(read(TOI))
        assert [problem.line for problem in report.problems] == [4]
        strict = read(text, errors="report", kind="soi")
        assert [problem.line for problem in strict.problems] == [4, 13, 15]


#: A change of a file, the line of the fault, and what is said.
FAULTS = [
    (TOI, "VOTERS: 10", "VOTERS: 11", 7, "11 as the sum of the counts, as NUMBER VOTERS says"),
    (TOI, "ORDERS: 3", "ORDERS: 2", 8, "2 as the number of orders, as NUMBER UNIQUE ORDERS says"),
    (TOI, "TIVES: 4", "TIVES: 5", 6, "5 as the number of names, as NUMBER ALTERNATIVES says"),
    (TOI, "NAME 4", "NAME 3", 12, "the field ALTERNATIVE NAME 3 once, found it again"),
    (TOI, "VOTERS: 10", "VOTERS: ten", 7, "a whole number as NUMBER VOTERS, found 'ten'"),
    (TOI, "# TITLE: A tasting: round 1", "# Wine", 2, "'# KEY: value' in the header, found no ':'"),
    (TOI, "4: None: of these", "4: Red", 12, "found 'Red' for 1 and 4; names='numbers'"),
    (TOI, "4: None: of these", "4: ", 12, "found none for 4; names='numbers'"),
    (TOI, TOI, "", 1, "NUMBER ALTERNATIVES or their names in the header, found an empty file"),
    (TOI, TOI, "\n# TITLE: nothing\n", 2, "NUMBER ALTERNATIVES or their names in the header"),
]


def test_a_file_that_contradicts_itself() -> None:
    for text, old, new, line, message in FAULTS:
        changed = text.replace(old, new, 1)
        with pytest.raises(ParseError) as caught:
            read(changed)
        assert (caught.value.line, message in str(caught.value)) == (line, True)
        report = read(changed, errors="report")
        assert any(found.line == line and message in found.message for found in report.problems)


def test_a_number_is_not_believed_beyond_what_the_file_shows() -> None:
    for claim in (
        "# NUMBER ALTERNATIVES: {}\n1: 1\n",
        "# NUMBER ALTERNATIVES: 1\n# NUMBER CATEGORIES: {}\n1: 1\n",
        "{},1\n1,A\n1,1,1\n",
    ):
        for number in ("100001", "9" * 900):
            refuses("expected ", read, claim.format(number), names="numbers", error=ParseError)
            report = read(claim.format(number), names="numbers", errors="report")
            assert len(report.items) <= 100_000


#: A ranking of some of twelve alternatives in two levels: a permutation, and the cut.
RANKINGS = st.builds(
    lambda numbers, cut: [list(numbers[:cut]), list(numbers[cut:])],
    st.sampled_from([(1, 2, 3, 4), (2, 1, 4, 3), (11, 2, 1, 3), (1, 12, 3, 2), (3, 4, 1, 2)]),
    st.integers(1, 3),
)
BALLOTS = st.lists(st.tuples(st.integers(1, 9), RANKINGS), max_size=9)


def spell(ranking: list[list[int]]) -> str:
    return ",".join(f"{{{','.join(map(str, level))}}}" for level in ranking)


@given(BALLOTS)
@example([(1, [[1], [2, 3]]), (2, [[1], [3, 2]]), (3, [[1, 2], [3]]), (4, [[1], [2, 3]])])
@example([(1, [[1], [12]]), (1, [[11], [2]]), (1, [[12], [1]]), (1, [[1], [12]])])
def test_equal_orders_are_one(ballots: list[Any]) -> None:
    orders = [tuple(map(frozenset, ranking)) for _, ranking in ballots]
    voters: dict[Any, int] = {}
    for (count, _), order in zip(ballots, orders, strict=True):
        voters[order] = voters.get(order, 0) + count
    lines = [f"{count}: {spell(ranking)}" for count, ranking in ballots]
    header = "# NUMBER ALTERNATIVES: 12"
    report = read("\n".join([header, *lines]), names="numbers", errors="report")
    found = [tuple(map(frozenset, po.levels(order))) for order in report.scores()]
    assert list(zip(found, report.counts, strict=True)) == list(voters.items())
    again = "expected each order on one line, found that of line {} again".format
    assert report.problems == tuple(
        Problem(place + 2, 0, lines[place], again(orders.index(order) + 2))
        for place, order in enumerate(orders)
        if order in orders[:place]
    )
    given_orders = list(map(po.from_levels, (ranking for _, ranking in ballots)))
    text = write(Profile(given_orders, [count for count, _ in ballots], items=range(1, 13)))
    assert f"# NUMBER UNIQUE ORDERS: {len(voters)}\n" in text
    assert read(text, names="numbers").orders == report.orders
    assert read(text).counts == report.counts


LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).filter(
    lambda text: text == text.strip() != "" and "\n" not in text and "\r" not in text
)
NAMES = st.one_of(st.sampled_from(["A", "B: b", "C, c", "{D}", "#", "1", "a\x85b", "日本"]), LINES)
ITEMS = st.lists(NAMES, unique=True, max_size=4)
KEYS = st.sampled_from(["title", "description", "relates_to", "publication_date", "sex_of_voters"])


def as_sets(order: Any) -> list[set[Any]]:
    """Return the levels of an order, in which the sequence of tied items does not matter."""
    return [set(level) for level in po.levels(order)]


@given(ITEMS, st.data())
def test_there_and_back(items: list[str], data: st.DataObject) -> None:
    orders: list[Any] = []
    for _ in range(data.draw(st.integers(0, 4)) if items else 0):
        listed = data.draw(st.lists(st.sampled_from(items), unique=True, min_size=1))
        scores = {item: data.draw(st.integers(0, 3)) for item in listed}
        if as_sets(scores) not in list(map(as_sets, orders)):
            orders.append(po.from_scores(scores) if data.draw(st.booleans()) else scores)
    counts = [data.draw(st.integers(1, 10**20)) for _ in orders]
    profile = Profile(orders, counts, items, data.draw(st.dictionaries(KEYS, LINES)))
    assert content_of(read(write(profile))) == content_of(profile)
    assert write(read(write(profile))) == write(profile)


class TestWriting:
    """The type of what is written, and its names."""

    def test_the_narrowest_type_is_the_default(self) -> None:
        strict, weak = {"A": 2, "B": 1}, {"A": 1, "B": 1}
        for orders, narrowest in (
            ([strict], "soc"),
            ([], "soc"),
            ([strict, {"A": 1}], "soi"),
            ([weak], "toc"),
            ([weak, {"B": 1}], "toi"),
        ):
            profile = Profile(orders, items="AB")
            assert f"# DATA TYPE: {narrowest}\n" in write(profile)
            for kind in ("soc", "soi", "toc", "toi"):
                if kind[0] >= narrowest[0] and kind[2] >= narrowest[2]:
                    assert content_of(read(write(profile, kind=kind))) == content_of(profile)
                else:
                    with pytest.raises(NotApplicableError, match=f"{kind}, .* fits {narrowest}"):
                        write(profile, kind=kind)

    def test_the_suffix_tells_the_type_and_the_header_the_file(self, tmp_path: Path) -> None:
        profile = Profile([{"A": 2, "B": 1}], [3], metadata={"title": "Two"})
        path = tmp_path / "two.TOI"
        write_preflib(profile, path)
        text = path.read_text()
        assert text.startswith("# FILE NAME: two.TOI\n# TITLE: Two\n")
        assert "# DATA TYPE: toi\n" in text
        assert content_of(read_preflib(path)) == content_of(profile)
        with pytest.raises(PorankError, match=r"soc, soi, .* as suffix, found 'csv'"):
            write_preflib(profile, tmp_path / "two.csv")

    def test_the_order_that_does_not_fit_is_named(self) -> None:
        partial = [{"A": 2, "B": 1, "C": 0}, {"B": 1}]
        unknown = nx.DiGraph(["ab", "ac"])
        tied = [{"A": 2, "B": 1}, {"A": 1, "B": 1}]
        for profile, kind, message in (
            (Profile(tied), "soi", "2 tied items in order 2; .* toc"),
            (Profile(partial), "soc", "without 'A', 'C' in order 2; .* soi"),
            (Profile([{}]), None, "expected at least one alternative.* order 1; lea"),
            (Profile([unknown]), "toc", "order 1, found 'b' and 'c' incomparable"),
        ):
            refuses(message, write, profile, kind=kind)

    def test_names_go_with_their_numbers(self) -> None:
        text = write(Profile([{"Red": 2, "White": 1}], [3]))
        numbered = read(text, names="numbers")
        assert numbered.metadata == {"names": {1: "Red", 2: "White"}}
        assert content_of(read(write(numbered), names="numbers")) == content_of(numbered)
        for items in ((1, 2), (2, 1)):
            profile = Profile([*numbered.orders], numbered.counts, items, numbered.metadata)
            assert list(read(write(profile)).scores()) == [{"Red": 2, "White": 1}]
        more = Profile([*numbered.orders], numbered.counts, (1, 2, 3), numbered.metadata)
        assert read(write(more)).items == ("1", "2", "3"), "not all of them have names"
        profile = Profile([{"A": 1}], metadata={"names": "of wines", "number_judges": "two"})
        assert content_of(read(write(profile))) == content_of(profile)
