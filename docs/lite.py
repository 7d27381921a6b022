"""Notebooks that run in the browser: the directive ``notebooks``, and the JupyterLite site.

The site is built beside the documentation, with the notebooks of lectures and sessions and a wheel
of porank. Nothing is fetched when it is built; the browser fetches Pyodide when a notebook starts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from docs.lectures.make import code_cell, lectures, notebook, title_of

FOLDER = "lite"
#: Pyodide has no pyarrow, which porank only needs for files and frames.
INSTALL = """\
import piplite

await piplite.install({packages})
await piplite.install("porank", deps=False)"""


class Notebooks(SphinxDirective):
    """Links to notebooks in the browser, for a page of a folder: their names."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a list of the links, by the titles of the pages."""
        pages = {page.stem: page for page in lectures()}
        links = (
            f'<li><a href="../{FOLDER}/notebooks/index.html?path={name}.ipynb">'
            f"{title_of(pages[name])}</a></li>"
            for name in self.arguments[0].split()
        )
        return [nodes.raw("", f"<ol>{''.join(links)}</ol>", format="html")]


def in_the_browser(page: Path) -> str:
    """Return the notebook of a page with a first cell that installs what it needs."""
    text = page.read_text("utf-8")
    packages = ["networkx", "numpy", "matplotlib", "tqdm"]
    packages += ["scikit-learn"] * ("sklearn" in text) + ["scipy"] * ("scipy" in text)
    whole = json.loads(notebook(page))
    # The first cell says how to install everything elsewhere.
    whole["cells"][0] = code_cell(INSTALL.format(packages=packages)) | {"id": "install"}
    return json.dumps(whole)


def _build(app: Any, exception: Exception | None) -> None:
    """Build the JupyterLite site beside the documentation."""
    if exception is not None or app.builder.format != "html":
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / "contents").mkdir()
        for page in lectures():
            text = in_the_browser(page)
            (scratch / "contents" / f"{page.stem}.ipynb").write_text(text, "utf-8")
        _run(Path(__file__).parents[1], "hatchling", "build", "-t", "wheel", "-d", str(scratch))
        (wheel,) = scratch.glob("porank-*-py3-none-any.whl")
        options = ["--contents", str(scratch / "contents"), "--piplite-wheels", str(wheel)]
        options += ["--lite-dir", name, "--output-dir", str(Path(app.outdir).resolve() / FOLDER)]
        _run(scratch, "jupyterlite_core", "build", *options)


def _run(folder: Path, module: str, *arguments: str) -> None:
    """Run a module in a folder, and show its output only if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def setup(app: Any) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_directive("notebooks", Notebooks)
    app.connect("build-finished", _build)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
