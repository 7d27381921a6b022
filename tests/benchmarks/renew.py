"""Put what the benchmarks print today into the pages that show it.

A page names a benchmark by its command, in a comment of HTML, and shows what that printed up to the
next comment. ``python -m tests.benchmarks.renew`` runs the commands of all pages in docs one
after the other, on a machine that does nothing else; with names, only those. The table of README
repeats rows of ``docs/benchmarks.md``, which it names by their first two columns.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PRINTED = re.compile(
    r"(?<=<!-- python -m tests\.benchmarks\.)(?P<command>[\w -]+)( -->\n).*?(?=<!-- end -->)",
    re.DOTALL,
)


def renewed(found: re.Match[str]) -> str:
    """Return a part of the page with what its command prints now, if that is asked for."""
    name, *options = found["command"].split()
    if len(sys.argv) > 1 and not {name, found["command"]} & {*sys.argv[1:]}:
        return found[0]
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *options]
    # Threads that wait for each other would count as work.
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=alone)
    if done.returncode:
        print(f"{name} ended with {done.returncode}: its part of the page stays", file=sys.stderr)
        return found[0]
    return f"{found['command']}{found[2]}\n{done.stdout.strip()}\n\n"


def rows_in(text: str) -> dict[tuple[str, ...], list[str]]:
    """Return the rows of the tables of a page: the cells by the first two of them."""
    rows = [
        [cell.strip() for cell in row.split("|")] for row in re.findall(r"^\| (.*) \|$", text, re.M)
    ]
    return {(*row[:2],): row for row in rows}


def repeated(readme: str, page: str) -> str:
    """Return README with the rows of its table of races as they are on the page."""
    before, start, after = readme.partition("| work | against |")
    table, blank, rest = after.partition("\n\n")
    known, (columns, line, *rows) = rows_in(page), (start + table).splitlines()
    rows = ["| " + " | ".join(known[key][:5]) + " |" for key in rows_in("\n".join(rows))]
    return before + "\n".join([columns, line, *rows]) + blank + rest


if __name__ == "__main__":
    for page in sorted((CHECKOUT / "docs").glob("*.md")):
        for found in PRINTED.finditer(page.read_text("utf-8")):
            # A benchmark at a time, so that none that fails costs the others.
            page.write_text(page.read_text("utf-8").replace(found[0], renewed(found)), "utf-8")
    readme, page = CHECKOUT / "README.md", CHECKOUT / "docs" / "benchmarks.md"
    readme.write_text(repeated(*(each.read_text("utf-8") for each in (readme, page))), "utf-8")
