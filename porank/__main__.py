"""The command line, as ``python -m porank``."""

import sys

from porank.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
