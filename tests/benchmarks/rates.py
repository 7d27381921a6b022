"""How often logs with a known truth settle something that is not so.

Run ``python -m tests.benchmarks.rates`` for all tables, with names for some, ``--small`` for a
quick look; each finished row goes to standard error, because all take half an hour. ``equal``:
logs of equal items, so that whatever is settled is false. ``rivals``: two equal items among unequal
ones. ``battles``: equal systems. ``segments``: segments of the same tastes. ``shops``: unequal
items, also how the leaning order agrees with taste. ``ahead``: how often the test on unseen
sessions says that a simple rule predicts better than the leaning order.

Each log is drawn with a seed of its own, made of the name of the row and the number of the log.
"""

import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import porank as po
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import click_table, read_taste
from porank.core.tables import Table
from porank.typing import Floats, Numbers
from tests.benchmarks.side_by_side import run

LogMaker = Callable[[np.random.Generator], dict[str, Any]]
#: Name of a row: how to draw a log and which events happen in it, each of which has a share.
Settings = dict[str, Callable[[np.random.Generator], tuple[bool, ...]]]

#: Number of logs in each row: of equal items, of segments and rivals, of shops; for a quick look.
LOGS, OTHERS, SHOPS, FEW = 1000, 500, 100, 3
#: Number of items, and of places of a list.
N, SIZE = 6, 5
#: How a policy ranks: each item is .6 times as likely to come first as the one before it.
POLICY = np.log(0.6) * np.arange(N)


def top(rng: np.random.Generator, score: Floats, size: int = SIZE) -> Numbers:
    """Return the items of lists, drawn one after the other with chances exp(score)."""
    return np.argsort(-(score + rng.gumbel(size=score.shape)), axis=1)[:, :size]


def chance(log_odds: Any) -> Any:
    """Return the probability of log-odds."""
    return 1 / (1 + np.exp(-log_odds))


def browse(rng: np.random.Generator, liking: Floats, go_on: float) -> Any:
    """Return clicks of users who read from the top and go on after a click with a probability."""
    clicks = rng.random(liking.shape) < chance(liking)
    goes_on = ~clicks | (rng.random(liking.shape) < go_on)
    reads = np.logical_and.accumulate(goes_on, axis=1)
    return clicks & np.hstack([np.ones((len(liking), 1), dtype=bool), reads[:, :-1]])


def by_place(rng: np.random.Generator, liking: Floats, power: float = 1, trust: float = 0) -> Any:
    """Return clicks at places that are looked at with probability 1 / place^power.

    With trust, an item that is looked at is also clicked with probability trust / place.
    """
    place = np.arange(1, liking.shape[1] + 1)
    looks = rng.random(liking.shape) < 1 / place**power
    likes, trusts = (rng.random(liking.shape) < each for each in (chance(liking), trust / place))
    return looks & (likes | trusts)


def one_choice(rng: np.random.Generator, liking: Floats) -> Any:
    """Return one click a list, on u at place j with a chance in proportion to exp(liking) / j."""
    place = np.arange(1, liking.shape[1] + 1)
    chosen = np.argmax(liking - np.log(place) + rng.gumbel(size=liking.shape), axis=1)
    return chosen[:, None] == np.arange(liking.shape[1])


MODELS: dict[str, Callable[..., Any]] = {
    "position-based": by_place,
    "cascade": partial(browse, go_on=0),
    "dependent click": partial(browse, go_on=0.6),
    "trust": partial(by_place, power=0.5, trust=0.3),
    "one choice a list": one_choice,
}


def log_of(shown: Numbers, clicked: Any, *, length: Any = None, **of_list: Any) -> dict[str, Any]:
    """Return a log with a row for each item shown; `of_list` has a value for each list."""
    count, size = shown.shape
    columns = {"session": np.arange(count)} | of_list
    log = {name: np.repeat(column, size) for name, column in columns.items()}
    log |= {"item": shown.ravel(), "position": np.tile(np.arange(1, size + 1), count)}
    log["clicked"] = clicked.ravel().astype(int)
    kept = slice(None) if length is None else log["position"] <= np.repeat(length, size)
    return {name: column[kept] for name, column in log.items()}


