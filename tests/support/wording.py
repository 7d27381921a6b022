"""List what is to be read with care: sentences that claim much, and errors beside their causes.

``python tests/support/wording.py claims docs/concepts.md`` prints the sentences of a page with a
word such as *every*, *never* or *at most*, where the paragraph names no check. A check is a test,
named in a comment after the sentence: ``<!-- checked: test_claims.test_name -->``.
``python tests/support/wording.py errors clicks`` prints each error of a folder with its condition.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
STRONG = re.compile(r"\b(every|never|only|always|cannot|at most|exactly)\b", re.I)
CHECKED = re.compile(r"<!-- checked: ([\w., /]+) -->")


def claims(page: Path) -> Iterator[str]:
    """Yield the sentences of a page that claim much, where no check is named."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    for paragraph in re.split(r"\n\n+", text):
        if CHECKED.search(paragraph):
            continue
        for sentence in re.split(r"(?<=[.:!?])\s+(?=[A-Z*`|\[])", paragraph):
            if STRONG.search(sentence):
                yield " ".join(sentence.split())


def checks(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the checks that a page names, each as its module and the test."""
    for names in CHECKED.findall(page.read_text("utf-8")):
        for name in names.split(", "):
            module, _, test = name.rpartition(".")
            yield module, test


def errors(module: Path) -> Iterator[str]:
    """Yield each error of a module, with the condition under which it is raised."""
    tree = ast.parse(module.read_text("utf-8"))
    for above in ast.walk(tree):
        body = getattr(above, "body", [])
        for node in body if isinstance(body, list) else []:
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                asked = getattr(above, "test", None) or getattr(above, "type", None)
                cause = ast.unparse(asked) if asked is not None else getattr(above, "name", "else")
                message = " ".join(map(ast.unparse, node.exc.args[:1]))
                kind = ast.unparse(node.exc.func)
                place = f"{module.relative_to(CHECKOUT)}:{node.lineno}"
                yield f"{place}\n  {cause}\n  {kind}: {message}"


def main() -> None:
    """Print what is asked for."""
    kind, *names = sys.argv[1:]
    if kind == "claims":
        for page in map(Path, names):
            print(f"\n{page}", *claims(page), sep="\n- ")
    else:
        for name in names:
            for module in sorted((CHECKOUT / "porank" / name).rglob("*.py")):
                print(*errors(module), sep="\n")


if __name__ == "__main__":
    main()
