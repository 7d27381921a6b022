"""Logs in the shapes that shops and contests have: each says what its lists say, by definition.

The same lists are written with the headers that such files have, in every form that a log is read
from, and each must give the pairs of `tests.support.oracles_clicks`.
"""

import csv
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.statements import read_statements
from porank.errors import PorankError
from tests.support.click_logs import asked, log_of
from tests.support.oracles_clicks import RULES, of_battles, of_ratings
from tests.support.oracles_clicks import support as by_definition
from tests.support.refusals import refuses

#: What was shown, from the top down, and what was clicked of it.
Lists = Sequence[tuple[Sequence[str], Sequence[str]]]
Columns = dict[str, list[Any]]
LISTS: Lists = [
    (["N55", "N87", "N3"], ["N87"]),
    (["N3", "N55"], ["N3", "N55"]),
    (["N87", "N3"], []),
    (["N55", "N87"], ["N87"]),
    (["N3", "N87", "N55", "N9"], ["N9", "N87"]),
]


def support(log: Any, rule: str = "levels", **options: Any) -> dict[tuple[Any, Any], Any]:
    return {(u, v): n for u, v, n in asked(preference_pairs, log, rule=rule, by=(), **options)}


def ties(log: Any, kind: str = "ties") -> dict[frozenset[Any], int]:
    found = preference_pairs(log, by=()).ties
    rows = zip(*(found[name].tolist() for name in ("one", "other", kind)), strict=True)
    return {frozenset((u, v)): count for u, v, count in rows if count}


def rows_of(**columns: Any) -> Callable[[Lists], Columns]:
    """Return what makes a log of a row for each item shown.

    A column is the number of the list, the item, its place or its click, by name, or made of them.
    """

    def made(lists: Lists) -> Columns:
        rows: list[dict[str, Any]] = [
            {"list": number, "item": item, "place": place, "click": int(item in clicked)}
            for number, (shown, clicked) in enumerate(lists, start=1)
            for place, item in enumerate(shown, start=1)
        ]
        return {
            name: [row[how] if how in row else how(row) if callable(how) else how for row in rows]
            for name, how in columns.items()
        }

    return made


def lists_of(**columns: Callable[[Sequence[str], Sequence[str]], Any]) -> Any:
    """Return what makes a log of a row for each list, its columns of what is shown and clicked."""
    return lambda lists: {
        "impression_id": list(range(len(lists))),
        **{name: [make(*both) for both in lists] for name, make in columns.items()},
    }


def flags_of(sign: str, flag: Callable[[bool], str]) -> Any:
    """Return what makes a log of lists in texts, beside them the flags of their items."""
    return lists_of(
        shown=lambda s, _: sign.join(s), clicked=lambda s, c: sign.join(flag(i in c) for i in s)
    )


IN_ROWS: dict[str, Any] = {"session": "list", "item": "item", "position": "place"}
#: What makes a log of lists, by the header that it is known from.
SHAPES: dict[str, Callable[[Lists], Columns]] = {
    "flags": rows_of(**IN_ROWS, clicked="click"),
    "Expedia": rows_of(
        srch_id="list",
        prop_id="item",
        position="place",
        click_bool="click",
        gross_bookings_usd="",
        booking_bool=0,
    ),
    "Yandex": rows_of(
        SessionID="list", SERPID="list", URLID="item", Position="place", Click="click"
    ),
    "counts": rows_of(**IN_ROWS, impressions=3, clicks=lambda row: 2 * row["click"]),
    "lists of true and false": lists_of(
        shown=lambda s, _: list(s), clicked=lambda s, c: [i in c for i in s]
    ),
    "lists of 0 and 1": flags_of("|", lambda is_so: str(int(is_so))),
    "MIND": lists_of(
        user=lambda *_: "U1",
        time=lambda *_: "11/15/2019 8:55:22 AM",
        impressions=lambda s, c: " ".join(f"{i}-{int(i in c)}" for i in s),
    ),
    "EB-NeRD": lists_of(
        article_id=lambda *_: "N1",
        article_ids_inview=lambda s, _: list(s),
        article_ids_clicked=lambda _, c: list(c),
    ),
    "Outbrain": rows_of(display_id="list", ad_id="item", clicked="click"),
}


