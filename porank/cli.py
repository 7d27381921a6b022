"""The command line: ``porank COMMAND``.

A command is a function of the parsed arguments, and the table `COMMANDS` names it; the first line
of its docstring is its help. What a command needs is imported when it runs, so that ``porank
--version`` waits for nothing.

Exit codes: 0, or 2 for wrong use and for whatever stopped the command, with one line on standard
error.
"""

from __future__ import annotations

import argparse
import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from porank import __version__
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def demo(_: argparse.Namespace) -> None:
    """Show what porank can do, on two small orders from a paper."""
    from porank.demo import demonstration

    sys.stdout.write(demonstration())


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {"demo": demo}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows ``porank``; by default what the process was started with.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> code = main(["--version"])  # doctest: +ELLIPSIS
    porank ...
    >>> code
    0
    """
    if sys.stdout is None:  # closed before the start
        return 2
    if isinstance(sys.stdout, TextIOWrapper):
        # An item may have any name, and the terminal any encoding.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has had enough, and Python would try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PorankError, OSError) as error:
        return _stopped(str(error).partition("\n")[0])
    return code


def _run(arguments: Sequence[str] | None) -> int:
    parser = _make_parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    if given.command is None:
        parser.print_help(sys.stderr)
        return 2
    COMMANDS[given.command](given)
    return 0


def _stopped(reason: str) -> int:
    """Say in one line on standard error why nothing more comes, and return the exit code."""
    sys.stderr.write(f"porank: {reason}\n")
    return 2


class _Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit."""
        sys.exit(_stopped(f"{message}; {self.prog} --help tells what can be given"))


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="porank", description="A toolkit for partial orders.")
    parser.add_argument("--version", action="version", version=f"porank {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        summary = (command.__doc__ or "").partition("\n")[0]
        commands.add_parser(name, help=summary, description=summary)
    return parser
