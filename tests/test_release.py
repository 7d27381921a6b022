"""What a release says of itself is the same in all places."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porank

ROOT = Path(__file__).parents[1]
PLACES = {
    "docs/CITATION.cff": r"^version: (\S+)$",
    "docs/changelog.md": r"^##+ (\d+\.\d+\.\d+)",
    "docs/releases.md": r"^  version = \{(\S+)\},$",
}


@pytest.mark.parametrize(("path", "pattern"), PLACES.items())
def test_the_version_is_the_same_everywhere(path: str, pattern: str) -> None:
    found = re.search(pattern, (ROOT / path).read_text("utf-8"), re.MULTILINE)
    assert found
    assert found[1] == porank.__version__


def test_it_is_a_semantic_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", porank.__version__)


def test_types_go_with_the_package() -> None:
    assert (Path(porank.__file__).parent / "py.typed").exists()
