"""Items sorted on the shell, a question a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import porank as po
from porank.cli import outputs
from tests.cli_runs import End, Run

Talk = Callable[[str], tuple[list[tuple[str, str]], str]]


@pytest.fixture
def talk(end: End) -> Talk:
    """Return what runs a command line and gives the pairs that were asked, and the order."""

    def answer(line: str) -> tuple[list[tuple[str, str]], str]:
        code, out, err = end(line)
        assert code == 0
        return re.findall(r"pairs? open\. (.+?) \(1\) or (.+?) \(2\)\? ", err), out.strip()

    return answer


def test_answers_make_an_order_and_can_be_undone(talk: Talk) -> None:
    Path("items.txt").write_text("tea\nmilk\ncocoa\n'a, b'\n")
    answers = "1\\nu\\n2\\n1\\nno\\n=\\n1\\n"
    line = f"printf '{answers}' | porank ask items.txt -o sorted.graphml"
    (first, second, *rest), out = talk(line)
    assert first == rest[0] == ("a, b", "cocoa")
    assert second == rest[1] == ("milk", "tea")
    order = po.read_graphml("sorted.graphml")
    assert po.prefers(order, "cocoa", "a, b")
    assert po.prefers(order, "milk", "tea")
    assert po.describe(order).ties == 1
    assert po.format_order(order) == out
    again, _ = talk("printf '?\\nu\\nu\\n1\\n' | porank ask items.txt")
    assert again[0] == again[2] == again[3] != again[1]


def test_it_goes_on_where_it_stopped_and_asks_again_what_was_not_known(talk: Talk) -> None:
    Path("items.txt").write_text("tea\nmilk\n")
    pair = [("milk", "tea")]
    for suffix in ("txt", "graphml"):
        line = f"porank ask items.txt -o sorted.{suffix}"
        assert talk(f"printf '?\\n' | {line}") == (pair, "milk; tea")
        assert talk(f"printf '=\\n' | {line}") == (pair, "milk ~ tea")
        assert talk(f"printf 'q\\n' | {line}") == ([], "milk ~ tea")
        assert talk(f"printf 'q\\n' | {line} --force") == (pair, "milk; tea")
    Path("items.txt").write_text("tea\nmilk\nmate\n")
    assert len(talk("printf '2\\n' | porank ask items.txt -o sorted.txt")[0]) == 2
    assert talk("printf '1\\n1\\n1\\n' | porank ask items.txt")[0] != []


def test_what_was_answered_before_ctrl_c_is_printed(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("items.txt").write_text("tea\nmilk\nmate\n")
    answers = iter("1")

    def interrupted() -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert talk("porank ask items.txt")[1] == "mate > milk; tea"


def test_each_answer_is_kept_when_it_is_given(end: End, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever interrupts, or is interrupted, loses nothing."""
    Path("items.txt").write_text("tea\nmilk\nmate\n")
    written: list[bytes] = []

    def write(content: bytes, path: str) -> None:
        written.append(content)
        if len(written) == 2:
            raise KeyboardInterrupt
        Path(path).write_bytes(content)

    monkeypatch.setattr(outputs, "write_content", write)
    code, _, _ = end("printf '1\\n1\\n' | porank ask items.txt -o sorted.txt")
    assert code == 130
    assert [po.parse(each.decode()).number_of_edges() for each in written] == [0, 1]
    assert Path("sorted.txt").read_bytes() == written[0]


def test_each_line_of_a_text_without_preferences_is_an_item(talk: Talk) -> None:
    Path("items.txt").write_text("Grandma's pie\n\nThe Godfather: Part II\nmilk, hot\n#1\n")
    talk("printf 'q\\n' | porank ask items.txt -o sorted.graphml")
    names = {"Grandma's pie", "The Godfather: Part II", "milk, hot", "#1"}
    assert set(po.read_graphml("sorted.graphml")) == names
    assert talk("printf 'milk, hot\\n(tea)\\n' | porank ask - --page vote.html") == ([], "")
    assert '"items":["(tea)","milk, hot"]' in Path("vote.html").read_text("utf-8")


def test_an_order_is_asked_for_its_open_pairs_alone(talk: Talk) -> None:
    pairs, _ = talk("printf '2\\n' | porank ask abx.txt")
    assert pairs[0] in {("b", "x"), ("x", "b")}


def test_a_page_to_vote_on(run: Run, end: End) -> None:
    line = "printf 'tea\\n\"<b>\"' | porank ask - --page vote.html"
    assert run(line) == ""
    text = Path("vote.html").read_text("utf-8")
    assert "Which do you prefer?" in text
    assert "<b>" not in text
    assert end(line)[0] == 2
    assert run(f"{line} --force") == ""


REFUSED = {
    "porank ask - -o sorted.graphml": "expected a file of items, found '-'",
    "porank ask abx.txt -o sorted.csv": "expected a file name with a known suffix",
    "porank ask chain.txt -o other.txt": "expected an order at 'other.txt' that agrees with",
    "porank ask items.txt -o chain.txt": "expected an order of the items of 'items.txt'",
    "porank ask cycle.txt": "expected an order, found the cycle",
    "porank ask missing.txt": "[Errno 2]",
    "porank ask empty.txt": "expected at least 2 items in 'empty.txt', found 0 items",
    "porank ask bad.txt": "bad.txt, line 2, column 5: expected an item",
    "porank ask latin.txt": "latin.txt, line 1, column 4: expected a text in UTF-8",
    "porank ask items.txt --page vote.html -o sorted.graphml": "expected --output or --page",
    "porank ask chain.txt --page vote.html": "expected only items with --page, found 3 pref",
}


def test_refusals(end: End) -> None:
    Path("items.txt").write_text("a\nb\n")
    Path("latin.txt").write_text("caf\xe9\nb\n", "latin-1")
    for line, reason in REFUSED.items():
        code, _, err = end(f"printf '1\\n' | {line}")
        assert (line, code) == (line, 2)
        assert err.startswith(f"porank: {reason}"), err
    assert Path("chain.txt").read_text() == "a > b > c > d"
