"""The command line, ``porank COMMAND``: from the words of a shell to an exit code.

A command is loaded when it is asked for, and what it needs of porank when it runs: nothing that
takes long is imported before an interruption is caught.

Exit codes: 0; 1 when ``check`` found something; 2 for wrong use and for whatever stopped a command,
with one line on standard error; 130 when it was interrupted.

`main` runs a command, `COMMANDS` says where each is, `command_of` returns one.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from contextlib import redirect_stderr, suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

from porank import __version__
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.cli.command import Command


#: The module of each command, in the sequence in which one meets them.
COMMANDS = {
    "demo": "demo",
    "explore": "explore",
    "describe": "describe",
    "ranks": "describe",
    "hasse": "draw",
    "check": "describe",
    "why": "describe",
    "compare": "compare",
    "mine": "mine",
    "predict": "predict",
    "aggregate": "predict",
    "ask": "ask",
    "evaluate": "compare",
    "systems": "compare_systems",
    "convert": "convert",
    "page": "draw",
}
_INTERRUPTED = 130


def command_of(name: str) -> Command:
    """Return a command of the shell by its name."""
    command: Command = getattr(import_module(f"porank.cli.{COMMANDS[name]}"), name)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    if sys.stdout is None:  # closed before the start
        return 2
    if sys.stderr is None:
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
            return main(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        # An item may have any name, and the terminal any encoding.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _ended(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would try to write the rest when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _ended(words: Sequence[str]) -> int:
    """Run a command of the shell, and return the exit code for however it ends."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _tell_warning
            code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        return 0  # the reader has had enough
    except KeyboardInterrupt:
        return _INTERRUPTED
    except MemoryError:
        return _stopped("expected enough memory, found too little")
    except (PorankError, OSError) as error:
        return _stopped(str(error).partition("\n")[0])
    return code


def _run(words: Sequence[str]) -> int:
    """Read the words of the command line, and do what they say."""
    try:
        given = _make_parser(words).parse_args(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    code: int = given.run(given)
    return code


def _stopped(reason: str) -> int:
    """Say in one line on standard error why a command stopped, and return the exit code."""
    with suppress(OSError):  # where nobody listens the exit code says it
        sys.stderr.write(f"porank: {reason}\n")
    return 2


def _tell_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Say a warning on standard error in one line, without the place in the code."""
    sys.stderr.write(f"porank: warning: {' '.join(str(message).split())}\n")


class _Parser(argparse.ArgumentParser):
    """A parser of the command line that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Say on standard error what is wrong with the command line, and exit."""
        sys.exit(_stopped(f"{message}; {self.prog} --help tells what can be given"))


def _make_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the one command that is asked for, or of all of them."""
    parser = _Parser(
        prog="porank",
        description="A toolkit for partial orders.",
        epilog="porank COMMAND --help tells more of a command, with examples.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"porank {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", required=True
    )
    for name in COMMANDS if set(words[:1]).isdisjoint(COMMANDS) else words[:1]:
        command = command_of(name)
        subparser = commands.add_parser(
            name,
            help=command.description.partition("\n")[0].replace("%", "%%"),
            description=command.description.replace("%", "%%"),
            epilog="\n  ".join(["examples:", *command.examples]).replace("%", "%%"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser
