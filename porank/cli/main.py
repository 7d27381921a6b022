"""The command line: ``porank COMMAND``.

Each command has a file in ``porank.commands``: what it is given, what it does, and its examples.
What it needs of porank is imported when it runs.

Exit codes: 0; 1 when ``check`` found something; 2 for wrong use and for whatever stopped a command,
with one line on standard error; 130 when it was interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from contextlib import redirect_stderr, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

from porank import __version__
from porank.cli.command import reason_of
from porank.cli.convert import CONVERT
from porank.cli.demo import DEMO
from porank.cli.many_orders import AGGREGATE, COMPARE, EVALUATE, PREDICT
from porank.cli.mine import MINE
from porank.cli.one_order import CHECK, DESCRIBE, HASSE, PAGE, RANKS
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.cli.command import Command


#: The commands in the sequence in which one meets them.
COMMANDS: dict[str, Command] = {
    "demo": DEMO,
    "describe": DESCRIBE,
    "ranks": RANKS,
    "hasse": HASSE,
    "check": CHECK,
    "compare": COMPARE,
    "mine": MINE,
    "predict": PREDICT,
    "aggregate": AGGREGATE,
    "evaluate": EVALUATE,
    "convert": CONVERT,
    "page": PAGE,
}
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    if sys.stdout is None:  # closed before the start
        return 2
    if sys.stderr is None:
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
            return main(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        # An item may have any name, and the terminal any encoding.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _ended(arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would try to write the rest when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _ended(arguments: Sequence[str] | None) -> int:
    """Run a command, and return the exit code for however it ends."""
    given = argparse.Namespace(command=None)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _tell_warning
            code = _run(arguments, given)
        sys.stdout.flush()
    except BrokenPipeError:
        return 0  # the reader has had enough
    except KeyboardInterrupt:
        return _INTERRUPTED
    except MemoryError:
        return _stopped("expected enough memory, found too little")
    except (PorankError, OSError) as error:
        return _stopped(reason_of(error, command=given.command or ""))
    return code


def _run(arguments: Sequence[str] | None, given: argparse.Namespace) -> int:
    """Read the arguments into a namespace, and do what they say."""
    parser = _make_parser()
    try:
        parser.parse_args(arguments, given)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    if given.command is None:
        return _stopped(
            f"expected a command, one of {', '.join(COMMANDS)}; porank --help tells what each does"
        )
    return COMMANDS[given.command].run(given)


def _stopped(reason: str) -> int:
    """Say in one line on standard error why nothing more comes, and return the exit code."""
    with suppress(OSError):  # where nobody listens the exit code says it
        sys.stderr.write(f"porank: {reason}\n")
    return 2


def _tell_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Say a warning in one line, without the place in the code."""
    sys.stderr.write(f"porank: warning: {' '.join(str(message).split())}\n")


class _Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write the help, and let an error be one, which argparse would pass over."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit."""
        sys.exit(_stopped(f"{message}; {self.prog} --help tells what can be given"))


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="porank",
        description="A toolkit for partial orders.",
        epilog="porank COMMAND --help tells more of a command, with examples.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"porank {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        own = commands.add_parser(
            name,
            help=command.help,
            description=command.description,
            epilog=command.epilog.replace("%", "%%"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(own)
    return parser
