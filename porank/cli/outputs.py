"""The outputs of commands: files whole or not at all, never over another unless that is asked.

`output_arguments`, `ORDER_OUTPUT` and `FORCE` say where to write; `output_form`, `require_writable`
look there before anything is read. `write_order`, `write_output`, `write_outputs` write, and
`tell_lost` says what a format does not keep.
"""

from __future__ import annotations

import gzip
import os
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import made_safe, tell
from porank.cli.command import argument
from porank.cli.formats import FORMATS, OUTPUTS, form_of, is_by_query, numbers_on, spell, suffix_of
from porank.core.files import write_whole
from porank.core.graphs import node_values, tie_groups
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    import argparse

    from porank.cli.command import Argument
    from porank.typing import OrderLike


FORCE = argument("--force", action="store_true", help="replace a file that is there")


def output_arguments(what: str, *, required: bool = False) -> tuple[Argument, ...]:
    """Return the options that say where a command writes."""
    return argument("-o", "--output", metavar="FILE", required=required, help=what), FORCE


#: What the order of many is written to.
ORDER_OUTPUT = output_arguments("a file for the order, in the format that its name tells")


def output_form(given: argparse.Namespace, known: tuple[str, ...] = OUTPUTS) -> str:
    """Return the format of the output that is asked for, which must be writable; empty for none."""
    if given.output is None:
        return ""
    form = form_of(given.output, None, option="a suffix", known=known)
    require_writable(given.output, force=given.force)
    return form


def require_writable(path: str, *, force: bool) -> None:
    """Raise an error if a command's output is there and must be kept, or has no folder."""
    if path == "-":
        raise PorankError("expected a file to write, found '-'; ./- is a file of this name")
    if Path(path).is_file() and not force:
        raise PorankError(f"expected no file at {path!r}, found one; --force replaces it")
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(folder))


def write_order(given: argparse.Namespace, order: OrderLike, form: str) -> None:
    """Write an order to the output of a command, if asked for."""
    if form:
        write_output(given, spell(order, form, path=given.output))


def write_output(given: argparse.Namespace, content: bytes) -> None:
    """Write the output of a command whole or not at all, compressed if it ends in ``.gz``."""
    safe = getattr(given, "spreadsheet_safe", False)
    write_outputs({given.output: content}, force=given.force, safe=safe)


def write_outputs(contents: dict[str, bytes], *, force: bool, safe: bool = False) -> None:
    """Write the outputs of a command, by their paths, none if one of them must not be written."""
    for path in contents:
        require_writable(path, force=force)
    for path, content in contents.items():
        written = made_safe(content, suffix_of(path)[1:]) if safe else content
        # Without the time the same content gives the same file.
        write_whole(gzip.compress(written, mtime=0) if path.endswith(".gz") else written, path)


def tell_lost(found: Any, form: str, *, has_used_numbers: bool = False) -> None:
    """Say on standard error which known ties and numbers of pairs an output does not show."""
    loses = FORMATS[form].loses
    tied = _tied(found) if "ties" in loses else None
    if tied:
        example = listed(tied, separator=" ~ ")
        tell(f"{form} keeps no ties, such as {example}; notation, json, graphml and dot do")
    for number in [] if has_used_numbers else numbers_on(found, loses)[:1]:
        tell(f"{form} keeps no {number}; csv, json, graphml and dot do")


def _tied(found: Any) -> list[Any] | None:
    """Return known ties that an output would lose, of an order or the first that has some."""
    if isinstance(found, po.Profile) or is_by_query(found):
        orders = found.orders if isinstance(found, po.Profile) else found.values()
        return next(filter(None, map(_tied, orders)), None)
    values = found.values() if isinstance(found, dict) else node_values(found, "tie")
    return next(iter(tie_groups(found, list(values))), None)


def use_no_window() -> None:
    """Let commands draw pictures where there is no screen."""
    import matplotlib as mpl

    mpl.use("agg")
