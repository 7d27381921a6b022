"""Put what the benchmarks print today into the pages that show it.

A page names a benchmark by its command, in a comment of HTML, and shows what that printed up to the
next comment. ``python -m tests.benchmarks.renew`` runs the commands of all pages in docs one
after the other, on a machine that does nothing else; with names, only those.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PRINTED = re.compile(
    r"(?<=<!-- python -m tests\.benchmarks\.)(?P<command>[\w -]+)( -->\n).*?(?=<!-- end -->)",
    re.DOTALL,
)


def renewed(found: re.Match[str]) -> str:
    """Return a part of the page with what its command prints now, if that is asked for."""
    name, *options = found["command"].split()
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        return found[0]
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"{name} ended with {done.returncode}: its part of the page stays", file=sys.stderr)
        return found[0]
    return f"{found['command']}{found[2]}\n{done.stdout.strip()}\n\n"


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        for found in PRINTED.finditer(page.read_text("utf-8")):
            # A benchmark at a time, so that none that fails costs the others.
            page.write_text(page.read_text("utf-8").replace(found[0], renewed(found)), "utf-8")
