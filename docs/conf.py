"""How the documentation is built: ``sphinx-build -W -b html docs docs/_build/html``."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from docutils.nodes import reference
from numpydoc.xref import DEFAULT_LINKS

# The checkout comes first, so that the documentation is that of the code beside it.
sys.path.insert(0, str(Path(__file__).parents[1]))

import porank
from porank import results

project = "porank"
copyright = "2026, The porank developers"
version = release = porank.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "docs.extension",
    "docs.mathml",
    "matplotlib.sphinxext.plot_directive",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "decks", "paper", "course/assignments"]
add_module_names = False
# A name between single backticks in a docstring links to what has that name.
default_role = "py:obj"

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
# The example of a function that draws is a plot directive.
numpydoc_use_plots = True
plot_formats = ["svg"]
plot_html_show_formats = plot_html_show_source_link = False
#: Types of other projects that parameters have, and their pages. intersphinx would fetch lists of
#: all names each time; this needs no network.
ELSEWHERE = {
    "networkx.DiGraph": "https://networkx.org/documentation/stable/reference/classes/digraph.html",
    "numpy.ndarray": "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html",
    "numpy.random.Generator": "https://numpy.org/doc/stable/reference/random/generator.html",
    "matplotlib.axes.Axes": "https://matplotlib.org/stable/api/_as_gen/matplotlib.axes.Axes.html",
    "fractions.Fraction": "https://docs.python.org/3/library/fractions.html",
}
# What numpydoc links to by intersphinx stays a word.
numpydoc_xref_aliases = {
    **{word: word for word in DEFAULT_LINKS},
    **{name.rpartition(".")[2]: name for name in ELSEWHERE},
    **{name: f"porank.results.{name}" for name in vars(results) if name[0] != "_"},
    **{name: f"porank.{name}" for name in porank.__all__},
}
numpydoc_xref_ignore = "all"

myst_enable_extensions = ["colon_fence", "dollarmath", "substitution"]
myst_heading_anchors = 3
# Slides and notebooks that run in the browser, from a page that is in no folder.
myst_url_schemes = {
    **dict.fromkeys(["http", "https", "mailto"]),
    "slides": "slides/{{path}}.html",
    "lite": "lite/notebooks/index.html?path={{path}}.ipynb",
}
_pyproject = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
repository = _pyproject["project"]["urls"]["Repository"]
myst_substitutions = {
    "links": f"[Install](#install) · [Repository]({repository}) · [Version {version}](changelog.md)"
}

# Prompts and what is printed are left out of what is copied.
copybutton_prompt_text = r">>> |\.\.\. ?|\$ "
copybutton_prompt_is_regexp = True

TOPICS = "one_order", "two_orders", "many_orders", "clicks_and_systems"
sphinx_gallery_conf = {
    "gallery_dirs": ["gallery"],
    "subsection_order": [f"../examples/{topic}" for topic in TOPICS],
    "ignore_pattern": "paper_table",
    "copyfile_regex": r".*\.rst",
    "download_all_examples": False,
    "show_signature": False,
    # Which examples use a function: its page of the API lists them.
    "doc_module": ("porank",),
    "backreferences_dir": "gallery/backreferences",
    "write_computation_times": False,
    "abort_on_example_error": True,
    "parallel": True,
}

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "porank"
html_logo = html_favicon = "_static/mark.svg"
html_theme_options = {
    "logo": {"text": "porank"},
    "icon_links": [{"name": "Repository", "url": repository, "icon": "fa-solid fa-code-branch"}],
    "show_toc_level": 2,
    "show_nav_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_static_path = ["_static"]
html_css_files, html_js_files = ["site.css"], ["fold.js"]
# A doctest ends with an empty line, which a page need not show.
highlight_options = {"python": {"stripnl": True}}
html_search_scorer = str(Path(__file__).parent / "_static" / "search.js")
# The landing page has no section to list, and the page of all sessions lists them itself.
html_sidebars: dict[str, list[str]] = {"index": [], "teach": []}
html_show_sourcelink = False


def _find(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Link the name of a class of results, or of another project, to where it stands."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"]
    if name in ELSEWHERE:
        return reference("", "", contnode, refuri=ELSEWHERE[name])
    name, domain = f"porank.results.{name}", env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, contnode)


def _name_tab(_app: Any, page: str, _template: str, context: Any, _doctree: Any) -> None:
    """Name the project once in the title of its first page."""
    if page == "index":
        context["docstitle"] = ""


def setup(app: Any) -> None:
    """Tell Sphinx how to find names that are none of its own, and how to name the first page."""
    app.connect("missing-reference", _find)
    app.connect("html-page-context", _name_tab)
