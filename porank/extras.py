"""Libraries that come with an extra: imported where they are used, named when they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from porank.errors import PorankError


class MissingExtraError(PorankError, ImportError):
    """A library is needed that porank does not install by itself.

    Examples
    --------
    >>> issubclass(MissingExtraError, PorankError) and issubclass(MissingExtraError, ImportError)
    True
    """


def load(module: str, extra: str) -> Any:
    """Return a module that comes with an extra of porank.

    Parameters
    ----------
    module : str
        The module to import, such as ``"scipy.optimize"``.
    extra : str
        The extra that installs it.

    Examples
    --------
    >>> load("json", "none at all").dumps([1])
    '[1]'
    >>> load("no_such_library", "optimize")
    Traceback (most recent call last):
    porank.extras.MissingExtraError: expected no_such_library to be installed;
    pip install 'porank[optimize]' does so
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != library:
            raise  # the library is there and lacks something of its own
        raise MissingExtraError(
            f"expected {library} to be installed; pip install 'porank[{extra}]' does so"
        ) from None
