"""What a release says of itself is the same in all places."""

from __future__ import annotations

import re
from pathlib import Path

import porank

ROOT = Path(__file__).parents[1]
PLACES = {
    "docs/CITATION.cff": r"^version: (\S+)$",
    "docs/changelog.md": r"^##+ (\d+\.\d+\.\d+)",
    "docs/releases.md": r"^  version = \{(\S+)\},$",
}


def test_the_version_is_a_semantic_one_and_the_same_everywhere() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", porank.__version__)
    for path, pattern in PLACES.items():
        found = re.search(pattern, (ROOT / path).read_text("utf-8"), re.MULTILINE)
        assert found
        assert found[1] == porank.__version__, path


def test_types_go_with_the_package() -> None:
    assert (Path(porank.__file__).parent / "py.typed").exists()