def as_csv(log: Columns, path: Path) -> Any:
    rows = zip(*log.values(), strict=True)
    cells = ([json.dumps(c) if isinstance(c, list) else c for c in row] for row in rows)
    with path.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows([list(log), *cells])
    return path.with_suffix(".csv")


def as_rows(log: Columns, _: Any = None) -> Any:
    return [dict(zip(log, row, strict=True)) for row in zip(*log.values(), strict=True)]


def as_json_lines(log: Columns, path: Path) -> Any:
    path.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, as_rows(log))))
    return path.with_suffix(".jsonl")


def as_parquet(log: Columns, path: Path) -> Any:
    pd.DataFrame(log).to_parquet(path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def of_lists(lists: Lists, rule: str = "levels") -> dict[tuple[Any, Any], int]:
    """Return the pairs of a rule by definition."""
    log = rows_of(**IN_ROWS, event=lambda row: "click" if row["click"] else "view")(lists)
    return by_definition(as_rows(log), [RULES[rule]])


FORMS: list[Callable[[Columns, Path], Any]] = [
    *(as_csv, as_json_lines, as_parquet, as_rows),
    lambda log, _: pd.DataFrame(log),
    lambda log, _: import_module("polars").DataFrame(log),
]


def test_in_every_form(tmp_path: Path) -> None:
    for make, form in product(SHAPES.values(), FORMS):
        assert support(form(make(LISTS), tmp_path / "log")) == of_lists(LISTS)


items_shown = st.permutations(["x", "y", "z", "w"]).flatmap(
    lambda shown: st.tuples(st.just(shown), st.lists(st.sampled_from(shown), unique=True))
)


@given(
    name=st.sampled_from([*SHAPES]),
    lists=st.lists(items_shown, min_size=1, max_size=5).filter(
        lambda all_: any(c for _, c in all_)
    ),
    random=st.randoms(),
)
def test_any_lists_and_rows_in_any_sequence(name: str, lists: Lists, random: Any) -> None:
    log = SHAPES[name](lists)
    order = list(range(len(next(iter(log.values())))))
    random.shuffle(order)
    log = {column: [cells[place] for place in order] for column, cells in log.items()}
    assert support(log) == of_lists(lists)
    if name != "Outbrain":
        assert support(log, "click_over_skip_above") == of_lists(lists, "click_over_skip_above")


def test_labels_of_rows_are_no_column_of_a_log() -> None:
    clicks = pd.DataFrame({"session": [1, 1, 2], "item": ["x", "y", "x"]}, index=list("pqr"))
    for log in (clicks, io.StringIO(clicks.to_csv())):
        assert po.ClickLog(log).format.name == "clicks"


def test_each_shape_names_its_columns() -> None:
    assert str(ClickLog(SHAPES["counts"](LISTS)).format) == (
        "flags: session = 'session', item = 'item', position = 'position', clicked = 'clicks', "
        "shown = 'impressions'; several clicks on an item count once"
    )
    assert "are flags, one for each" in str(ClickLog(SHAPES["lists of 0 and 1"](LISTS)).format)


def test_recognised_by_the_names_of_columns() -> None:
    for names, shape in {
        "session item event rating": "events",
        "session item dwell rating": "events",
        "session item position": "events",
        "session item category": "events",
        "session item clicked event": "events",
        "session item clicked rating dwell shown": "flags",
        "session item userId timestamp query": "clicks",
        "item shown_items clicked_items": "impressions",
        "session item impressions clicks event": "events",
        "user item rating": "ratings",
        "user impressions clicks": "impressions",
        "user impressions": "marks",
        "model_a model_b winner item": "events",
    }.items():
        found = "events"
        with suppress(PorankError):
            pairs = preference_pairs(
                {name: [] for name in names.split()}, rule="dwell" if "dwell" in names else "levels"
            )
            assert pairs.format is not None
            found = pairs.format.name
        assert found == shape, names


def test_how_a_list_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In JSON, Python, NumPy or with a sign, read in blocks of a few rows."""
    monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", 3)
    ways: list[Any] = [json.dumps, repr, lambda row: str(np.array(row))]
    ways += [sign.join for sign in (" ", "|", ";", ", ", "\t")]
    for way in ways:
        columns = {"shown": [way(s) for s, _ in LISTS], "clicked": [way(c) for _, c in LISTS]}
        assert support(as_csv(columns, tmp_path / "log")) == of_lists(LISTS)
    numbers = {"shown": [[0, 1, 2], [1, 0]], "clicked": [[1], None]}
    assert support(pd.DataFrame(numbers)) == support(numbers) == {(1, 0): 1, (1, 2): 1}
    lines = [json.dumps({"in_view": s, "article_ids_clicked": c}) for s, c in LISTS]
    path = tmp_path / "log.ndjson.gz"
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n\n").encode()))
    assert support(path) == of_lists(LISTS)
    path = tmp_path / "behaviors.tsv"
    path.write_text("1\tU1\t11/15/2019 8:55:22 AM\tN1 N2\tN55-1 N87-0\n")
    pairs = preference_pairs(ClickLog(path, columns={"marks": 4, "user": 1}), by="user")
    assert list(pairs) == [("U1", "N55", "N87", 1)]


LATER: dict[str, Any] = {"rule": "click_over_earlier_click"}
NO_EVENTS: dict[str, Any] = {"columns": {"event": None}}
SEEN = "session,item,clicked; 1,a,1; 1,b,0; 2,a,1; 2,b,0"
KDD = "Click,Impression,DisplayURL,AdID,AdvertiserID,Position,UserID; 0,1,u,a,7,1,9; 2,3,u,b,7,2,9"
BANDIT = (
    "timestamp,item_id,position,click,propensity_score; 2019-11-24,a,2,0,.1; 2019-11-24,b,1,1,.1"
)
DAYS = "session,item,event,eventdate,stamp; 1,a,click,2026-01-01,7; 1,b,click,2026-01-01,3"
TIMES = "session,item,time; 1,a,11/15/2019 8:55:22 PM; 1,b,11/15/2019 12:05\u202fAM; 1,c,{}"

#: What a log says, each pair of letters as often as it is said, and how it is read.
SAID: list[tuple[str, dict[str, Any], str]] = [
    # Flags: what is bought was clicked; the time of a row that says both counts once.
    ("session,item,clicked,purchased; 1,a,0,1; 1,b,1,0; 1,c,1,0", {}, "ab ac"),
    ("session,item,clicked,purchased,dwell; 1,b,1,0,5; 1,c,1,1,4", {"rule": "dwell"}, "bc"),
    ("session,item,clicked; 1,a,; 1,b,1; 1,c,False; 1,d,0.0; 1,e,n", {}, "ba bc bd be"),
    ("session,item,shown,clicked,pos; 1,a,1,1,2; 1,b,1,0,0; 1,c,0,0,0", {}, "ab"),
    ("session,item,clicked,pos; 1,a,True,3; 1,b,False,0", {"rule": "click_over_skip_above"}, "ab"),
    ("session,shown,x; 1,a,0; 1,b,1", {"columns": {"item": "shown", "clicked": "x"}}, "ba"),
    ("user,item,clicked,time; u,a,1,0; u,b,0,1; u,a,0,9; u,b,1,10", {"gap": 5}, "ab ba"),
    # Lists: positions count from one; nothing between two signs is no item.
    ("shown,clicked; a b,f t; b a,", {}, "ba"),
    ("shown,clicked; a||b,b; |a|b,b; a|b|,b; a | b,b", {}, "ba ba ba ba"),
    # Battles, and ratings, of which the last in time counts.
    ("user,item,rating,timestamp; 1,a,5,9; 1,b,3,8; 1,a,1,7", {}, "ab"),
    # A longer pause begins a session.
    ("user,item,event,time; u,a,view,0; u,b,click,1800; v,a,view,5", {"gap": 1800}, "ba"),
    ("user,item,event,time; u,a,view,0; u,b,click,1801", {"gap": timedelta(minutes=30)}, ""),
    # Times that are named, and those of America.
    (DAYS, LATER | {"columns": {"time": "stamp"}}, "ab"),
    (TIMES.format("2/28/2020 08:00:00 am"), LATER | NO_EVENTS, "ab ca cb"),
    (TIMES.format("2019-11-15T20:55:23"), {"rule": "dwell"} | NO_EVENTS, "ba"),
    # What must be named, because it may be something else.
    (KDD, {"rule": "click_over_skip_above", "columns": {"session": "UserID"}}, "ba"),
    (BANDIT, {"columns": {"session": "timestamp"}}, "ba"),
    ("session,item,kind; 1,a,1; 1,b,2", LATER | NO_EVENTS, "ba"),
    ("session,item,event; 1,a,click; 1,b,purchase", {}, "ba"),
]


@pytest.mark.parametrize(("text", "options", "pairs"), SAID)
def test_each_format_says_the_pairs_of_its_definition(
    text: str, options: dict[str, Any], pairs: str
) -> None:
    found = support(log_of(text), **options)
    assert {u + v: count for (u, v), count in found.items()} == Counter(pairs.split())


battles = st.tuples(
    *[st.sampled_from("xyz")] * 2,
    st.sampled_from(["model_a", "model_b", "tie", "tie (bothbad)", "both_bad", "Both Bad"]),
).filter(lambda row: row[0] != row[1])


@given(st.lists(battles, min_size=1, max_size=12))
def test_battles_by_definition(rows: list[tuple[str, str, str]]) -> None:
    names = ("model_a", "model_b", "winner")
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    wins, tied, bad = of_battles(rows)
    assert (support(log), ties(log), ties(log, "both_bad")) == (wins, tied, bad)
    edges = po.from_log(log).edges(data=True)
    assert {(u, v): data["support"] for u, v, data in edges} == wins
    for u, v, data in edges:
        both = data["ties"], data["both_bad"]
        assert both == (tied[frozenset((u, v))], bad[frozenset((u, v))])


ratings = st.tuples(st.integers(0, 2), st.sampled_from("abcde"), st.sampled_from([1, 2.5, 5]))


@given(st.lists(ratings, min_size=1, max_size=12))
def test_ratings_by_definition(rows: list[tuple[int, str, float]]) -> None:
    names = ("userId", "movieId", "rating")
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    assert (support(log), ties(log)) == of_ratings(rows)
    repeated = len(rows) - len({row[:2] for row in rows})
    assert preference_pairs(log).counts.repeated_events == repeated


def test_ties_stand_in_the_denominator() -> None:
    log = log_of("model_a,model_b,winner" + "".join(f"; x,y,{w}" for w in [*"xxy", "tie", "tie"]))
    G = po.from_log(log)
    P = po.feedback_relation(G)
    assert (P.degree("x", "y"), P.degree("y", "x")) == (Fraction(3, 7), Fraction(2, 7))
    assert po.feedback_relation(G, prior=0).degree("x", "y") == Fraction(2, 5)
    assert po.feedback_relation(G, ties="ignore").degree("x", "y") == Fraction(3, 5)
    # Most sessions do not prefer x to y: by default it is left open.
    assert not po.predict_order(P).edges
    G.edges["x", "y"]["ties"] = 3
    refuses("on both edges between 'x' and 'y', found 3 and 2", po.feedback_relation, G)


def test_chosen_and_rejected_by_prompt(tmp_path: Path) -> None:
    log = log_of("prompt,chosen,rejected,annotator; p,a,b,Ann; p,a,b,Bob; q,b,c,Ann")
    path = as_json_lines(log, tmp_path / "choices")
    assert list(preference_pairs(path, by="query")) == [("p", "a", "b", 2), ("q", "b", "c", 1)]
    assert preference_pairs(path, by="user")["user"].tolist() == ["Ann", "Ann", "Bob"]


def test_what_sessions_are_called() -> None:
    listed = log_of("session_id,impression_id,shown,clicked; 1,7,a b,a; 1,8,c a,c")
    visits = log_of("user,item,event,time; u,a,view,0; u,b,click,1; u,a,click,3; u,b,view,3")
    days = log_of("user,day,item,event; u,1,a,click; v,1,b,click; u,1,c,view; v,1,d,view")
    for log, sessions in (
        (listed, ["1", "1"]),
        ({name: listed[name] for name in listed if "session" not in name}, ["7", "8"]),
        (ClickLog(visits, gap=1), [("u", 1), ("u", 2)]),
        (ClickLog(days, columns={"session": ["user", "day"]}), [("u", "1"), ("v", "1")]),
    ):
        assert preference_pairs(log)["session"].tolist() == sessions


def test_sessions_with_several_lists_are_the_same_in_every_shape() -> None:
    visit = [1, 1, 2, 2, 2]
    in_rows = {"session_id": lambda row: visit[row["list"] - 1], "impression_id": "list"}
    in_rows |= {"item": "item", "position": "place"}
    of_lists = lists_of(shown=lambda s, _: list(s), clicked=lambda _, c: list(c))
    logs = [
        rows_of(**in_rows, event=lambda row: "click" if row["click"] else "view")(LISTS),
        rows_of(**in_rows, clicked="click")(LISTS),
        of_lists(LISTS) | {"session_id": visit},
    ]
    found = [read_statements(log, unit="session") for log in logs]
    assert [(statements.units, statements.log.counts.several_lists) for statements in found] == [
        (2, 2)
    ] * 3
    first, *others = (list(po.preference_pairs(log)) for log in logs)
    assert all(rows == first for rows in others)


NOBODY = ["NA", "", "NULL", "null", "None", "nan", "<NA>", None, float("nan"), pd.NA]
NOBODY += [-1, "-1", "guest", "Anonymous", "UNKNOWN"]


def test_users_that_a_log_does_not_know_are_no_user() -> None:
    for nobody in NOBODY:
        log = log_of(
            "session,item,event; 1,a,click; 1,b,view; 2,a,view; 2,b,click; 3,a,click; 3,b,view"
        )
        log |= {"user": [nobody] * 4 + ["u"] * 2, "time": [1, 2, 3, 4, 5, 6]}
        pairs = preference_pairs(log, by="user")
        assert (list(pairs), pairs.counts.without_user) == ([("u", "a", "b", 1)], 4)
        assert support(log) == {("a", "b"): 2, ("b", "a"): 1}, "where nobody asks for users"
        del log["session"]
        visits = preference_pairs(ClickLog(log, gap=9))
        assert (list(visits), visits.counts.without_user) == ([(("u", 1), "a", "b", 1)], 4)
    rated = preference_pairs(log_of("user,item,rating; NA,a,1; NA,b,2; u,a,4; u,b,3"), by=())
    assert (list(rated), rated.counts.without_user) == ([("a", "b", 1)], 2)


@pytest.mark.parametrize("as_label", [int, str])
@pytest.mark.parametrize(
    ("users", "is_nobody"),
    [
        ([0, 1, 2, 3], False),
        ([0, 2, 3, 4], True),  # there is no user 1
        ([*[0] * 10, 1, 2, 2], False),
        ([*[0] * 11, 1, 2, 2], True),  # more than five times as often as any other
    ],
)
def test_user_0_is_a_user_if_users_are_numbered_from_0(
    users: list[int], as_label: Any, *, is_nobody: bool
) -> None:
    log: dict[str, list[Any]] = {"session": [*range(len(users))] * 2}
    log |= {"user": [*map(as_label, users)] * 2, "item": ["a"] * len(users) + ["b"] * len(users)}
    log |= {"clicked": [1] * len(users) + [0] * len(users)}
    counts = preference_pairs(log, by="user").counts
    assert counts.without_user == 2 * users.count(0) * is_nobody
    assert read_statements(log, unit="user").units == len({*users}) + is_nobody * (
        users.count(0) - 1
    )


#: Logs and what their reports say, or do not say.
REMARKS: list[tuple[str, dict[str, Any], str, bool]] = [
    ("session,item,event,eventdate; 1,a,click,2026-01-01", LATER, "events within a day", True),
    ("session,item; 1,a; 1,b", {}, "clicks with each other (click_over_earlier_click)", True),
    ("session,item,event; 1,a,click; 1,b,purchase", {}, "skipped items are unknown", True),
    ("session,item,event; 1,a,click; 2,b,view", {}, "skipped items are unknown", False),
    ("session,item,clicked; 1,a,1; 1,b,", {}, "an empty cell of 'clicked' means no click", True),
    (
        TIMES.format(""),
        LATER,
        "times such as '11/15/2019 8:55:22 PM' are read as month/day/year",
        True,
    ),
    ("user,item,event,time; u,a,click,1", {"gap": 2.5}, "a pause of more than 2.5", True),
    ("shown,clicked; ['a'],['a']", {}, "lists are read as JSON", True),
]


@pytest.mark.parametrize(("text", "options", "remark", "is_said"), REMARKS)
def test_a_remark_is_made_where_it_is_due_and_nowhere_else(
    text: str, options: dict[str, Any], remark: str, is_said: bool
) -> None:
    pairs = asked(preference_pairs, log_of(text), errors="report", **options)
    assert (remark in f"{pairs.format} {pairs.counts.to_table().to_text()}") is is_said


def test_what_was_named_or_asked_for_is_not_said() -> None:
    log = log_of("s,item,event; 1,a,click; 1,b,view")
    assert ClickLog(log, columns={"session": "s"}).format.is_plain
    shape = preference_pairs(log_of("session,item,event,qid; 1,a,click,x"), by="query").format
    assert shape is not None
    assert (shape.remarks, shape.is_plain) == ((), False)


def test_a_flag_row_is_a_click_and_its_purchase_no_oddity() -> None:
    log = log_of("session,item,clicked,purchased,user; 1,a,0,0,u; 1,b,1,0,u; 1,c,1,1,NA")
    counts = preference_pairs(log).counts
    assert (counts.not_shown, counts.repeated_events) == (0, 0)
    # Of a row that makes several events, nobody is counted once.
    assert preference_pairs(log, by="user").counts.without_user == 1
    assert preference_pairs(log_of("shown,clicked; a b,c")).counts.not_shown == 1


def test_battles_are_grouped_by_a_named_column() -> None:
    battles = {"model_a": ["a", "b"], "model_b": ["b", "a"], "winner": ["a", "a"], "who": [1, 2]}
    log = ClickLog(battles, columns={"judge": "who"})
    assert list(preference_pairs(log, by="judge")) == [(1, "a", "b", 1), (2, "a", "b", 1)]


#: Shapes of tables of battles, and the pairs that each states with its support.
BATTLES = [
    ("winner,loser\nx,y\nx,y\ny,z\n", "x>y 2, y>z 1"),
    ("better,worse\nx,y\ny,z\n", "x>y 1, y>z 1"),
    ("top,bottom\nx,y\ny,z\n", "x>y 1, y>z 1"),
    ("a,b,c,best,worst\nx,y,z,x,z\ny,x,z,z,y\n", "x>z 1, z>y 1"),
    ("winner,loser,wins\nx,y,3\ny,x,1\ny,z,0\n", "x>y 3, y>x 1"),
    ("home,away,home_goals,away_goals\nx,y,2,1\ny,z,0,3\nz,x,1,1\n", "x>y 1, z>y 1"),
    ("HomeTeam,AwayTeam,FTHG,FTAG,FTR\nx,y,2,1,H\ny,z,0,3,A\n", "x>y 1, z>y 1"),
    ("Home Team;Away Team;Home Score;Away Score\nx;y;-2;-1.5\n", "y>x 1"),
    ("home.team,away.team,home.wins,away.wins\nx,y,4,3\ny,x,1,0\n", "x>y 4, y>x 4"),
    ("player1,player2,win1,win2\nx,y,2,0\nz,y,0,1\n", "x>y 2, y>z 1"),
    ("item1,item2,wins1,wins2\nx,y,2,\n", "x>y 2"),
    ("player1,player2,winner\nx,y,y\ny,z,player1\nz,x,2\n", "y>x 1, y>z 1, x>z 1"),
    ("player1,player2,result\nx,y,y\ny,z,y\nz,x,draw\n", "y>x 1, y>z 1"),
    ("player1,player2,result\nx,y,1\ny,z,0\nz,x,.5\n", "x>y 1, z>y 1"),
    ("player1,player2,result\nx,y,1\ny,z,2\n", "x>y 1, z>y 1"),
    ("player1,player2,result\nx,y,win\ny,z,Loss\nz,x,draw\n", "x>y 1, z>y 1"),
    ("White,Black,Result\nx,y,1-0\ny,z,0-1\nz,x,1/2-1/2\nx,z,½–½\n", "x>y 1, z>y 1"),
    ("home,away,result\nx,y,H\ny,z,A\nz,x,D\n", "x>y 1, z>y 1"),
    ("model_a,model_b,winner,n\nx,y,model_a,3\nx,y,tie,9\n", "x>y 3"),
    ("user,item,plays\n1,x,9\n1,y,2\n2,x,1\n2,y,1\n2,z,0\n", "x>y 1, x>z 1, y>z 1"),
]


@pytest.mark.parametrize(("text", "pairs"), BATTLES)
def test_battles_in_every_usual_shape(text: str, pairs: str, tmp_path: Path) -> None:
    expected = {tuple(pair.split()) for pair in pairs.split(", ")}
    (path := tmp_path / "battles.csv").write_text(text)
    frame = pd.read_csv(path, sep=None, engine="python")
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    (tmp_path / "battles.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    frame.to_parquet(tmp_path / "battles.parquet")
    for source in (path, frame, rows, tmp_path / "battles.jsonl", tmp_path / "battles.parquet"):
        graph = po.from_log(source)
        found = {(f"{u}>{v}", str(support)) for u, v, support in graph.edges(data="support")}
        assert found == expected
        # Strengths and judges read the same battles.
        assert po.fit_strengths(source).items == tuple(sorted(graph))


def test_counted_battles_are_those_of_as_many_rows() -> None:
    counted = {"model_a": ["x", "y"], "model_b": ["y", "z"], "wins_a": [7, 4], "wins_b": [2, 5]}
    pairs = [("x", "y")] * 7 + [("y", "x")] * 2 + [("y", "z")] * 4 + [("z", "y")] * 5
    single = [{"winner": won, "loser": lost} for won, lost in pairs]
    one, other = po.fit_strengths(counted), po.fit_strengths(single)
    assert (one.strengths, one.intervals) == (other.strengths, other.intervals)
    assert one.observed == one.units == 18
    assert po.ClickLog(counted).format.remarks == ("each battle is a session, named by its number",)


def test_battles_in_several_blocks_are_numbered_on(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"winner": "x", "loser": "y", "n": 2}] * 5
    monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", 2)
    assert po.ClickLog(rows).counts.sessions == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("home,away,home_goals,away_goals\nx,y,2,1\nx,z,,\n", "line 3: expected two scores, found"),
        ("home,away,home_goals,away_goals\nx,y,2,one\n", "expected a finite number as a result"),
        ("winner,loser,wins\nx,y,-1\n", "expected a whole number >= 0"),
        ("winner,loser,wins\nx,y,0.5\n", "expected a whole number >= 0"),
        ("winner,loser,wins,count\nx,y,2,3\n", "expected one column for times, found"),
        ("winner,loser,n\nx,y,1e15\n", "GB for counted battles.* takes any counts"),
        ("winner,loser\nx,x\n", "expected two different items, found 'x' twice"),
        ("player1,player2,result\nx,y,0\nx,y,2\n", "1, 2 and draw, found 0 and 2"),
        ("player1,player2,result\n1,2,1\n3,1,1\n", "line 3: expected an item or a side"),
        ("player1,player2,winner\nx,y,0\n", "one of the models as winner, found '0'"),
    ],
)
def test_bad_battles_are_said(text: str, message: str, tmp_path: Path) -> None:
    (path := tmp_path / "battles.csv").write_text(text)
    refuses(message, po.from_log, path)


def test_a_winner_alone_does_not_make_battles() -> None:
    races = {"race": [1, 1], "driver": ["x", "y"], "winner": [1, 0]}
    with pytest.raises(PorankError) as caught:
        po.fit_strengths(races)
    assert "model_a" not in caught.value.finding
    assert "session" in caught.value.finding
    # The shapes that would do are listed.
    assert "item1, item2, wins1, wins2, or home, away" in caught.value.hint
    with pytest.raises(PorankError, match="expected a column for winner"):
        po.fit_strengths({"player1": ["x"], "player2": ["y"], "prize": [1]})


def test_numbers_beside_lists_in_texts_are_their_items() -> None:
    """As pandas reads a file in which each row has one click."""
    for shown in (["1|2|3", "2|3"], ["1 2 3", "2 3"]):
        for clicked in ([2, 3], [2.0, 3.0], ["2", 3]):
            log = {"shown": shown, "clicked": clicked}
            assert po.ClickLog(log).items == ["1", "2", "3"]
            assert [*po.preference_pairs(log)] == [
                *po.preference_pairs(log | {"clicked": ["2", "3"]})
            ]
    assert po.ClickLog({"shown": [[1, 2], [2, 3]], "clicked": [2, 3]}).items == [1, 2, 3]
