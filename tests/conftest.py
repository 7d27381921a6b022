"""Before any test: porank is imported whole, and hypothesis searches without a clock.

A busy machine is no failure.
"""

from __future__ import annotations

import os

from hypothesis import settings

# A module that pytest comes to before the package has been imported is executed twice, and its
# classes are no longer those that the others know.
import porank  # noqa: F401

settings.register_profile("porank", deadline=None)
# Where CI is set, hypothesis itself chooses: no deadline, and the same examples every time.
if "CI" not in os.environ:
    settings.load_profile("porank")
