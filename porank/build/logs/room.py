"""How many pairs there is room for."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Holder(Protocol):
    """What holds pairs."""

    def held(self) -> int:
        """Return how many it holds."""

    def put_together(self) -> None:
        """Put equal ones together."""


class Talker(NamedTuple):
    """A session, by its number, and how many pairs of how many items it says."""

    pairs: int = 0
    session: int = -1
    items: int = 0


class Room:
    """How many pairs may be held at a time, and what holds them.

    Parameters
    ----------
    most : int
        How many.
    holder : Holder
        What holds those of the sessions so far.

    Attributes
    ----------
    talker : Talker
        The session that has said most pairs so far.

    Examples
    --------
    >>> from porank.build.tally import Tally
    >>> room = Room(2, Tally(["preferred", "other"], is_merged=True))
    >>> [room.held_with(pairs) <= room.most for pairs in (2, 3)]
    [True, False]
    """

    def __init__(self, most: int, holder: Holder) -> None:
        self.most = most
        self.talker = Talker()
        self._holder = holder

    def held_with(self, pairs: int) -> int:
        """Return how many pairs are held when so many more come."""
        if self._holder.held() + pairs > self.most:
            self._holder.put_together()
        return self._holder.held() + pairs
