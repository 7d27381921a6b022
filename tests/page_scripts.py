"""Lint the scripts of the interactive pages: ``python -m tests.page_scripts``.

Each script is checked after those that a page loads before it, so a name that only a later one has
is undefined: the scripts import downward, as the modules do.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from porank.drawing.page import page

CONFIG = {"env": {"browser": True, "es2024": True}, "rules": {"no-undef": "error"}}


def main() -> int:
    """Write what each page has loaded after each of its scripts, and lint it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scripts in page.SCRIPTS.items():
            for end in range(1, len(scripts) + 1):
                text = "".join(page.web_file(f"{each}.js") for each in scripts[:end])
                (Path(folder) / f"{name}_{scripts[end - 1]}.js").write_text(text, "utf-8")
        # The first page loads all of its scripts for itself, so nothing in them may be unused.
        text = "".join(page.web_file(f"{each}.js") for each in page.SCRIPTS["page"])
        (whole := Path(folder) / "whole.js").write_text(f"(() => {{\n{text}}})();", "utf-8")
        (config := Path(folder) / "config.json").write_text(json.dumps(CONFIG), "utf-8")
        usual = ["oxlint", "--config", str(config), "--deny-warnings"]
        parts = subprocess.call([*usual, "-A", "no-unused-vars", folder])
        return max(parts, subprocess.call([*usual, str(whole)]))


if __name__ == "__main__":
    sys.exit(main())
