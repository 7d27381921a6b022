"""The log of a shop, written as a shop would: one answer from all doors, no false pair in it."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.cli.main import main
from tests.benchmarks.rates import agreement, by_place, top

pd = pytest.importorskip("pandas")

TEAS = [f"{kind} {number}" for kind in ("green", "black", "mint", "fruit") for number in range(6)]


def events_of(shown: Any, clicked: Any, **of_list: Any) -> Any:
    """Return events, a view for each item and a second row if it was clicked."""
    rows = []
    for k, (items, clicks) in enumerate(zip(shown.tolist(), clicked.tolist(), strict=True)):
        of_this = {name: column[k] for name, column in of_list.items()}
        for place, (item, is_clicked) in enumerate(zip(items, clicks, strict=True), 1):
            row = of_this | {"product": TEAS[item], "rank": place}
            rows += [row | {"event_type": name} for name in ("view", "click")[: 1 + is_clicked]]
    return pd.DataFrame(rows)


def redesigned_shop(seed: int) -> tuple[Any, dict[str, float]]:
    """Return the log of a shop with three pages a session and users who return.

    Half-way, another ranker and another page come, on which people read further down.
    """
    rng = np.random.default_rng(seed)
    taste, frames = rng.normal(size=24), []
    for half, power in enumerate((1.3, 0.5)):
        for page, level in (("home", 0.0), ("search", 0.7), ("sale", -0.7)):
            score = 0.5 * taste + rng.normal(0, 0.7, 24)
            shown = top(rng, np.broadcast_to(score, (600, 24)), 8)
            clicked = by_place(rng, (taste + level)[shown] - 1, power=power)
            session = np.arange(600) + 600 * half
            events = events_of(
                shown,
                clicked,
                session=session,
                user=[f"user{k % 200}" for k in session],
                query=[page] * 600,
                timestamp=1_770_000_000 + 300 * session,
            )
            frames.append(events)
    return pd.concat(frames), dict(zip(TEAS, taste.tolist(), strict=True))


def clicks_over_expected(events: Any) -> dict[str, float]:
    """Return for each item its clicks divided by those that its places get on average."""
    clicked = events[events.event_type == "click"]
    seen = events[events.event_type == "view"]
    rate = clicked.groupby("rank").size() / seen.groupby("rank").size()
    expected = seen.assign(expected=seen["rank"].map(rate)).groupby("product").expected.sum()
    quotients = (clicked.groupby("product").size() / expected).fillna(0)
    return dict(quotients.items())


def pairs_of(order: nx.DiGraph) -> set[tuple[str, str]]:
    return set(order.edges)


@pytest.mark.slow
def test_all_doors_give_the_same_order_and_it_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events, taste = redesigned_shop(4)
    path, page = str(tmp_path / "shop.csv"), tmp_path / "shop.html"
    events.to_csv(path, index=False)
    expected = pairs_of(po.settled_order(events))
    assert len(expected) > 60
    assert all(taste[u] > taste[v] for u, v in expected)
    found = po.explore(path)
    assert pairs_of(found.order()) == expected == pairs_of(po.settled_order(path))
    assert pairs_of(po.fit_strengths(events).order()) == expected
    settles = f"settles {len(expected)} of 276 pairs"
    assert settles in found.verdict
    assert main(["explore", path, "-o", str(page)]) == 0
    assert settles in " ".join(capsys.readouterr().out.split())
    assert settles in re.sub(r"\s+", " ", unescape(page.read_text("utf-8")))
    leaning = po.transitive_closure(found.leaning)
    assert expected <= pairs_of(leaning)


@pytest.mark.slow
def test_the_leaning_order_is_level_with_clicks_over_expected_clicks() -> None:
    gains = []
    for seed in range(2, 8):
        events, taste = redesigned_shop(seed)
        rule = clicks_over_expected(events)
        strength = po.explore(events).leaning.graph["strength"]
        truth = np.array([taste[item] for item in TEAS])
        ours, theirs = (
            agreement(np.array([values[item] for item in TEAS]), truth)
            for values in (strength, rule)
        )
        gains.append(ours - theirs)
    assert np.mean(gains) > -0.005
