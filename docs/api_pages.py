"""Write the pages of the API from the lists of public names: ``python -m docs.api_pages``.

The lists are ``porank/__init__.pyi`` and ``porank/results.py``. A line ``#: name: Title`` there
begins the page ``api/name.md``, a comment ``# Heading`` a section
of it, and the names below are its first list. What else a page says stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "porank"
#: The module of each list, and the list.
LISTS = {"porank": PACKAGE / "__init__.pyi", "porank.results": PACKAGE / "results.py"}

_LIST = """```{{eval-rst}}
.. currentmodule:: {module}
.. autosummary::
   :toctree: generated

{names}
```
"""


def pages(module: str) -> dict[Path, tuple[str, str]]:
    """Return, for each page of the API of a module, its title and its part of the list."""
    _, *parts = re.split(r"^#: (\w+): (.*)\n", LISTS[module].read_text("utf-8"), flags=re.M)
    return {
        DOCS / "api" / f"{name}.md": (title, part)
        for name, title, part in zip(*(parts[k::3] for k in range(3)), strict=True)
    }


def page_of(module: str, title: str, part: str, now: str) -> str:
    """Return a page as it is now, with the headings and the names of its part of the list."""
    head, *sections = re.split(r"^## (.*)\n", now, flags=re.M)
    below = dict(zip(sections[::2], sections[1::2], strict=True))
    return (head or f"# {title}\n\n") + "\n".join(
        f"## {heading}\n\n{_listed(module, lines)}{_after_list(below.get(heading, ''))}"
        for heading, lines in re.findall(r"^# (\w.*)\n((?:from .*\n)+)", part, re.M)
    )


def _listed(module: str, lines: str) -> str:
    """Return the list of the names that a section imports into a module."""
    names = re.findall(r"import (\w+) as", lines)
    return _LIST.format(module=module, names="\n".join(f"   {name}" for name in names))


def _after_list(section: str) -> str:
    """Return what a section of a page says after its list of names."""
    rest = section.partition("```{eval-rst}")[2].partition("\n```\n")[2].strip("\n")
    return f"\n{rest}\n" if rest else ""


def written(path: Path) -> str:
    """Return what a page says now, or nothing if it is not there."""
    return path.read_text("utf-8") if path.exists() else ""


if __name__ == "__main__":
    for module in LISTS:
        for path, (title, part) in pages(module).items():
            path.write_text(page_of(module, title, part, written(path)), "utf-8")
