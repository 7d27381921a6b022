"""PrefLib files: the place of every fault, and what is read in spite of it."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

import porank as po
from porank.errors import ParseError
from porank.readwrite.preflib import read_preflib
from tests.preflib_texts import OLD, TOI, levels, names, read

if TYPE_CHECKING:
    from pathlib import Path

#: A bad body under three names A, B, C; the column; what is said.
FAULTS = [
    ("1: 3,{1,2", 6, "expected '}' to close this '{'"),
    ("1: 3,{1", 6, "expected '}' to close this '{'"),
    ("1: {", 4, "expected '}' to close this '{'"),
    ("1: 3,1}", 7, "expected ',' between alternatives, found '}'"),
    ("1: {1,{2}}", 7, "expected the number of an alternative within the braces, found '{'"),
    ("1: 3{1,2}", 5, "expected ',' between alternatives, found '{'"),
    ("1: {1,2}3", 9, "expected ',' between alternatives, found '3'"),
    ("1: {1 2}", 7, "expected ',' or '}' after an alternative, found '2'"),
    ("1: {}", 5, "expected the number of an alternative within the braces, found '}'"),
    ("1: 1 2", 6, "expected ',' between alternatives, found '2'"),
    ("1: 1,,2", 6, "expected the number of an alternative, or '{', found ','"),
    ("1: 1,2,", 8, "expected the number of an alternative, or '{', found the end of the line"),
    ("1: 1,3,1", 8, "expected each alternative once, found 1 ('A') again"),
    ("1: 2,{1, 2}", 10, "expected each alternative once, found 2 ('B') again"),
    ("1: 1, 1", 7, "expected each alternative once, found 1 ('A') again"),
    ("1: 4", 4, "expected the number of one of the 3 alternatives, found '4'"),
    ("1: 0", 4, "expected the number of one of the 3 alternatives, found '0'"),
    ("1: 01", 4, "expected the number of one of the 3 alternatives, found '01'"),
    ("1: A", 4, "expected the number of an alternative, or '{', found 'A'"),
    ("1: ²", 4, "expected the number of an alternative, or '{', found '²'"),
    ("0: 1", 1, "expected a whole number above 0 as count, found '0'"),
    ("-1: 1", 1, "expected a whole number above 0 as count, found '-1'"),
    ("1.5: 1", 1, "expected a whole number above 0 as count, found '1.5'"),
    ("1_0: 1", 1, "expected a whole number above 0 as count, found '1_0'"),
    ("٣: 1", 1, "expected a whole number above 0 as count, found '٣'"),
    (": 1", 1, "expected a whole number above 0 as count, found ''"),
    ("1,2", 1, "expected a whole number above 0 as count, found '1,2'"),
    ("# TITLE: late", 1, "expected a whole number above 0 as count, found '# TITLE'"),
    ("7", 0, "expected ':' after the count, found none"),
    ("2:", 0, "expected an order of at least one alternative, found none"),
    ("2:  ", 0, "expected an order of at least one alternative, found none"),
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
        assert profile.problems == (po.Problem(5, column, line, message),)

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
            (("TIVES: 4", "TIVES: 5"), 6, "5 names, as NUMBER ALTERNATIVES says, found 4"),
            (("NAME 4", "NAME 5"), 6, "4 names, as NUMBER ALTERNATIVES says, found 4, none for 4"),
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
                "7 as the sum of the counts, as the second number says, found 6",
            ),
            (
                OLD.replace("6,6,2", "7,6,2"),
                5,
                "7 as the sum of the counts, as the first number says, found 6",
            ),
            (
                OLD.replace("6,6,2", "6,6,3"),
                5,
                "3 as the number of orders, as the third number says, found 2",
            ),
            (
                OLD[: OLD.index("6,6,2")],
                5,
                "'voters,sum of counts,different orders' after the names, found the end",
            ),
            (
                OLD.replace("6,6,2", "6,6"),
                5,
                "'voters,sum of counts,different orders', found 2 cells",
            ),
            (OLD.replace("6,6,2", "6,6,x"), 5, "a whole number as the third number, found 'x'"),
            (OLD.replace("1,A", "A"), 2, "'number,name' of an alternative, found no ','"),
            (
                OLD.replace("1,A", "2,A"),
                3,
                "one field for the name of alternative 2, found it again",
            ),
            (
                "x" + OLD,
                1,
                "whole number as the number of alternatives in the first line, found 'x3'",
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
        with pytest.raises(ParseError, match=r"line 1: expected a header .* found an empty file"):
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

    def test_the_file_and_a_wrong_encoding_are_named(self, tmp_path: Path) -> None:
        path = tmp_path / "wine.toi"
        path.write_bytes(TOI.encode("latin-1"))
        with pytest.raises(
            ParseError, match=r"wine\.toi, line 11, column 26: .* UTF-8, found the byte 0xe9"
        ):
            read_preflib(path)
        path.write_text(TOI.replace("3,{1,2}", "3,{1,2"), "utf-8")
        with pytest.raises(ParseError, match=r"wine\.toi, line 13, column 6: expected '}'"):
            read_preflib(path)


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
        assert len(report.items) <= 10_000
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
        tracemalloc.stop()


def test_many_unnamed_alternatives_are_believed_in_a_long_file() -> None:
    text = f"# NUMBER ALTERNATIVES: 20000\n1: {','.join(map(str, range(1, 20001)))}\n"
    assert len(read(text, names="numbers").items) == 20_000
    message = "line 1: expected at most 10,000 without names as NUMBER ALTERNATIVES in a file of"
    with pytest.raises(ParseError, match=message):
        read("# NUMBER ALTERNATIVES: 10001\n1: 1\n", names="numbers")
