"""Systems in tables: their means, which others each is surely better than, and the differences.

`means_table`, `differences_table`, `means_as_latex`. In tables systems have numbers, so that there
are marks for any number of them.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from porank.core.tables import LATEX_SIGNS, Table
from porank.errors import counted
from porank.significance.p_values import CORRECTIONS
from porank.significance.paired import TESTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.significance.systems import SystemComparison


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
    """Return the numbers of beaten systems as a text, runs of three and more as their ends."""
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


def _marks(found: SystemComparison, measure: str) -> list[list[int]]:
    """Return for each system the numbers, from 1, of those that it is surely better than."""
    G = found.significant(measure)
    number = {system: place for place, system in enumerate(found.systems, start=1)}
    return [sorted(number[other] for other in G.successors(system)) for system in found.systems]


def _heads(found: SystemComparison, measures: Iterable[str]) -> str:
    """Return in words how many groups systems are compared on, measure by measure."""
    return "; ".join(f"{each}: {counted(found.groups[each], 'group')}" for each in measures)


def _how(found: SystemComparison) -> str:
    """Return in words how differences of systems were tested."""
    return f"{TESTS[found.test]}, {CORRECTIONS[found.correction]}, level {found.significance:g}"


def means_table(found: SystemComparison) -> Table:
    """Return a row for each system: its number, its name, and for each measure mean and marks."""
    columns = ["number", "system"]
    cells: list[Iterable[Any]] = [range(1, len(found.systems) + 1), map(str, found.systems)]
    for measure in found.measures:
        columns += [measure, "better than"]
        cells += [found.means[measure].values(), map(_numbered, _marks(found, measure))]
    title = f"{_heads(found, found.measures)}; {_how(found)}"
    return Table(columns, list(zip(*cells, strict=True)), title=title)


def differences_table(found: SystemComparison, measures: Sequence[str]) -> Table:
    """Return a row for each of these measures and pair of systems."""
    shown = attrgetter(*_DIFFERENCES.values())
    rows = [(measure, *shown(each)) for measure in measures for each in found.pairs[measure]]
    title = f"{_heads(found, measures)}; {_how(found)}"
    return Table(("measure", *_DIFFERENCES), rows, title=title)


def means_as_latex(found: SystemComparison, digits: int) -> str:
    r"""Return the means as a LaTeX table: the best in bold, what each is better than raised."""
    caption = (
        f"Means ({_heads(found, found.measures)}), the best in bold. Raised are the numbers of "
        f"the systems that are significantly worse ({_how(found)})."
    )
    arrows = {"higher": r"$\uparrow$", "lower": r"$\downarrow$"}
    heads = [f"{name.translate(LATEX_SIGNS)} {arrows[found.better[name]]}" for name in found.means]
    columns = [_latex_column(found, name, digits) for name in found.measures]
    rows = [
        " & ".join([str(number), str(system).translate(LATEX_SIGNS), *cells]) + r" \\"
        for number, (system, *cells) in enumerate(zip(found.systems, *columns, strict=True), 1)
    ]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            f"\\caption{{{caption.translate(LATEX_SIGNS)}}}",
            f"\\begin{{tabular}}{{rl{'r' * len(columns)}}}",
            r"\hline",
            " & ".join(["", "system", *heads]) + r" \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
            *(rf"\par\footnotesize {note.translate(LATEX_SIGNS)}" for note in found.notes()),
            r"\end{table}",
        ]
    )


def _latex_column(found: SystemComparison, measure: str, digits: int) -> list[str]:
    column = list(found.means[measure].values())
    known = [mean for mean in column if not math.isnan(mean)]
    best = (max if found.better[measure] == "higher" else min)(known, default=math.nan)
    cells = []
    for mean, others in zip(column, _marks(found, measure), strict=True):
        if math.isnan(mean):
            cells.append("--")
            continue
        # Adding 0.0 takes the sign from a zero.
        text = f"{round(mean, digits) + 0.0:.{digits}f}"
        shown = rf"\mathbf{{{text}}}" if mean == best else text
        raised = _numbered(others, dash=r"\mbox{--}")
        cells.append(f"${shown}^{{{raised}}}$" if raised else f"${shown}$")
    return cells
