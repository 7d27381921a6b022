"""Write the pages of the API from ``porank/__init__.pyi``: ``python -m docs.names``.

A line ``#: name: Title`` there begins the page ``api/name.md``, a comment ``# Heading`` a section
of it, and the names below are its first list. What else a page says stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parent
STUB = DOCS.parent / "porank" / "__init__.pyi"

_LIST = """```{{eval-rst}}
.. currentmodule:: porank
.. autosummary::
   :toctree: generated

{names}
```
"""


def pages(stub: str) -> dict[Path, tuple[str, str]]:
    """Return, for each page of the API, its title and its part of the stub."""
    _, *parts = re.split(r"^#: (\w+): (.*)\n", stub, flags=re.M)
    return {
        DOCS / "api" / f"{name}.md": (title, part)
        for name, title, part in zip(*(parts[k::3] for k in range(3)), strict=True)
    }


def page_of(title: str, part: str, now: str) -> str:
    """Return a page as it is now, with the headings and the names of its part of the stub."""
    head, *sections = re.split(r"^## (.*)\n", now, flags=re.M)
    below = dict(zip(sections[::2], sections[1::2], strict=True))
    return (head or f"# {title}\n\n") + "\n".join(
        f"## {heading}\n\n{_listed(lines)}{_after_list(below.get(heading, ''))}"
        for heading, lines in re.findall(r"^# (\w.*)\n((?:from .*\n)+)", part, re.M)
    )


def _listed(lines: str) -> str:
    """Return the list of the names that a section of the stub imports."""
    names = re.findall(r"import (\w+) as", lines)
    return _LIST.format(names="\n".join(f"   {name}" for name in names))


def _after_list(section: str) -> str:
    """Return what a section of a page says after its list of names."""
    rest = section.partition("```{eval-rst}")[2].partition("\n```\n")[2].strip("\n")
    return f"\n{rest}\n" if rest else ""


def written(path: Path) -> str:
    """Return what a page says now, or nothing if it is not there."""
    return path.read_text("utf-8") if path.exists() else ""


if __name__ == "__main__":
    for path, (title, part) in pages(STUB.read_text("utf-8")).items():
        path.write_text(page_of(title, part, written(path)), "utf-8")
