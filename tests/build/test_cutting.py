"""Plain lines cut all at once, against the csv module."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core import csv_cells as cutting
from porank.core.csv_cells import cut_lines
from porank.core.labels import Labels, read_whole

CELLS = st.one_of(
    st.sampled_from(
        ["", "0", "00", "07", "-1", "1e3", "+5", " 1", "view", "purchase", "purchases"]
    ),
    st.integers(0, 10**20).map(str),
    st.integers(0, 30).map(str),
    st.text(st.characters(exclude_characters=',"\r\n', exclude_categories=["Cs"]), max_size=10),
)
ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=30)
)


@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n"]), is_cut=st.booleans())
def test_as_the_csv_module_reads_them_without_blanks_at_the_ends(
    rows: list[list[str]], end: str, is_cut: bool
) -> None:
    lines = [",".join(row) + end for row in rows]
    if is_cut:
        lines[-1] = lines[-1].removesuffix(end)
    width = len(rows[0])
    columns = cut_lines(lines, ",", width, {place: place for place in range(width)})
    if columns is None:
        assert any("\0" in line for line in lines)
    else:
        read = [[cell.strip(" ") for cell in row] for row in csv.reader(lines, strict=True)]
        assert [list(row) for row in zip(*(columns[c] for c in columns), strict=True)] == read
        for place, column in columns.items():
            codes, faults = Labels("item").encode(column)
            plain = [row[place] for row in read]
            assert (codes.tolist(), faults) == _encoded(plain)
            numbers, faults = read_whole(column, "position")
            assert (repr(numbers.tolist()), faults) == _numbers(plain)


def _encoded(texts: list[str]) -> tuple[list[int], list[tuple[int, str]]]:
    codes, faults = Labels("item").encode(texts)
    return codes.tolist(), faults


def _numbers(texts: list[str]) -> tuple[str, list[tuple[int, str]]]:
    numbers, faults = read_whole(texts, "position")
    return repr(numbers.tolist()), faults


@pytest.mark.parametrize(
    "lines",
    [
        ["a,b\n", "\n"],
        ["a,b,c\n", "d\n"],
        ["a\n"],
        ['"a",b\n'],
        ["a,b\rc,d\n"],
        [],
        ["a,b\n", ","],
        ["a,b\n", "a\0,b\n"],
    ],
)
def test_lines_out_of_the_ordinary(lines: list[str]) -> None:
    found = cut_lines(lines, ",", 2, {"first": 0})
    assert (found is None) == (lines != ["a,b\n", ","])


def test_numbers_are_texts_to_the_letter() -> None:
    columns = cut_lines(["1,1\n", "01,10\n"], ",", 2, {"first": 0, "second": 1})
    assert columns is not None
    assert [list(columns[name]) for name in columns] == [["1", "01"], ["1", "10"]]


def test_many_different_texts() -> None:
    texts = [f"t{number % 40}" for number in range(100)]
    columns = cut_lines([f"{text},x\n" for text in texts], ",", 2, {"first": 0, "second": 1})
    assert columns is not None
    assert columns["first"] == texts
    assert isinstance(columns["second"], cutting.Texts)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 17])
def test_every_letter_in_every_place_of_a_number(size: int) -> None:
    digits = "12345678901234567"[:size]
    letters = set(map(chr, range(1, 127))) - set(',"\r\n')
    for place in range(size):
        for letter in letters:
            texts = [digits, digits[:place] + letter + digits[place + 1 :], digits]
            columns = cut_lines([f"{text},x\n" for text in texts], ",", 2, {"first": 0})
            assert columns is not None
            assert list(columns["first"]) == [text.strip(" ") for text in texts]
