"""Labels as numbers that depend on nothing but the label: the same on every machine.

Idea: *equal labels have equal numbers, whatever their types.* The hash that Python has for numbers
is such a one; the one it has for texts differs from process to process and is not.
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

#: What Python takes the hashes of numbers by: equal numbers of any types have equal ones.
_MODULUS = (1 << 61) - 1
_WORD = (1 << 64) - 1


def integer_words(values: NDArray[Any]) -> Words:
    """Return a word for each integer of an array, the one that `label_words` has for it.

    Examples
    --------
    >>> bool((integer_words(np.array([7, -1])) == label_words([7.0, -1])).all())
    True

    Notes
    -----
    Time O(values), some nanoseconds each.
    """
    return mixed(_hashes_of_integers(values))


def label_words(labels: Sequence[Any], *, other: Callable[[Any], int] | None = None) -> Words:
    """Return a word for each label, equal ones having the same.

    Parameters
    ----------
    labels : sequence
        Hashable labels.
    other : callable, optional
        A number of labels that are no numbers, texts, or tuples of these. By default all have one:
        of objects of any types nobody knows which are equal.

    Examples
    --------
    >>> words = label_words([1, True, "tea", 1.5])
    >>> len(set(words.tolist())), bool(words[0] == words[1])
    (3, True)

    Notes
    -----
    Time O(labels), some microseconds each.
    """
    known = other or _alike
    hashes = [_hash_of(label, known) & _WORD for label in labels]
    return mixed(np.array(hashes, dtype=np.uint64))


def joined_words(columns: Sequence[Words]) -> Words:
    """Return a word for each row of several columns of words.

    Examples
    --------
    >>> one, other = np.array([[1, 1, 2], [5, 6, 5]], dtype=np.uint64)
    >>> len(set(joined_words([one, other]).tolist()))
    3
    """
    together = columns[0]
    for other in columns[1:]:
        together = mixed(together * np.uint64(3) + other)
    return together


def mixed(words: Words) -> Words:
    """Return words whose every bit depends on all bits of those given (the end of SplitMix64).

    Examples
    --------
    >>> mixed(np.array([0, 1], dtype=np.uint64)).tolist()
    [0, 6238072747940578789]
    """
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _alike(label: Any) -> int:
    del label
    return 0


def _hash_of(label: Any, other: Callable[[Any], int]) -> int:
    """Return a number that equal labels share, in whatever process."""
    if isinstance(label, Number):
        return hash(label)
    if isinstance(label, str):
        return crc32(label.encode("utf-8", "surrogatepass"))
    if isinstance(label, bytes):
        return crc32(label)
    if isinstance(label, tuple):
        words = ((_hash_of(each, other) & _WORD).to_bytes(8, "little") for each in label)
        return crc32(b"".join(words))
    return other(label)


def _hashes_of_integers(values: NDArray[Any]) -> Words:
    """Return the hashes that Python has for integers, as words of 64 bits."""
    if values.dtype.kind == "u":
        return values.astype(np.uint64) % np.uint64(_MODULUS)
    signed = values.astype(np.int64)
    if signed.size and int(signed.min()) > -_MODULUS and int(signed.max()) < _MODULUS:
        hashes = signed
    else:
        # The absolute value of the lowest integer is itself: as a word it is right.
        size = np.abs(signed).view(np.uint64) % np.uint64(_MODULUS)
        hashes = np.where(signed < 0, -size.view(np.int64), size.view(np.int64))
    return np.where(hashes == -1, np.int64(-2), hashes).view(np.uint64)
