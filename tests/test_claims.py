"""What the pages claim in words: each check is named in a comment beside the sentence it checks."""

from __future__ import annotations

import re
from pathlib import Path

from tests.wording import CHECKOUT, checks

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
TESTS = CHECKOUT / "tests"


def test_a_check_that_a_page_names_is_a_test() -> None:
    named = {check for page in PAGES for check in checks(page)}
    missing = [(module, test) for module, test in named if not is_test(module, test)]
    assert not missing


def is_test(module: str, name: str) -> bool:
    """Return whether a module anywhere under tests/ defines a test."""
    defined = re.compile(rf"^ *def {name}\(", re.M)
    found: list[Path] = list(TESTS.rglob(f"{module}.py"))
    return any(defined.search(path.read_text("utf-8")) for path in found)
