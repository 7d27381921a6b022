"""Texts that fit, that every font can write, and that tell items apart."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import without_chance
from porank.drawing.texts import _plain_text, names_of, shortened, threshold_text, width_of
from tests.strategies import item_lists


@settings(max_examples=10)
@given(st.text(max_size=60), st.integers(20, 120))
def test_names_are_printable_and_no_wider_than_asked(text: str, longest: int) -> None:
    plain = _plain_text(text)
    assert plain.isprintable()
    assert "\n" not in plain
    assert width_of(shortened(plain, longest=longest)) <= longest


@given(item_lists())
def test_different_items_have_different_names(items: list[object]) -> None:
    assert len(set(names_of(items, longest=25))) == len(items)


def test_what_looks_alike_is_told_apart() -> None:
    assert names_of(["1", 1, 1.0]) == ["'1'", "1", "1.0"]
    twins = names_of(["a" * 99 + "b" * 99 + "c" * 99, "a" * 99 + "c" * 99])
    assert [name[-4:] for name in twins] == [" (1)", " (2)"]
    towns = [f"Commonly known as the {k} variety of this northern country" for k in (1, 2)]
    assert [name[:9] for name in names_of(towns)] == ["…1 variet", "…2 variet"]


def test_a_name_is_not_cut_within_an_escape() -> None:
    for longest in range(20, 90):
        short = shortened(r"\U0001f600" * 9, longest=longest).split("…")
        assert all(not part.replace(r"\U0001f600", "") for part in short)


def test_a_threshold_next_to_one_half_is_told_from_it() -> None:
    near = [Fraction(1, 2), Fraction(50003, 100000), Fraction(49999, 100000)]
    assert [threshold_text(alpha) for alpha in near] == ["1/2", "0.50003", "0.49999"]


def test_names_of_sets_are_sorted() -> None:
    assert names_of([frozenset("ba")]) == ["{a, b}"]
    assert names_of([("x", frozenset("ba")), frozenset({frozenset("dc"), frozenset("ba")})]) == [
        "('x', {a, b})",
        "{{a, b}, {c, d}}",
    ]
    assert without_chance((1, (2, "a"))) == (1, (2, "a"))
    assert without_chance((frozenset("ba"),)) == "({a, b},)"
    source = po.to_tikz(po.parse("a > b"), names={"a": frozenset({frozenset("dc"), 1})})
    assert r"\{\{c, d\}, 1\}" in source


@pytest.mark.slow
def test_names_of_sets_are_the_same_in_every_run() -> None:
    program = (
        "import porank as po; from porank.drawing.texts import names_of;"
        "G = po.condense(po.parse('ash > bay > cumin > ash; dill > elder > dill; cumin > dill'));"
        "print(names_of(G), names_of([(item,) for item in G]), po.to_tikz(G))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(po.__file__).parents[1],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
