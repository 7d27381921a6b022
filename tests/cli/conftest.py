"""The command line run among small files."""

from pathlib import Path

import pytest

from tests.support.cli_runs import End, Run, run_line, write_files


@pytest.fixture
def end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> End:
    """Return what runs a command line among the small files and tells how it ended."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return lambda line: (run_line(line, monkeypatch), *capsys.readouterr())


@pytest.fixture
def run(end: End) -> Run:
    """Return what runs a command line among the small files and gives what it printed."""

    def answer(line: str) -> str:
        code, out, err = end(line)
        assert (line, code, err) == (line, 0, "")
        return out

    return answer
