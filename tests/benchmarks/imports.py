"""What ``import porank`` costs beyond networkx and NumPy, and how many modules it loads.

Run ``python -m tests.benchmarks.imports``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

from tests.benchmarks.side_by_side import show

CHECKOUT = Path(__file__).resolve().parents[2]
ROUNDS = 15
#: Prints the seconds for the two libraries, the seconds for porank after them, and its modules.
PROGRAM = """
import sys
from time import perf_counter
start = perf_counter()
import networkx, numpy
middle = perf_counter()
import porank
end = perf_counter()
print(middle - start, end - middle, sum(name.split(".")[0] == "porank" for name in sys.modules))
"""


def measure() -> list[float]:
    """Return what the program prints in a fresh process."""
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return [float(figure) for figure in done.stdout.split()]


def main() -> None:
    """Print the medians of some rounds."""
    libraries, ours, modules = map(median, zip(*(measure() for _ in range(ROUNDS)), strict=True))
    show(f"networkx and NumPy: {libraries:.3f} s")
    show(f"porank beyond them: {ours:.3f} s, {modules:.0f} modules")


if __name__ == "__main__":
    main()
