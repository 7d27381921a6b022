"""The command line, ``porank COMMAND``: parse the arguments, run the command, return its exit code.

A command's module is imported when the command is used, and its imports take place when it runs, so
Ctrl-C during a slow import is handled, too.

Exit codes: 0; 1 if ``check`` found something; 2 after wrong usage or any error, with one line on
standard error; 130 after Ctrl-C.

`main` runs a command, `COMMANDS` maps commands to modules, `command_of` returns a command.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from porank import __version__
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.cli.command import Command


#: The module of each command, in the order of the help.
COMMANDS = {
    "demo": "demo",
    "explore": "explore_log",
    "describe": "describe",
    "ranks": "describe",
    "hasse": "draw",
    "check": "describe",
    "why": "describe",
    "compare": "compare_orders",
    "mine": "mine",
    "predict": "predict",
    "aggregate": "predict",
    "evaluate": "compare_orders",
    "systems": "compare_systems",
    "convert": "convert",
    "page": "draw",
    "vote": "draw",
}
_INTERRUPTED = 130


def command_of(name: str) -> Command:
    """Return the command of that name."""
    command: Command = getattr(import_module(f"porank.cli.{COMMANDS[name]}"), name)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        # An item may have a name that the terminal's encoding lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _ended(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Otherwise Python would try to flush again on exit, and fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _ended(words: Sequence[str]) -> int:
    """Run a command and return its exit code, after success, an error or Ctrl-C."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _print_warning
            code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        return 0  # the reader, such as head, closed the pipe
    except KeyboardInterrupt:
        return _INTERRUPTED
    except MemoryError:
        return _stopped("not enough memory")
    except (PorankError, OSError) as error:
        return _stopped(_in_shell_words(error, words))
    return code


#: An argument in an error message of the library, with a value or without, and a call.
_ARGUMENT = re.compile(r"""\b([a-z_]+)=("\w+"|'\w+'|\(\))?(?![^\s,;])""")
_CALL = re.compile(r"\w\(")
#: Ways out in Python, and what they are on the shell.
_WAYS_OUT = {
    r"break_cycles\(G\)(.*?), .*? component": r"porank convert --break-cycles\1",
    r"align\(target, predicted\)": "--align intersection",
    r"break_cycles\(P.*? and predict_order\(P, (impossible='drop')\)": r"\1",
    r"minimal_threshold\(P\)": "alpha='minimal'",
    r"Profile\.from_table\(table, (cells='\w+')\)": r"\1",
    r'cells="ranks"(.*?) of Profile.from_table': r"--cells ranks\1 of aggregate and predict",
    r"from_pairs\(table, counts=True\)": "porank convert --counts",
    r"read_order\(.*?\) reads": "--by and --group read",
    r"from_log and preference_pairs take": "porank mine takes",
    r"open it with open\(.*?, or (iconv.*)": r"\1 converts it",
    r"open\(path, encoding='utf-16'\) reads": "iconv -f utf-16 -t utf-8 FILE converts",
    r"\bgap=(?=\d)": "--gap ",
    r"(?:ClickLog\([^;]*?\)|columns=\{.*?\}), or (--[^,;]*),": r"\1",
    r"ClickLog\(log, columns=\{'(\w+)': '?([^'}]*)'?\}\)": r"--columns \1=\2",
}


def _in_shell_words(error: Exception, words: Sequence[str]) -> str:
    """Return the first line of an error, with the ways out of a command and no error number."""
    if isinstance(error, PorankError):
        clauses = _by_shell(error.hint).split("; ")
        error.hint = "; ".join(clause for clause in clauses if not _CALL.search(clause))
    message = _by_shell(str(error).partition("\n")[0])
    message = re.sub(r"^\[Errno \d+\] ", "", message)
    arguments = [command_of(word).arguments for word in words[:1] if word in COMMANDS]
    options = {name for argument in chain(*arguments) for name in argument.names}

    def option_of(found: re.Match[str]) -> str:
        option = "--from" if found[1] == "format" else f"--{found[1].replace('_', '-')}"
        value = (found[2] or "").replace("()", "none").strip("\"'")
        return f"{option} {value}".rstrip() if option in options else found[0]

    return _ARGUMENT.sub(option_of, message)


def _by_shell(text: str) -> str:
    """Return a text with ways out on the shell for those in Python."""
    for call, option in _WAYS_OUT.items():
        text = re.sub(call, option, text)
    return text


#: Names in Python of what a command does, besides that to which `OTHER_NAMES` leads.
_IN_PYTHON = {
    "mine": "from_log",
    "predict": "settled_order abstention_curve",
    "aggregate": "kemeny borda consensus_order",
    "systems": "compare_scores fit_strengths",
    "vote": "next_comparison",
    "convert": "read_order write_order break_cycles transitive_reduction to_dot to_tikz",
    "ranks": "expected_ranks rank_intervals",
    "check": "is_acyclic",
}


def _command_for(name: str) -> str | None:
    """Return the command that does what a function or a foreign name does, or None."""
    from porank.other_names import OTHER_NAMES

    name = name.lower().replace("-", "_")
    name = OTHER_NAMES.get(name, name)
    commands = {OTHER_NAMES.get(command): command for command in COMMANDS}
    more = {name: command for command, names in _IN_PYTHON.items() for name in names.split()}
    return (commands | more).get(name)


def _run(words: Sequence[str]) -> int:
    """Parse the command line and run its command."""
    if words and words[0] not in COMMANDS and (does_it := _command_for(words[0])):
        return _stopped(f"{words[0]!r} is no command; porank {does_it} does it")
    try:
        given = _make_parser(words).parse_args(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    code: int = given.run(given)
    return code


def _stopped(reason: str) -> int:
    """Print the reason for stopping on standard error, and return the exit code."""
    with suppress(OSError):  # standard error may be closed
        sys.stderr.write(f"porank: {reason}\n")
    return 2


def _print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning on standard error in one line, without its place in the code."""
    sys.stderr.write(f"porank: warning: {' '.join(str(message).split())}\n")


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error on standard error and exit."""
        sys.exit(_stopped(f"{message}; {self.prog} --help lists all options"))


def _make_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser with the command in `words`, or with all commands if there is none."""
    parser = _Parser(
        prog="porank",
        description="A toolkit for partial orders.",
        epilog="porank COMMAND --help lists the options of a command, with examples.",
        allow_abbrev=False,
    )
    python = sys.version.split()[0]
    version = f"porank {__version__} (Python {python}, {sys.platform})"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", required=True
    )
    asked = "".join(words[:1])
    for name in [asked] if asked in COMMANDS else COMMANDS:
        if name != asked:
            commands.add_parser(name, help=_summary_of(name))
            continue
        command = command_of(name)
        subparser = commands.add_parser(
            name,
            description=command.description.replace("%", "%%"),
            epilog="\n  ".join(["examples:", *command.examples]).replace("%", "%%"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _summary_of(name: str) -> str:
    """Return the first line of a command's docstring, read without an import of its module."""
    text = Path(__file__).with_name(f"{COMMANDS[name]}.py").read_text("utf-8")
    (summary,) = re.findall(rf'^def {name}\([^"]+"""([^"\n]+)', text, re.M)
    return str(summary).replace("%", "%%")
