"""Change the code at random, and see whether the tests of its folder notice.

``python tests/mutants.py orders --count 20 --seed 0`` makes twenty mutants of ``porank/orders``,
one change each, runs the tests of that folder on each, and lists the survivors: lines that no test
would miss, or changes that change nothing. ``python tests/mutants.py --count 200`` draws from all
folders. Which are drawn depends on a mutant's own line alone, so that a seed draws the same ones
after changes elsewhere. Survivors that ``tests/accepted_mutants.txt`` names are fine; others make
the exit status 1.

A mutant changes a comparison, a number, a sign, ``and`` to ``or``, ``not x`` to ``x``, or leaves a
statement out. Texts, annotations and what stands under ``raise`` or ``TYPE_CHECKING`` stay. The
tests that call the changed function come first, quick ones before slow ones, then all tests of the
folder.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
#: Where this environment variable is set, pytest writes down what each test calls.
CALLS = "MUTANTS_CALLS"
#: Tests of a folder that stand outside of it.
ACROSS = {
    "abstention": [
        *("tests/clicks/test_evidence.py", "tests/clicks/test_watched_order.py"),
        "tests/orders/test_open_pairs.py",
    ],
    "convert": ["tests/readwrite/test_csv_files.py"],
    "drawing": ["tests/test_pictures.py"],
    "measures": ["tests/evaluation/test_batch_orders.py"],
}
#: What pytest printed last, in each copy of the checkout.
OUTPUT = "output_of_pytest.txt"
called: set[tuple[str, int]] = set()
began: list[float] = []
ACCEPTED = Path(__file__).with_name("accepted_mutants.txt")
COPIED = ("porank", "tests", "examples", "docs", "pyproject.toml", "README.md")
#: Operators that become each other.
PAIRS: list[tuple[type[Any], type[Any]]] = [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.BitAnd, ast.BitOr),
]
#: What an operator becomes.
SWAPPED = {**dict(PAIRS), **{new: old for old, new in PAIRS}, ast.Div: ast.Mult}
REMOVABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Delete, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    """A module of which one node, from one byte to another, is written anew."""

    path: Path
    start: int
    line: int
    kind: str
    begin: int
    end: int
    new: str

    @property
    def text(self) -> str:
        """The module with the change."""
        old = self.path.read_bytes()
        return (old[: self.begin] + self.new.encode() + old[self.end :]).decode()

    def is_syntax(self) -> bool:
        """Return whether the module is still Python: part of an f-string or pattern may not be."""
        try:
            ast.parse(self.text)
        except SyntaxError:
            return False
        return True

    @property
    def name(self) -> str:
        """What the change is and in which line, whatever the number of the line."""
        whole = self.path.read_bytes()
        line = whole.splitlines()[self.line - 1].decode().strip()
        old = short(whole[self.begin : self.end].decode())
        column = self.begin - whole.rfind(b"\n", 0, self.begin)
        path = self.path.relative_to(CHECKOUT).as_posix()
        return f"{path}: {line}: column {column}: {old} -> {short(self.new)}"

    def __str__(self) -> str:
        return f"line {self.line} of {self.name}"


def mutable_nodes(tree: ast.AST, start: int = 0) -> Iterator[tuple[int, ast.AST]]:
    """Yield what may be changed, with the first line of its function; no messages, annotations."""
    if isinstance(tree, ast.FunctionDef):
        start = min([tree.lineno, *(decorator.lineno for decorator in tree.decorator_list)])
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or is_left_alone(node):
                continue
            yield start, node
            yield from mutable_nodes(node, start)


def is_left_alone(node: ast.AST) -> bool:
    """Return whether nothing within a node is changed."""
    is_typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    return is_typing or isinstance(node, (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom))


def changed(node: ast.AST) -> tuple[str, ast.AST] | None:
    """Return what kind of change is made of a node, and what it becomes, None if it is none."""
    match node:
        case ast.Compare(ops=[operator, *others]) if type(operator) in SWAPPED:
            new = SWAPPED[type(operator)]()
            return "comparison", ast.Compare(node.left, [new, *others], node.comparators)
        case ast.BoolOp():
            return "and, or", ast.BoolOp(SWAPPED[type(node.op)](), node.values)
        case ast.BinOp() if type(node.op) in SWAPPED:
            return "sign", ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            return "not, minus", node.operand
        case ast.Constant(value=bool()):
            return "constant", ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            return "constant", ast.Constant(number + 1)
        case ast.Expr(value=ast.Constant()):
            return None
        case ast.stmt() if isinstance(node, REMOVABLE):
            return "statement", ast.Pass()
    return None


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    node: Any
    for start, node in mutable_nodes(ast.parse(text)):
        if (change := changed(node)) is None:
            continue
        kind, new = change
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        written = ast.unparse(new) if isinstance(new, ast.stmt) else f"({ast.unparse(new)})"
        yield Mutant(path, start, node.lineno, kind, begin, end, written)


def short(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text.split())[:60]


def drawn_mutants(folders: list[str], count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of some folders, in the sequence of their places."""
    found = [
        mutant
        for folder in folders
        for path in sorted((CHECKOUT / "porank" / folder).rglob("*.py"))
        for mutant in mutants_of(path)
    ]
    shuffled = sorted(found, key=lambda each: sha256(f"{seed} {each.name}".encode()).digest())
    return sorted(islice(filter(Mutant.is_syntax, shuffled), count))


def accepted_mutants() -> set[str]:
    """Return the names of those that may survive; after each stands the reason."""
    lines = ACCEPTED.read_text("utf-8").splitlines()
    return {line.rpartition("  # ")[0] for line in lines if not line.startswith("#")}


def copied_checkout(folder: Path) -> Path:
    """Return a copy of what the tests need, in which mutants live."""
    for name in COPIED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def pytest_runtest_logstart() -> None:
    """Begin to note which functions of porank a test calls, where a file for them is named."""
    if CALLS in os.environ:
        called.clear()
        began.append(time.monotonic())
        sys.settrace(note_call)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Write down the functions that a test has called."""
    if CALLS in os.environ:
        sys.settrace(None)
        with Path(os.environ[CALLS]).open("a", encoding="utf-8") as file:
            seconds = time.monotonic() - began.pop()
            print(json.dumps([seconds, nodeid, sorted(called)]), file=file)


def note_call(frame: FrameType, *_: object) -> None:
    """Note a call of porank; no line within it is followed."""
    if f"{os.sep}porank{os.sep}" in (code := frame.f_code).co_filename:
        called.add((code.co_filename, code.co_firstlineno))


def run_tests(copy: Path, tests: list[str], seconds: float | None = None, calls: str = "") -> bool:
    """Return whether tests pass, and none takes much longer than it should."""
    names = copy / "chosen_tests.txt"
    names.write_text("\n".join(tests), "utf-8")
    options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "-p", "tests.mutants"]
    options += ["-m", "not browser"]
    # With CI set the examples of hypothesis are the same every time.
    environment = {**os.environ, "PYTHONPATH": str(copy), "MPLBACKEND": "Agg", "CI": "1"}
    if calls:
        environment[CALLS] = calls
    command = [sys.executable, "-m", "pytest", *options, f"@{names}"]
    with (copy / OUTPUT).open("w", encoding="utf-8") as output:
        try:
            done = subprocess.run(
                command,
                cwd=copy,
                env=environment,
                stdout=output,
                stderr=output,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


class Folder:
    """The tests of a folder, and which functions each of them calls."""

    def __init__(self, name: str, copy: Path) -> None:
        self.tests = [f"tests/{name}", f"porank/{name}", *ACROSS.get(name, ())]
        calls = copy / f"calls_of_{name}.txt"
        begin = time.monotonic()
        if not run_tests(copy, self.tests, calls=str(calls)):
            print((copy / OUTPUT).read_text("utf-8")[-3000:], file=sys.stderr)
            sys.exit(f"the tests of {name} fail before anything is changed")
        self.seconds = time.monotonic() - begin
        self.callers: dict[tuple[str, int], list[str]] = {}
        lines = map(json.loads, calls.read_text("utf-8").splitlines())
        for _, test, functions in sorted(lines):
            for path, start in functions:
                place = str(Path(path).relative_to(copy)), start
                self.callers.setdefault(place, []).append(test)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that call the function in which a mutant stands."""
        path = str(mutant.path.relative_to(CHECKOUT))
        return self.callers.get((path, mutant.start), [])

    def notices(self, mutant: Mutant, copy: Path, seconds: float) -> bool:
        """Return whether a test fails: first those that call the function, then all."""
        chosen = self.tests_of(mutant)
        if chosen and not run_tests(copy, chosen, seconds):
            return True
        return not run_tests(copy, self.tests, seconds)


def judged(mutants: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant, and whether the tests of its folder fail on it."""
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(copied_checkout(Path(scratch, str(number)).resolve()))

        def judge(mutant: Mutant, folder: Folder) -> bool:
            copy = copies.get()
            path = copy / mutant.path.relative_to(CHECKOUT)
            old = path.read_text("utf-8")
            try:
                rewrite(path, mutant.text)
                return folder.notices(mutant, copy, 30 + 4 * jobs * folder.seconds)
            finally:
                rewrite(path, old)
                copies.put(copy)

        for name, group in groupby(mutants, folder_of):
            copy, of_folder = copies.get(), list(group)
            folder = Folder(name, copy)
            copies.put(copy)
            found = pool.map(partial(judge, folder=folder), of_folder)
            yield from zip(of_folder, found, strict=True)


def rewrite(path: Path, text: str) -> None:
    """Write a module anew, and forget its bytecode, which may look as old as the text."""
    path.write_text(text, "utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()


def folder_of(mutant: Mutant) -> str:
    """Return the folder of porank in which a mutant stands."""
    return mutant.path.relative_to(CHECKOUT / "porank").parts[0]


def main() -> None:
    """Print the survivors, and how many of each folder and kind were killed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "folders", nargs="*", help="folders of porank; all of them if none is named"
    )
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    homes = [path.name for path in sorted((CHECKOUT / "porank").iterdir()) if path.is_dir()]
    folders = given.folders or [name for name in homes if (CHECKOUT / "tests" / name).is_dir()]
    mutants = drawn_mutants(folders, given.count, given.seed)
    killed: Counter[tuple[str, bool]] = Counter()
    accepted, new = accepted_mutants(), 0
    for mutant, is_killed in judged(mutants, given.jobs):
        killed.update([(folder_of(mutant), is_killed), (mutant.kind, is_killed)])
        if not is_killed:
            is_new = mutant.name not in accepted
            new += is_new
            print(f"{'survives' if is_new else 'accepted'}: {mutant}", flush=True)
    for name in dict.fromkeys(name for name, _ in killed):
        print(
            f"{name:14}{killed[name, True]:5} of {killed[name, True] + killed[name, False]} killed"
        )
    total = sum(killed[folder, True] for folder in folders)
    print(f"{'together':14}{total:5} of {len(mutants)} killed")
    sys.exit(f"{new} survive that tests/accepted_mutants.txt does not name" if new else 0)


if __name__ == "__main__":
    main()
