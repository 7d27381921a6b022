"""Pages on which a reader tries a theorem: predicts, drags or chooses, then reveals the answer.

`write_task` and `write_concepts` write one file each, which needs nothing else. porank computes the
answer here; the script only shows it.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import porank as po
from docs.single_file import single_file

if TYPE_CHECKING:
    import networkx as nx

TASKS: Final = Path(__file__).parent
#: Pixels between levels.
_DOWN = 70

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


def write_task(
    order: nx.DiGraph, path: Path, *, title: str, prompt: str, kind: str, says: str, **answer: Any
) -> None:
    """Write a task on the diagram of an order of texts.

    `kind` is "pairs" (predict which pairs follow from the edges), "set" (choose items; `answer` and
    `parts` are revealed) or "sequence" (drag items; `start` and `answer` hold one or two rankings).
    `says` is shown when the answer is revealed.
    """
    number = {item: place for place, item in enumerate(order)}

    def numbers(names: Any) -> Any:
        return number[names] if isinstance(names, str) else [numbers(each) for each in names]

    closure = po.transitive_closure(order)
    drawn = order if kind == "pairs" else po.transitive_reduction(order)
    given = {name: numbers(names) for name, names in answer.items()}
    given |= {"lines": numbers(drawn.edges), "above": numbers(closure.edges)}
    if kind == "pairs":
        given["answer"] = [pair for pair in given["above"] if pair not in given["lines"]]
    _write(path, closure, title, prompt, {"kind": kind, "says": says} | given)


def write_concepts(
    context: dict[str, list[str]], path: Path, *, title: str, prompt: str, says: str
) -> None:
    """Write a task on the concept lattice of a context: choose objects, and see the concept."""
    lattice = po.concept_lattice(context)
    attributes = list(dict.fromkeys(each for row in context.values() for each in row))
    objects = list(context)
    number = {concept: place for place, concept in enumerate(lattice)}
    # The usual labels: new attributes, and objects without further attributes.
    parts = ((data["names"], data["objects"]) for _, data in lattice.nodes(data=True))
    items = [" / ".join(", ".join(part) for part in both if part) or "·" for both in parts]
    edges = [[number[u], number[v]] for u, v in lattice.edges]
    task = {
        "kind": "concept",
        "says": says,
        "items": items,
        "lines": edges,
        "above": edges,
        "extents": [[objects.index(each) for each in extent] for extent, _ in lattice],
        "context": {
            "objects": objects,
            "attributes": attributes,
            "has": [[each in context[row] for each in attributes] for row in objects],
        },
    }
    _write(path, lattice, title, prompt, task)


def _write(path: Path, order: nx.DiGraph, title: str, prompt: str, task: dict[str, Any]) -> None:
    """Write a page with a diagram and a task."""
    at = dict(po.hasse_layout(order))
    task = {"items": list(order)} | task
    letters = max(len(row) for text in task["items"] for row in text.split(" / "))
    wide = max(90, 10 * letters + 36)
    places = [[wide * at[item][0], -_DOWN * at[item][1]] for item in order]
    data = json.dumps({"at": places} | task).replace("</", "<\\/")
    body = _BODY.format(title=escape(title), prompt=escape(prompt), task=data)
    path.write_text(single_file(title, body, TASKS / "task"), "utf-8")
