"""Interactive pages and slides inside the documentation: the directives ``live`` and ``slides``.

They are made when the site is built. A page that says ``{live} name`` frames one of the pages of
`docs.framed`; ``{slides} name ...`` lists decks of slides.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from docs.decks.make import DECKS, write_decks
from docs.framed import PAGES, write_framed
from docs.lectures.make import title_of

FOLDER = "live"
FRAME = (
    '<iframe class="live" src="{source}" title="{title}" loading="lazy"></iframe>'
    '<p class="live"><a href="{source}">{title}: on a page of its own</a></p>'
)


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
    """Links to decks of slides, for a page of a folder: ``{slides}`` and their names."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a list of the links, by the titles of the decks."""
        links = (
            f'<li><a href="../slides/{name}.html">{title_of(DECKS / f"{name}.md")}</a></li>'
            for name in self.arguments[0].split()
        )
        return [nodes.raw("", f"<ol>{''.join(links)}</ol>", format="html")]


def _write_pages(app: Any, exception: Exception | None) -> None:
    """Write all interactive pages beside the built site."""
    if exception is None and app.builder.format == "html":
        write_framed(Path(app.outdir) / FOLDER)
        write_decks(Path(app.outdir) / "slides", f"../{FOLDER}")


def setup(app: Any) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_directive("live", Live)
    app.add_directive("slides", Slides)
    app.connect("build-finished", _write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
