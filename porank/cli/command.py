"""Commands of the shell: a command is a function with arguments, and its docstring is its help.

`command` turns a function into a `Command`, `argument` describes an `Argument` of it. `fraction`,
`names` and `sign` are types of arguments that argparse lacks.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from contextlib import suppress
from fractions import Fraction
from inspect import getdoc
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


class Argument(NamedTuple):
    """An argument of a command, as `ArgumentParser.add_argument` takes it."""

    names: tuple[str, ...]
    options: dict[str, Any]
    is_alternative: bool


def argument(*names: str, is_alternative: bool = False, **options: Any) -> Argument:
    """Return an argument of a command; alternatives exclude each other."""
    return Argument(names, options, is_alternative)


class Command(NamedTuple):
    """A command of the shell: its function, its arguments, its help."""

    run: Callable[[argparse.Namespace], int]
    arguments: tuple[Argument, ...]
    description: str
    #: The help of arguments that do not have their own, by name.
    help_of: dict[str, str]
    examples: tuple[str, ...]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command to a parser."""
        has_alternatives = any(each.is_alternative for each in self.arguments)
        alternatives = parser.add_mutually_exclusive_group() if has_alternatives else parser
        for names, options, is_alternative in self.arguments:
            name = names[-1] if names[-1] in self.help_of else options.get("metavar", "")
            described = {"help": self.help_of.get(name)}
            (alternatives if is_alternative else parser).add_argument(*names, **described | options)


#: An option in the docstring of a command, and its description.
_OPTION = re.compile(r"^(\S+)\n((?: +.+\n?)+)", re.MULTILINE)


def command(*arguments: Argument) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Return a decorator that turns a function into a command; its docstring becomes the help."""

    def made(run: Callable[[argparse.Namespace], int]) -> Command:
        text, _, examples = (getdoc(run) or "").partition("Examples\n--------\n")
        text, _, options = text.partition("Options\n-------\n")
        help_of = {name: " ".join(lines.split()) for name, lines in _OPTION.findall(options)}
        lines = examples.replace("\\\n    ", "").splitlines()
        return Command(run, arguments, text.rstrip(), help_of, tuple(lines))

    return made


def fraction(text: str) -> Fraction:
    """Return the number in an argument, such as 0.7 or 2/3."""
    with suppress(ValueError, ZeroDivisionError):
        return Fraction(text)
    raise ArgumentTypeError(f"expected a number such as 0.7 or 2/3, found {text!r:.60}")


def names(text: str) -> tuple[str, ...]:
    """Return the names in an argument, separated by commas."""
    found = tuple(name.strip() for name in text.split(","))
    if not all(found):
        raise ArgumentTypeError(f"expected names separated by commas, found {text!r:.60}")
    return found


def sign(text: str) -> str:
    r"""Return the delimiter in an argument, where ``\t`` is a tab."""
    return "\t" if text == r"\t" else text
