"""Who won each battle of a log: the reader `BattleResults`.

A cell names an item, or has a code: words for the two sides, the numbers 1 and 2 of the sides, the
score 1, 0 or .5 of the first item, win or loss, or both scores, such as 1-0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import distinct
from porank.core.columns import Texts, encoded, is_missing, spread
from porank.core.csv_cells import plain_name
from porank.core.labels import Faults
from porank.errors import PorankError, plain_text, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.typing import Numbers


#: The outcome of each word or number: the first item wins, the second, they tie, or both are bad.
_CODES = {
    **dict.fromkeys(("modela", "a", "left", "player1", "home", "h", "white", "1", "1.0", "1-0"), 0),
    **dict.fromkeys(("modelb", "b", "right", "player2", "away", "black", "2", "2.0", "0-1"), 1),
    **dict.fromkeys(("tie", "tied", "draw", "d", "1/2-1/2", "0.5-0.5", ".5-.5"), 2),
    **dict.fromkeys(("bothbad", "tiebothbad"), 3),
}
#: The scores or results of the first item, which no column of winners has; 1 is above.
_OF_FIRST = {
    **dict.fromkeys(("0", "0.0", "loss", "lost", "l"), 1),
    **dict.fromkeys(("0.5", ".5", "1/2"), 2),
    **dict.fromkeys(("win", "won", "w"), 0),
}
_BRACKETS = str.maketrans("", "", "()")
_EXPECTED = "expected 'model_a', 'model_b', 'tie', 'both_bad' or one of the models as winner"
_OR_RESULT = ", or a result such as 1, win or 1-0"
_WINNERS = "columns={'winner': ...}, or --columns winner=..., reads items"


class BattleResults:
    """A reader of the results of battles; in a column of winners, an item comes before a code."""

    def __init__(self, columns: Iterable[Any], are_winners: bool) -> None:
        names = list(map(plain_name, columns))
        self._are_winners = are_winners or any("winner" in name for name in names)
        # Beside a column called away, A is the second item.
        is_away = any(name.startswith("away") for name in names)
        self._codes = _CODES | _OF_FIRST | {"a": int(is_away)}
        self._read: dict[str, int] = {}
        #: The first characters of the codes so far.
        self._signs: set[str] = set()

    def __call__(self, first: Any, second: Any, results: Any) -> tuple[Numbers, Faults]:
        """Return the outcomes of a block of battles, and the faults of bad rows."""
        outcomes, faults = [], Faults()
        columns = first, second, results
        if all(isinstance(column, Texts) for column in columns):
            row, index = distinct(*(column.index for column in columns))
            battles = Texts(list(zip(*(column[row] for column in columns), strict=True)), index)
        else:
            battles = encoded(list(zip(*columns, strict=True)))
        for place, (one, two, result) in enumerate(battles.different):
            try:
                outcome = [one, two].index(result)
                is_clear = self._are_winners or self._code_of(result) in (-1, outcome)
            except ValueError:  # neither of them
                outcome, is_clear = self._code_of(result), True
                self._signs.add(plain_text(result).strip()[:1])
            if is_missing(one) or is_missing(two):
                faults.append((place, f"expected two items, found {quoted(one)} and {quoted(two)}"))
            elif not isinstance(one, np.ndarray) and one == two:
                faults.append((place, f"expected two different items, found {quoted(one)} twice"))
            elif outcome < 0:
                expected = _EXPECTED if self._are_winners else _EXPECTED + _OR_RESULT
                faults.append((place, f"{expected}, found {quoted(result)}"))
            elif not is_clear:
                faults.append((place, f"expected an item or a side, found {result!r}; {_WINNERS}"))
            outcomes.append(outcome)
        if {"0", "2"} <= self._signs:
            expected = "expected the results 1, 0 and .5, or 1, 2 and draw, found 0 and 2"
            raise PorankError(expected, hint="write draw for either")
        return spread(np.array(outcomes, dtype=np.int64), faults, battles.index)

    def _code_of(self, result: Any) -> int:
        """Return the outcome that a code stands for, -1 if there is none."""
        text = plain_text(result)
        if text not in self._read:
            self._read[text] = self._outcome_of(text)
        return self._read[text]

    def _outcome_of(self, code: str) -> int:
        text = code.strip().lower().replace("–", "-").replace("½", "1/2")
        if self._are_winners and text in _OF_FIRST:
            return -1
        word = plain_name(text).translate(_BRACKETS) if any(map(str.isalpha, text)) else text
        return self._codes.get(word, -1)
