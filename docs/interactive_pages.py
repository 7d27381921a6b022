"""The interactive pages that the documentation frames, each written anew when the site is built."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import networkx as nx

import porank as po
from docs.draw import DOCS, examples_of
from docs.tasks.make import read_tasks, write_task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_DRINKS: Final = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
_DRINKS_RANKED: Final = po.parse("espresso > chai > tea > water > cocoa")
_TREES: Final = po.parse("ash > elm > oak; ash > fir; bay > fir > yew; bay > ivy")
_TWO_RANKINGS: Final = po.parse("e > b > c > a > d"), po.parse("a > b > e > c > d")
_TARGET, _PREDICTED = po.load_example("table1-corrected")
_MENU: Final = {
    "espresso": ["hot", "coffee"],
    "latte": ["hot", "coffee", "milk"],
    "iced latte": ["coffee", "milk", "cold"],
    "cocoa": ["hot", "milk"],
    "tea": ["hot"],
    "lemonade": ["cold"],
}


def _votes(path: Path, title: str) -> None:
    """Write what rankings of six teas share, by the lines on the landing page."""
    lines = (example.source for example in examples_of(DOCS / "index.md"))
    names: dict[str, Any] = {}
    exec("".join(line for line in lines if "write_page" not in line), names)
    po.write_page(names["relation"], path, title=title)


def _clicks(path: Path, title: str) -> None:
    """Write what the clicks of a simulated log say, with its threshold."""
    tastes = {"espresso": 4, "cappuccino": 3, "tea": 2, "cocoa": 1, "water": 0.5}
    log = po.simulate_log(tastes, sessions=300, seed=1)
    relation = po.feedback_relation(po.from_log(log), prior=0)
    po.write_page(relation, path, title=title)


def _concepts(path: Path, title: str) -> None:
    """Write the concept lattice of a menu, each concept called by its attributes."""
    lattice = po.concept_lattice(_MENU)
    names = {concept: ", ".join(concept[1]) or "any drink" for concept in lattice}
    po.write_page(nx.relabel_nodes(lattice, names), path, title=title)


#: What can be shown: a title, and what writes the page, given a path and the title.
PAGES: Final[dict[str, tuple[str, Callable[..., None]]]] = {
    "drinks": ("Five drinks", partial(po.write_page, _DRINKS)),
    "trees": ("Seven trees", partial(po.write_page, _TREES)),
    "table1": ("A prediction, and the truth", partial(po.write_page, _PREDICTED, target=_TARGET)),
    "votes": ("What seven rankings share", _votes),
    "divisors": ("The divisors of 60", partial(po.write_page, po.divisor_lattice(60))),
    "two": ("A taste, and a guess", partial(po.write_comparison_page, _DRINKS, _DRINKS_RANKED)),
    "rankings": ("Two rankings of five items", partial(po.write_comparison_page, *_TWO_RANKINGS)),
    "clicks": ("What 300 sessions say", _clicks),
    "lattices": ("What do drinks share?", _concepts),
    **{name: (task["title"], partial(write_task, **task)) for name, task in read_tasks().items()},
}


def write_page(name: str, path: Path) -> None:
    """Write one of the pages."""
    title, write = PAGES[name]
    write(path, title=title)


def write_pages(folder: Path) -> None:
    """Write all pages to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        write_page(name, folder / f"{name}.html")
