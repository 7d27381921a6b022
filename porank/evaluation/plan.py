"""Which measures are wanted, under which names and with which options."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_count
from porank.errors import NotApplicableError, PorankError, UndefinedError, listed
from porank.evaluation.gain_kernels import GRADE
from porank.evaluation.kernels import kernel_of
from porank.evaluation.named_measure import named_measure
from porank.measures.catalogue import find_measure
from porank.measures.measure import require_choice

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.evaluation.findings import Findings
    from porank.measures.measure import Measure

#: The measures that are taken where none are named.
USUAL = ("gamma", "completeness", "kendall_tau", "jaccard", "edrc")
#: Options that speak of items, and cannot be tried on two items of no group.
OF_ITEMS = {"weights", "relevance", "prior", "dissimilarity", "position_costs"}


@dataclass(frozen=True)
class Column:
    """A measure in a column of results.

    Attributes
    ----------
    name : str
        The name of the column.
    measure : Measure
        The entry in the list of measures.
    options : dict
        What is given to its function, ``undefined`` apart.
    undefined : float or "raise"
        What stands for 0/0.
    kernel : callable or None
        What works it out for blocks of groups, if anything does.
    """

    name: str
    measure: Measure
    options: dict[str, Any]
    undefined: Any
    kernel: Callable[..., Findings] | None

    @property
    def needs_grades(self) -> bool:
        """Whether the numbers of the target themselves are asked for."""
        relevance = self.options.get("relevance")
        return isinstance(relevance, str) and relevance == GRADE


def read_measures(measures: Any, *, undefined: Any = math.nan) -> list[Column]:
    """Return the columns of measures that are wanted.

    Parameters
    ----------
    measures : iterable of names, or mapping
        Names, or functions, of measures; or the name of a column -> a name, or (name, options).
    undefined : float or "raise"
        What stands for 0/0 where options do not say.

    Examples
    --------
    >>> [column.name for column in read_measures(["gamma", "jaccard"])]
    ['gamma', 'jaccard']
    >>> wanted = read_measures({"ndcg@10": ("ndcg", {"k": 10})})
    >>> wanted[0].measure.name, wanted[0].options
    ('ndcg', {'k': 10})
    """
    _require_undefined(undefined)
    columns = [
        _column(name, measure, options, undefined) for name, measure, options in _entries(measures)
    ]
    if not columns:
        raise PorankError("expected at least one measure, found none")
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise PorankError(f"expected each measure once, found again: {listed(twice)}")
    return columns


def _require_undefined(undefined: Any) -> None:
    """Raise an error for what is no choice, or would make every mean infinite."""
    require_choice(undefined)
    if not isinstance(undefined, str) and math.isinf(undefined):
        raise PorankError(
            f"expected a finite number, nan or 'raise' as undefined, found {undefined!r}"
        )


def _entries(measures: Any) -> list[tuple[str, Any, Mapping[str, Any]]]:
    """Return name of column, measure and options of each entry."""
    if isinstance(measures, str) or callable(measures):
        measures = [measures]
    if isinstance(measures, Mapping):
        return [_named_entry(name, entry) for name, entry in measures.items()]
    if not isinstance(measures, Iterable):
        raise PorankError(
            "expected names of measures, or a mapping of columns to them, as measures, "
            f"found {measures!r}"
        )
    entries: list[tuple[str, Any, Mapping[str, Any]]] = []
    for measure in measures:
        if not isinstance(measure, str) and not callable(measure):
            raise PorankError(
                f"expected the name of a measure, found {measure!r}; options stand in a mapping, "
                "{'ndcg@10': ('ndcg', {'k': 10})}"
            )
        entries.append((find_measure(measure).name, measure, {}))
    return entries


def _named_entry(name: Any, entry: Any) -> tuple[str, Any, Mapping[str, Any]]:
    if not isinstance(name, str):
        raise PorankError(f"expected a text as name of a column of measures, found {name!r}")
    if isinstance(entry, str) or callable(entry):
        return name, entry, {}
    is_pair = isinstance(entry, (tuple, list)) and len(entry) == 2
    if not is_pair or not isinstance(entry[1], Mapping):
        raise PorankError(f"expected a name or (name, options) for {name!r}, found {entry!r}")
    return name, entry[0], entry[1]


def _column(name: str, measure: Any, given: Mapping[str, Any], undefined: Any) -> Column:
    entry = named_measure(measure, given)
    options = dict(entry.options)
    undefined = options.pop("undefined", undefined)
    _require_undefined(undefined)
    if options.get("k") is not None:
        options["k"] = require_count(options["k"], name="k", least=1)
    _try_out(name, entry, options)
    return Column(name, entry, options, undefined, kernel_of(entry.function.__name__, options))


def _try_out(name: str, entry: Measure, options: Mapping[str, Any]) -> None:
    """Raise an error if an option is out of its range, by asking for the value on two items."""
    tried = {option: value for option, value in options.items() if option not in OF_ITEMS}
    if tried.get("k") is not None:
        tried["k"] = 1
    if isinstance(options.get("relevance"), str):
        tried["relevance"] = {0: 1, 1: 0}
    try:
        entry.function({0: 1, 1: 0}, {0: 1, 1: 0}, **tried)
    except (NotApplicableError, UndefinedError):
        pass
    except PorankError as error:
        raise PorankError(f"{error}, option of {name!r}") from None
