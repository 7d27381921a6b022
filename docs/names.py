"""Write the names of ``porank/__init__.pyi`` into the index: ``python -m docs.names``.

Each comment of that file is a heading of ``api.md``, and the names below it are its first list.
What else a section of the page says stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parent
STUB = DOCS.parent / "porank" / "__init__.pyi"
INDEX = DOCS / "api.md"

_LIST = """```{{eval-rst}}
.. currentmodule:: porank
.. autosummary::
   :toctree: generated

{names}
```
"""


def public_names(stub: str) -> dict[str, list[str]]:
    """Return the names below each heading of the stub."""
    sections = re.findall(r"^# (\w.*)\n((?:from .*\n)+)", stub, re.M)
    return {title: re.findall(r"import (\w+) as", lines) for title, lines in sections}


def index(page: str, stub: str) -> str:
    """Return the page with the headings and the names of the stub."""
    head, *sections = re.split(r"^## (.*)\n", page, flags=re.M)
    below = dict(zip(sections[::2], sections[1::2], strict=True))
    return head + "\n".join(
        f"## {title}\n\n{_listed(names)}{_after_list(below.get(title, ''))}"
        for title, names in public_names(stub).items()
    )


def _listed(names: list[str]) -> str:
    """Return the first list of a section."""
    return _LIST.format(names="\n".join(f"   {name}" for name in names))


def _after_list(section: str) -> str:
    """Return what a section says after its first list."""
    rest = section.partition("```{eval-rst}")[2].partition("\n```\n")[2].strip("\n")
    return f"\n{rest}\n" if rest else ""


if __name__ == "__main__":
    INDEX.write_text(index(INDEX.read_text("utf-8"), STUB.read_text("utf-8")), "utf-8")
