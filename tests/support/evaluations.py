"""An evaluation of small tables, with a group of each status."""

from typing import Any

import porank as po
from porank.results import Evaluation

TARGET = {
    "user": [1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6],
    "preferred": ["a", "b", "a", "a", "b", "c", "a", "a", "a", "a", "a"],
    "other": ["b", "c", "b", "b", "c", "a", "b", "b", "b", "b", "c"],
}

PREDICTED = {
    "user": [1, 1, 1, 2, 2, 3, 5, 5, 6, 6, 7],
    "item": ["a", "b", "c", "a", "b", "a", "x", "y", "a", "b", "a"],
    "score": [3, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1],
}

MEASURES = ["gamma", "completeness", "kendall_distance", "auc"]


def found(**options: Any) -> Evaluation:
    return po.evaluate(TARGET, PREDICTED, measures=MEASURES, **options)


def column(evaluation: Evaluation, name: str) -> list[Any]:
    return [None if value != value else value for value in evaluation[name].tolist()]


PAIRS: dict[str, list[Any]] = {"user": [1, 1, 2], "preferred": list("aba"), "other": list("bcb")}

SCORES: dict[str, list[Any]] = {
    "user": [1, 1, 1, 2, 2],
    "item": list("abcab"),
    "score": [3.0, 1.0, 2.0, 1.0, 2.0],
}
