"""How the documentation is built: ``sphinx-build -W -b html docs docs/_build/html``."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

# The checkout comes first, so that the documentation is that of the code beside it.
sys.path.insert(0, str(Path(__file__).parents[1]))

import porank
from docs.inventories import write_inventories
from porank import results

project = "porank"
author = "The porank developers"
copyright = f"2026, {author}"
version = release = porank.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "docs.lite",
    "docs.live",
    "docs.mathml",
    "matplotlib.sphinxext.plot_directive",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "decks", "paper"]
add_module_names = False
# A name between single backticks in a docstring links to what has that name.
default_role = "py:obj"

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = True
# The example of a function that draws is a plot directive.
numpydoc_use_plots = True
plot_formats = ["svg"]
plot_html_show_formats = plot_html_show_source_link = False
numpydoc_xref_aliases = {
    "DiGraph": "networkx.DiGraph",
    "Graph": "networkx.Graph",
    "ndarray": "numpy.ndarray",
    "Generator": "numpy.random.Generator",
    "Axes": "matplotlib.axes.Axes",
    "Figure": "matplotlib.figure.Figure",
    "Fraction": "fractions.Fraction",
    "Path": "pathlib.Path",
    "DataFrame": "pandas.DataFrame",
    **{name: f"porank.results.{name}" for name in vars(results) if name[0] != "_"},
    **{name: f"porank.{name}" for name in porank.__all__},
}
numpydoc_xref_ignore = "all"

intersphinx_mapping = write_inventories(Path(tempfile.mkdtemp(prefix="inventories")))

myst_enable_extensions = ["colon_fence", "dollarmath", "substitution"]
myst_heading_anchors = 3
_pyproject = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
repository = _pyproject["project"]["urls"]["Repository"]
myst_substitutions = {
    "links": f"[Install](#install) · [Repository]({repository}) · [Version {version}](changelog.md)"
}

# Prompts and what is printed are left out of what is copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "subsection_order": [
        f"../examples/{topic}"
        for topic in ("one_order", "two_orders", "many_orders", "clicks_and_systems")
    ],
    "filename_pattern": "/plot_",
    "ignore_pattern": "paper_table",
    "copyfile_regex": r".*\.rst",
    "download_all_examples": False,
    "show_signature": False,
    "thumbnail_size": (640, 448),
    # Which examples use a function: its page of the API lists them.
    "doc_module": ("porank",),
    "backreferences_dir": "gallery/backreferences",
    "write_computation_times": False,
    "abort_on_example_error": True,
}

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "porank"
html_logo = html_favicon = "_static/mark.svg"
html_theme_options = {
    "logo": {"text": "porank"},
    "icon_links": [{"name": "Repository", "url": repository, "icon": "fa-solid fa-code-branch"}],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "show_nav_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
# A doctest ends with an empty line, which a page need not show.
highlight_options = {"python": {"stripnl": True}}
html_search_scorer = str(Path(__file__).parent / "_static" / "search.js")
# The landing page has no section to list.
html_sidebars: dict[str, list[str]] = {"index": []}
html_show_sourcelink = False


def _find_result(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Link the name of a class of results to where it stands."""
    if node.get("refdomain") != "py":
        return None
    name = f"porank.results.{node['reftarget']}"
    py = env.get_domain("py")
    return py.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, contnode)


def _name_tab(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave the name of the project out of the title of the page that has no other title."""
    if page == "index":
        context["docstitle"] = ""


def setup(app: Any) -> None:
    """Tell Sphinx how to find the classes of results."""
    app.connect("missing-reference", _find_result)
    app.connect("html-page-context", _name_tab)