def drawn(
    rng: np.random.Generator,
    sessions: int = 600,
    *,
    users: int = 0,
    tail: bool = False,
    score: Any = POLICY,
    personal: bool = False,
    spread: float = 0,
    bots: float = 0,
    length: Callable[..., Any] | None = None,
    model: Callable[..., Any] = by_place,
    times: bool = True,
) -> dict[str, Any]:
    """Return a log of equal items.

    `users` differ in taste by a standard deviation of 1, and come equally often, or, with `tail`,
    the k-th one 1/k times as often as the first. A `personal` policy follows the taste of the
    session. The log-odds of a click differ between sessions by `spread`; `bots` click everything.
    """
    user = np.arange(sessions) % users if users else np.arange(sessions)
    if tail:
        often = 1 / np.arange(1, users + 1)
        user = rng.choice(users, size=sessions, p=often / often.sum())
    has_taste = users > 0 or personal
    taste = rng.normal(size=(user.max() + 1, N))[user] * has_taste
    shown = top(rng, np.broadcast_to(score, (sessions, N)) + personal * taste)
    liking = np.take_along_axis(taste, shown, axis=1) + rng.normal(0, 1, (sessions, 1)) * spread
    clicked = model(rng, liking) | (rng.random((sessions, 1)) < bots)
    more = {"time": np.arange(sessions)} if times else {}
    more |= {"user": user + 1} if users else {}
    long = None if length is None else length(rng, shown)
    return log_of(shown, clicked, length=long, **more)


def changed(
    rng: np.random.Generator,
    sessions: int = 600,
    *,
    at: float = 0.5,
    users: int = 0,
    times: bool = True,
) -> dict[str, Any]:
    """Return a log of equal items whose policy and habits of reading change at a time."""
    is_new = np.arange(sessions)[:, None] >= at * sessions
    user = rng.integers(users, size=sessions) if users else np.arange(sessions)
    taste = rng.normal(size=(user.max() + 1, N))[user] * (users > 0)
    shown = top(rng, np.where(is_new, POLICY[::-1], POLICY))
    liking = np.take_along_axis(taste, shown, axis=1)
    clicked = np.where(is_new, by_place(rng, liking, power=0.2), by_place(rng, liking, power=1.5))
    more = {"time": np.arange(sessions)} if times else {}
    return log_of(shown, clicked, **more, **({"user": user + 1} if users else {}))


def two_kinds(rng: np.random.Generator, sessions: int = 600, users: int = 200) -> dict[str, Any]:
    """Return a log of users of two kinds, with a level of clicking and a policy for each."""
    user = rng.integers(users, size=sessions)
    is_other = (user % 2 == 1)[:, None]
    shown = top(rng, np.where(is_other, POLICY[::-1], POLICY))
    taste = rng.normal(size=(users, N))[user]
    liking = np.take_along_axis(taste, shown, axis=1) + np.where(is_other, 1, -1)
    return log_of(shown, by_place(rng, liking), user=user + 1)


def two_pages(rng: np.random.Generator, sessions: int = 300, *, named: bool) -> dict[str, Any]:
    """Return a log of sessions with two pages, each with its level of clicking and policy.

    If the pages are not `named` in a column, positions start again at the second one.
    """
    page = np.tile([0, 1], sessions)
    is_other = page[:, None] == 1
    shown = top(rng, np.where(is_other, POLICY[::-1], POLICY))
    clicked = by_place(rng, np.broadcast_to(np.where(is_other, 1.5, -1.5), shown.shape))
    session = np.repeat(np.arange(sessions), 2)
    more = {"query": page} if named else {}
    return log_of(shown, clicked, session=session, time=session, **more)


def any_length(rng: np.random.Generator, shown: Numbers) -> Numbers:
    """Return lengths of lists from 2 to 5."""
    return rng.integers(2, SIZE + 1, size=len(shown))


def length_by_top(_: np.random.Generator, shown: Numbers) -> Numbers:
    """Return lengths of lists that depend on the item at the top."""
    return 2 + shown[:, 0] % (SIZE - 1)


