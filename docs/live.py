"""Interactive pages and slides inside the documentation: the directives ``live`` and ``slides``.

They are made when the site is built. Each entry of `PAGES` writes one file, and a page that says
``{live} name`` frames it; ``{slides}`` lists the slides of the lectures.
"""

from __future__ import annotations

from doctest import DocTestParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import porank as po
from docs.lectures.make import lectures
from docs.lectures.slides import write_slides

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "live"
FRAME = (
    '<iframe class="live" src="{source}" title="{title}" loading="lazy"></iframe>'
    '<p class="live"><a href="{source}">{title}: on a page of its own</a></p>'
)


def _drinks(path: Path) -> None:
    """Write the first order of the page Start."""
    order = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    po.write_page(order, path, title="Five drinks")


def _trees(path: Path) -> None:
    """Write the trees of the lecture on partial orders."""
    order = po.parse("ash > elm > oak; ash > fir; bay > fir > yew; bay > ivy")
    po.write_page(order, path, title="Seven trees")


def _table1(path: Path) -> None:
    """Write the target of Table 1 with its prediction."""
    target, predicted = po.load_example("table1-corrected")
    po.write_page(predicted, path, target=target, title="A prediction, and the truth")


def _votes(path: Path) -> None:
    """Write what rankings of six teas share, by the lines on the landing page."""
    page = (Path(__file__).parent / "index.md").read_text("utf-8")
    lines = [example.source for example in DocTestParser().get_examples(page)]
    names: dict[str, Any] = {}
    exec("".join(line for line in lines if "write_page" not in line), names)
    title = "What seven rankings share"
    po.write_page(names["order"], path, preferences=names["relation"], title=title)


def _divisors(path: Path) -> None:
    """Write the divisors of 60."""
    po.write_page(po.divisor_lattice(60), path, title="The divisors of 60")


def _two(path: Path) -> None:
    """Write what is known of a taste, and a ranking to move."""
    target = po.parse("espresso > cocoa > water; tea > cocoa; espresso > chai")
    predicted = po.parse("espresso > chai > tea > water > cocoa")
    po.write_comparison_page(target, predicted, path, title="A taste, and a guess")


def _rankings(path: Path) -> None:
    """Write the two rankings of the lecture on measuring rankings."""
    both = po.parse("e > b > c > a > d"), po.parse("a > b > e > c > d")
    po.write_comparison_page(*both, path, title="Two rankings of five items")


def _clicks(path: Path) -> None:
    """Write what the clicks of a simulated log say, with its threshold."""
    tastes = {"espresso": 4, "cappuccino": 3, "tea": 2, "cocoa": 1, "water": 0.5}
    log = po.simulate_log(tastes, sessions=300, seed=1)
    relation = po.feedback_relation(po.from_log(log), prior=0)
    po.write_page(None, path, preferences=relation, title="What 300 sessions say")


#: What can be shown: a title, and what writes the page.
PAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "drinks": ("Five drinks", _drinks),
    "trees": ("Seven trees", _trees),
    "table1": ("A prediction, and the truth", _table1),
    "votes": ("What seven rankings share", _votes),
    "divisors": ("The divisors of 60", _divisors),
    "two": ("A taste, and a guess", _two),
    "rankings": ("Two rankings of five items", _rankings),
    "clicks": ("What 300 sessions say", _clicks),
}


class Live(SphinxDirective):
    """A frame around one of the interactive pages."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the frame, with the way from this page to the folder of the interactive ones."""
        name = self.arguments[0]
        title, _ = PAGES[name]
        up = "../" * self.env.docname.count("/")
        frame = FRAME.format(source=f"{up}{FOLDER}/{name}.html", title=title)
        return [nodes.raw("", frame, format="html")]


class Slides(SphinxDirective):
    """Links to the slides of all lectures, for a page of their folder."""

    def run(self) -> list[nodes.Node]:
        """Return a list of the links, by the titles of the lectures."""
        titles = {page.stem: page.read_text("utf-8").partition("\n")[0][2:] for page in lectures()}
        links = (
            f'<li><a href="slides/{name}.html">{title}</a></li>' for name, title in titles.items()
        )
        return [nodes.raw("", f"<ul>{''.join(links)}</ul>", format="html")]


def _write_pages(app: Any, exception: Exception | None) -> None:
    """Write all interactive pages beside the built site."""
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir) / FOLDER
        folder.mkdir(exist_ok=True)
        for name, (_, write) in PAGES.items():
            write(folder / f"{name}.html")
        write_slides(Path(app.outdir) / "lectures" / "slides")


def setup(app: Any) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_directive("live", Live)
    app.add_directive("slides", Slides)
    app.connect("build-finished", _write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
