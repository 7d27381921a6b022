"""Systems in tables: their means, which others each is surely better than, and the differences.

`means_table`, `differences_table` and `latex_of`. In tables systems have numbers, so that there are
marks for any number of them.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from porank.core.tables import LATEX_SIGNS, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import networkx as nx

    from porank.significance.paired import PairedDifference


#: Columns of the table of differences, and what they show.
_DIFFERENCES = {
    "better": "first",
    "worse": "second",
    "difference": "difference",
    "low": "low",
    "high": "high",
    "p-value": "p_value",
    "adjusted": "adjusted",
    "effect size": "effect_size",
    "superiority": "superiority",
    "wins": "wins",
    "ties": "ties",
    "losses": "losses",
}


def _numbered(numbers: Iterable[int], *, dash: str = "-") -> str:
    """Return ascending numbers as a text, runs of three and more as their ends."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [
        f"{run[0]}{dash}{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    ]
    return ",".join(shown)


def _marks(systems: Sequence[Any], G: nx.DiGraph) -> list[list[int]]:
    """Return for each system the numbers, from 1, of those that it is surely better than."""
    number = {system: place for place, system in enumerate(systems, start=1)}
    return [sorted(number[other] for other in G.successors(system)) for system in systems]


def means_table(
    systems: Sequence[Any],
    means: Mapping[str, Sequence[float]],
    graphs: Mapping[str, nx.DiGraph],
    title: str,
) -> Table:
    """Return a row for each system: its number, its name, and for each measure mean and marks."""
    columns = ["number", "system"]
    cells: list[list[Any]] = [[*range(1, len(systems) + 1)], [*map(str, systems)]]
    for measure, column in means.items():
        columns += [measure, "better than"]
        cells += [list(column), [_numbered(each) for each in _marks(systems, graphs[measure])]]
    return Table(columns, list(zip(*cells, strict=True)), title=title)


def differences_table(
    differences: Mapping[str, Sequence[PairedDifference]], title: str = ""
) -> Table:
    """Return a row for each measure and pair of systems."""
    shown = attrgetter(*_DIFFERENCES.values())
    rows = [(measure, *shown(each)) for measure, some in differences.items() for each in some]
    return Table(("measure", *_DIFFERENCES), rows, title=title)


def latex_of(
    systems: Sequence[Any],
    means: Mapping[str, Sequence[float]],
    graphs: Mapping[str, nx.DiGraph],
    better: Mapping[str, str],
    *,
    digits: int,
    caption: str,
    notes: Sequence[str] = (),
) -> str:
    r"""Return the means as a LaTeX table: the best in bold, what each is better than raised."""
    arrows = {"higher": r"$\uparrow$", "lower": r"$\downarrow$"}
    heads = [f"{name.translate(LATEX_SIGNS)} {arrows[better[name]]}" for name in means]
    columns = [
        _latex_column(column, better[name], _marks(systems, graphs[name]), digits)
        for name, column in means.items()
    ]
    rows = [
        " & ".join([str(number), str(system).translate(LATEX_SIGNS), *cells]) + r" \\"
        for number, (system, *cells) in enumerate(zip(systems, *columns, strict=True), start=1)
    ]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            f"\\caption{{{caption.translate(LATEX_SIGNS)}}}",
            f"\\begin{{tabular}}{{rl{'r' * len(means)}}}",
            r"\hline",
            " & ".join(["", "system", *heads]) + r" \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
            *(rf"\par\footnotesize {note.translate(LATEX_SIGNS)}" for note in notes),
            r"\end{table}",
        ]
    )


def _latex_column(
    column: Sequence[float], better: str, beaten: Sequence[Sequence[int]], digits: int
) -> list[str]:
    known = [mean for mean in column if not math.isnan(mean)]
    best = (max if better == "higher" else min)(known, default=math.nan)
    cells = []
    for mean, others in zip(column, beaten, strict=True):
        if math.isnan(mean):
            cells.append("--")
            continue
        # Adding 0.0 takes the sign from a zero.
        text = f"{round(mean, digits) + 0.0:.{digits}f}"
        shown = rf"\mathbf{{{text}}}" if mean == best else text
        raised = _numbered(others, dash=r"\mbox{--}")
        cells.append(f"${shown}^{{{raised}}}$" if raised else f"${shown}$")
    return cells