#: Name of the setting: how to draw a log of equal items.
EQUAL_LOGS: dict[str, LogMaker] = {
    "shuffled lists, 600 sessions": partial(drawn, score=0 * POLICY),
    "policy, 600 sessions": drawn,
    "policy, 600 sessions, no times": partial(drawn, times=False),
    "policy, 20 users x 30": partial(drawn, users=20),
    "policy, 200 users x 5": partial(drawn, sessions=1000, users=200),
    "policy, 50 users, heavy tail": partial(drawn, users=50, tail=True),
    "personal ranker, 500 x 1": partial(drawn, sessions=500, score=0 * POLICY, personal=True),
    "personal ranker, 50 users x 10": partial(
        drawn, sessions=500, score=0 * POLICY, users=50, personal=True
    ),
    "personal ranker with a policy, 500 x 1 (a warning)": partial(
        drawn, sessions=500, personal=True
    ),
    "policy and habits change half-way, 600": changed,
    "policy and habits change at 45 %, 600": partial(changed, at=0.45),
    "policy and habits change, 60 users x 10": partial(changed, users=60),
    "policy and habits change, no times (a warning)": partial(changed, times=False),
    "sessions of different levels of clicking": partial(drawn, spread=1.5),
    "two kinds of users, each with level and policy": two_kinds,
    "two pages a session, in a column": partial(two_pages, named=True),
    "two pages a session, positions start again": partial(two_pages, named=False),
    "bots, 3 % of sessions": partial(drawn, bots=0.03),
    "lists of 2 to 5 items": partial(drawn, length=any_length),
    "length depends on the item at the top": partial(drawn, length=length_by_top),
    "length depends on the item at the top, one choice": partial(
        drawn, length=length_by_top, model=one_choice
    ),
    **{
        f"policy, {name}, 600": partial(drawn, model=model)
        for name, model in MODELS.items()
        if model is not by_place
    },
    **{f"{count} sessions": partial(drawn, sessions=count) for count in (5, 10, 20, 30)},
    "20 users x 1": partial(drawn, sessions=20, users=20),
    "20 users x 4": partial(drawn, sessions=80, users=20),
    "30 users x 2": partial(drawn, sessions=60, users=30),
}


def settles(rng: np.random.Generator, *, maker: LogMaker, **options: Any) -> tuple[bool, bool]:
    """Return whether a log settles anything, and leaves pairs that may be due to place."""
    order = po.settled_order(maker(rng), **options)
    return bool(order.edges), bool(order.graph["perhaps_place"])


EQUAL: Settings = {
    **{name: partial(settles, maker=maker) for name, maker in EQUAL_LOGS.items()},
    **{
        f"{users} users x 4, as units": partial(
            settles, maker=partial(drawn, sessions=4 * users, users=users), unit="user"
        )
        for users in (5, 10)
    },
}


def generator(name: str, number: int) -> np.random.Generator:
    """Return the generator of a log of a row."""
    return np.random.default_rng([zlib.crc32(name.encode()), number])


def share_row(name: str, events: Sequence[tuple[bool, ...]]) -> tuple[Any, ...]:
    """Return a row: name, number of logs, and the share of each event with its standard error."""
    count = len(events)
    shares = [sum(column) / count for column in zip(*events, strict=True)]
    errors = [(share * (1 - share) / count) ** 0.5 for share in shares]
    texts = (f"{share:.3f} ({error:.3f})" for share, error in zip(shares, errors, strict=True))
    row = (name, count, *texts)
    print(*row, sep="; ", file=sys.stderr, flush=True)
    return row


def rows_of(settings: Settings, logs: int, *, small: bool) -> list[tuple[Any, ...]]:
    """Return a row for each setting, of so many logs."""
    return [
        share_row(name, [events(generator(name, k)) for k in range(FEW if small else logs)])
        for name, events in settings.items()
    ]


def equal(*, small: bool) -> Iterator[Table]:
    """Yield how often logs of equal items settle anything."""
    columns = ("log of equal items", "logs", "anything settled", "may be place")
    yield Table(columns, rows_of(EQUAL, LOGS, small=small))


def rivals_part(
    rng: np.random.Generator, *, model: Callable[..., Any], level: float = 0
) -> tuple[bool]:
    """Return whether a log settles items 0 and 1, of which 0 mostly stands among strong rivals.

    Both are liked equally, items 2, 3, 4 more, and items 5, 6, 7 less; 1 stands among these.
    """
    taste = np.array([0, 0, 1.5, 1.5, 1.5, -1.5, -1.5, -1.5])
    page = np.array([[2, 0, 1, 1, 1, 0, 0, 0], [0, 2, 0, 0, 0, 1, 1, 1]])
    shown = top(rng, 2.0 * page[rng.integers(2, size=1000)])
    log = log_of(shown, model(rng, taste[shown] + level), time=np.arange(1000))
    order = po.settled_order(log)
    return (order.has_edge(0, 1) or order.has_edge(1, 0),)


