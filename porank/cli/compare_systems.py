"""The command for several systems: ``porank systems SCORES``, on a table of scores or of battles.

`systems` prints which systems are significantly better, and the ranks that each may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import ANSWER, records_of, show
from porank.cli.command import argument, command, fraction
from porank.cli.inputs import TABLES, form_argument, open_table
from porank.cli.outputs import (
    output_arguments,
    output_form,
    use_no_window,
    write_order,
    write_output,
)
from porank.clicks.pair_counts import battles_in
from porank.drawing.axes import image_of
from porank.errors import PorankError
from porank.readwrite.formats import OUTPUTS
from porank.strengths.fitted_strengths import Strengths

if TYPE_CHECKING:
    import argparse

    from porank.significance.system_comparison import SystemComparison


_PICTURES = ("png", "svg", "pdf")
#: Options for tables of scores that do not apply to battles.
_OF_SCORES = ("by", "better", "missing")


@command(
    argument("table", metavar="SCORES"),
    argument("--by", metavar="COLUMN"),
    argument("--unit", metavar="COLUMN"),
    argument("--better", choices=("higher", "lower")),
    argument("--missing", choices=("pairwise", "drop", "at-random")),
    argument("--risk", type=fraction, default=0.05, metavar="P"),
    argument("--seed", type=int),
    argument("--differences", action="store_true"),
    form_argument(known=TABLES),
    *output_arguments("file for the order, or its picture: .png, .svg, .pdf"),
    *ANSWER,
)
def systems(given: argparse.Namespace) -> int:
    r"""Compare systems by their scores: which are better, and which ranks each may have.

    The table has a row for each task and a column for each system; cells are scores or blank. A
    table with the columns model_a, model_b and winner holds battles, and so does one with winner
    and loser, with home, away, home_goals and away_goals, with player1, player2, wins1 and wins2,
    or a matrix of wins, with a row for each column: a cell says how often the system of the row won
    against that of the column. From battles, or from ratings of users, the command estimates the
    strengths of the systems.

    Options
    -------
    SCORES
        a table in CSV, JSON Lines, JSON, Parquet or Arrow, or - for standard input
    --by
        column that names the tasks
    --unit
        column of clusters, whose rows are not independent, such as families of tasks or the judges
        of battles
    --better
        which scores are better (default: higher)
    --missing
        if cells are blank: compare two systems on the rows that both have, drop these rows, or
        assume that blanks do not depend on the scores (default: pairwise)
    --risk
        maximum probability of any false finding (default: %(default)s)
    --seed
        random seed (default: 0)
    --differences
        print the difference of each pair of systems

    Examples
    --------
    printf 'task,new,old\n1,5,3\n2,4,3\n3,5,4\n4,4,1\n5,3,2\n6,5,2\n' | porank systems -
    printf 'new,old\n1,0\n1,0\n1,\n' | porank systems - --missing drop --format json
    printf 'model_a,model_b,winner\nx,y,model_a\ny,x,model_a\nx,y,tie\n' | porank systems -
    """
    form = output_form(given, (*OUTPUTS, *_PICTURES))
    found = _compared(given)
    if form in _PICTURES:
        use_no_window()
        draw: Any = po.draw_strengths if isinstance(found, Strengths) else po.draw_systems
        write_output(given, image_of(lambda: draw(found), f".{form}"))
    elif form:
        write_order(given, found.order(), form)
    _show(given, found)
    return 0


def _compared(given: argparse.Namespace) -> SystemComparison | Strengths:
    """Return the comparison of the systems in a table of scores, or their strengths in battles."""
    table = open_table(given.table, given.form)
    options: dict[str, Any] = {"risk": float(given.risk), "unit": given.unit}
    options["seed"] = given.seed or 0
    of_scores = {
        name: getattr(given, name) for name in _OF_SCORES if getattr(given, name) is not None
    }
    wins = battles_in(table)
    if wins is not None:
        for name in of_scores:
            raise PorankError(f"--{name} applies to scores, found a table of battles")
        return po.fit_strengths(wins, **options)
    if "missing" in of_scores:
        of_scores["missing"] = of_scores["missing"].replace("-", " ")
    return po.compare_scores(table, **options, **of_scores)


def _show(given: argparse.Namespace, found: SystemComparison | Strengths) -> None:
    """Print the systems, or the differences of each pair, and the notes."""
    systems = _systems(found)
    pairs, notes = found.differences(), found.notes()
    data = {"systems": systems, "pairs": records_of(pairs), "notes": notes}
    show(given, pairs if given.differences else found.to_table(), data=data, after="\n".join(notes))


def _systems(found: SystemComparison | Strengths) -> list[dict[str, Any]]:
    """Return for each system its numbers, the systems that it is better than, and its ranks."""
    if isinstance(found, Strengths):
        order, ranks, intervals = found.order(), found.rank_sets(), found.intervals
        numbers = {
            item: {"strength": strength, "low": intervals[item][0], "high": intervals[item][1]}
            for item, strength in found.strengths.items()
        }
    else:
        (measure,) = found.measures
        order, ranks = found.decided(), found.rank_sets_or_none() or {}
        numbers = {system: {"mean": found.means[measure][system]} for system in found.systems}
    return [
        {"system": system, **each, "better_than": [*order[system]], "ranks": ranks.get(system)}
        for system, each in numbers.items()
    ]
