"""Errors: one family, evidence kept whole, through pickles too."""

from __future__ import annotations

import pickle

import pytest

from porank import errors


@pytest.mark.parametrize(
    "error",
    [
        errors.CycleError.found(["a", "b", "a"], name="target"),
        errors.ItemMismatchError.found(["a"], ["b"]),
        errors.TieError("tied", tied=["a", "b"], witness="c"),
        errors.ParseError.at("expected an item", line=2, column=3, text="a > "),
        errors.GraphTypeError("expected a graph"),
        errors.UndefinedError("0/0"),
        errors.NotApplicableError("no"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_family_and_pickle(error: errors.PorankError) -> None:
    assert isinstance(error, errors.PorankError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_long_evidence_is_cut_in_the_message_and_whole_on_the_attribute() -> None:
    error = errors.CycleError.found([*range(1000), 0])
    assert len(error.cycle) == 1001
    assert len(str(error)) < 300
    assert "0 > 1 > 2 > 3 > 4 > 5 > 6 > 7 > ..." in str(error)
    mismatch = errors.ItemMismatchError.found(list(range(1000)), [])
    assert len(mismatch.only_target) == 1000
    assert mismatch.only_predicted == []
    assert "only in predicted" not in str(mismatch)
    assert len(str(mismatch)) < 200


def test_a_parse_error_points() -> None:
    error = errors.ParseError.at("expected x", line=1, column=3, text="\ta > b", source="f.txt")
    assert str(error).splitlines() == ["f.txt, line 1, column 3: expected x", "  \ta > b", "  \t ^"]
    assert (error.line, error.column, error.text) == (1, 3, "\ta > b")
    whole = errors.ParseError.at("expected y", line=4, column=0, text="z")
    assert str(whole).splitlines() == ["line 4: expected y", "  z"]
