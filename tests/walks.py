"""How many modules of porank one walks through to do one thing.

``python tests/walks.py`` prints for each walk the modules it takes and how many it may take; with
``--names`` it lists them. A module is entered where a function of it is called; what a module does
while it is imported does not count.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from collections.abc import Callable
from types import FrameType

import networkx as nx

import porank as po
from porank.cli import main as cli

CHECKOUT = Path(__file__).resolve().parents[1]
#: Prints the modules of porank that a program has loaded, one a line.
LOADED = "import sys; print(*(name for name in sys.modules if name.split('.')[0] == 'porank'))"
GAMMA = "import porank as po; po.gamma(po.parse('a > b; c > d'), po.parse('a > c > d; b'))"
LOG = """session,item,position,event,time
1,tea,1,view,0
1,milk,2,view,0
1,milk,2,click,1
2,tea,1,view,0
2,water,2,click,1
"""

#: What two users prefer, and how a system scores it.
TARGET = {"user": [1, 2], "preferred": ["tea", "tea"], "other": ["milk", "milk"]}
PREDICTED = {"user": [1, 1, 2, 2], "item": ["tea", "milk"] * 2, "score": [0.9, 0.1, 0.2, 0.8]}


def entered_by(walk: Callable[..., Any], *arguments: Any) -> set[str]:
    """Return the modules of porank of which a function is called."""
    modules: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = module_of(frame)
        if event == "call" and module and module not in modules and not importing(frame):
            modules.add(module)

    sys.setprofile(note)
    try:
        walk(*arguments)
    finally:
        sys.setprofile(None)
    return modules


def module_of(frame: FrameType) -> str:
    """Return the module of porank that a frame runs in, empty if it is none of these."""
    module = str(frame.f_globals.get("__name__"))
    return module if module.split(".")[0] == "porank" else ""


def importing(frame: FrameType | None) -> bool:
    """Return whether a frame is, or was called by, a module of porank that is being imported."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and module_of(frame):
            return True
        frame = frame.f_back
    return False


def loaded_by(program: str) -> set[str]:
    """Return the modules of porank that a program loads."""
    command = [sys.executable, "-c", f"{program}\n{LOADED}"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def two_orders() -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two partial orders of which nothing is remembered yet."""
    return po.parse("a > b; c > d"), po.parse("a > c > d; b")


def walks(folder: Path) -> dict[str, tuple[set[str], int]]:
    """Return the modules of each walk, and how many they may be."""
    log, pairs = folder / "log.csv", folder / "pairs.csv"
    log.write_text(LOG, encoding="utf-8")
    degrees = po.preference_relation(two_orders())
    users = [dict(enumerate(two_orders())) for _ in range(2)]
    return {
        "gamma": (entered_by(po.gamma, *two_orders()), 10),
        "predict_order": (entered_by(po.predict_order, degrees), 9),
        "preference_pairs of a CSV": (entered_by(po.preference_pairs, log), 18),
        "evaluate graphs": (entered_by(po.evaluate, *users), 24),
        "evaluate columns": (entered_by(po.evaluate, TARGET, PREDICTED), 24),
        "draw_hasse": (entered_by(po.draw_hasse, two_orders()[0]), 22),
        "porank mine to a file": (entered_by(cli.main, ["mine", str(log), "-o", str(pairs)]), 26),
        "loaded by import porank": (loaded_by("import porank"), 12),
        "loaded by gamma": (loaded_by(GAMMA), 25),
    }


def main() -> None:
    """Print the table, and the names where they are asked for."""
    os.environ["MPLBACKEND"] = "agg"
    with TemporaryDirectory() as folder:
        found = walks(Path(folder))
    print(f"{'walk':28}{'modules':>8}{'goal':>6}")
    for walk, (modules, goal) in found.items():
        print(f"{walk:28}{len(modules):8}{goal:6}")
        if "--names" in sys.argv[1:]:
            print(*(f"    {name}" for name in sorted(modules)), sep="\n")


if __name__ == "__main__":
    main()
