"""Errors that carry evidence and name a way out.

Every error of porank is a `PorankError`, which is a ``ValueError``. Its message says where it
occurred, what was expected and found, and in a hint what to do about it. Long evidence is shortened
in the message and complete in the attribute.

Errors: `PorankError`, `CycleError`, `ItemMismatchError`, `TieError`, `ParseError`,
`GraphTypeError`, `UndefinedError`, `NotApplicableError`, `TooManyIdealsError`,
`MissingExtraError`.
`warn` warns at the line that called porank.
Words for messages and pictures: `listed`, `quoted`, `counted`, `a_kind`, `with_article`.
"""

from __future__ import annotations

import sys
import warnings
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.typing import Item


#: Hints that several functions give.
BREAK_CYCLES = (
    "break_cycles(G) drops edges until none is left, condense(G) makes one node of each strongly "
    "connected component"
)
ALIGN = "align(target, predicted) keeps what both have; evaluate judges lists of the top k"
RESTRICT = "restrict(G, items) takes a part of an order"
RESTRICT_EITHER = "restrict(G, items) and P.restrict(items) take some of them"
RESTRICT_DEGREES = "P.restrict(items) takes some of the items"
GIVE_SCORES = "pass the scores themselves, item -> number, which every function takes as an order"


class PorankError(ValueError):
    """The base class of porank's errors.

    Attributes
    ----------
    hint : str
        What to do about the error, at the end of the message; empty if there is no hint.
    source : str or None
        Name of the file in which the error occurred, if the message does not have it.

    See Also
    --------
    GraphTypeError, MissingExtraError, CycleError, ParseError

    Examples
    --------
    >>> import porank as po
    >>> issubclass(po.CycleError, po.PorankError) and issubclass(po.PorankError, ValueError)
    True
    """

    def __init__(self, message: str = "", *, hint: str = "", source: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.source = source

    def __str__(self) -> str:
        place, way_out = self._place(), self.hint
        return (f"{place}: " if place else "") + self.finding + (f"; {way_out}" if way_out else "")

    @property
    def finding(self) -> str:
        """The error message without the place and the hint, shortened if it is long."""
        whole = str(self.args[0]) if self.args else ""
        return whole if len(whole) <= 1000 else f"{whole[:1000]}..."

    def _place(self) -> str:
        return self.source or ""


class CycleError(PorankError):
    """A function needs an order, and the graph has a cycle.

    Attributes
    ----------
    cycle : list
        Items of a shortest cycle through its first item, which is repeated at the end; a self-loop
        is ``[u, u]``.

    See Also
    --------
    find_cycle, break_cycles, PorankError, ParseError

    Examples
    --------
    >>> import porank as po
    >>> error = po.CycleError.found(["a", "b", "a"])
    >>> error.cycle
    ['a', 'b', 'a']
    >>> print(error)
    expected an order, found the cycle 'a' > 'b' > 'a'; break_cycles(G) drops edges until none is
    left, condense(G) makes one node of each strongly connected component
    """

    def __init__(self, message: str, *, cycle: Sequence[Item] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.cycle = list(cycle)

    @classmethod
    def found(
        cls, cycle: Sequence[Item], *, name: str = "", hint: str = BREAK_CYCLES
    ) -> CycleError:
        """Return the error for a cycle in the order called `name`."""
        where = f" in {name}" if name else ""
        path = listed(cycle, separator=" > ")
        return cls(f"expected an order, found the cycle {path}{where}", cycle=cycle, hint=hint)


class ItemMismatchError(PorankError):
    """Two orders to compare have different items.

    Attributes
    ----------
    only_target, only_predicted : list
        Items that only one of the orders has.

    See Also
    --------
    align

    Examples
    --------
    >>> import porank as po
    >>> error = po.errors.ItemMismatchError.found(["a"], ["x", "y"])
    >>> error.only_predicted
    ['x', 'y']
    >>> print(error)
    expected the same items in both orders, found only in target: 'a'; only in predicted: 'x', 'y';
    align(target, predicted) keeps what both have; evaluate judges lists of the top k
    """

    def __init__(
        self,
        message: str,
        *,
        only_target: Sequence[Item] = (),
        only_predicted: Sequence[Item] = (),
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.only_target = list(only_target)
        self.only_predicted = list(only_predicted)

    @classmethod
    def found(
        cls,
        only_target: Sequence[Item],
        only_predicted: Sequence[Item],
        *,
        names: tuple[str, str] = ("target", "predicted"),
        where: str = "",
        hint: str = ALIGN,
    ) -> ItemMismatchError:
        """Return the error for orders with different items; it names those on one side only."""
        sides = zip(names, (only_target, only_predicted), strict=True)
        found = "; ".join(f"only in {name}: {listed(items)}" for name, items in sides if items)
        return cls(
            f"expected the same items in both orders, found {found}{where}",
            only_target=only_target,
            only_predicted=only_predicted,
            hint=hint,
        )


class TieError(PorankError):
    """Items are tied, but the edges treat them differently.

    Attributes
    ----------
    tied : list
        The two items.
    witness : object
        An item that is related to only one of the two, or to both in different ways; or one of the
        two themselves if they are related to each other.

    See Also
    --------
    ParseError

    Examples
    --------
    >>> import porank as po
    >>> error = po.errors.TieError("...", tied=["a", "b"], witness="c")
    >>> error.tied, error.witness
    (['a', 'b'], 'c')
    """

    def __init__(self, message: str, *, tied: Sequence[Item] = (), witness: Item = None) -> None:
        super().__init__(message)
        self.tied = list(tied)
        self.witness = witness


class ParseError(PorankError):
    """A text or a file does not have the expected format.

    Attributes
    ----------
    line, column : int
        Place of the error, both counted from 1; column 0 means the whole line.
    text : str
        The line itself.

    See Also
    --------
    Problem, TieError, PorankError, CycleError

    Examples
    --------
    >>> import porank as po
    >>> error = po.errors.ParseError.at("expected an item", line=1, column=5, text="A > ")
    >>> error.line, error.column
    (1, 5)
    >>> print(error)
    line 1, column 5: expected an item
      A >
          ^
    """

    def __init__(
        self,
        message: str,
        *,
        line: int = 0,
        column: int = 0,
        text: str = "",
        hint: str = "",
        source: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint, source=source)
        self.line = line
        self.column = column
        self.text = text

    @classmethod
    def at(cls, message: str, *, line: int, column: int, text: str, source: str = "") -> ParseError:
        """Return the error at a line and column, showing the line with a caret."""
        return cls(message, column=column).placed(line=line, text=text, source=source)

    def placed(self, *, line: int, text: str, source: str = "") -> ParseError:
        """Return the error with the line and the file in which it occurred."""
        self.line, self.text, self.source = line, text, source
        return self

    def __str__(self) -> str:
        if self.source is None or not self.line or not self.text:
            return super().__str__()
        # If the line is long, only the part around the column is shown.
        start = max(0, self.column - 60)
        excerpt = self.text[start : start + 100]
        lines = f"{super().__str__()}\n  {excerpt}"
        if not self.column:
            return lines
        before = excerpt[: self.column - 1 - start]
        indent = "".join("\t" if letter == "\t" else " " for letter in before)
        return f"{lines}\n  {indent}^"

    def _place(self) -> str:
        if self.source is None:
            return ""
        line = [f"line {self.line}"] if self.line else []
        column = [f"column {self.column}"] if self.line and self.column else []
        return ", ".join([*filter(None, [self.source]), *line, *column])


class GraphTypeError(PorankError, TypeError):
    """An argument is neither a directed graph without parallel edges nor ranks or scores.

    See Also
    --------
    PorankError

    Examples
    --------
    >>> import porank as po
    >>> issubclass(po.errors.GraphTypeError, TypeError)
    True
    """


class UndefinedError(PorankError):
    """A measure is 0/0, and the caller passed ``undefined="raise"``.

    Attributes
    ----------
    why : str
        Reason why the measure is undefined.

    See Also
    --------
    NotApplicableError

    Examples
    --------
    >>> import porank as po
    >>> po.errors.UndefinedError("...", why="there is no pair of items").why
    'there is no pair of items'
    """

    def __init__(self, message: str, *, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class NotApplicableError(PorankError):
    """A function does not apply to this kind of order.

    See Also
    --------
    UndefinedError

    Examples
    --------
    >>> import porank as po
    >>> issubclass(po.errors.NotApplicableError, po.PorankError)
    True
    """


_WITHOUT_IDEALS = "expected_ranks(G) and random_linear_extensions(G, size) do without"


class TooManyIdealsError(PorankError):
    """An exact answer needs more ideals of an order than allowed.

    An ideal is a set of items that contains all items above each of its items. Exact counting takes
    time and memory in proportion to their number.

    Attributes
    ----------
    max_ideals : int
        Number of ideals that the caller allowed.
    reached : int
        Number of ideals counted before the error, all with at most `placed` items.
    placed, items : int
        Number of items placed so far, best first, and number of items in that part of the order.

    See Also
    --------
    random_linear_extensions, expected_ranks

    Examples
    --------
    >>> import porank as po
    >>> print(po.errors.TooManyIdealsError.found(max_ideals=1000, reached=780, placed=3, items=40))
    expected at most 1,000 ideals, found more: 780 had been made when 3 of 40 items were placed;
    max_ideals= allows more of them, expected_ranks(G) and random_linear_extensions(G, size) do
    without
    """

    def __init__(
        self,
        message: str,
        *,
        max_ideals: int = 0,
        reached: int = 0,
        placed: int = 0,
        items: int = 0,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.max_ideals = max_ideals
        self.reached = reached
        self.placed = placed
        self.items = items

    @classmethod
    def found(cls, *, max_ideals: int, reached: int, placed: int, items: int) -> TooManyIdealsError:
        """Return the error for more ideals than `max_ideals`."""
        return cls(
            f"expected at most {counted(max_ideals, 'ideal')}, found more: {reached:,} had "
            f"been made when {placed} of {counted(items, 'item')} were placed",
            max_ideals=max_ideals,
            reached=reached,
            placed=placed,
            items=items,
            hint=f"max_ideals= allows more of them, {_WITHOUT_IDEALS}",
        )

    @classmethod
    def too_wide(cls, *, width: int, items: int) -> TooManyIdealsError:
        """Return the error for a part of an order whose ideals do not fit 63 bits."""
        return cls(
            f"expected few chains, so an ideal fits 63 bits as a number of items of each, found "
            f"{counted(width, 'chain')} of {counted(items, 'item')}",
            items=items,
            hint=_WITHOUT_IDEALS,
        )


class MissingExtraError(PorankError, ImportError):
    """An optional library is missing.

    See Also
    --------
    PorankError

    Examples
    --------
    >>> import porank as po
    >>> [issubclass(po.errors.MissingExtraError, kind) for kind in (po.PorankError, ImportError)]
    [True, True]
    """


def warn(message: str) -> None:
    """Issue a warning that points to the line that called porank."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("porank."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def listed(items: Iterable[object], *, separator: str = ", ", limit: int = 8) -> str:
    """Return items as a list for a message, with ... after the first `limit` of them."""
    texts = list(map(quoted, islice(items, limit + 1)))
    if len(texts) > limit:
        texts[limit] = "..."
    return separator.join(texts)


def quoted(value: object) -> str:
    """Return the text of a value for a message: its repr, without the name of its NumPy type."""
    try:
        text = repr(value)
        if text.startswith("np.") and hasattr(value, "item"):
            text = str(value) if "time" in text else repr(value.item())
        return text
    except (ValueError, RecursionError):  # such as a whole number of 4,301 digits
        return f"{a_kind(value)} that is too long to write"


def plain_text(value: object) -> str:
    """Return the text of a value, or its kind if the text is too long."""
    try:
        return str(value)
    except (ValueError, RecursionError):
        return quoted(value)


def a_kind(value: object) -> str:
    """Return the kind of an object for a message: a list, an int."""
    return with_article(type(value).__name__)


def with_article(noun: str) -> str:
    """Return a noun, such as the name of a type, with its article."""
    return f"{'an' if noun[0] in 'aeioAEIO' else 'a'} {noun}"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural unless the number is 1."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
