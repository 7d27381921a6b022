"""Tables: golden outputs of their forms, and the laws that each form keeps."""

import csv
from fractions import Fraction
from importlib import import_module
from io import StringIO
from math import inf, nan
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.core.tables import Table, Tabular, cell_text, printable, share_text
from tests.support.refusals import refuses

pa = import_module("pyarrow")

RANKS = Table(["item", "rank"], [["A", 1], ["C", 2], ["D", 3]], title="SetRanks")
HOSTILE = 'a\nb\tc\r\x1b[31m <b>&amp;"\u2028\u202920%$#_{}~^\\|*[1]\x00\u202e'

#: Two signs of Unicode are none of XML.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"))
names = st.lists(texts, min_size=1, max_size=4)
cells = texts | st.integers() | st.floats() | st.fractions() | st.none()
tables = names.flatmap(
    lambda columns: st.builds(
        Table,
        st.just(columns),
        st.lists(st.lists(cells, min_size=len(columns), max_size=len(columns)), max_size=4),
        st.sampled_from(["", "A & <B>"]),
    )
)


def test_text_has_aligned_columns_below_a_head() -> None:
    assert RANKS.to_text() == "SetRanks\nitem  rank\n----  ----\nA        1\nC        2\nD        3"
    empty = Table(["item", "rank"], [])
    assert str(empty) == "item  rank\n----  ----"
    assert empty.to_csv() == "item,rank\n"


def test_html_is_a_table_with_aligned_cells() -> None:
    html = RANKS.to_html()
    assert RANKS._repr_html_() == html
    for side in ("left", "right"):
        html = html.replace(f'style="text-align: {side}"', side.upper())
    assert html == dedent(
        """\
        <table>
        <caption style="text-align: left; white-space: nowrap">SetRanks</caption>
        <thead>
        <tr><th scope="col" LEFT>item</th><th scope="col" RIGHT>rank</th></tr>
        </thead>
        <tbody>
        <tr><th scope="row" LEFT>A</th><td RIGHT>1</td></tr>
        <tr><th scope="row" LEFT>C</th><td RIGHT>2</td></tr>
        <tr><th scope="row" LEFT>D</th><td RIGHT>3</td></tr>
        </tbody>
        </table>"""
    )


def test_latex_is_a_tabular_between_lines() -> None:
    lines = Table(["item", "rank"], [["A", 1]]).to_latex().split("\n")
    assert lines[:3] == [r"\begin{tabular}{lr}", r"\hline", r"item & rank \\"]
    assert lines[3:] == [r"\hline", r"A & 1 \\", r"\hline", r"\end{tabular}"]
    assert Table(["item", "rank"], []).to_latex().count(r"\hline") == 2


CELLS: list[tuple[object, str]] = [
    (2 / 3, "0.6667"),
    (0.99999, "1.000"),
    (-2.99999, "-3.000"),
    (0.99994, "0.9999"),
    (1234.4, "1234"),
    (1e22, "1e+22"),
    (-0.0, "-0"),
    (123456.0, "1.235e+05"),
    (-1.5, "-1.5"),
    (nan, "nan"),
    (-inf, "-inf"),
    (123456, "123456"),
    (Fraction(2, 3), "2/3"),
    (True, "True"),
    (np.float64(1 / 3), "0.3333"),
    (np.int64(7), "7"),
    (("a", 1), "('a', 1)"),
]


def test_how_a_cell_is_shown() -> None:
    for cell, text in CELLS:
        assert Table(["x"], [[cell]]).to_text().split("\n")[2] == text
    assert share_text(Fraction(1), digits=4) == "1"


def test_columns_of_numbers_stand_to_the_right_and_wide_letters_are_wide() -> None:
    rows: list[list[Any]] = [[1, None, 1, None, True], [0.5, Fraction(1, 2), "one", None, False]]
    table = Table(["numbers", "gaps", "mixed", "empty", "truth"], rows)
    assert r"\begin{tabular}{rrlll}" in table.to_latex()
    assert table.to_text().split("\n")[2:] == [
        "      1        1             True",
        "    0.5   1/2  one           False",
    ]
    wide = Table(["city", "n"], [["東京", 7], ["Zu\u0308rich", 8], ["ｱ\u200b", 9], ["Ａ", 10]])
    assert wide.to_text().split("\n")[2:] == [
        "東京     7",
        "Zu\u0308rich   8",
        "ｱ\u200b        9",
        "Ａ      10",
    ]


def test_hostile_text_breaks_nothing() -> None:
    table = Table([HOSTILE, "n"], [[HOSTILE, 1]], title=HOSTILE)
    lines = table.to_text().splitlines()
    assert len(lines) == 4
    assert lines[0].startswith(r"a\nb\tc\r\x1b[31m <b>")
    assert lines[0].endswith(r"\x00\u202e")
    latex = table.to_latex()
    assert latex.count("\n") == 10
    assert r"20\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}" in latex
    assert r"\textbar{}{*}{[}1]" in latex


def test_a_table_cannot_be_changed_and_equals_its_like() -> None:
    rows = [["A", 1], ["C", 2], ["D", 3]]
    table = Table(["item", "rank"], rows, title="SetRanks")
    rows[0][0] = "Z"
    assert table == RANKS
    assert hash(table) == hash(RANKS)
    refuses(r"expected 2 cells .* found 1 in row 2", Table, ["item", "rank"], [["A", 1], ["B"]])
    refuses("at least one column, found none", Table, [], [])


@given(tables)
@example(Table([HOSTILE, "nearly one"], [[HOSTILE, 0.99999]]))
def test_what_is_written_is_read_back(table: Table) -> None:
    """A row is a line, CSV has every digit, HTML what is shown."""
    assert len(table.to_text().split("\n")) == 2 + len(table.rows) + bool(table.title)
    read = list(csv.reader(StringIO(table.to_csv(), newline="")))
    expected = [["" if cell is None else str(cell) for cell in row] for row in table.rows]
    assert read == [list(table.columns), *expected]
    html = ET.fromstring(table.to_html())
    found = [[cell.text or "" for cell in row] for row in html.iter("tr")]
    rows = [table.columns, *table.rows]
    assert found == [[printable(cell_text(cell)) for cell in row] for row in rows]


COLUMNS: list[tuple[list[Any], list[Any]]] = [
    ([1, None, 3], [1, None, 3]),
    ([Fraction(1, 2), 1], [0.5, 1.0]),
    ([True, False], [True, False]),
    (["a", 1, None], ["a", "1", None]),
    ([2**70, 1], [str(2**70), "1"]),
    ([("a", "b")], ["('a', 'b')"]),
    ([None, None], [None, None]),
    ([], []),
]


def test_a_column_of_arrow_keeps_its_type_or_becomes_text() -> None:
    class Result(Tabular):
        def to_table(self) -> Table:
            return Table(["x", "y"], [[cell, 0] for cell in column])

    for column, expected in COLUMNS:
        assert pa.table(Result()).to_pydict() == {"x": expected, "y": [0] * len(column)}


def test_small_results_are_tables_in_a_notebook() -> None:
    results: list[tuple[Any, list[str]]] = [
        (po.borda([po.from_ranking(["<a>", "b"])]), ["order", "&lt;a&gt;", "cost", "gap"]),
        (po.borda([{1: 0, "1": 1}]), ["graph of 2 items"]),
        (po.borda([po.chain(151)]), ["total order of 151 items"]),
    ]
    for result, shown in results:
        html = result._repr_html_()
        assert html.startswith("<table")
        assert all(cell in html for cell in shown)
