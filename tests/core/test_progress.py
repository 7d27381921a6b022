"""A progress bar shows in a terminal and in a notebook, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from porank.core.progress import track

CODE = """
from porank.core.progress import track
assert list(track(range(3), progress={progress}, label="closing")) == [0, 1, 2]
"""


def printed(progress: bool, *, terminal: bool) -> str:
    """What a process writes to standard error, when that is a terminal or a pipe."""
    command = [sys.executable, "-c", CODE.format(progress=progress)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if not terminal:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return run.stderr
    pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
    termios = pytest.importorskip("termios", reason="only POSIX has pseudo-terminals")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    os.set_blocking(ours, False)
    try:
        subprocess.run(command, env=environment, stderr=theirs, check=True)
        return os.read(ours, 10_000).decode()
    except BlockingIOError:  # nothing was written
        return ""
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("progress", "terminal", "shows"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_where_the_bar_shows(progress: bool, terminal: bool, shows: bool) -> None:
    assert ("closing" in printed(progress, terminal=terminal)) is shows


def test_without_progress_nothing_is_wrapped() -> None:
    things = [1, 2]
    assert track(things, progress=False, label="-") is things
