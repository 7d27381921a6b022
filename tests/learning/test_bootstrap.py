"""Orders of bootstrap samples."""

from collections.abc import Callable
from typing import Any

import pytest

import porank as po


def test_instances_are_something_to_draw_rows_of() -> None:
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: po.bootstrap_orders(len, "abc"), po.PorankError, "found a str"),
        (
            lambda: po.bootstrap_orders(len, ([1], [2])),
            po.PorankError,
            r"found a tuple; .*range\(n\)",
        ),
        (lambda: po.bootstrap_orders(len, []), po.PorankError, "at least one instance"),
    ]
    for call, error, word in refused:
        with pytest.raises(error, match=word):
            call()
