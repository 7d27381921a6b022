"""What the site has beside its pages: pictures, notebooks, interactive pages and slides.

All of it is made when the site is built, and nothing is fetched. ``{interactive} name`` frames one
of the pages of `docs.interactive_pages`. Notebooks that run in the browser fetch Pyodide when one
starts. The sections of long pages are folded.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from docutils import nodes
from nbformat.v4 import new_code_cell
from PIL import Image
from sphinx.util.docutils import SphinxDirective

from docs.decks.make import write_decks
from docs.draw import DOCS, draw_old, illustrated
from docs.interactive_pages import PAGES, write_pages
from docs.notebooks import lectures, notebook, write_notebooks

FRAME = (
    '<iframe class="interactive" src="{source}" title="{title}" loading="lazy"></iframe>'
    '<p class="interactive"><a href="{source}">{title}: on a page of its own</a></p>'
)
#: The size of a thumbnail in the gallery, in pixels of a picture with 100 an inch.
PART = 500, 320
#: A page of more lines has its sections folded, and what is put around their titles and texts.
LONG = 260
FOLD = '<details class="part"><summary>', "</summary>", "</details>"
#: Pyodide has no pyarrow, which porank only needs for files and frames.
INSTALL = """\
import piplite

await piplite.install({packages})
await piplite.install("porank", deps=False)"""


class Interactive(SphinxDirective):
    """A frame around one of the interactive pages."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the frame, with the way from this page to the folder of the interactive ones."""
        name = self.arguments[0]
        source = f"{'../' * self.env.docname.count('/')}interactive/{name}.html"
        return [nodes.raw("", FRAME.format(source=source, title=PAGES[name][0]), format="html")]


def _fold(app: Any, doctree: nodes.document, docname: str) -> None:
    """Fold each section of a long page: its heading opens it."""
    page = Path(app.env.doc2path(docname))
    if page.suffix != ".md" or len(page.read_text("utf-8").splitlines()) <= LONG:
        return
    for section in list(doctree.findall(nodes.section)):
        if isinstance(section.parent.parent, nodes.document):
            title, *rest = section.children
            if not rest:  # Footnotes are moved to the end of the page.
                continue
            marks = [nodes.raw("", html, format="html") for html in FOLD]
            section.children = []
            section.extend([marks[0], title, marks[1], *rest, marks[2]])


def _in_the_browser(page: Path) -> Any:
    """Return the notebook of a page with a first cell that installs what it needs."""
    text = page.read_text("utf-8")
    packages = ["networkx", "numpy", "matplotlib", "tqdm"]
    packages += ["scikit-learn"] * ("sklearn" in text) + ["scipy"] * ("scipy" in text)
    return notebook(page, setup=new_code_cell(INSTALL.format(packages=packages)))


def _build_lite(out: Path) -> None:
    """Build a JupyterLite site with the notebooks of lectures and a wheel of porank."""
    with TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / "contents").mkdir()
        for page in lectures():
            nbformat.write(_in_the_browser(page), scratch / "contents" / f"{page.stem}.ipynb")
        _run(DOCS.parent, "hatchling", "build", "-t", "wheel", "-d", name)
        (wheel,) = scratch.glob("porank-*-py3-none-any.whl")
        options = ["--contents", "contents", "--piplite-wheels", str(wheel), "--lite-dir", name]
        _run(scratch, "jupyterlite_core", "build", *options, "--output-dir", str(out.resolve()))


def _run(folder: Path, module: str, *arguments: str) -> None:
    """Run a module in a folder, and show its output only if it fails."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def _crop_thumbnails(images: Path) -> None:
    """Show the upper left part of the first picture of each example, in which text can be read."""
    for path in images.glob("sphx_glr_*_thumb.png"):
        with Image.open(path.with_name(path.name.replace("thumb", "001"))) as whole:
            whole.crop((0, 0, min(PART[0], whole.width), min(PART[1], whole.height))).save(path)


def _before_reading(_app: Any) -> None:
    """Make what pages show and link to."""
    draw_old(illustrated())
    write_notebooks()


def _after_writing(app: Any, exception: Exception | None) -> None:
    """Write the pages that are no pages of Sphinx."""
    if exception is None and app.builder.format == "html":
        out = Path(app.outdir)
        _crop_thumbnails(out / "_images")
        write_pages(out / "interactive")
        write_decks(out / "slides", "../interactive")
        _build_lite(out / "lite")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the directive, and when to make the rest."""
    app.add_directive("interactive", Interactive)
    app.connect("doctree-resolved", _fold)
    app.connect("builder-inited", _before_reading)
    app.connect("build-finished", _after_writing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
