"""Judges of battles against their definition, and how often an unbiased one is called biased."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.benchmarks.promises import is_any_biased
from tests.support import oracles_judges as oracle
from tests.support.oracles_judges import Battle
from tests.support.refusals import refuses

BATTLES = st.lists(
    st.builds(
        lambda judge, question, pair, winner: Battle(
            judge, question, pair[0], pair[1], pair[winner] if winner < 2 else "tie"
        ),
        st.sampled_from(["J", "K", "L"]),
        st.sampled_from(["p", "q"]),
        st.sampled_from(["xy", "yx", "xz", "zx", "yz", "zy", "wx", "yw", "zw"]),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=60,
)


def table(battles: Any, *without: str) -> dict[str, list[Any]]:
    names = ("judge", "prompt", "model_a", "model_b", "winner")
    columns = dict(zip(names, map(list, zip(*battles, strict=True)), strict=True))
    return {name: column for name, column in columns.items() if name not in without}


@given(BATTLES, st.sampled_from([0.05, 0.4]))
def test_judges_are_compared_by_definition(battles: list[Battle], risk: float) -> None:
    found = po.compare_judges(table(battles), risk=risk)
    battles = oracle.once(battles)
    judges = sorted({x.judge for x in battles})
    assert found["judge"].tolist() == judges
    known = sum(share == share for share in found["first"].tolist())
    for judge, *row in found:
        own = [x for x in battles if x.judge == judge]
        swapped, flipped = oracle.flips(own)
        compared, agreed = oracle.with_the_rest(battles, judge)
        expected = [
            len(own),
            oracle.share(sum(x.winner == "tie" for x in own), len(own)),
            *oracle.first(own, risk / max(known, 1)),
            *(swapped, oracle.share(flipped, swapped)),
            *(compared, oracle.share(agreed, compared)),
        ]
        assert row == pytest.approx(expected, abs=1e-12, nan_ok=True)
    for one, other in combinations(judges, 2):
        compared, agreed = oracle.agreement(
            *([x for x in battles if x.judge == judge] for judge in (one, other))
        )
        rows = [row for row in found.agreement().rows if row[:2] == (one, other)]
        both = [(one, other, compared, oracle.share(agreed, compared))]
        assert rows == [pytest.approx(row, abs=1e-12) for row in both * (compared > 0)]


@given(BATTLES)
def test_without_a_column_all_battles_are_of_one_judge_or_question(battles: list[Battle]) -> None:
    battles = [*{(x.a, x.b): x for x in battles}.values()]
    merged = [x._replace(judge="all", question="p") for x in battles]
    one, other = (
        po.compare_judges(table(battles, "judge", "prompt")),
        po.compare_judges(table(merged)),
    )
    assert one["judge"].tolist() == ["all"]
    for name in {*one.keys()} - {"low", "high"}:
        assert np.array_equal(one[name], other[name], equal_nan=name != "judge")


@given(BATTLES)
def test_without_prompts_pairs_are_what_is_independent(battles: list[Battle]) -> None:
    found = po.compare_judges(table(battles, "judge", "prompt"))
    expected = oracle.first(battles, 0.05, has_prompts=False)
    got = [found[name][0] for name in ("first", "low", "high")]
    assert got == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert "only pairs of systems count as independent" in " ".join(found.notes())


def simulated(judges: int, battles: int, bias: float, *, share_first: float) -> dict[str, Any]:
    """Battles of six systems of different strength; the stronger is often put first."""
    rng = np.random.default_rng(0)
    strength = rng.normal(size=6)
    one, gap = rng.integers(6, size=judges * battles), rng.integers(1, 6, size=judges * battles)
    two = (one + gap) % 6
    is_placed = rng.random(one.size) < share_first
    swap = is_placed & (strength[one] < strength[two])
    one, two = np.where(swap, two, one), np.where(swap, one, two)
    won = rng.random(one.size) < 1 / (1 + np.exp(strength[two] - strength[one] - bias))
    return {
        "judge": np.repeat(np.arange(judges), battles),
        "model_a": one,
        "model_b": two,
        "winner": np.where(won, "model_a", "model_b"),
    }


@pytest.mark.slow
def test_unbiased_judges_are_rarely_called_biased() -> None:
    """Even where the stronger of two mostly stands first, and wins there."""
    for battles, share_first in ((30, 0.0), (120, 0.0), (120, 0.7)):
        found = po.compare_judges(simulated(400, battles, 0.0, share_first=share_first))
        assert not is_any_biased(found)
    biased = po.compare_judges(simulated(100, 300, 1.0, share_first=0.3))
    assert np.count_nonzero(biased["low"] > 0.5) >= 90


def test_notes_say_who_cannot_be_trusted() -> None:
    systems = range(12)
    rng = np.random.default_rng(1)
    choices: dict[str, Callable[[int, int], int]] = {
        "first": lambda a, _: a,
        "second": lambda _, b: b,
        "coin": lambda a, b: (a, b)[rng.integers(2)],
        "strict": lambda a, b: a if a < b else b,
    }
    battles = [
        Battle(judge, "p", a, b, choose(a, b))
        for judge, choose in choices.items()
        for a in systems
        for b in systems
        if a != b
    ]
    battles += [Battle("sorted", "p", a, b, a) for a, b in combinations(systems, 2)]
    assert po.compare_judges(table(battles)).notes() == [
        "the system shown first is favoured by 'first'",
        "the system shown second is favoured by 'second'",
        "no pair was decided in both sequences, so position bias is unknown for 'sorted'",
    ]


def test_battles_without_a_judge_are_of_nobody() -> None:
    battles = table([Battle(judge, "p", "x", "y", "x") for judge in ("J", None, "J")])
    found = po.compare_judges(battles)
    assert list(zip(found["judge"], found["battles"], strict=True)) == [("J", 1)]


def test_judges_and_questions_of_other_names() -> None:
    battles = table([Battle("J", "p", "x", "y", "x"), Battle("K", "q", "y", "x", "y")])
    named = {"grader": battles["judge"], "task": battles["prompt"]} | battles
    log = po.ClickLog(
        {name: named[name] for name in ("grader", "task", "model_a", "model_b", "winner")},
        columns={"user": "grader", "query": "task"},
    )
    assert str(po.compare_judges(log)) == str(po.compare_judges(battles))


@pytest.mark.slow
def test_the_report_on_battles_has_its_judges(tmp_path: Path) -> None:
    battles = [
        Battle(j, "p", pair[0], pair[1], min(pair)) for j in "JK" for pair in ("xy", "yx", "xz") * 4
    ]
    path = tmp_path / "battles.csv"
    rows = [",".join(row) for row in battles]
    path.write_text("\n".join(["judge,prompt,model_a,model_b,winner", *rows]))
    for log in (table(battles), path):
        found = po.explore(log)
        assert str(found.judges) == str(po.compare_judges(log))
        assert str(po.compare_judges(log).to_table()) in found.to_text()
        assert "The judges" in found.to_html()
    with path.open("rb") as file:
        assert po.explore(file).judges is not None
    assert po.explore(po.simulate_log({"a": 2, "b": 1}, 30, seed=0)).judges is None


REFUSALS: list[tuple[Any, dict[str, Any], str]] = [
    ({"chosen": ["x"], "rejected": ["y"]}, {}, "'model_a', 'model_b' and 'winner'"),
    ({"model_a": [], "model_b": [], "winner": []}, {}, "at least one battle"),
    ({"model_a": ["x"], "model_b": ["y"], "winner": ["x"]}, {"risk": 2}, "risk"),
    ({"judge": [None], "model_a": ["x"], "model_b": ["y"], "winner": ["x"]}, {}, "found none"),
    ({"prompt": [None], "model_a": ["x"], "model_b": ["y"], "winner": ["x"]}, {}, "found none"),
]


@pytest.mark.parametrize(("battles", "options", "word"), REFUSALS)
def test_bad_input_is_refused_in_words(battles: Any, options: dict[str, Any], word: str) -> None:
    refuses(word, po.compare_judges, battles, **options)
