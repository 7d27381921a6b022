"""What a command is: a line of help, examples, what it is given, and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    Attributes
    ----------
    summary : str
        What it does, in one line.
    examples : tuple of str
        Command lines that run where ``porank demo`` has run.
    add_arguments : callable
        Tells a parser what the command is given.
    run : callable
        Does it, and returns the exit code.
    details : str
        What else its help says, in lines that fit a terminal.

    Examples
    --------
    >>> Command("Do nothing.", (), lambda parser: None, lambda given: 0).help
    'Do nothing.'
    """

    summary: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    details: str = ""

    @property
    def help(self) -> str:
        """The summary without what argparse would take for a placeholder."""
        return self.summary.replace("%", "%%")

    @property
    def description(self) -> str:
        """The summary and the details, to stand at the beginning of the help."""
        details = self.details.replace("%", "%%")
        return f"{self.help}\n\n{details}" if details else self.help

    @property
    def epilog(self) -> str:
        """The examples, to stand at the end of the help."""
        return "\n".join(["examples:", *(f"  {line}" for line in self.examples)])
