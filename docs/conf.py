"""How the documentation is built: ``sphinx-build -W -b html docs docs/_build/html``."""

from __future__ import annotations

import sys
from pathlib import Path

# The checkout comes first, so that the documentation is that of the code beside it.
sys.path.insert(0, str(Path(__file__).parents[1]))

import porank

project = "porank"
author = "The porank developers"
copyright = f"2026, {author}"
version = release = porank.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates"]
add_module_names = False

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_heading_anchors = 3

sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": "/plot_",
    "copyfile_regex": r".*\.rst",
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "porank"
html_theme_options = {
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
# Only the index and the gallery have pages below them to list; lectures need the room.
pages = [path.stem for path in Path(__file__).parent.glob("*.md")]
html_sidebars: dict[str, list[str]] = {page: [] for page in [*pages, "lectures/*"] if page != "api"}
html_show_sourcelink = False
