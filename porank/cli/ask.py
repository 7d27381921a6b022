"""The command that sorts items by asking questions: ``porank ask ITEMS``, `ask`.

Everything known is kept as statements in porank's notation, and each answer adds one. The order is
parsed from them; undo drops the last one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, command
from porank.cli.inputs import input_of, read_order, reading_arguments, reading_of
from porank.cli.outputs import (
    output_arguments,
    output_form,
    require_writable,
    write_order,
)
from porank.convert.notation import spell_label
from porank.core.compiled_order import as_graph, compile_order
from porank.core.files import Text
from porank.core.graphs import pairs_within
from porank.errors import PorankError, counted, listed
from porank.readwrite.formats import form_of

if TYPE_CHECKING:
    import argparse

    import networkx as nx

    from porank.typing import OrderLike

#: The formats that keep all answers and can be read again.
_KEEPING = ("notation", "graphml")
_KEYS = "1: the first, 2: the second, =: equal, ?: don't know, u: undo, q: stop"


@command(
    argument("items", metavar="ITEMS"),
    output_arguments("file for the order: .txt or .graphml")[0],
    argument("--page", metavar="FILE"),
    argument("--force", action="store_true"),
    *reading_arguments(),
)
def ask(given: argparse.Namespace) -> int:
    r"""Sort items by asking which of two is better, with few questions.

    Answers come from standard input, one in each line. Questions go to standard error, and the
    order to standard output. The file is written after each answer. If it exists, the command
    continues from it, and asks again about pairs that you did not know. Ctrl-C stops like q.

    Options
    -------
    ITEMS
        a file with an item in each line, or with an order whose open pairs are asked; a text with
        > ~ or ; is an order, in which names with these signs need quotes
    --page
        write a page that asks in a browser instead: one HTML file that you can send to voters
    --force
        start again and replace an existing file

    Examples
    --------
    printf '1\n2\n=\n?\nq\n' | porank ask settled.txt -o sorted.txt
    printf 'tea\nmilk\nwater' | porank ask - --page vote.html
    """
    if given.page:
        return _write_page(given)
    if given.items == "-":
        raise PorankError("expected a file of items, found '-': standard input is for the answers")
    asking = _Asking(_statements_of(given))
    order = asking.order()
    _write(given, order)  # fail before the first question if the file cannot be written
    _say(_KEYS)
    while (pair := po.next_comparison(order, skip=asking.skipped())) is not None:
        is_open = f"{counted(_count_open(order), 'pair')} open"
        answer = _answer_of(f"{is_open}. {pair[0]} (1) or {pair[1]} (2)? ")
        if answer == "q":
            break
        asking.take(answer, pair)
        order = asking.order()
        _write(given, order)
    _write(given, order)
    _say()
    sys.stdout.write(f"{po.format_order(order)}\n")
    sys.stdout.flush()
    if left := _count_open(order):
        _say(f"{counted(left, 'pair')} left open")
    return 0


def _read_items(given: argparse.Namespace) -> OrderLike:
    """Return the order in a file; in a text without preferences, each line is an item."""
    path = given.items
    if given.form or not (path == "-" or Path(path).suffix in ("", ".txt")):
        return read_order(path, given.form, reading_of(given))
    with Text(input_of(path)) as file:
        text = file.read()
        if re.search(r"""[>~≻∼;]|^['"].*['"]\s*$""", text, re.M):
            return po.parse(text)
    return po.from_pairs([], items=[name for line in text.splitlines() if (name := line.strip())])


def _write_page(given: argparse.Namespace) -> int:
    """Write the page that asks in a browser."""
    if given.output:
        raise PorankError("expected --output or --page, found both")
    order = as_graph(_read_items(given))
    if order.edges:
        raise PorankError(
            f"expected only items with --page, found {counted(len(order.edges), 'preference')}"
        )
    require_writable(given.page, force=given.force)
    po.write_voting_page(order, given.page)
    return 0


class _Asking:
    """What was known before, and the answers: each a pair and its statement, empty if unknown."""

    def __init__(self, known: str) -> None:
        self._known = known
        self._answers: list[tuple[tuple[str, str], str]] = []

    def take(self, answer: str, pair: tuple[str, str]) -> None:
        """Add an answer, or undo the last one."""
        one, other = map(spell_label, pair)
        statement = {"1": f"{one} > {other}", "2": f"{other} > {one}", "=": f"{one} ~ {other}"}
        if answer != "u":
            self._answers.append((pair, statement.get(answer, "")))
        elif self._answers:
            self._answers.pop()
        else:
            _say("there is no answer to undo in this run")

    def order(self) -> nx.DiGraph:
        """Return the order that follows from the answers."""
        return po.parse("\n".join([self._known, *(statement for _, statement in self._answers)]))

    def skipped(self) -> list[tuple[str, str]]:
        """Return the pairs answered by "don't know"."""
        return [pair for pair, statement in self._answers if not statement]


def _statements_of(given: argparse.Namespace) -> str:
    """Return what is known at the start: the items and the content of the output file."""
    items = _read_items(given)
    if len(items) < 2:
        found = counted(len(items), "item")
        raise PorankError(f"expected at least 2 items in {given.items!r}, found {found}")
    known = [po.format_order(items)]
    if given.output:
        form_of(given.output, None, option="a suffix", known=_KEEPING)
        require_writable(given.output, force=True)
        if Path(given.output).is_file() and not given.force:
            there = po.read_order(given.output)
            known.append(po.format_order(there))
            asked = po.parse(known[0])
            others = [item for item in po.parse(known[1]) if item not in asked]
            if cycle := po.find_cycle(po.parse("\n".join(known))):
                raise PorankError(
                    f"expected an order at {given.output!r} that agrees with {given.items!r}, "
                    f"found the cycle {listed(cycle, separator=' > ')}; --force starts again"
                )
            if others:
                raise PorankError(
                    f"expected an order of the items of {given.items!r} at {given.output!r}, found "
                    f"{listed(others)} in it; --force starts again"
                )
        given.force = True
    return "\n".join(known)


def _answer_of(question: str) -> str:
    """Return an answer from standard input; its end and Ctrl-C count as q."""
    while True:
        _say(question, end="")
        try:
            answer = input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        if answer in ("1", "2", "=", "?", "u", "q"):
            return answer
        _say(_KEYS)


def _say(text: str = "", *, end: str = "\n") -> None:
    """Print on standard error, so standard output has only the order."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def _count_open(order: nx.DiGraph) -> int:
    """Return the number of pairs that an order leaves open."""
    compiled, n = compile_order(order), len(order)
    return n * (n - 1) // 2 - compiled.count_pairs() - pairs_within(compiled.tie)


def _write(given: argparse.Namespace, order: nx.DiGraph) -> None:
    """Write what is known to the output file, if there is one."""
    write_order(given, order, output_form(given))
