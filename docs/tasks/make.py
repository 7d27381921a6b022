"""Pages on which a reader tries a theorem: predicts, moves or chooses, and is answered at once.

`read_tasks` reads the tasks of the course, and `write_task` writes one file, which needs nothing
else. porank computes what follows here; the script only shows it.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, Final

import porank as po
from docs.single_file import single_file

TASKS: Final = Path(__file__).parent

_BODY: Final = """<h1>{title}</h1>
<p>{prompt}</p>
<main>
<svg id="diagram" role="group" aria-label="Hasse diagram"></svg>
<div>
<div id="work"></div>
<p id="message" role="status"></p>
<button id="reveal">Reveal</button> <button id="restart">Start again</button>
</div>
</main>
<script id="task" type="application/json">{task}</script>"""


def read_tasks() -> dict[str, Any]:
    """Return the tasks by their names."""
    return dict(json.loads((TASKS / "tasks.json").read_text("utf-8")))


def write_task(
    path: Path, *, order: str, title: str, prompt: str, kind: str, says: str, **answer: Any
) -> None:
    """Write a task on the diagram of an order.

    `kind` is "pairs" (predict which pairs follow from the edges), "set" (choose another antichain
    than `given`; `answer` and `parts` are revealed) or "sequence" (move items; `start` and `answer`
    hold one or two rankings). `says` is shown when the answer is revealed. A blank in the values of
    `names` begins another line.
    """
    G = po.parse(order)
    number = {item: place for place, item in enumerate(G)}

    def numbers(some: Any) -> Any:
        return number[some] if isinstance(some, str) else [numbers(each) for each in some]

    closure = po.transitive_closure(G)
    lines = [answer.get("names", {}).get(item, item).split() for item in G]
    given = {name: numbers(some) for name, some in answer.items() if name != "names"}
    drawn = G if kind == "pairs" else po.transitive_reduction(G)
    given |= {"lines": numbers(drawn.edges), "above": numbers(closure.edges)}
    if kind == "pairs":
        given["answer"] = [pair for pair in given["above"] if pair not in given["lines"]]
    at = dict(po.hasse_layout(closure))
    wide = max(70, 18 + 9 * max(len(line) for name in lines for line in name))
    # Boxes of as many lines, and 20 pixels between two levels.
    high = 38 + 18 * max(map(len, lines))
    places = [[wide * at[item][0], -high * at[item][1]] for item in G]
    task = {"kind": kind, "says": says, "items": list(G), "names": lines, "at": places} | given
    task["total"] = po.count_linear_extensions(G)
    data = json.dumps(task).replace("</", "<\\/")
    body = _BODY.format(title=escape(title), prompt=escape(prompt), task=data)
    path.write_text(single_file(title, body, TASKS / "task"), "utf-8")
