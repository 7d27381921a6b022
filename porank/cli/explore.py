"""The command ``porank explore LOG``: all that a log says, and what it does not, on one page."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, command, names, whole
from porank.cli.mine import LOG, LOG_READING, open_log, reading_options
from porank.cli.writing import FORCE, require_writable, use_no_window, write_output
from porank.clicks.feedback import DEGREES
from porank.clicks.units import UNITS
