"""porank: partial orders as graphs.

An edge ``u -> v`` of a networkx DiGraph says that u is preferred to v. What a graph says is its
transitive closure, and every function reads it so.

The public names stand in ``__init__.pyi``, each with the module that defines it. A name is looked
up there when it is first asked for, so that `import porank` loads the names and not the house.
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
#: A star import asks for each name, and must not fail for those that need scikit-learn.
__all__ = [
    name
    for name, module in _HOMES.items()
    if not re.fullmatch(r"porank\.learning\.\w+_ranker", module) or find_spec("sklearn")
]


def __getattr__(name: str) -> Any:
    """Return a public name, and keep it, when it is first asked for."""
    if name not in _HOMES:
        from porank.other_names import OTHER_NAMES

        message = f"module {__name__!r} has no attribute {name!r}"
        if known := OTHER_NAMES.get(name.lower()):
            raise AttributeError(f"{message}. Did you mean: {known!r}?")
        # For anything else Python itself suggests the most similar name.
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    """Return the names of the module, with those that are only there when asked for."""
    return sorted({*globals(), *__all__})
