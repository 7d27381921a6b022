"""porank: partial orders as graphs.

An edge ``u -> v`` of a networkx DiGraph means that u is preferred to v. Every function reads a
graph as its transitive closure.

The public names are listed in ``__init__.pyi`` with the modules that define them. A name is
imported when it is first used, so `import porank` is fast. Names that fewer users need are in
`porank.measures`, `porank.orders`, `porank.errors` and `porank.results`.
"""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

#: The module that defines each public name.
_HOMES = {
    name: module
    for module, name in re.findall(
        r"^from (porank\.\S+) import (\w+) as \2$",
        Path(__file__).with_suffix(".pyi").read_text("utf-8"),
        re.M,
    )
}
_MODULES = ("measures", "orders", "errors", "results")
#: A star import uses each name, and must not fail for those that need scikit-learn.
__all__ = [
    name
    for name, module in _HOMES.items()
    if not re.fullmatch(r"porank\.learning\.\w+_ranker", module) or find_spec("sklearn")
]


def __getattr__(name: str) -> Any:
    """Import a public name or module when it is first used, and keep it."""
    if name in _MODULES:
        return import_module(f"porank.{name}")
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        if known := _known_name(name):
            raise AttributeError(f"{message}. Did you mean: {known!r}?")
        # For other names Python itself suggests the most similar one.
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def _known_name(name: str) -> str | None:
    """Return the name in porank, or the line, that does what a name of other libraries does."""
    from porank.other_names import OTHER_NAMES

    modules = () if name.startswith("_") else _MODULES
    inside = (f"{each}.{name}" for each in modules if hasattr(__getattr__(each), name))
    return OTHER_NAMES.get(name.lower()) or next(inside, None)


def __dir__() -> list[str]:
    """Return the names of the module, including those not imported yet."""
    return sorted({*globals(), *__all__, *_MODULES})
