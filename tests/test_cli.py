"""The command line, in this process for its answers and as a process for its exit codes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import porank
from porank import cli
from porank.demo import NEXT, demonstration
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    import argparse

CHECKOUT = Path(__file__).parents[1]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run porank in a process of its own and return what it wrote, in bytes."""
    return subprocess.run(
        [sys.executable, "-m", "porank", *arguments],
        cwd=CHECKOUT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr() == (f"porank {porank.__version__}\n", "")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert all(re.search(rf"^ +{command} ", out, re.M) for command in cli.COMMANDS)
    assert "Show what porank can do" in out


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: porank {command}")


def test_without_a_command_it_helps_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: porank")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["--loud"], "unrecognized arguments: --loud"),
        (["demo", "more"], "unrecognized arguments: more"),
    ],
)
def test_wrong_use_is_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("porank: ")
    assert reason in err
    assert err.endswith("porank --help tells what can be given\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (PorankError("expected an order, found none"), "porank: expected an order, found none\n"),
        (
            ParseError.at("expected an item", line=1, column=5, text="A > "),
            "porank: line 1, column 5: expected an item\n",
        ),
        (FileNotFoundError(2, "No such file", "x"), "porank: [Errno 2] No such file: 'x'\n"),
    ],
)
def test_what_stops_a_command_is_one_line(
    error: Exception,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(_: argparse.Namespace) -> None:
        raise error

    monkeypatch.setitem(cli.COMMANDS, "stop", stop)
    assert cli.main(["stop"]) == 2
    assert capsys.readouterr() == ("", line)


def test_a_mistake_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: argparse.Namespace) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(cli.COMMANDS, "fail", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["fail"])


def test_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo"]) == 0
    assert capsys.readouterr() == (demonstration(), "")


@pytest.mark.parametrize(
    "line",
    [
        "  target                A > C, A > D, A > E, B > D, C > D",
        "    in short            A > C > D; A > E; B > D",
        "  comparable pairs    5          7",
        "  target     none                  A > D",
        "  predicted  C > E                 none",
        "  a cycle               A > D > A",
        "  fewest edges to drop  D > A",
    ],
)
def test_demo_says(line: str) -> None:
    assert line in demonstration().splitlines()


def test_demo_ranks_as_the_paper_does() -> None:
    _, _, after = demonstration().partition("item  rank")
    lines = after.split("\n\n")[0].splitlines()[2:]
    assert [tuple(line.split()) for line in lines] == [
        ("A", "1"),
        ("B", "1"),
        ("C", "2"),
        ("E", "2"),
        ("D", "3"),
    ]


def test_demo_fits_into_a_narrow_terminal() -> None:
    assert max(map(len, demonstration().splitlines())) <= 80


def test_what_the_demo_proposes_works(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    answers = []
    for line in NEXT:
        assert f"  >>> {line}" in demonstration().splitlines()
        try:
            answers.append(eval(line, names))
        except SyntaxError:
            exec(line, names)
    assert answers == [
        None,
        {"espresso": 1, "cocoa": 2, "tea": 1, "water": 3},
        True,
        ["paper", "rock", "scissors", "paper"],
        None,
    ]
    printed = capsys.readouterr().out
    assert "comparable pairs" in printed
    assert "kendall_tau" in printed


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--version"], 0), (["demo"], 0), ([], 2), (["dance"], 2)]
)
def test_exit_codes(arguments: list[str], code: int) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_demo_where_only_ascii_can_be_written() -> None:
    done = run("demo", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii").splitlines() == demonstration().splitlines()


def test_names_that_cannot_be_written_are_escaped() -> None:
    program = (
        "import sys; from porank import cli; "
        "cli.COMMANDS['say'] = lambda _: sys.stdout.write('\\u8336 > \\u2615\\n'); "
        "sys.exit(cli.main(['say']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.split(b" > ") == [b"\\u8336", b"\\u2615" + os.linesep.encode()]


@pytest.mark.skipif(os.name != "posix", reason="pipes are closed otherwise elsewhere")
@pytest.mark.parametrize("argument", ["demo", "--help"])
def test_a_closed_pipe_is_no_failure(argument: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "porank", argument],
        cwd=CHECKOUT,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("heavy", ["matplotlib", "scipy", "pandas"])
def test_the_command_line_loads_nothing_heavy(heavy: str) -> None:
    program = (
        f"import sys, porank.cli; porank.cli.main(['demo']); sys.exit('{heavy}' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_standard_output_is_no_traceback() -> None:
    command = f"{sys.executable} -m porank demo >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
