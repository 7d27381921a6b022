"""What is refused in words."""

from collections.abc import Callable
from typing import Any

import pytest

from porank.errors import PorankError


def refuses(
    words: str,
    function: Callable[..., Any],
    *given: Any,
    error: type[Exception] = PorankError,
    **options: Any,
) -> None:
    """Require of a call an error whose message matches some words."""
    with pytest.raises(error, match=words or None):
        function(*given, **options)
