"""How hypothesis searches: without a clock, since a busy machine is no failure."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("porank", deadline=None)
# Where CI is set, hypothesis itself chooses: no deadline, and the same examples every time.
if "CI" not in os.environ:
    settings.load_profile("porank")
