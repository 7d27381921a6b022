"""How large the house is, and what is too large in it.

``python tests/size.py`` prints a row for each folder of porank, one for the tests, those of
JavaScript, docs and examples, and then what breaks the rules: long modules, long functions, names
that stand too often.
"""

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
MODULE_LIMIT, BODY_LIMIT, NAME_LIMIT = 650, 40, 2
#: Folders that the build of the documentation makes.
MADE = {"_build", "gallery", "generated"}
ROW = "{:24}{:>8}{:>8}{:>8}  {:28}{:>6}  {}"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function
#: Tokens that are no code.
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
SILENT |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Module(NamedTuple):
    """What is counted in a module: its functions with the lines below their docstrings, too."""

    path: Path
    lines: int
    code: int
    bodies: list[tuple[int, str]]
    classes: list[str]


def read_module(path: Path) -> Module:
    """Count what is in a module."""
    text = path.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in nodes:
        if isinstance(node, Documented):
            code.difference_update(lines_of(node.body[: has_docstring(node)]))
    return Module(
        path.relative_to(CHECKOUT),
        len(text.splitlines()),
        len(code),
        [
            (len(lines_of(node.body[has_docstring(node) :])), node.name)
            for node in nodes
            if isinstance(node, Function)
        ],
        [node.name for node in nodes if isinstance(node, ast.ClassDef)],
    )


def has_docstring(node: Documented) -> bool:
    """Return whether the first statement is a docstring."""
    return ast.get_docstring(node, clean=False) is not None


def lines_of(statements: list[ast.stmt]) -> range:
    """Return the numbers of the lines from the first statement to the last."""
    if not statements:
        return range(0)
    return range(statements[0].lineno, (statements[-1].end_lineno or 0) + 1)


def row(name: str, modules: list[Module]) -> str:
    """Return a row of the table."""
    longest = max(modules, key=lambda module: module.lines)
    bodies = [body for module in modules for body in module.bodies] or [(0, "")]
    return ROW.format(
        name,
        len(modules),
        sum(module.lines for module in modules),
        sum(module.code for module in modules),
        f"{longest.lines} {longest.path.name}",
        f"{median(lines for lines, _ in bodies):g}",
        "{} {}".format(*max(bodies)),
    )


def plain_row(name: str, *patterns: str) -> str:
    """Return a row for files of other kinds: how many, their lines, and those not blank."""
    there = {path for pattern in patterns for path in CHECKOUT.glob(pattern) if path.is_file()}
    found = [path for path in there if not MADE.intersection(path.parts)]
    lines = [path.read_text("utf-8").splitlines() for path in found]
    filled = sum(bool(line.strip()) for own in lines for line in own)
    return ROW.format(name, len(found), sum(map(len, lines)), filled, "", "", "").rstrip()


def table(package: list[Module], tests: list[Module]) -> Iterator[str]:
    """Yield the rows of the table: each folder by itself, all of porank, the tests, the rest."""
    heads = "folder", "modules", "lines", "code", "longest module", "median", "longest function"
    yield ROW.format(*heads)
    folders = defaultdict(list)
    for module in package:
        folders[f"{module.path.parent.as_posix()}/"].append(module)
    for name, modules in sorted(folders.items()):
        yield row(name, modules)
    yield row("porank, all", package)
    yield row("tests, all", tests)
    yield plain_row("JavaScript", "porank/**/*.js")
    yield plain_row("pages and styles", "porank/**/*.html", "porank/**/*.css")
    yield plain_row("docs", "docs/**/*.md", "README.md")
    yield plain_row("docs, scripts", "docs/**/*.py", "docs/**/*.js", "docs/**/*.css")
    yield plain_row("examples", "examples/**/*.py")


def faults(modules: list[Module]) -> Iterator[str]:
    """Yield what breaks the rules of the house."""
    for module in modules:
        if module.lines > MODULE_LIMIT:
            yield f"{module.path} has {module.lines} lines"
        for lines, name in module.bodies:
            if lines > BODY_LIMIT:
                yield f"{module.path}: {name} has {lines} lines"
    public = ((name, m.path) for m in modules for name in m.classes if not name.startswith("_"))
    yield from repeated("class", public, limit=1)
    stems = ((m.path.stem, m.path) for m in modules if not m.path.stem.startswith("__"))
    yield from repeated("module", stems, limit=NAME_LIMIT)


def repeated(kind: str, named: Iterable[tuple[str, Path]], limit: int) -> Iterator[str]:
    """Yield the names that stand more often than they may, and where."""
    places = defaultdict(list)
    for name, path in named:
        places[name].append(path.as_posix())
    for name, paths in sorted(places.items()):
        if len(paths) > limit:
            yield f"{kind} {name} stands {len(paths)} times: {', '.join(paths)}"


def main() -> None:
    """Print the table, then what breaks the rules."""
    package, tests = (
        [read_module(path) for path in sorted((CHECKOUT / folder).rglob("*.py"))]
        for folder in ("porank", "tests")
    )
    print("\n".join(table(package, tests)))
    print("\nToo large, or named twice:")
    print("\n".join(faults(package)) or "nothing")


if __name__ == "__main__":
    main()
