"""Print the oldest version declared of each dependency of porank and its tests, for pip.

The lower bounds stand in pyproject.toml and nowhere else.

Usage: python .ci/oldest.py > constraints.txt && pip install -c constraints.txt '.[test]'
"""

import re
import sys
import tomllib
from pathlib import Path

pyproject = Path(__file__).parents[1] / "pyproject.toml"
project = tomllib.loads(pyproject.read_text("utf-8"))["project"]
requirements = list(project["dependencies"])
for extra in ("learn", "scale", "test"):
    requirements += project["optional-dependencies"][extra]
for requirement in requirements:
    bound = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", requirement)
    if bound:
        sys.stdout.write(f"{bound[1]}=={bound[2]}\n")
    elif not requirement.startswith("porank["):
        sys.exit(f"expected a requirement like 'name>=1.2', found {requirement!r}")
