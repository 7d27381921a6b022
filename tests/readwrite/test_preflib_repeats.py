"""Orders that stand in several lines of a PrefLib file, or several times in a profile."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.errors import ParseError
from tests.preflib_texts import TOI, levels, names, read

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
    assert report.problems == (po.Problem(16, 0, f"4: {again}", message),)
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
    profile = read(text, errors="report")
    assert profile.counts == (7, 99999999999999999999, 1234567890, 123456, 987654)
    assert levels(profile) == [[{"A"}], [{"B"}], [{"C"}], [{"A"}, {"C"}], [{"B"}, {"A"}]]
    assert [problem.line for problem in profile.problems] == [3], "the numbers have gaps"
