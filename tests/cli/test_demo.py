"""The demonstration, the commands that it proposes, and the page of the manual that goes on."""

import re
import sys
from pathlib import Path

import pytest

import porank as po
from porank.cli import main as cli
from porank.cli.demo import FILES, STRENGTHS, VISITS, clicks
from tests.support.cli_runs import MANUAL, README, consoles, demonstration, run_line, write_demo


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the demonstration once, and return the folder where it ran and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr("porank.cli.demo.Demonstration", demonstration)
        with (folder / "printed.txt").open("w", encoding="utf-8") as printed:
            patched.setattr(sys, "stdout", printed)
            assert cli.main(["demo"]) == 0
    return folder, (folder / "printed.txt").read_text("utf-8")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demonstration find what it has found before, and draw nothing."""
    monkeypatch.setattr("porank.cli.demo.Demonstration", demonstration)
    monkeypatch.setattr("porank.cli.demo.pictures_of", lambda _: dict.fromkeys([*FILES][:3], b""))


@pytest.mark.slow
def test_it_writes_each_file_that_it_names_and_proposes_what_runs(
    shown: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, text = shown
    for name in FILES:
        assert f"porank-demo/{name} " in text
        start = (folder / "porank-demo" / name).read_bytes()[:4]
        assert start == b"\x89PNG" if name.endswith(".png") else start
    written = {path.name for path in (folder / "porank-demo").iterdir()}
    assert written == set(FILES)
    before, _, proposed = text.partition("What to try next\n")
    assert max(map(len, before.splitlines())) <= 80, "it fits into a narrow terminal"
    assert not re.search(r" +$", text, re.M)
    monkeypatch.chdir(folder)
    for line in proposed.splitlines():
        assert run_line(line.strip(), monkeypatch) == 0
        assert capsys.readouterr().err == ""
    assert (folder / "porank-demo" / "preferences.csv").exists()


def test_console_report_and_page_give_one_answer(shown: tuple[Path, str]) -> None:
    order = po.settled_order(clicks())
    n, settled = len(order), order.number_of_edges()
    assert 0 < settled < n * (n - 1) / 2, "it abstains on some pairs"
    folder, text = shown[0] / "porank-demo", shown[1]
    for chain in po.format_order(order).split("; "):
        assert f"\n{chain}\n" in text
    report = (folder / "report.html").read_text("utf-8")
    for told in (" ".join(text.split()), report):
        assert f"The log settles {settled} of {n * (n - 1) // 2} pairs at a risk of 5%" in told
    contested = demonstration().explored.contents.contradictions
    assert f"Sessions contradict each other on {contested} of" in text
    page = (folder / "page.html").read_text("utf-8")
    assert f"<title>What {VISITS} visits to a café say" in page
    orders = order, demonstration().explored.leaning
    one, other = (po.compare(po.from_scores(STRENGTHS), each) for each in orders)
    assert one["correctness"] == 1 > other["correctness"]
    for name in ("correctness", "completeness", "jaccard", "kendall_tau", "edrc"):
        assert re.search(rf"^{name} +{one[name]:.4g} +{other[name]:.4g}$", text, re.M)


@pytest.mark.usefixtures("quick")
def test_it_keeps_files_that_are_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clicks.csv").write_text("mine")
    for folder, reason in (
        (".", "or without any, found 'clicks.csv' in '.'; --force replaces them"),
        ("clicks.csv", "File exists: 'clicks.csv'\n"),
    ):
        assert cli.main(["demo", "--folder", folder]) == 2
        out, err = capsys.readouterr()
        assert (out, reason in err) == ("", True)
    assert [path.name for path in tmp_path.iterdir()] == ["clicks.csv"]
    assert cli.main(["demo"]) == 0
    (tmp_path / "porank-demo" / "notes.txt").write_text("mine")
    (tmp_path / "porank-demo" / "clicks.csv").write_text("changed")
    assert cli.main(["demo"]) == 0
    assert (tmp_path / "porank-demo" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "porank-demo" / "clicks.csv").read_text().startswith("session,item")


def test_the_manual_shows_every_command_and_it_and_the_readme_show_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "".join(page.read_text("utf-8") for page in MANUAL)
    assert [name for name in cli.COMMANDS if f"porank {name}" not in text] == []
    write_demo(tmp_path, monkeypatch)
    for block in consoles(*MANUAL, README):
        for line, printed in block:
            code = run_line(line, monkeypatch)
            is_error = printed.startswith("porank: ")
            assert (line, code) == (line, 2 if is_error else int(" check " in line))
            assert capsys.readouterr() == (("", printed) if is_error else (printed, ""))
