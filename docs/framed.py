"""The interactive pages that the documentation frames, each written anew when the site is built."""

from __future__ import annotations

from doctest import DocTestParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porank as po
from docs.touch.make import write_task

if TYPE_CHECKING:
    from collections.abc import Callable


def _drinks(path: Path) -> None:
    """Write the first order of the page Start."""
    order = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    po.write_page(order, path, title="Five drinks")


def _trees(path: Path) -> None:
    """Write the trees of the lecture on partial orders."""
    order = po.parse("ash > elm > oak; ash > fir; bay > fir > yew; bay > ivy")
    po.write_page(order, path, title="Seven trees")


def _table1(path: Path) -> None:
    """Write the target of Table 1 with its prediction."""
    target, predicted = po.load_example("table1-corrected")
    po.write_page(predicted, path, target=target, title="A prediction, and the truth")


def _votes(path: Path) -> None:
    """Write what rankings of six teas share, by the lines on the landing page."""
    page = (Path(__file__).parent / "index.md").read_text("utf-8")
    lines = [example.source for example in DocTestParser().get_examples(page)]
    names: dict[str, Any] = {}
    exec("".join(line for line in lines if "write_page" not in line), names)
    title = "What seven rankings share"
    po.write_page(names["order"], path, preferences=names["relation"], title=title)


def _divisors(path: Path) -> None:
    """Write the divisors of 60."""
    po.write_page(po.divisor_lattice(60), path, title="The divisors of 60")


def _two(path: Path) -> None:
    """Write what is known of a taste, and a ranking to move."""
    target = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    predicted = po.parse("espresso > chai > tea > water > cocoa")
    po.write_comparison_page(target, predicted, path, title="A taste, and a guess")


def _rankings(path: Path) -> None:
    """Write the two rankings of the lecture on measuring rankings."""
    both = po.parse("e > b > c > a > d"), po.parse("a > b > e > c > d")
    po.write_comparison_page(*both, path, title="Two rankings of five items")


def _clicks(path: Path) -> None:
    """Write what the clicks of a simulated log say, with its threshold."""
    tastes = {"espresso": 4, "cappuccino": 3, "tea": 2, "cocoa": 1, "water": 0.5}
    log = po.simulate_log(tastes, sessions=300, seed=1)
    relation = po.feedback_relation(po.from_log(log), prior=0)
    po.write_page(None, path, preferences=relation, title="What 300 sessions say")


def _relations(path: Path) -> None:
    """Write the task of session 1: which pairs follow."""
    stated = "soup > salad > fish > tart; soup > pasta > ice; pasta > tart"
    write_task(
        path,
        po.parse(stated),
        title="What follows?",
        prompt="The lines are what the cook said. Click two dishes, the better one first, for each "
        "pair that follows. Click the same two again to take it back.",
        kind="pairs",
        says="Each of them is a path of lines.",
    )


#: What can be shown: a title, and what writes the page.
PAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "drinks": ("Five drinks", _drinks),
    "trees": ("Seven trees", _trees),
    "table1": ("A prediction, and the truth", _table1),
    "votes": ("What seven rankings share", _votes),
    "divisors": ("The divisors of 60", _divisors),
    "two": ("A taste, and a guess", _two),
    "rankings": ("Two rankings of five items", _rankings),
    "relations": ("What follows?", _relations),
    "clicks": ("What 300 sessions say", _clicks),
}
