"""Errors that carry their evidence.

Every error of porank is a `PorankError`, which is a ``ValueError``. The message is one sentence:
what was expected, what was found, and the way out. Long evidence is cut in the message and whole on
the attribute.

Words of messages and pictures: lists that end, and numbers with their nouns.
"""

from __future__ import annotations

from copy import copy
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.typing import Item


class PorankError(ValueError):
    """The root of porank's errors.

    Examples
    --------
    >>> issubclass(CycleError, PorankError) and issubclass(PorankError, ValueError)
    True
    """


class CycleError(PorankError):
    """An order was needed and the graph has a cycle.

    Attributes
    ----------
    cycle : list
        Items of a shortest cycle through its first item, which is repeated at the end; a self-loop
        is ``[u, u]``.

    Examples
    --------
    >>> error = CycleError.found(["a", "b", "a"])
    >>> error.cycle
    ['a', 'b', 'a']
    >>> print(error)
    expected an order, found the cycle 'a' > 'b' > 'a'; break_cycles(G) drops edges until none is
    left, condense(G) makes one node of each knot
    """

    def __init__(self, message: str, *, cycle: Sequence[Item] = ()) -> None:
        super().__init__(message)
        self.cycle = list(cycle)

    @classmethod
    def found(cls, cycle: Sequence[Item], *, name: str = "") -> CycleError:
        """Return the error for `cycle`, found in the order called `name`."""
        where = f" in {name}" if name else ""
        return cls(
            f"expected an order, found the cycle {listed(cycle, separator=' > ')}{where}; "
            "break_cycles(G) drops edges until none is left, "
            "condense(G) makes one node of each knot",
            cycle=cycle,
        )


class ItemMismatchError(PorankError):
    """Two orders were to be compared and have different items.

    Attributes
    ----------
    only_target, only_predicted : list
        The items on one side only.

    Examples
    --------
    >>> error = ItemMismatchError.found(["a"], ["x", "y"])
    >>> error.only_predicted
    ['x', 'y']
    >>> print(error)
    expected the same items in both orders, found only in target: 'a'; only in predicted: 'x', 'y';
    align(target, predicted) mends it
    """

    def __init__(
        self,
        message: str,
        *,
        only_target: Sequence[Item] = (),
        only_predicted: Sequence[Item] = (),
    ) -> None:
        super().__init__(message)
        self.only_target = list(only_target)
        self.only_predicted = list(only_predicted)

    @classmethod
    def found(
        cls,
        only_target: Sequence[Item],
        only_predicted: Sequence[Item],
        *,
        names: tuple[str, str] = ("target", "predicted"),
        way_out: str = "",
    ) -> ItemMismatchError:
        """Return the error for these one-sided items of orders called by these names."""
        sides = zip(names, (only_target, only_predicted), strict=True)
        found = "; ".join(f"only in {name}: {listed(items)}" for name, items in sides if items)
        both = "target, predicted" if "target" in names else "first, second"
        return cls(
            f"expected the same items in both orders, found {found}; "
            f"{way_out or f'align({both}) mends it'}",
            only_target=only_target,
            only_predicted=only_predicted,
        )


class TieError(PorankError):
    """Items are said to be tied, and the edges tell them apart.

    Attributes
    ----------
    tied : list
        The two items.
    witness : object
        An item related to one of the two and not, or not in the same way, to the other; one of the
        two themselves when they are related to each other.

    Examples
    --------
    >>> error = TieError("...", tied=["a", "b"], witness="c")
    >>> error.tied, error.witness
    (['a', 'b'], 'c')
    """

    def __init__(self, message: str, *, tied: Sequence[Item] = (), witness: Item = None) -> None:
        super().__init__(message)
        self.tied = list(tied)
        self.witness = witness


