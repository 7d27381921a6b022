"""The report on a log, on the terminal and as a page."""

from __future__ import annotations

from pathlib import Path

from tests.cli_runs import End, Run


def test_explore_prints_the_report_and_writes_the_page(run: Run, end: End) -> None:
    text = run("porank explore log.csv --title Logged -o report.html")
    assert text.startswith("What the log settles\n")
    page = Path("report.html").read_text("utf-8")
    assert "<title>Logged</title>" in page
    assert end("porank explore log.csv -o report.html")[0] == 2
    assert run("porank explore log.csv --title Logged -o report.html --force") == text


def test_explore_writes_nothing_where_it_cannot(end: End) -> None:
    before = set(Path().iterdir())
    code, out, err = end("porank explore log.csv -o report.png")
    assert (code, out) == (2, "")
    assert "found 'report.png'; a suffix names it: html" in err
    assert end("porank explore log.csv --segment device -o report.html")[0] == 2
    assert set(Path().iterdir()) == before
