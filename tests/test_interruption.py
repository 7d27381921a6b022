"""Which processes are the command line, and what they show of what nobody caught."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from porank.cli.interruption import end_quietly, is_command

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("python3 /usr/bin/porank ranks", True),
        ("python3 -m porank ranks", True),
        ("python3 -mporank", True),
        ("python3 -Im porank demo", True),
        ("python3 -W error -X dev -m porank", True),
        ("python3 -Werror -Ximporttime porank.exe", True),
        ("python3 --check-hash-based-pycs always -m porank", True),
        ("python3", False),
        ("python3 -i", False),
        ("python3 -", False),
        ("python3 study.py -m porank", False),
        ("python3 study.py porank", False),
        ("python3 -m pytest porank", False),
        ("python3 -c pass porank", False),
        ("python3 -W", False),
    ],
)
def test_the_command_line_is_known_by_the_words_of_its_process(line: str, expected: bool) -> None:
    assert is_command(line.split()) == expected


def test_an_interruption_is_quiet_and_an_error_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    for error in (KeyboardInterrupt(), ValueError("seven")):
        end_quietly(type(error), error, None)
    assert capsys.readouterr().err == "ValueError: seven\n"


@pytest.mark.slow
def test_the_hook_of_a_program_that_imports_porank_stays(tmp_path: Path) -> None:
    program = tmp_path / "study.py"
    program.write_text(
        "import sys\nbefore = sys.excepthook\nimport porank\nprint(sys.excepthook is before)\n"
    )
    done = subprocess.run(
        [sys.executable, str(program), "-m", "porank"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