class ParseError(PorankError):
    """A text or a file does not say what its format allows.

    Attributes
    ----------
    line, column : int
        Where, both counted from 1; column 0 means the whole line.
    text : str
        The line in question.

    Examples
    --------
    >>> error = ParseError.at("expected an item", line=1, column=5, text="A > ")
    >>> error.line, error.column
    (1, 5)
    >>> print(error)
    line 1, column 5: expected an item
      A >
          ^
    """

    def __init__(self, message: str, *, line: int = 0, column: int = 0, text: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.text = text

    @classmethod
    def at(cls, message: str, *, line: int, column: int, text: str, source: str = "") -> ParseError:
        """Return the error with the place before and the line, with a caret, after the message."""
        place = f"{source}, line {line}" if source else f"line {line}"
        message = message if len(message) <= 400 else f"{message[:400]}..."
        # Of a long line the part around the column is shown.
        start = max(0, column - 60)
        shown = text[start : start + 100]
        if not column:
            return cls(f"{place}: {message}\n  {shown}", line=line, text=text)
        before = shown[: column - 1 - start]
        indent = "".join("\t" if letter == "\t" else " " for letter in before)
        whole = f"{place}, column {column}: {message}\n  {shown}\n  {indent}^"
        return cls(whole, line=line, column=column, text=text)


class GraphTypeError(PorankError, TypeError):
    """Something that is neither a directed simple graph nor scores was given as an order.

    Examples
    --------
    >>> issubclass(GraphTypeError, TypeError)
    True
    """


class UndefinedError(PorankError):
    """A measure is 0/0 here and ``undefined="raise"`` was asked for.

    Attributes
    ----------
    why : str
        What makes it undefined.

    Examples
    --------
    >>> UndefinedError("...", why="there is no pair of items").why
    'there is no pair of items'
    """

    def __init__(self, message: str, *, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class NotApplicableError(PorankError):
    """A notion does not apply to this kind of order, whatever its items.

    Examples
    --------
    >>> issubclass(NotApplicableError, PorankError)
    True
    """


class TooManyIdealsError(PorankError):
    """An exact answer needs more ideals of an order than were allowed.

    An ideal is a set of items that may stand on top: their number decides how far counting goes.

    Attributes
    ----------
    max_ideals : int
        How many the caller allowed.
    reached : int
        How many were made, all of them with no more than `placed` items.
    placed, items : int
        How many items were placed, best first, of how many in that part of the order.

    Examples
    --------
    >>> print(TooManyIdealsError.found(max_ideals=1000, reached=780, placed=3, items=40))
    expected at most 1,000 ideals, found more: 780 had been made when 3 of 40 items were placed;
    max_ideals= allows more of them, estimate_linear_extensions(G) and
    random_linear_extensions(G, size) do without
    """

    def __init__(
        self,
        message: str,
        *,
        max_ideals: int = 0,
        reached: int = 0,
        placed: int = 0,
        items: int = 0,
    ) -> None:
        super().__init__(message)
        self.max_ideals = max_ideals
        self.reached = reached
        self.placed = placed
        self.items = items

    @classmethod
    def found(
        cls, *, max_ideals: int, reached: int, placed: int, items: int, share: str = ""
    ) -> TooManyIdealsError:
        """Return the error for a count that came so far, with what `share` of them holds here."""
        return cls(
            f"expected at most {counted(max_ideals, 'ideal')}{share}, found more: {reached:,} had "
            f"been made when {placed} of {counted(items, 'item')} were placed; max_ideals= allows "
            "more of them, estimate_linear_extensions(G) and random_linear_extensions(G, size) do "
            "without",
            max_ideals=max_ideals,
            reached=reached,
            placed=placed,
            items=items,
        )

    def with_way_out(self, way_out: str) -> TooManyIdealsError:
        """Return the same error with another way out."""
        found, allows, _ = str(self).partition("max_ideals= allows more of them, ")
        error = copy(self)
        error.args = (found + allows + way_out,)
        return error


def listed(items: Iterable[object], *, separator: str = ", ", limit: int = 8) -> str:
    """Return the items as text, the first `limit` of them when there are more."""
    shown = [repr(item) for item in islice(items, limit + 1)]
    if len(shown) > limit:
        shown[limit] = "..."
    return separator.join(shown)


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural unless it is one."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
