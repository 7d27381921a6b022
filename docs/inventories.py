"""What other projects' pages the documentation links to: their addresses, known without a network.

Sphinx reads the names that a project documents from an inventory. Each one here is made of a short
list of names, so that the site builds anywhere and is the same everywhere.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_HEAD: Final = "# Sphinx inventory version 2\n# Project: {name}\n# Version: \n"
_HEAD_END: Final = "# The remainder of this file is compressed using zlib.\n"

#: Each project's address, and the pages of its names: a ``$`` stands for the name itself. A name is
#: that of an object, or says before a slash what it is.
PROJECTS: Final = {
    "python": (
        "https://docs.python.org/3/",
        {
            "library/stdtypes.html#$": "dict list tuple str set frozenset range",
            "library/functions.html#$": "int float bool object",
            "library/constants.html#$": "None True False",
            "library/exceptions.html#$": (
                "ValueError TypeError KeyError OSError AttributeError ImportError MemoryError"
            ),
            "library/fractions.html#$": "fractions.Fraction",
            "library/pathlib.html#$": "pathlib.Path",
            "library/datetime.html#$": "datetime.datetime",
            "glossary.html#term-$": (
                "std:term/iterable std:term/sequence std:term/mapping std:term/iterator "
                "std:term/hashable std:term/generator std:term/callable"
            ),
            "library/stdtypes.html#boolean-type-bool": "std:label/bltin-boolean-values",
            "library/stdtypes.html#iterator-types": "std:label/typeiter",
        },
    ),
    "networkx": (
        "https://networkx.org/documentation/stable/",
        {
            "reference/classes/digraph.html#$": "networkx.DiGraph",
            "reference/classes/graph.html#$": "networkx.Graph",
            "reference/algorithms/generated/$.html#$": (
                "networkx.algorithms.dag.transitive_closure "
                "networkx.algorithms.dag.transitive_reduction"
            ),
        },
    ),
    "numpy": (
        "https://numpy.org/doc/stable/",
        {
            "reference/generated/$.html#$": "numpy.ndarray",
            "reference/random/generator.html#$": "numpy.random.Generator",
        },
    ),
    "matplotlib": (
        "https://matplotlib.org/stable/",
        {
            "api/_as_gen/$.html#$": "matplotlib.axes.Axes",
            "api/figure_api.html#$": "matplotlib.figure.Figure",
        },
    ),
    "scipy": (
        "https://docs.scipy.org/doc/scipy/",
        {
            "reference/generated/$.html#$": (
                "scipy.stats.kendalltau scipy.stats.weightedtau scipy.stats.somersd "
                "scipy.stats.spearmanr scipy.optimize.linear_sum_assignment"
            )
        },
    ),
    "pandas": (
        "https://pandas.pydata.org/docs/",
        {"reference/api/$.html#$": "pandas.DataFrame pandas.Series"},
    ),
    "sklearn": (
        "https://scikit-learn.org/stable/",
        {
            "modules/generated/$.html#$": (
                "sklearn.base.BaseEstimator sklearn.metrics.roc_auc_score "
                "sklearn.metrics.ndcg_score"
            )
        },
    ),
}


def write_inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """Write an inventory for each project, and return the mapping that Sphinx wants."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (_, pages) in PROJECTS.items():
        lines = [
            f"{each.rpartition('/')[2]} {each.rpartition('/')[0] or 'py:class'} 1 {page} -\n"
            for page, names in pages.items()
            for each in names.split()
        ]
        head = (_HEAD.format(name=name) + _HEAD_END).encode()
        (folder / f"{name}.inv").write_bytes(head + zlib.compress("".join(lines).encode()))
    return {name: (address, str(folder / f"{name}.inv")) for name, (address, _) in PROJECTS.items()}
