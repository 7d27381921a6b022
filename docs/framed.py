"""The interactive pages that the documentation frames, each written anew when the site is built."""

from __future__ import annotations

import re
from doctest import DocTestParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porank as po
from docs.touch.make import write_concepts, write_task

if TYPE_CHECKING:
    from collections.abc import Callable


def _drinks(path: Path, title: str) -> None:
    """Write the first order of the page Start."""
    order = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    po.write_page(order, path, title=title)


def _trees(path: Path, title: str) -> None:
    """Write the trees of the lecture on partial orders."""
    order = po.parse("ash > elm > oak; ash > fir; bay > fir > yew; bay > ivy")
    po.write_page(order, path, title=title)


def _table1(path: Path, title: str) -> None:
    """Write the target of Table 1 with its prediction."""
    target, predicted = po.load_example("table1-corrected")
    po.write_page(predicted, path, target=target, title=title)


def _votes(path: Path, title: str) -> None:
    """Write what rankings of six teas share, by the lines on the landing page."""
    page = (Path(__file__).parent / "index.md").read_text("utf-8")
    lines = [example.source for example in DocTestParser().get_examples(page)]
    names: dict[str, Any] = {}
    exec("".join(line for line in lines if not re.search(r"write_page|log.csv", line)), names)
    po.write_page(names["order"], path, preferences=names["relation"], title=title)


def _divisors(path: Path, title: str) -> None:
    """Write the divisors of 60."""
    po.write_page(po.divisor_lattice(60), path, title=title)


def _two(path: Path, title: str) -> None:
    """Write what is known of a taste, and a ranking to move."""
    target = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    predicted = po.parse("espresso > chai > tea > water > cocoa")
    po.write_comparison_page(target, predicted, path, title=title)


def _rankings(path: Path, title: str) -> None:
    """Write the two rankings of the lecture on measuring rankings."""
    both = po.parse("e > b > c > a > d"), po.parse("a > b > e > c > d")
    po.write_comparison_page(*both, path, title=title)


def _clicks(path: Path, title: str) -> None:
    """Write what the clicks of a simulated log say, with its threshold."""
    tastes = {"espresso": 4, "cappuccino": 3, "tea": 2, "cocoa": 1, "water": 0.5}
    log = po.simulate_log(tastes, sessions=300, seed=1)
    relation = po.feedback_relation(po.from_log(log), prior=0)
    po.write_page(None, path, preferences=relation, title=title)


def _relations(path: Path, title: str) -> None:
    """Write the task of session 1: which pairs follow."""
    stated = "soup > salad > fish > tart; soup > pasta > ice; pasta > tart"
    write_task(
        path,
        po.parse(stated),
        title=title,
        prompt="The lines are what the cook said. Click two dishes, the better one first, for each "
        "pair that follows. Click the same two again to take it back.",
        kind="pairs",
        says="Each of them is a path of lines.",
    )


def _diagrams(path: Path, title: str) -> None:
    """Write the task of session 2: find topological sortings."""
    order = po.parse("flour > mix > knead > bake > slice; water > mix; heat > bake")
    write_task(
        path,
        order,
        title=title,
        prompt="Drag the steps, or move them with the arrow keys, until no line is red. How many "
        "different sortings do you find?",
        kind="sequence",
        says="There are ten: flour and water in either order, and heat in any of five gaps.",
        start=[["slice", "bake", "heat", "knead", "mix", "water", "flour"]],
        answer=[["flour", "water", "mix", "knead", "heat", "bake", "slice"]],
    )


def _chains(path: Path, title: str) -> None:
    """Write the task of session 3: choose another largest antichain."""
    courses = "algebra > geometry > topology; algebra > statistics > learning;"
    courses += "coding > algorithms > learning; coding > databases"
    order = po.parse(courses)
    write_task(
        path,
        order,
        title=title,
        prompt="Geometry, statistics, algorithms and databases are an antichain. Choose another "
        "one of four courses. Then reveal it, with four chains, numbered beside the courses.",
        kind="set",
        says="Four courses without a common teacher, and four teachers who are enough: both are "
        "optimal.",
        answer=["topology", "statistics", "algorithms", "databases"],
        parts=po.minimum_chain_cover(order),
    )


def _race(path: Path, title: str) -> None:
    """Write the task of session 4: find all linear extensions of the N."""
    write_task(
        path,
        po.parse("Ann > Cem; Ben > Cem; Ben > Dora"),
        title=title,
        prompt="Drag the friends, or move them with the arrow keys, into each possible sequence. "
        "No line may be red.",
        kind="sequence",
        says="There are five.",
        start=[["Dora", "Cem", "Ben", "Ann"]],
        answer=[["Ben", "Dora", "Ann", "Cem"]],
    )


def _realizer(path: Path, title: str) -> None:
    """Write the task of session 4: two rankings whose intersection is the N."""
    order = po.parse("Ann > Cem; Ben > Cem; Ben > Dora")
    write_task(
        path,
        order,
        title=title,
        prompt="Drag the friends, or use the arrow keys, until both rankings agree on the pairs of "
        "the order, and on no others.",
        kind="sequence",
        says="This is a realizer: the order has dimension 2.",
        start=[["Ann", "Ben", "Cem", "Dora"], ["Ann", "Ben", "Cem", "Dora"]],
        answer=po.find_realizer(order),
    )


def _drinks_in_a_table(path: Path, title: str) -> None:
    """Write the task of session 5: which concept some drinks make."""
    context = {
        "espresso": ["hot", "coffee"],
        "latte": ["hot", "coffee", "milk"],
        "iced latte": ["coffee", "milk", "cold"],
        "cocoa": ["hot", "milk"],
        "tea": ["hot"],
        "lemonade": ["cold"],
    }
    write_concepts(
        path,
        context,
        title=title,
        prompt="Choose drinks in the table. Blue columns are what they share; a green frame marks "
        "further drinks with all of that, and the concept in the diagram.",
        says="The table has 11 concepts. Click one to see its drinks.",
    )


#: What can be shown: a title, and what writes the page.
PAGES: dict[str, tuple[str, Callable[[Path, str], None]]] = {
    "drinks": ("Five drinks", _drinks),
    "trees": ("Seven trees", _trees),
    "table1": ("A prediction, and the truth", _table1),
    "votes": ("What seven rankings share", _votes),
    "divisors": ("The divisors of 60", _divisors),
    "two": ("A taste, and a guess", _two),
    "rankings": ("Two rankings of five items", _rankings),
    "diagrams": ("Sort the steps", _diagrams),
    "chains": ("Courses and teachers", _chains),
    "extensions": ("How did the race end?", _race),
    "realizer": ("Two rankings make an order", _realizer),
    "lattices": ("Which concept do they make?", _drinks_in_a_table),
    "relations": ("What follows?", _relations),
    "clicks": ("What 300 sessions say", _clicks),
}


def write_framed(folder: Path) -> None:
    """Write all pages to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        write_page(name, folder / f"{name}.html")


def write_page(name: str, path: Path) -> None:
    """Write one of the pages."""
    title, write = PAGES[name]
    write(path, title)
