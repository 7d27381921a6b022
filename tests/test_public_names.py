"""The public names: all there, in reading order, documented, and named as the conventions say."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank
from porank.other_names import OTHER_NAMES

PACKAGE = Path(porank.__file__).parent
#: The public names outside of `porank` itself: classes of results, errors, and further functions.
INSIDE = {
    name: value
    for module in (porank.results, porank.errors, porank.measures, porank.orders)
    for name, value in vars(module).items()
    if (inspect.isclass(value) or (inspect.isfunction(value) and module is not porank.errors))
    and value.__module__.startswith("porank.")
}
PUBLIC: dict[str, Any] = INSIDE | {name: getattr(porank, name) for name in porank.__all__}
FUNCTIONS = [name for name, value in PUBLIC.items() if inspect.isfunction(value)]
CLASSES = [name for name, value in PUBLIC.items() if inspect.isclass(value)]

LOW_FOLDERS = "core", "orders", "extensions", "convert", "generators", "readwrite", "clicks"
#: What a name promises about the annotation of what comes back.
GRID = {
    r"is_.*": r"bool",
    r"find_(?!segments).*": r".*\| None",
    r"count_.*": r"int",
    r".*_(distance|loss)": r"(int|float|Fraction)( \| (int|float|Fraction))*",
    r"from_.*|parse|transitive_.*|condense": r"nx\.DiGraph",
    r"write_.*": r"None",
    r"draw_.*": r"Axes",
    r".*_layout": r"HasseLayout|(Mapping|dict)\[.*",
    r"linear_extensions|random_linear_extensions|pair_classes": r"Iterator\[.*",
}


def sections(name: str) -> dict[str, str]:
    """Return the sections of a docstring in the numpy form, the summary under an empty title."""
    titled = re.split(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(PUBLIC[name]) or "", flags=re.M)
    return {"": titled[0]} | dict(zip(titled[1::2], titled[2::2], strict=True))


def modules_of(folder: str) -> list[Any]:
    path = PACKAGE / folder
    found = pkgutil.walk_packages([str(path)], prefix=f"porank.{folder}.") if path.exists() else ()
    return [import_module(module.name) for module in found]


def test_every_name_is_there_once() -> None:
    assert len(set(porank.__all__)) == len(porank.__all__) > 0
    assert [name for name in porank.__all__ if not hasattr(porank, name)] == []
    assert {*FUNCTIONS, *CLASSES} == set(PUBLIC)
    assert len(porank.__all__) <= 205
    names: dict[str, object] = {}
    exec("from porank import *", names)
    assert set(porank.__all__) <= set(names)


def test_docstrings_have_a_sentence_an_example_and_known_names() -> None:
    for name in PUBLIC:
        found = sections(name)
        summary = found[""].strip().split("\n\n")[0]
        assert summary.endswith("."), f"the first paragraph of {name} is one sentence"
        assert ">>> " in found["Examples"], name
        seen = re.findall(r"^([\w, ]+?)(?: :|$)", found.get("See Also", ""), re.M)
        assert {each for line in seen for each in line.split(", ")} <= {*PUBLIC, ""}, name
        if name in FUNCTIONS:
            signature = inspect.signature(PUBLIC[name])
            assert not signature.parameters or "Parameters" in found, name
            assert {"Returns", "Yields"} & set(found) or signature.return_annotation == "None", name
            cost = re.search(r"\bO\(|\btime\b", found["Notes"], re.I)
            assert cost, f"the notes of {name} state the cost"


def test_signatures_are_documented_and_typed_and_keep_what_the_name_promises() -> None:
    for name in FUNCTIONS:
        signature = inspect.signature(PUBLIC[name])
        lines = re.findall(r"^(\S.*?)(?: :.*)?$", sections(name).get("Parameters", ""), re.M)
        documented = [parameter.lstrip("*") for line in lines for parameter in line.split(", ")]
        assert documented == list(signature.parameters), name
        parameters = signature.parameters.values()
        untyped = [p.name for p in parameters if p.annotation is inspect.Parameter.empty]
        assert (name, untyped) == (name, [])
        assert signature.return_annotation is not inspect.Signature.empty, name
        returned = str(signature.return_annotation)
        wanted = [answer for pattern, answer in GRID.items() if re.fullmatch(pattern, name)]
        assert all(re.fullmatch(answer, returned) for answer in wanted), (name, returned)


#: For each idea its one word, and the words that others use for it.
VOCABULARY = {
    "risk": {"significance", "alpha_level", "level"},
    "confidence": {"level", "confidence_level"},
    "path": {"filename", "fname", "output"},
    "seed": {"random_state", "rng"},
    "target": {"truth", "y_true", "gold", "reference"},
    "predicted": {"y_pred", "prediction", "candidate"},
}


def test_one_word_for_one_thing() -> None:
    named = [
        (name, member, found)
        for name, value in PUBLIC.items()
        for member, found in [("", value), *vars(value).items()]
        if callable(found) and not member.startswith("_")
        # A class of numbers by item is made as a dict is.
        if not (inspect.isclass(found) and issubclass(found, dict))
    ]
    other_words = set().union(*VOCABULARY.values())
    for name, member, found in named:
        parameters = inspect.signature(found).parameters
        assert not other_words & set(parameters), (name, member)
        default = parameters["seed"].default if "seed" in parameters else None
        is_draw = re.match(r"random_|mallows|plackett|simulate|bootstrap_orders", name)
        assert (default is None) is ("seed" not in parameters or is_draw is not None), name
        if name.startswith("write_"):
            assert "path" in parameters, name


def test_the_truth_comes_first_and_options_are_keywords() -> None:
    keywords = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    for name in FUNCTIONS:
        parameters = list(inspect.signature(PUBLIC[name]).parameters.values())
        names = [parameter.name for parameter in parameters]
        if "target" in names and "predicted" in names:
            # What goes over measures is told first which one.
            first = 1 if names[0] == "measure" else 0
            options = parameters[first + 2 + name.startswith("write_") :]
            assert names[first : first + 2] == ["target", "predicted"], name
            assert all(parameter.kind in keywords for parameter in options), name


def test_what_has_no_underscore_is_exported_or_used_elsewhere() -> None:
    used = set()
    for path in PACKAGE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        imported = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        names = {(node.module, alias.name) for node in imported for alias in node.names}
        modules = {name: f"{module}.{name}" for module, name in names}
        used |= names | {
            (modules[node.value.id], node.attr)
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in modules
        }
    left_out = [
        f"{module.__name__}.{name}"
        for folder in LOW_FOLDERS
        for module in modules_of(folder)
        # networkx finds the functions of its backend by their names, a reader the rules by theirs.
        if module.__name__ not in ("porank.orders.networkx_backend", "porank.clicks.rules")
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and name not in PUBLIC
        and (module.__name__, name) not in used
    ]
    assert left_out == []


HEAVY = {"matplotlib", "scipy", "pandas", "sklearn", "tqdm", "dask", "pyarrow"}


def test_import_is_light_and_names_are_seen_before_they_are_asked_for() -> None:
    loaded = "import sys; print(*({} & set(sys.modules)))"
    shell = "import contextlib, io, porank.cli.main as shell\n"
    shell += "with contextlib.redirect_stdout(io.StringIO()): shell.main(['--help'])\n"
    for program, printed in (
        (f"{shell}{loaded}".format({*HEAVY, "networkx", "numpy", "porank.cli.command"}), ""),
        (f"import porank; {loaded}".format({*HEAVY, "networkx", "numpy", "porank.errors"}), ""),
        (f"import porank; porank.gamma([2], [3]); {loaded}".format(HEAVY), ""),
        ("import porank; print({*porank.__all__} <= {*dir(porank)})", "True"),
    ):
        command = [sys.executable, "-c", program]
        where = PACKAGE.parent
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == printed


def test_every_public_name_occurs_in_a_page_or_an_example() -> None:
    root = PACKAGE.parent
    pages = [root / "README.md", *root.glob("docs/*.md"), *root.glob("docs/lectures/*.md")]
    pages += [*root.glob("docs/course/*.md"), *root.glob("examples/*/*.py")]
    text = "\n".join(
        path.read_text("utf-8") for path in pages if path.stem not in {"changelog", "removed"}
    )
    words = set(re.findall(r"\w+", text))
    assert sorted({*porank.__all__, *FUNCTIONS} - words) == []


def test_a_name_that_is_none_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lost'"):
        porank.lost  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"Did you mean: 'errors\.TieError'"):
        porank.TieError  # type: ignore[attr-defined]  # noqa: B018


def test_other_names_lead_to_public_ones_and_stand_in_the_documentation() -> None:
    import scipy.stats

    page = (PACKAGE.parent / "docs" / "names_elsewhere.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[^|]*`) \| `([^`|]+)` \|$", page, re.M)
    assert {other: name for others, name in rows for other in others.strip("`").split("`, `")} == (
        OTHER_NAMES
    )
    assert not set(OTHER_NAMES) & set(porank.__all__)
    known = {name: getattr(porank, name) for name in porank.__all__} | {"nx": nx, "scipy": scipy}
    known |= {"G": porank.parse("a > b"), "H": porank.parse("b > c")}
    for other, name in OTHER_NAMES.items():
        if name != "seed=":
            assert eval(name, known) is not None, other
        with pytest.raises(AttributeError, match=f"Did you mean: '{re.escape(name)}'"):
            getattr(porank, other)
