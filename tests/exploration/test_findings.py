"""The sentences and tables of a report, against what the log says."""

from __future__ import annotations

from typing import Any

from hypothesis import given

import porank as po
from porank.clicks.rules import RULES
from porank.exploration.findings import sections_of
from tests.exploration.test_explore import SESSIONS, columns, log_of

COUNTED = ("preferred", "other", "for", "against")


def text_of(log: Any, **options: Any) -> str:
    """The report as one line."""
    return " ".join(po.explore(log, **({"samples": 2} | options)).to_text().split())


@given(SESSIONS)
def test_tables_and_numbers_are_those_of_the_log(told: list[tuple[str, str]]) -> None:
    log = log_of(told)
    found = po.explore(log, samples=2, risk=0.9)
    tables: dict[Any, Any] = {
        each.title.partition(",")[0]: each for part in sections_of(found) for each in part.tables
    }
    stated = [(u, v, *data.values()) for u, v, data in found.order.edges(data=True)]
    expected = [(u, v, s, a, p) for u, v, s, a, p, added, *_ in stated if not added]
    if expected:
        table = tables["preferences that are settled"]
        assert table.columns == (*COUNTED, "p-value")
        assert set(table.rows) <= set(expected)
        clearest = sorted(row[-1] for row in expected)[:10]
        assert [row[-1] for row in table.rows] == clearest
    counts = {(u, v): (s, a) for u, v, s, a, *_ in po.evidence_table(log)}
    few, pairs = sum(sum(count) < 5 for count in counts.values()), len(counts)
    against = sum(min(count) for count in counts.values()) / sum(map(sum, counts.values()))
    counts |= {(v, u): (a, s) for (u, v), (s, a) in counts.items()}
    # Of a pair that is evenly split one side is shown.
    split = {(u, v) for (u, v), (s, a) in counts.items() if s >= a > 0 and (s > a or u < v)}
    if split:
        table = tables["the pairs with most sessions against them"]
        assert table.columns == (*COUNTED, "share")
        assert {row[:2] for row in table.rows} == split
        assert all(row[2:] == (*(c := counts[row[:2]]), c[0] / sum(c)) for row in table.rows)
        assert [row[3] for row in table.rows] == sorted(row[3] for row in table.rows)[::-1]
    text = " ".join(found.to_text().split())
    both = f"on {len(split)} of {pairs} pairs compared; {against:.0%} of all statements are against"
    assert both in text
    assert (f"{few} of {pairs} pairs compared rest" in text) is (few > 0)
    if found.order.edges:
        spans = [worst - best + 1 for best, worst in po.rank_intervals(found.shown).values()]
        ranks = f"an item may stand at {sum(spans) / len(spans):.3g} of {len(spans)} ranks"
        assert f"{ranks} on average; the rank of {spans.count(1)} of" in text


#: Pair ab is about place, cd taste, gh the opposite; ef was never seen but with e on top.
PLACED = "90 ab a, 10 ba b, 140 gh g, 60 gh h, 30 hg h, 20 cd c, 20 dc c, 20 ef e"
#: Sessions as for `log_of`, and what the report on them says.
SENTENCES = f"""
{PLACED}
    They settle 2 pairs. Of 4 pairs that all sessions together settle, they confirm 1, reverse 1
    and leave 2 open. The gamma of the two orders is 0. 1 of 4
    a b yes open e f yes open h g the opposite yes c d yes yes
    1 of these pairs came out the other way round at the same two positions
    and 1 of these pairs never swapped positions in the lists: that may be place
    1 of the pairs settled came out the other way round at the same two positions
    and 1 of the pairs settled never swapped positions in the lists: that may be place

20 ab a, 20 ba a, 20 bc b, 20 cb b
    1 of them follows from others, which assumes that the majority is transitive. Of 3 pairs that
    they confirm 3, reverse 0 and leave 0 open. The gamma of the two orders is 1.

3 ab a, 1 cd d, 1 e e
    For 4 of 4 statements it is known which item stood higher; 75% of these prefer
    2 of 2 pairs compared never swapped positions; 0 of these stood both ways
    8 of 10 pairs of items are compared by no session.
    2 of 2 pairs compared rest on fewer than 5 sessions.
    Shown are the 4 items of which most sessions say something; 1 item with less
    The log settles none of 10 pairs: what it leans to may be chance.
    This order decides 2 of 6 pairs, of which 0 are settled; the others may be
    What is settled holds for sessions like those of the log

9 ab a, 9 bc b, 2 ac a, 3 ca c
    1 more preference was left out because of cycles with stronger or equal ones: 'c > a'.

4 ab a, 4 bc b, 4 ca c
    no ranking agrees with all of them. To remove them, 4 of the 12 sessions by which majorities
    3 more were left out because of cycles with stronger or equal ones:

20 ab a, 20 bc b, 20 ca c, 9 xy x, 3 xy y
    The log settles none of 10 pairs. On 3 pairs it contradicts itself, in cycles that chance
    form cycles that chance does not explain; these pairs are left open

9 ab a, 2 bc b
    The log settles 1 of 3 pairs at a risk of 5%: a is preferred to b.
    For 2 pairs it says too little, or contradicts itself.
    1 of 3 pairs of items is compared by no session.
    1 of 2 pairs compared rests on fewer than 5 sessions.
    of which 1 is settled

20 ab a, 20 bc b, 20 cd c
    The log settles 6 of 6 pairs at a risk of 5%: a is preferred to b
    , and 2 more.
    3 of them follow from others
    Here each statement prefers what stood higher

2001 ab a, 2000 ab b
    down to a share of 0.5001
"""


