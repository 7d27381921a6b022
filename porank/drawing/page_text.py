"""The text of a page: templates filled in, data made safe, scripts and styles named by their hash.

The Content Security Policy of the file lets the browser run the script of the file and nothing
else, and load nothing at all.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from porank.drawing.palette import ALARM, CLASS_LOOKS, FAINT, INK, MUTED, PAPER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The parts of the script, in the sequence in which they need each other.
_SCRIPTS = (
    "relation",
    "geometry",
    "shape",
    "diagram",
    "overlay",
    "dressing",
    "camera",
    "panel",
    "curve",
    "saving",
    "choice",
    "pointing",
    "keys",
    "search",
    "theme",
    "paper",
    "main",
)
#: Of so many items at the most a browser without scripts names those of each level.
_LISTED = 500


def page_text(data: Mapping[str, Any], *, title: str) -> str:
    """Return the page as HTML, complete in itself.

    Examples
    --------
    >>> from porank.drawing.page_data import page_data
    >>> import porank as po
    >>> text = page_text(page_data(po.from_ranking(["<script>", "b"])), title="A & B")
    >>> "<title>A &amp; B</title>" in text, "<script>&quot;" in text
    (True, False)

    Notes
    -----
    Time O(1) for each sign of the data.
    """
    page_style, diagram_style, script = _style("page.css"), _style("diagram.css"), _script()
    return Template(_file("page.html")).substitute(
        policy=_policy([script], [page_style, diagram_style]),
        title=escape(title),
        page_style=page_style,
        diagram_style=diagram_style,
        data=_as_json(data),
        script=script,
        levels=_levels(data),
    )


def _policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    parts = [
        "default-src 'none'",
        " ".join(["script-src", *map(_hash, scripts)]),
        " ".join(["style-src", *map(_hash, styles)]),
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(parts)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _as_json(data: Mapping[str, Any]) -> str:
    """Return the data in ASCII, with nothing in it that HTML could take for a tag."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _levels(data: Mapping[str, Any]) -> str:
    """Return the items of each level at the start, for a browser that runs no script."""
    scene = data["scenes"][data["stops"][data["start"]]["scene"]] if data["stops"] else None
    if scene is None or len(data["items"]) > _LISTED:
        return ""
    levels: dict[float, list[str]] = {}
    for box, y in zip(scene["boxes"], scene["y"], strict=True):
        levels.setdefault(y, []).extend(escape(data["items"][item]) for item in box)
    return "".join(
        "<li>" + ", ".join(f"<bdi>{label}</bdi>" for label in levels[y]) + "</li>"
        for y in sorted(levels, reverse=True)
    )


@cache
def _file(name: str) -> str:
    return files("porank.drawing").joinpath("page_files", name).read_text("utf-8")


@cache
def _style(name: str) -> str:
    """Return a style sheet with the colours of all pictures in it."""
    looks = {kind: look.color for kind, look in CLASS_LOOKS.items()}
    return Template(_file(name)).substitute(
        looks, ink=INK, muted=MUTED, faint=FAINT, paper=PAPER, alarm=ALARM
    )


@cache
def _script() -> str:
    parts = "\n".join(_file(f"{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();'