#: How often an item that is looked at is clicked if it is liked as the two equal items are.
LEVELS = {"clicked in .5 of looks": 0.0, "clicked in .12 of looks": -2.0}
RIVALS: Settings = {
    f"{name}, {level}": partial(rivals_part, model=MODELS[name], level=LEVELS[level])
    for name, level in product([*MODELS][:-1], LEVELS)
}
# Of one choice a list there is always one click.
RIVALS["one choice a list"] = partial(rivals_part, model=one_choice)


def rivals(*, small: bool) -> Iterator[Table]:
    """Yield how often two equal items are settled whose rivals differ."""
    columns = ("click model", "logs", "the two equal items settled")
    yield Table(columns, rows_of(RIVALS, OTHERS, small=small))


def battles_log(
    rng: np.random.Generator,
    battles: int = 600,
    *,
    judges: int = 0,
    spread: float = 0,
    cancel: bool = False,
    favour: float = 0,
    swaps: bool = True,
) -> dict[str, Any]:
    """Return battles of six equal systems.

    `judges` differ in taste by `spread`; if tastes `cancel`, the second half of the judges is of
    the opposite taste, so the judges of the log like all systems equally. `favour` are the log-odds
    for what is shown first. Without `swaps`, two systems are always shown in the same sequence.
    """
    pair = top(rng, np.zeros((battles, N)), 2)
    pair = pair if swaps else np.sort(pair, axis=1)
    judge = np.arange(battles) % max(judges, 1)
    taste = rng.normal(size=(max(judges, 1), N)) * spread
    if cancel:
        half = judges // 2
        taste[half:] = 0
        taste[half : 2 * half] = -taste[:half]
    liking = np.take_along_axis(taste[judge], pair, axis=1)
    wins = rng.random(battles) < chance(liking[:, 0] - liking[:, 1] + favour)
    first, second = pair.T
    log = {"session": np.arange(battles), "model_a": first, "model_b": second}
    log |= {"winner": np.where(wins, first, second)}
    return log | ({"judge": judge + 1} if judges else {})


#: Battles of judges who differ in taste.
judged = partial(battles_log, battles=400, spread=1)
BATTLES: Settings = {
    "600 battles": partial(settles, maker=battles_log),
    "first shown favoured by .5": partial(settles, maker=partial(battles_log, favour=0.5)),
    "first shown favoured, never swapped": partial(
        settles, maker=partial(battles_log, favour=0.5, swaps=False)
    ),
    **{
        f"{judges} judges x {400 // judges}, tastes cancel": partial(
            settles, maker=partial(judged, judges=judges, cancel=True)
        )
        for judges in (10, 5)
    },
    "10 judges x 40, as units": partial(settles, maker=partial(judged, judges=10), unit="user"),
    "20 judges x 20": partial(settles, maker=partial(judged, judges=20)),
}


def battles(*, small: bool) -> Iterator[Table]:
    """Yield how often battles of equal systems settle anything."""
    columns = ("battles of equal systems", "logs", "anything settled", "may be place")
    yield Table(columns, rows_of(BATTLES, LOGS, small=small))


def segments_log(
    rng: np.random.Generator,
    *,
    users: int = 0,
    unequal: bool = False,
    spread: float = 1,
    sessions: int = 800,
) -> dict[str, Any]:
    """Return two segments with the same tastes, each with its level and policy.

    Items are equal, or as different as the numbers 0, .3, .6, ...; `users` are in both segments.
    """
    segment = np.arange(sessions) % 2
    is_other = segment[:, None] == 1
    user = rng.integers(users, size=sessions) if users else np.arange(sessions)
    taste = 0.3 * np.arange(N) * unequal
    taste = taste + rng.normal(size=(user.max() + 1, N))[user] * spread * (users > 0)
    shown = top(rng, np.where(is_other, POLICY[::-1], POLICY))
    liking = np.take_along_axis(taste, shown, axis=1) + np.where(is_other, 1, -1)
    more = {"user": user + 1} if users else {}
    time = np.arange(sessions)
    return log_of(shown, by_place(rng, liking), segment=segment, time=time, **more)


