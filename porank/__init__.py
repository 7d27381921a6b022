"""porank: partial orders as graphs.

An edge ``u -> v`` of a networkx DiGraph means that u is preferred to v. Every function reads a
graph as its transitive closure.

The public names are listed in ``__init__.pyi`` with the modules that define them. A name is
imported when it is first used, so `import porank` is fast.
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
        r"^from (\S+) import (\w+) as \2$",
        Path(__file__).with_suffix(".pyi").read_text("utf-8"),
        re.M,
    )
}
#: A star import uses each name, and must not fail for those that need scikit-learn.
__all__ = [
    name
    for name, module in _HOMES.items()
    if not re.fullmatch(r"porank\.learning\.\w+_ranker", module) or find_spec("sklearn")
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, and keep it."""
    if name not in _HOMES:
        from porank.other_names import OTHER_NAMES

        message = f"module {__name__!r} has no attribute {name!r}"
        if known := OTHER_NAMES.get(name.lower()):
            raise AttributeError(f"{message}. Did you mean: {known!r}?")
        # For other names Python itself suggests the most similar one.
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """Return the names of the module, including those not imported yet."""
    return sorted({*globals(), *__all__})
