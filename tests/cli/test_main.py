"""The command line as a whole: help, exit codes, and what it makes of pipes and encodings."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import porank
import porank as po
from porank.cli import main as cli
from porank.cli.command import Command
from porank.errors import ParseError
from tests.cli_runs import run_line, write_demo, write_files

CHECKOUT = Path(__file__).parents[2]
#: Of each command; the demonstration has tests of its own.
EXAMPLES = [
    pytest.param(name, id=name, marks=pytest.mark.slow if name == "explore" else ())
    for name in cli.COMMANDS
    if name != "demo"
]


def add_command(action: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line have one command more, which raises an error, or warns."""

    def act(_: object) -> int:
        if not isinstance(action, Warning):
            raise action
        warnings.warn(action, stacklevel=1)
        return 0

    monkeypatch.setitem(cli.COMMANDS, "act", "")
    monkeypatch.setattr(cli, "command_of", lambda _: Command(act, (), "", {}, ()))


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr() == (f"porank {porank.__version__}\n", "")
    assert cli.main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert all(re.search(rf"^ +{command}\s", out, re.M) for command in cli.COMMANDS)
    for name in cli.COMMANDS:
        assert cli.main([name, "--help"]) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"usage: porank {name}")
        examples = cli.command_of(name).examples
        assert any(re.search(rf"\bporank {name}\b", line) for line in examples)
        assert out.endswith("examples:\n" + "".join(f"  {line}\n" for line in examples))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo(tmp_path)
    monkeypatch.chdir(tmp_path)
    for line in cli.command_of(name).examples:
        code = run_line(line, monkeypatch)
        out, err = capsys.readouterr()
        finds = name == "check" and "truth" not in line
        assert (line, code) == (line, 1 if finds else 0)
        written = re.search(r"(?:-o|--page|--break-cycles|convert \S+) (\w+\.\w+)", line)
        assert out or (written and (tmp_path / written[1]).stat().st_size)
        assert not err or "--break-cycles" in line


def test_however_a_command_ends_it_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for action, code, line in (
        (
            ParseError.at("expected x", line=1, column=5, text=">"),
            2,
            "line 1, column 5: expected x",
        ),
        (OSError("disk on fire"), 2, "disk on fire"),
        (MemoryError(), 2, "expected enough memory, found too little"),
        (UserWarning("letters are\nmissing"), 0, "warning: letters are missing"),
        (KeyboardInterrupt(), 130, ""),
    ):
        add_command(action, monkeypatch)
        with warnings.catch_warnings():
            warnings.simplefilter("always")  # in the tests every warning is an error
            assert cli.main(["act"]) == code
        assert capsys.readouterr() == ("", f"porank: {line}\n" if line else "")
    add_command(ZeroDivisionError(), monkeypatch)
    with pytest.raises(ZeroDivisionError):  # a mistake of our own is not hidden
        cli.main(["act"])


#: What is done to the standard streams of a process before a command is run.
STREAMS = {
    "as they are": "",
    "no reader": "os.close(reader); os.dup2(writer, 1)",
    "no output": "sys.stdout = sys.__stdout__ = None; os.close(1)",
    "no room": "os.dup2(os.open('/dev/full', os.O_WRONLY), 1)",
    "no room for errors": "os.dup2(os.open('/dev/full', os.O_WRONLY), 2)",
    "no errors": "sys.stderr = sys.__stderr__ = None; os.close(2)",
    # While it waits for standard input.
    "interrupt": "os.dup2(reader, 0); signal.setitimer(signal.ITIMER_REAL, 0.3)",
}
#: Runs, with the exit codes and a word of what is written.
RUNS = [
    ("as they are", "check chain.txt", 0, "nothing found"),
    ("as they are", "check cycle.txt", 1, "'a' > 'b' > 'c' > 'a'"),
    ("as they are", "check missing.txt", 2, "No such file or directory: 'missing.txt'"),
    ("as they are", "hasse chain.txt -o chain.png", 0, ""),
    ("as they are", "evaluate --target target.csv --predicted predicted.csv", 0, "completeness"),
    ("as they are", "dance", 2, "invalid choice: 'dance'"),
    ("no reader", "convert chain.txt -", 0, ""),
    ("no output", "ranks chain.txt", 2, ""),
    ("no room", "ranks chain.txt", 2, "[Errno 28] No space left on device"),
    ("no room", "--help", 2, "[Errno 28] No space left on device"),
    ("no room for errors", "describe missing.txt", 2, ""),
    ("no errors", "ranks chain.txt", 0, "item"),
    ("no errors", "describe missing.txt", 2, ""),
    ("no errors", "convert cycle.txt - --break-cycles", 0, "a > b > c > d"),
    ("no errors", "", 2, ""),
    ("interrupt", "ranks -", 130, ""),
]
#: A program that runs each case in a process of its own, without importing porank again. They write
#: what is left as Python does at the end, and spare it taking apart what they have imported.
FORKED = """
import json, os, signal, sys
import porank
from porank.cli.main import main

def run(streams, words, number):
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{number}.{name}", os.O_WRONLY | os.O_CREAT), stream)
    reader, writer = os.pipe()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    exec(streams)
    code = main(words)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)

done = []
for number, (streams, words) in enumerate(json.load(sys.stdin)):
    child = os.fork()
    if child == 0:
        run(streams, words, number)
    done.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
json.dump(done, sys.stdout)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="processes are others elsewhere")
def test_commands_as_processes(tmp_path: Path) -> None:
    write_files(tmp_path)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": ""},
        input=json.dumps([(STREAMS[streams], line.split()) for streams, line, *_ in RUNS]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [code for *_, code, _ in RUNS]
    for number, (streams, line, code, words) in enumerate(RUNS):
        out, err = ((tmp_path / f"{number}.{end}").read_text("utf-8") for end in ("out", "err"))
        assert words in (err if code == 2 else out), (streams, line)
        if code == 2 and words:
            assert (out, err.count("\n"), err[:8]) == ("", 1, "porank: "), (streams, line)
        else:
            assert err == "", (streams, line)


def test_as_a_module_it_loads_nothing_heavy_and_escapes_what_cannot_be_written() -> None:
    told = {
        "PYTHONPATH": str(CHECKOUT),
        "PYTHONIOENCODING": "ascii",
        "PYTHONPROFILEIMPORTTIME": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "porank", "ranks", "-"],
        env=os.environ | told,
        input="茶 > ☕".encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.split()[4:] == [b"\\u8336", b"1", b"\\u2615", b"2"]
    loaded = {line.rpartition(" ")[2] for line in done.stderr.decode().splitlines()}
    assert {"porank.cli.command", "porank.cli.inputs", "numpy"} <= loaded
    assert loaded & {"matplotlib", "scipy", "pandas", "sklearn", "dask", "pyarrow", "tqdm"} == set()


def test_an_interruption_while_loading_is_quiet(tmp_path: Path) -> None:
    """It comes while the first module of many is imported."""
    (tmp_path / "networkx.py").write_text("raise KeyboardInterrupt")
    command = [sys.executable, "-m", "porank", "--version"]
    path = os.pathsep.join([str(tmp_path), str(Path(po.__file__).parents[1])])
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
