"""The outputs of commands: written completely or not at all; files are replaced only on request.

`output_arguments`, `ORDER_OUTPUT` and `FORCE` define arguments. `output_form` and
`require_writable` check the output before anything is read. `write_order` and `write_output`
write, and `note_lost` reports what a format loses.
"""

from __future__ import annotations

import os
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import note
from porank.cli.command import argument
from porank.core.files import write_content
from porank.core.graphs import node_values, tie_groups
from porank.errors import PorankError, listed
from porank.readwrite.formats import FORMATS, OUTPUTS, form_of, is_by_query, numbers_on, spell

if TYPE_CHECKING:
    import argparse

    from porank.cli.command import Argument
    from porank.typing import OrderLike


FORCE = argument("--force", action="store_true", help="replace an existing file")


def output_arguments(what: str, *, required: bool = False) -> tuple[Argument, ...]:
    """Return the options for the output of a command."""
    return argument("-o", "--output", metavar="FILE", required=required, help=what), FORCE


#: The output of commands that make one order of many.
ORDER_OUTPUT = output_arguments("file for the order, in the format of its suffix")


def output_form(given: argparse.Namespace, known: tuple[str, ...] = OUTPUTS) -> str:
    """Return the format of the output, which must be writable; empty if there is no output."""
    if given.output is None:
        return ""
    require_writable(given.output, force=given.force, source=getattr(given, "log", "-"))
    return form_of(given.output, None, option="a suffix", known=known)


def require_writable(path: str, *, force: bool, source: str = "-") -> None:
    """Raise an error if the output must be kept, as the input must, or if it has no folder."""
    if path == "-":
        raise PorankError("expected a file to write, found '-'; ./- is a file of that name")
    if Path(path).is_file() and Path(source).is_file() and os.path.samefile(path, source):
        raise PorankError(f"expected an output other than the input, found {path!r} for both")
    if Path(path).is_file() and not force:
        raise PorankError(f"expected no file at {path!r}, found one; --force replaces it")
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(folder))


def write_order(given: argparse.Namespace, order: OrderLike, form: str) -> None:
    """Write an order to the output of a command, if there is one."""
    if form:
        write_output(given, spell(order, form, path=given.output))


def write_output(given: argparse.Namespace, content: bytes) -> None:
    """Write the output completely or not at all, compressed if its name ends in ``.gz``."""
    require_writable(given.output, force=given.force)
    write_content(content, given.output)


def note_lost(found: Any, form: str, *, has_used_numbers: bool = False) -> None:
    """Report on standard error the ties and numbers of pairs that an output loses."""
    loses = FORMATS[form].loses
    tied = _tied(found) if "ties" in loses else None
    if tied:
        example = listed(tied, separator=" ~ ")
        note(f"{form} loses ties, such as {example}; notation, graphml and dot keep them")
    for number in [] if has_used_numbers else numbers_on(found, loses)[:1]:
        note(f"{form} loses the {number} of pairs; csv, graphml and dot keep it")


def _tied(found: Any) -> list[Any] | None:
    """Return a group of known ties that an output would lose, from the first order with some."""
    if isinstance(found, po.Profile) or is_by_query(found):
        orders = found.orders if isinstance(found, po.Profile) else found.values()
        return next(filter(None, map(_tied, orders)), None)
    values = found.values() if isinstance(found, dict) else node_values(found, "tie")
    return next(iter(tie_groups(found, list(values))), None)


def use_no_window() -> None:
    """Let commands draw pictures without a screen."""
    import matplotlib as mpl

    mpl.use("agg")


def number_of_all_edges(G: Any) -> str | None:
    """Return the attribute, support or weight, that all edges of a graph have, or None."""
    for name in numbers_on(G, ("support", "weight")):
        if all(value is not None for *_, value in G.edges(data=name)):
            return name
    return None
