"""The floors: imports only go down, and each names the module that defines what it takes.

A test stands where its module does: ``porank/orders/types.py`` is tested by
``tests/orders/test_types.py``.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

#: The floors, lowest first; folders side by side may take from each other, as long as in no circle.
FLOORS = [
    {"", "core"},
    {"orders"},
    {"extensions", "convert"},
    {"generators"},
    {"measures"},
    {"abstention"},
    {"aggregation", "learning", "clicks"},
    {"evaluation"},
    {"significance", "strengths"},
    {"drawing"},
    {"exploration", "readwrite"},
    {"cli", "__main__", "results"},
]
#: Graphs are made at the bottom and show themselves by what is above, imported when they do.
SHOWN_FROM_ABOVE = {"porank.core.order_graph"}
PACKAGE = Path(__file__).parents[1] / "porank"
#: Libraries that a test imports where it uses them.
HEAVY = {"dask", "distributed", "joblib", "polars", "scipy", "sklearn"}
#: Tests of what goes across modules: what holds for all of some kind, files, pages and releases.
ACROSS = {
    "browser_decks", "browser_pages", "browser_site", "claims", "course", "docs_draw", "errors",
    "floors", "lectures", "notebooks", "paper_table", "pictures", "public_names", "rates", "readme",
    "release", "results", "sources",
}  # fmt: skip


def read_sources(folder: Path) -> dict[str, str]:
    """Return the text of each module under its full name; a folder's own name is `__init__`'s."""
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sources[name] = path.read_text("utf-8")
    return sources


def floor(module: str) -> int:
    """Return the height of the floor of a module, the lowest being 0."""
    first, *rest = module.removeprefix("porank.").split(".")
    folder = first if rest or first in set().union(*FLOORS) else ""
    return next(height for height, folders in enumerate(FLOORS) if folder in folders)


def imports_of(module: str, sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what a module imports from porank: a module and a name of it, empty for the module."""
    for imported, name in names_in(sources[module]):
        full = f"{imported}.{name}"
        yield (full, "") if full in sources else (imported, name)


@cache
def names_in(text: str) -> list[tuple[str, str]]:
    """Return from where each name is imported, and the name."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names if is_ours(alias.name)]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            if node.level or is_ours(module):
                found += [(module, alias.name) for alias in node.names]
    return found


def is_ours(module: str) -> bool:
    return module.split(".")[0] == "porank"


def import_graph(sources: Mapping[str, str]) -> nx.DiGraph:
    """Return the graph of modules, an edge from each to those it imports."""
    G = nx.DiGraph()
    G.add_nodes_from(module for module in sources if module != "porank")
    for module in G:
        names = [] if module in SHOWN_FROM_ABOVE else imports_of(module, sources)
        G.add_edges_from((module, imported) for imported, _ in list(names) if imported in G)
    return G


def faults(sources: Mapping[str, str]) -> list[str]:
    """Return a line for each import that a reader of the floors would not expect."""
    folders = {module.rpartition(".")[0] for module in sources}
    found = []
    for module in sources:
        for imported, name in imports_of(module, sources):
            # porank/__init__.py gathers the public names and defines but one thing itself.
            if module == "porank" or (imported, name) == ("porank", "__version__"):
                continue
            # The command line uses porank as anyone does, by its public names.
            if (imported, name) == ("porank", "") and floor(module) == len(FLOORS) - 1:
                continue
            line = f"{module} imports {name or 'all'} from {imported}"
            if imported not in sources or imported in folders:
                found.append(f"{line}, which is not a module that defines it")
            elif floor(imported) > floor(module) and module not in SHOWN_FROM_ABOVE:
                found.append(f"{line}, a floor above")
    if not nx.is_directed_acyclic_graph(G := import_graph(sources)):
        cycle = [module for module, _ in nx.find_cycle(G)]
        found.append(f"cycle: {' -> '.join([*cycle, cycle[0]])}")
    return found


def test_imports_only_go_down() -> None:
    assert faults(read_sources(PACKAGE)) == []


def test_every_folder_is_a_floor_and_all_modules_are_read() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set().union(*FLOORS) - {"", "__main__", "results"}
    sources = read_sources(PACKAGE)
    G = import_graph(sources)
    assert {"porank", "porank.errors", "porank.orders.cycles", "porank.cli.main"} <= set(sources)
    assert {"porank.core.relation", "porank.errors"} <= set(G["porank.core.compiled_order"])


GROUND = {"porank": "", "porank.errors": "", "porank.orders": "", "porank.orders.cycles": ""}


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        ("porank.core.tables", "from porank.orders.cycles import find_cycle", "a floor above"),
        ("porank.orders.ranks", "def f():\n    import porank.cli.main", "a floor above"),
        ("porank.orders.ranks", "import porank", "not a module"),
        ("porank.errors", "from porank.lost import nothing", "not a module"),
    ],
)
def test_a_wrong_import_is_found(module: str, text: str, fault: str) -> None:
    sources = GROUND | {"porank.cli.main": "from porank import __version__"}
    assert faults(sources) == []
    (found,) = faults(sources | {module: text})
    assert found.startswith(f"{module} imports")
    assert fault in found


def test_a_cycle_of_imports_and_an_unknown_folder_are_found() -> None:
    here = "if TYPE_CHECKING:\n    from porank.orders.cycles import find_cycle"
    there = "from porank.orders.ranks import set_ranks"
    (found,) = faults(GROUND | {"porank.orders.ranks": here, "porank.orders.cycles": there})
    assert found.startswith("cycle: porank.orders.")
    with pytest.raises(StopIteration):
        floor("porank.misc.drawer")


def test_no_test_file_imports_heavy_libraries_at_its_top() -> None:
    """Collecting the tests would wait for them in each process."""
    for path in Path(__file__).parent.rglob("test_*.py"):
        tops = ast.parse(path.read_text("utf-8")).body
        names = {
            alias.name for node in tops if isinstance(node, ast.Import) for alias in node.names
        }
        names |= {node.module or "" for node in tops if isinstance(node, ast.ImportFrom)}
        assert {name.split(".")[0] for name in names}.isdisjoint(HEAVY), path


def test_each_test_file_is_at_the_path_of_its_module() -> None:
    tests = Path(__file__).parent
    there = {path.relative_to(tests) for path in tests.rglob("*.py") if path.name != "conftest.py"}
    there = {path for path in there if path.parts[0] not in ("support", "benchmarks")}
    top = {path.stem.removeprefix("test_") for path in there if len(path.parts) == 1}
    assert top - {"mutants", "page_scripts", "size"} == ACROSS
    modules = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    named = {path.with_name(f"test_{path.name}") for path in modules}
    assert {path for path in there if len(path.parts) > 1} <= named