def test_sentences() -> None:
    for case in SENTENCES.strip().split("\n\n"):
        sessions, *sentences = case.split("\n")
        text = text_of(log_of(sessions))
        assert [sentence for sentence in sentences if sentence.strip() not in text] == []


def test_options_change_the_sentences() -> None:
    chain, devices = log_of("20 ab a, 20 bc b"), log_of("20 ab a, 20 ab b")
    devices["device"] = [("phone", "desk")[number >= 20] for number in devices["session"]]
    parted = text_of(devices, segment="device", samples=99)
    assert "phone and desk part on 1 pair: what follows takes them" in parted
    assert "on 1 of them the two part at level 0.05" in parted
    text = text_of(chain, error="rate", test=chain)
    assert "pairs at a rate of errors of 5%: " in text
    assert "At most 5% of the pairs tested as clear are expected to be false" in text
    assert "Of 2 pairs that the later log settles by itself, what is settled here says" in text
    rated = {"user": [1, 1, 2, 2], "item": list("abab"), "rating": [5, 1, 4, 2]}
    assert "nothing here can tell taste from place" in text_of(rated)
    for log, is_said in ((rated, False), (chain, True)):
        assert ("independent. Those of one person" in text_of(log)) is is_said
    for sentence in ("compared by no session", "fewer than 5", "may be place", "too little"):
        assert sentence not in text_of(log_of("20 ab a, 20 ba a"))


def test_taste_and_place_are_told_apart() -> None:
    log = log_of(PLACED)
    assert po.explore(log, samples=2).leaning.graph["unbalanced"] == [("e", "f")]
    log |= {"user": log["session"], "query": ["beer"] * len(log["item"])}
    for how, why in (({"unit": "user"}, "a user may see"), ({"by": "query"}, "items are compared")):
        assert f"not tested apart from place here, because {why}" in text_of(log, **how)


def test_the_report_says_what_a_rule_sees() -> None:
    rows = [(1, "a", 1, "view", 0), (1, "b", 2, "click", 1), (1, "c", 3, "click", 5)]
    rows += [(1, "d", 4, "view", 20)]
    log = columns(["session", "item", "position", "event", "time"], rows)
    for rule in RULES:
        assert f"The rule {rule} sees" in text_of(log, rule=rule)


def test_groups_in_which_most_is_settled_come_first() -> None:
    log = log_of("3 ab a, 3 bc b, 20 de d, 1 fg f")
    log["query"] = ["xyz"[(number > 5) + (number > 25)] for number in log["session"]]
    found = po.explore(log, samples=2, by="query")
    (part,) = (part for part in sections_of(found) if part.title == "Within each query")
    (table,) = part.tables
    assert table.columns[:2] == ("query", "items")
    assert [tuple(row) for row in table.rows] == [("y", 2, 1, 1), ("x", 3, 2, 0), ("z", 2, 1, 0)]
    text = " ".join(found.to_text().split())
    assert "The log settles 1 of 5 pairs at a risk of 5%" in text
    assert "In 1 of 3 something is settled" in text
    (leaning,) = (section for section in sections_of(found) if "leans" in section.title)
    assert leaning.picture
    assert leaning.picture.draw().get_title() == "1 of 5 pairs settled, 4 leaning"