def indifferent(rng: np.random.Generator, *, first: int, second: int) -> dict[str, Any]:
    """Return 2,000 battles of systems of which each segment likes some equally.

    These are the `first` best for one segment, and the `second` worst for the other.
    """
    segment, one = rng.integers(2, size=2000), rng.integers(N, size=2000)
    other = (one + rng.integers(1, N, size=2000)) % N
    rank = np.stack([np.arange(N).clip(first - 1), np.arange(N).clip(None, N - second)])
    wins = rng.random(2000) < chance(0.8 * (rank[segment, other] - rank[segment, one]))
    columns = (one, other, np.where(wins, one, other), segment)
    return dict(zip(("model_a", "model_b", "winner", "segment"), columns, strict=True))


def part(rng: np.random.Generator, *, maker: Callable[..., Any], **options: Any) -> tuple[bool]:
    """Return whether the segments of a log have an opposed pair."""
    return (bool(po.compare_segments(maker(rng, **options), "segment").parted),)


clicking, fighting = partial(part, maker=segments_log), partial(part, maker=indifferent)
SEGMENTS: Settings = {
    "equal items, 2 x 400 sessions": clicking,
    "equal items, 100 users in both": partial(clicking, users=100),
    "unequal items, 2 x 400 sessions": partial(clicking, unequal=True),
    "unequal items, 100 users in both": partial(clicking, users=100, unequal=True),
    "unequal items, 2 x 2,000 sessions": partial(clicking, unequal=True, sessions=4000),
    "battles, one segment indifferent": partial(fighting, first=0, second=N),
    "battles, each indifferent about one half": partial(fighting, first=N // 2, second=N // 2),
}


def segments(*, small: bool) -> Iterator[Table]:
    """Yield how often segments with the same tastes are stated to be opposed."""
    columns = ("segments of the same tastes", "logs", "any opposed pair")
    yield Table(columns, rows_of(SEGMENTS, OTHERS, small=small))


def shop_log(rng: np.random.Generator, model: Callable[..., Any]) -> tuple[dict[str, Any], Floats]:
    """Return the log of a shop, and how its items are liked.

    24 items, 4,000 lists of 8 for 2,000 users; the ranker follows taste loosely.
    """
    n, sessions, users, size = 24, 4000, 2000, 8
    taste = rng.normal(size=n)
    score = 0.7 * taste + rng.normal(0, 0.7, n)
    shown = top(rng, np.broadcast_to(score, (sessions, n)), size)
    clicked = model(rng, taste[shown] - 1)
    user = rng.integers(users, size=sessions)
    return log_of(shown, clicked, user=user + 1, time=np.arange(sessions)), taste


def agreement(strength: Floats, truth: Floats) -> float:
    """Return the share of pairs in the right order minus that of pairs in the wrong one."""
    u, v = np.triu_indices(truth.size, 1)
    return float(np.mean(np.sign((strength[u] - strength[v]) * (truth[u] - truth[v]))))


def shop_result(rng: np.random.Generator, model: Callable[..., Any]) -> tuple[float, ...]:
    """Return for a shop its pairs settled and false ones, and how three rankings agree with taste.

    The rankings are the leaning order, clicks over expected clicks, and click-through rates.
    """
    log, taste = shop_log(rng, model)
    found = read_taste(read_statements(log))
    order = found.order()
    false = sum(taste[u] < taste[v] for u, v in order.edges)
    levels = found.leaning_levels(order)
    depth = {item: -place for place, level in enumerate(levels) for item in level}
    table = click_table(found.statements)
    assert table is not None
    _, views, clicks = table
    items = np.array(found.statements.items)
    expected = views @ (clicks.sum(axis=0) / views.sum(axis=0))
    leaning = np.array([depth[item] for item in items.tolist()])
    clicked = clicks.sum(axis=1)
    rankings = leaning, clicked / expected, clicked / views.sum(axis=1)
    return order.size(), false, *(agreement(each, taste[items]) for each in rankings)


def shop_results(name: str, *, small: bool) -> Floats:
    """Return the results of all shops of a click model, a row a shop."""
    numbers = range(FEW if small else SHOPS)
    return np.array([shop_result(generator(name, k), MODELS[name]) for k in numbers])


def mean_text(values: Floats, digits: int = 3) -> str:
    """Return a mean and its standard error."""
    error = values.std(ddof=1) / values.size**0.5
    return f"{values.mean():+.{digits}f} ({error:.{digits}f})"


def two_items(rng: np.random.Generator, *, sessions: int) -> tuple[bool, bool]:
    """Return whether item 0 is settled over item 1 that 200 users prefer in .8, and the reverse."""
    shown = top(rng, np.zeros((200 * sessions, 2)), 2)
    clicked = (shown == 0) == (rng.random((len(shown), 1)) < 0.8)
    order = po.settled_order(log_of(shown, clicked, user=1 + np.arange(len(shown)) % 200))
    return order.has_edge(0, 1), order.has_edge(1, 0)


def shops(*, small: bool) -> Iterator[Table]:
    """Yield how much shop-like logs settle, how they lean, and clear preferences of users."""
    rows, leanings = [], []
    for name in MODELS:
        found, wrong, leaning, expected, rates = shop_results(name, small=small).T
        row = share_row(name, [(one > 0,) for one in wrong])
        means = f"{found.mean():.0f}", f"{wrong.mean():.2f}"
        rows.append((*row[:2], *means, row[2]))
        gains = (mean_text(leaning - other) for other in (expected, rates))
        leanings.append((name, row[1], f"{leaning.mean():.3f}", *gains))
        print(*leanings[-1], sep="; ", file=sys.stderr, flush=True)
    yield Table(("click model", "logs", "settled, of 276", "false", "logs with a false one"), rows)
    ours = "leaning order", "minus clicks over expected", "minus click-through rates"
    yield Table(("click model", "logs", *ours), leanings)
    columns = ("0 preferred in .8 of sessions", "logs", "settled", "settled falsely")
    two: Settings = {f"200 users x {k}": partial(two_items, sessions=k) for k in (1, 3, 10)}
    yield Table(columns, rows_of(two, SHOPS, small=small))


def expert_logs(
    rng: np.random.Generator, model: Callable[..., Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return 40 lists of a shop whose ranker knows taste, too few to learn it, and 4,000 later."""
    taste = rng.normal(size=24)
    logs = []
    for sessions in (40, 4000):
        shown = top(rng, np.broadcast_to(1.5 * taste, (sessions, 24)), 8)
        clicked = model(rng, taste[shown] - 1)
        logs.append(log_of(shown, clicked, user=1 + rng.integers(sessions // 2, size=sessions)))
    return logs[0], logs[1]


#: Name of the setting: how to draw a log, and a later log or None.
UNSEEN: dict[str, Callable[[np.random.Generator], tuple[dict[str, Any], Any]]] = {
    **{
        f"equal items: {name}": partial(lambda rng, maker: (maker(rng), None), maker=maker)
        for name, maker in EQUAL_LOGS.items()
        if name.startswith(("policy, 600 sessions", "policy, 20 users", "two kinds", "policy and"))
    },
    **{
        f"shop: {name}": partial(lambda rng, model: (shop_log(rng, model)[0], None), model=model)
        for name, model in MODELS.items()
    },
    **{
        f"40 lists of a ranker that knows taste: {name}": partial(expert_logs, model=model)
        for name, model in MODELS.items()
    },
}
#: The simple rules that are orders of items.
RULES = ("usually stood higher", "clicked more often", "clicks over expected clicks")


def rules_ahead(name: str, rng: np.random.Generator) -> tuple[bool, ...]:
    """Return which simple rules are ahead of the leaning order in a log."""
    log, later = UNSEEN[name](rng)
    found = po.validate_feedback(log, test=later).ahead
    return tuple(rule in found for rule in RULES)


def ahead(*, small: bool) -> Iterator[Table]:
    """Yield how often a simple rule is ahead of the leaning order on unseen sessions."""
    settings: Settings = {name: partial(rules_ahead, name) for name in UNSEEN}
    yield Table(("log", "logs", *RULES), rows_of(settings, 2 * SHOPS, small=small))


if __name__ == "__main__":
    run(__doc__, "numpy scipy", equal, rivals, battles, segments, shops, ahead)
