"""What hands out the rows of a log, block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.build.files.problems import Problems
    from porank.typing import Numbers

#: So many rows are looked at together: few enough to stay in the cache of the processor.
BLOCK_ROWS = 1 << 15


class Block(NamedTuple):
    """Some rows of a log: the values of each column asked for, and the number of each row."""

    columns: dict[Any, Any]
    lines: Numbers


class Source(Protocol):
    """A log that can name its columns and be read once, block by block."""

    @property
    def name(self) -> str:
        """The name of the file, for messages; empty if there is none."""
        ...

    @property
    def names(self) -> Sequence[Any]:
        """The columns of the log."""
        ...

    @property
    def is_streamed(self) -> bool:
        """Whether it may be too large to be held: then sessions must stand together."""
        ...

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows, `size` at a time; those that cannot be read are met by `problems`."""
        ...

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Let blocks end where values change, if it is quickly seen that equal ones stand together.

        Return whether it is.
        """
        ...

    def close(self) -> None:
        """Let go of what was opened."""
        ...
