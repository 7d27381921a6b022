"""The orders and the header of PrefLib files: the place of every fault, and orders that repeat."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.errors import ParseError
from porank.readwrite.preflib import read_preflib
from porank.results import Problem
from tests.preflib_texts import OLD, TOI, levels, names, read

#: A ranking of some of twelve alternatives: a permutation, how many are listed, and the cuts.
RANKINGS = st.builds(
    lambda numbers, listed, cuts: [
        [*numbers[start:stop]]
        for start, stop in zip([0, *sorted(cuts)], [*sorted(cuts), listed], strict=True)
        if start < stop <= listed
    ],
    st.sampled_from([(1, 2, 3, 4), (2, 1, 4, 3), (11, 2, 1, 3), (1, 12, 3, 2), (3, 4, 1, 2)]),
    st.just(4),
    st.sets(st.integers(1, 3)),
)
BALLOTS = st.lists(st.tuples(st.integers(1, 9), RANKINGS), max_size=9)


def spell(ranking: list[list[int]], braces: bool) -> str:
    texts = (",".join(map(str, level)) for level in ranking)
    return ",".join(text if text.isdecimal() and not braces else f"{{{text}}}" for text in texts)


def voters_of(ballots: list[tuple[int, list[list[int]]]]) -> dict[Any, int]:
    """How many voters hold each order, whatever stands first in a level."""
    voters: dict[Any, int] = {}
    for count, ranking in ballots:
        said = tuple(map(frozenset, ranking))
        voters[said] = voters.get(said, 0) + count
    return voters


@pytest.mark.parametrize(
    ("again", "line", "counts"),
    [
        ("3,{1,2}", 13, (9, 3, 2)),
        (" 3 ,{ 2 , 1}", 13, (9, 3, 2)),
        ("{4}", 14, (5, 7, 2)),
        ("{4,3,2,1}", 15, (5, 3, 6)),
    ],
)
def test_the_lines_are_named_and_no_voter_is_lost(
    again: str, line: int, counts: tuple[int, ...]
) -> None:
    text = f"{TOI}4: {again}\n".replace("VOTERS: 10", "VOTERS: 14")
    message = f"expected each order on one line, found that of line {line} again"
    with pytest.raises(ParseError, match=f"line 16: {message}"):
        read(text)
    report = read(text, errors="report")
    assert report.counts == counts
    assert levels(report) == levels(read(TOI))
    assert report.problems == (Problem(16, 0, f"4: {again}", message),)
    wrong = read(text.replace("ORDERS: 3", "ORDERS: 4"), errors="report")
    assert [problem.line for problem in wrong.problems] == [8, 16]


@given(BALLOTS, st.booleans())
@example([(1, [[1], [2, 3]]), (2, [[1], [3, 2]]), (3, [[1, 2], [3]]), (4, [[1], [2, 3]])], False)
@example([(1, [[1, 2], [3, 4]]), (1, [[1, 2], [4, 5]]), (1, [[2, 1], [4, 3]])], True)
@example([(1, [[1], [12]]), (1, [[11], [2]]), (1, [[12], [1]]), (1, [[1], [12]])], False)
def test_equal_orders_are_found(ballots: list[Any], braces: bool) -> None:
    lines = [f"{count}: {spell(ranking, braces)}" for count, ranking in ballots]
    report = read(
        "\n".join(["# NUMBER ALTERNATIVES: 12", *lines]), names="numbers", errors="report"
    )
    said = [tuple(map(frozenset, po.levels(order))) for order in report.scores()]
    assert dict(zip(said, report.counts, strict=True)) == voters_of(ballots)
    assert list(said) == list(voters_of(ballots)), "in the place of the first"
    assert len(report.problems) == len(ballots) - len(voters_of(ballots))
    assert all("expected each order on one line" in str(found) for found in report.problems)


@given(BALLOTS)
def test_equal_orders_are_written_once(ballots: list[Any]) -> None:
    orders = [
        {number: -place for place, level in enumerate(ranking) for number in level}
        for _, ranking in ballots
    ]
    profile = Profile(orders, [count for count, _ in ballots], items=range(1, 13))
    target = io.StringIO()
    po.write_preflib(profile, target)
    back = read(target.getvalue())
    said = [
        tuple(frozenset(int(str(item)) for item in level) for level in po.levels(scores))
        for scores in back.scores()
    ]
    assert dict(zip(said, back.counts, strict=True)) == voters_of(ballots)
    assert f"# NUMBER UNIQUE ORDERS: {len(voters_of(ballots))}\n" in target.getvalue()
    assert back.voters == profile.voters


def test_equal_scores_are_one_line() -> None:
    target = io.StringIO()
    po.write_preflib(Profile([{"A": 2, "B": 1}, {"A": 9, "B": 3}], counts=[9, 5]), target)
    assert target.getvalue().endswith(
        "# NUMBER VOTERS: 14\n# NUMBER UNIQUE ORDERS: 1\n"
        "# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n14: 1,2\n"
    )


def test_categories_that_are_empty_tell_lines_apart() -> None:
    header = "# DATA TYPE: cat\n# NUMBER CATEGORIES: 2\n# CATEGORY NAME 1: Yes\n"
    text = f"{header}# CATEGORY NAME 2: No\n{names(2)}3: {{}},{{2,1}}\n4: {{1,2}},{{}}\n"
    profile = read(text)
    assert profile.counts == (3, 4)
    target = io.StringIO()
    po.write_preflib(profile, target)
    assert target.getvalue().endswith("3: {},{2,1}\n4: {1,2},{}\n")
    with pytest.raises(ParseError, match=r"line 9: .* found that of line 7 again"):
        read(f"{text}1: {{}},{{1,2}}\n")


def test_what_unranked_makes_equal_stays_apart() -> None:
    profile = read(f"{names(3)}2: 1,2\n3: 1,2,3\n", unranked="last")
    assert profile.counts == (2, 3), "the lines differ, and the file is right"
    assert levels(profile)[0] == levels(profile)[1]


@given(st.lists(st.tuples(st.integers(1, 9), RANKINGS, st.booleans()), max_size=9), st.booleans())
def test_how_a_line_is_spelled_does_not_matter(ballots: list[Any], braces: bool) -> None:
    plain = [f"{count}: {spell(ranking, braces)}" for count, ranking, _ in ballots]
    wide = [line.replace(",", "\t, ") for line in plain]
    mixed = [wide[row] if ballots[row][2] else line for row, line in enumerate(plain)]
    first, second = (
        read("# NUMBER ALTERNATIVES: 12\n" + "\n".join(lines), names="numbers", errors="report")
        for lines in (plain, mixed)
    )
    assert first == second
    assert [p.message for p in first.problems] == [p.message for p in second.problems]


def test_large_numbers_of_voters_and_alternatives() -> None:
    lines = "007: 1\n99999999999999999999: 2\n1234567890: 2000000\n123456: 1,2000000\n"
    lines += "987654: 2,1\n"
    text = f"{names(2)}# ALTERNATIVE NAME 2000000: C\n{lines}"
    profile = read(text)
    assert profile.counts == (7, 99999999999999999999, 1234567890, 123456, 987654)
    assert levels(profile) == [[{"A"}], [{"B"}], [{"C"}], [{"A"}, {"C"}], [{"B"}, {"A"}]]


#: A bad body under three names A, B, C; the column; what is said.
FAULTS = [
    ("1: 3,{1,2", 6, "expected '}' to close this '{'"),
    ("1: {", 4, "expected the number of one of the 3 alternatives, found ''"),
    ("1: 3,1}", 6, "expected the number of one of the 3 alternatives, found '1}'"),
    ("1: {1,{2}}", 7, "expected the number of one of the 3 alternatives, found '{2}'"),
    ("1: {1,2}3", 7, "expected the number of one of the 3 alternatives, found '2}3'"),
    ("1: {1 2}", 4, "expected the number of one of the 3 alternatives, found '1 2'"),
    ("1: {}", 4, "expected the number of one of the 3 alternatives, found ''"),
    ("1: 1 2", 4, "expected the number of one of the 3 alternatives, found '1 2'"),
    ("1: 1,,2", 6, "expected the number of one of the 3 alternatives, found ''"),
    ("1: 1,2,", 8, "expected the number of one of the 3 alternatives, found ''"),
    ("1: 1,3,1", 8, "expected each alternative once, found 1 ('A') again"),
    ("1: 2,{1, 2}", 10, "expected each alternative once, found 2 ('B') again"),
    ("1: 4", 4, "expected the number of one of the 3 alternatives, found '4'"),
    ("1: 0", 4, "expected the number of one of the 3 alternatives, found '0'"),
    ("1: 01", 4, "expected the number of one of the 3 alternatives, found '01'"),
    ("1: A", 4, "expected the number of one of the 3 alternatives, found 'A'"),
    ("1: ²", 4, "expected the number of one of the 3 alternatives, found '²'"),
    ("0: 1", 1, "expected a whole number above 0 as count, found '0'"),
    ("1_0: 1", 1, "expected a whole number above 0 as count, found '1_0'"),
    ("٣: 1", 1, "expected a whole number above 0 as count, found '٣'"),
    (": 1", 1, "expected a whole number above 0 as count, found ''"),
    ("1,2", 1, "expected a whole number above 0 as count, found '1,2'"),
    ("# TITLE: late", 1, "expected a whole number above 0 as count, found '# TITLE'"),
    ("7", 0, "expected ':' after the count, found none"),
    ("2:", 0, "expected at least one alternative, found none"),
]


class TestFaults:
    """Every fault has a place; in a report the good lines are there."""

    @pytest.mark.parametrize(("line", "column", "message"), FAULTS)
    def test_a_bad_line(self, line: str, column: int, message: str) -> None:
        text = f"{names(3)}2: 1\n{line}\n5: 3\n"
        with pytest.raises(ParseError) as caught:
            read(text)
        assert (caught.value.line, caught.value.column) == (5, column)
        assert caught.value.text == line
        assert message in str(caught.value)
        profile = read(text, errors="report")
        assert profile.counts == (2, 5)
        assert levels(profile) == [[{"A"}], [{"C"}]]
        assert profile.problems == (Problem(5, column, line, message),)

    @pytest.mark.parametrize(
        ("change", "line", "message"),
        [
            (
                ("VOTERS: 10", "VOTERS: 11"),
                7,
                "11 as the sum of the counts, as NUMBER VOTERS says, found 10",
            ),
            (
                ("ORDERS: 3", "ORDERS: 2"),
                8,
                "2 as the number of orders, as NUMBER UNIQUE ORDERS says, found 3",
            ),
            (
                ("TIVES: 4", "TIVES: 5"),
                6,
                "5 as the number of names, as NUMBER ALTER",
            ),
            (("NAME 4", "NAME 3"), 12, "one field ALTERNATIVE NAME 3, found it again"),
            (("VOTERS: 10", "VOTERS: ten"), 7, "a whole number as NUMBER VOTERS, found 'ten'"),
            (
                ("# TITLE: A tasting: round 1", "# Wine"),
                2,
                "'# KEY: value' in the header, found no ':'",
            ),
            (("MODIFICATION TYPE", "TITLE"), 5, "one field TITLE, found it again"),
            (("MODIFICATION TYPE", "DATA TYPE"), 5, "one field DATA TYPE, found it again"),
            (("TYPE: toi", "TYPE: xyz"), 4, "one of soc, soi, toc, toi, cat, wmd as DATA TYPE"),
            (("4: None: of these", "4: Red"), 12, "found 'Red' for 1 and 4; names='numbers'"),
            (("4: None: of these", "4: "), 12, "found none for 4; names='numbers'"),
        ],
    )
    def test_a_header_that_contradicts_itself_or_the_body(
        self, change: tuple[str, str], line: int, message: str
    ) -> None:
        text = TOI.replace(*change)
        with pytest.raises(ParseError, match=r"expected .*") as caught:
            read(text)
        assert caught.value.line == line
        assert message in str(caught.value)
        report = read(text, errors="report")
        assert (line, message) in [
            (problem.line, message) for problem in report.problems if message in problem.message
        ]
        assert len(report.orders) + len([p for p in report.problems if p.line > 12]) == 3

    def test_names_that_repeat_do_not_matter_among_numbers(self) -> None:
        text = TOI.replace("4: None: of these", "4: Red")
        assert read(text, names="numbers").items == (1, 2, 3, 4)

    def test_bad_lines_count_as_lines(self) -> None:
        report = read(TOI.replace("3: 4\n", "3: 9\n"), errors="report")
        assert [problem.line for problem in report.problems] == [14]
        report = read(TOI.replace("3: 4\n", "x: 4\n"), errors="report")
        assert [problem.line for problem in report.problems] == [14]

    @pytest.mark.parametrize(
        ("text", "line", "message"),
        [
            (
                OLD.replace("6,6,2", "6,7,2"),
                5,
                "7 as the sum of the counts, as SUM OF COUNTS says, found 6",
            ),
            (
                OLD.replace("6,6,2", "7,6,2"),
                5,
                "7 as the sum of the counts, as NUMBER VOTERS says, found 6",
            ),
            (
                OLD.replace("6,6,2", "6,6,3"),
                5,
                "3 as the number of orders, as NUMBER UNIQUE ORDERS says, found 2",
            ),
            (
                OLD[: OLD.index("6,6,2")],
                4,
                "a whole number as NUMBER VOTERS, found ''",
            ),
            (OLD.replace("6,6,2", "6,6,x"), 5, "a whole number as NUMBER UNIQUE ORDERS, found 'x'"),
            (OLD.replace("1,A", "A"), 2, "'number,name' of an alternative, found no ','"),
            (
                OLD.replace("1,A", "2,A"),
                3,
                "one field ALTERNATIVE NAME 2, found it again",
            ),
            (
                "x" + OLD,
                1,
                "whole number as NUMBER ALTERNATIVES, found 'x3'",
            ),
            (OLD.replace("{2,3}", "{2,3"), 6, "expected '}' to close this '{'"),
        ],
    )
    def test_the_old_form(self, text: str, line: int, message: str) -> None:
        with pytest.raises(ParseError) as caught:
            read(text)
        assert caught.value.line == line
        assert message in str(caught.value)
        assert line in [problem.line for problem in read(text, errors="report").problems]

    @pytest.mark.parametrize(
        ("line", "column", "message"),
        [
            ("1,2", 0, "expected 'source,destination,weight', found 2 cells"),
            ("9,2,1", 1, "expected the number of one of the 2 alternatives, found '9'"),
            ("1,x,1", 3, "expected the number of one of the 2 alternatives, found 'x'"),
            ("1,2,nan", 5, "expected a finite number as weight, found 'nan'"),
            ("1,2,1e999", 5, "expected a finite number as weight, found '1e999'"),
            ("1,2,1_0", 5, "expected a finite number as weight, found '1_0'"),
            ("2,1,7", 0, "expected each edge once, found 'B' > 'A' again"),
        ],
    )
    def test_matching_data(self, line: str, column: int, message: str) -> None:
        text = f"# DATA TYPE: wmd\n{names(2)}2,1,1\n{line}\n"
        with pytest.raises(ParseError) as caught:
            read(text)
        assert (caught.value.line, caught.value.column) == (5, column)
        assert message in str(caught.value)
        assert len(read(text, errors="report").problems) == 1
        with pytest.raises(
            ParseError, match="3 as the number of edges, as NUMBER EDGES says, found"
        ):
            read(f"# DATA TYPE: wmd\n# NUMBER EDGES: 3\n{names(2)}2,1,1\n")

    @pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", " "])
    def test_an_empty_file(self, text: str) -> None:
        with pytest.raises(ParseError, match=r"line 1: expected NUMBER ALT.* an empty file"):
            read(text)
        report = read(text, errors="report")
        assert (list(report.orders), report.items, report.counts) == ([], (), ())
        assert [problem.line for problem in report.problems] == [1]

    def test_a_header_without_alternatives(self) -> None:
        with pytest.raises(ParseError, match="line 2: expected NUMBER ALTERNATIVES or their names"):
            read("\n# TITLE: nothing\n")
        assert len(read("\n# TITLE: nothing\n", errors="report").problems) == 1

    def test_an_unknown_type_and_what_is_read_in_spite_of_it(self, tmp_path: Path) -> None:
        text = TOI.replace("TYPE: toi", "TYPE: xyz")
        report = read(text, errors="report")
        assert levels(report) == levels(read(TOI))
        assert [(problem.line, problem.text) for problem in report.problems] == [
            (4, "# DATA TYPE: xyz")
        ]
        strict = read(text, errors="report", data_type="soi")
        assert [problem.line for problem in strict.problems] == [4, 13, 15]
        path = tmp_path / "wine.soi"
        path.write_text(text, "utf-8")
        assert len(read_preflib(path, errors="report").problems) == 3, "the suffix tells the type"
        for errors in ("raise", "report"):
            with pytest.raises(
                ParseError, match=r"line 4: .* found 'pwg', a type that PrefLib gave"
            ):
                read(TOI.replace("TYPE: toi", "TYPE: pwg"), errors=errors)


#: What a header may claim with nothing to show for it.
CLAIMS = (
    "# NUMBER ALTERNATIVES: {}\n# ALTERNATIVE NAME 1: A\n1: 1\n",
    "# NUMBER ALTERNATIVES: {}\n1: 1\n",
    "# NUMBER ALTERNATIVES: 1\n# NUMBER CATEGORIES: {}\n1: 1\n",
    "# ALTERNATIVE NAME {}: A\n1: 1\n",
    "# ALTERNATIVE NAME 1: A\n# NUMBER VOTERS: {}\n1: 1\n",
    "{}\n1,A\n1,1,1\n1,1\n",
    "{},1\n1,A\n1,1,1\n",
)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("number", ["100000000", "9" * 20, "9" * 900])
def test_a_number_is_not_believed_beyond_what_the_file_shows(claim: str, number: str) -> None:
    for names_ in ("names", "numbers"):
        tracemalloc.start()
        with pytest.raises(ParseError, match="expected "):
            read(claim.format(number), names=names_)
        report = read(claim.format(number), names=names_, errors="report")
        assert len(report.items) <= 100_000
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
        tracemalloc.stop()


def test_so_many_unnamed_alternatives_are_believed() -> None:
    text = f"# NUMBER ALTERNATIVES: 20000\n1: {','.join(map(str, range(1, 20001)))}\n"
    assert len(read(text, names="numbers").items) == 20_000
    message = "line 1: expected at most 100,000 without names as NUMBER ALTERNATIVES, found 100001"
    with pytest.raises(ParseError, match=message):
        read("# NUMBER ALTERNATIVES: 100001\n1: 1\n", names="numbers")
