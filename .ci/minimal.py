"""Print the lowest supported version of each runtime dependency, as constraints for pip.

The lower bounds stand in pyproject.toml and nowhere else.

Usage: python .ci/minimal.py > constraints.txt && pip install -c constraints.txt '.[test]'
"""

import re
import sys
import tomllib
from pathlib import Path

pyproject = Path(__file__).parents[1] / "pyproject.toml"
for requirement in tomllib.loads(pyproject.read_text("utf-8"))["project"]["dependencies"]:
    bound = re.fullmatch(r"([\w.-]+)\s*>=\s*([\d.]+)", requirement)
    if bound is None:
        sys.exit(f"expected a requirement like 'name>=1.2', found {requirement!r}")
    sys.stdout.write(f"{bound[1]}=={bound[2]}\n")
