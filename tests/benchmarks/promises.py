"""Promises tried by simulation: intervals, and sets of ranks that hold all at once.

Run ``python -m tests.benchmarks.promises`` for all tables, with names for some, ``--small`` for
a quick look. ``intervals``: how often an interval of correctness on unseen sessions holds the true
value, beside percentiles of bootstrap samples of the units, and Wilson's interval for statements
taken as independent. ``ranks``: how often all sets of ranks hold. ``judges``: how often an unbiased
judge is called biased. ``fronts``: how often a system is falsely said to be better by one measure
and not worse by another. ``segments``: how often a search finds users who differ.
``several_rules``: how often one rule, and how often any, settles equal items. ``prompts``: what
battles settle whose judges share prompts, if judges, prompts or both have tastes. ``states``: how
often pairs are falsely called equal enough or conflicting. ``rankers``: what rankers decide that
learnt noise, or grades. ``settled``: how many pairs simulated logs of clicks settle, and how many
of these are false. ``looks``: the same of two systems, looked at after each of 400 battles.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from statistics import NormalDist
from typing import Any

import networkx as nx
import numpy as np

import porank as po
from porank.abstention.settled import log_e_values, sign_p_values
from porank.clicks.rules import RULES
from porank.core.intervals import _wilson_bound, mean_interval
from porank.core.tables import Table
from porank.significance.paired_differences import Trial
from porank.significance.several_measures import dominance_order
from porank.typing import Numbers
from tests.benchmarks import rates
from tests.benchmarks.rates import FEW, generator
from tests.benchmarks.side_by_side import run

#: How many statements units have. Those of one unit are correlated as those of a beta-binomial
#: distribution are.
SIZES: dict[str, Callable[[np.random.Generator, Any], Numbers]] = {
    "1": lambda _, shape: np.ones(shape, dtype=np.int64),
    "4": lambda _, shape: np.full(shape, 4),
    "1 + Poisson(30)": lambda rng, shape: 1 + rng.poisson(30, shape),
    "geometric, mean 4": lambda rng, shape: rng.geometric(0.25, shape),
    "lognormal, mean 6": lambda rng, shape: np.ceil(rng.lognormal(1, 1.2, shape)).astype(int),
}
UNITS, TRUTHS, CORRELATIONS = (5, 20, 60, 200), (0.0, 0.5, 0.9, 0.98, 1.0), (0.0, 0.3, 1.0)
MARGIN = 0.025


def samples(
    sizes: str, units: int, correctness: float, correlation: float, many: int
) -> tuple[Numbers, Numbers]:
    """Return how many statements agree, and how many there are: a row of units a sample."""
    rng, share, rho = np.random.default_rng(0), (1 + correctness) / 2, correlation
    decided = SIZES[sizes](rng, (many, units))
    if rho == 0 or share == 1:
        return rng.binomial(decided, share), decided
    if rho == 1:
        return decided * (rng.random(decided.shape) < share), decided
    a, b = (side * (1 - rho) / rho for side in (share, 1 - share))
    return rng.binomial(decided, rng.beta(a, b, decided.shape)), decided


def percentile_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return percentiles of the correctness in 200 bootstrap samples of the units."""
    rng, n = np.random.default_rng(1), right.size
    drawn = rng.integers(n, size=(200, n))
    values = 2 * right[drawn].sum(axis=1) / decided[drawn].sum(axis=1) - 1
    low, high = np.quantile(values, [margin, 1 - margin]).tolist()
    return low, high


def independent_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return Wilson's interval for statements that are taken as independent of each other."""
    n, z = decided.sum(), NormalDist().inv_cdf(1 - margin)
    share = right.sum() / n
    low, high = (2 * _wilson_bound(one, n, z) - 1 for one in (share, 1 - share))
    return low, -high


def unit_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return the interval of correctness that `validate_feedback` gives."""
    return mean_interval(2 * right - decided, decided, margin, lowest=-1, highest=1)


INTERVALS: dict[str, Callable[..., tuple[float, float]]] = {
    "percentiles of samples": percentile_interval,
    "statements as independent": independent_interval,
    "validate_feedback": unit_interval,
}


def intervals(*, small: bool) -> Iterator[Table]:
    """Yield the table: for each number of units and truth the least coverage of all settings."""
    rows = []
    for name, interval in INTERVALS.items():
        # Bootstrap samples take long, and fail clearly.
        many = 200 if small else 500 if interval is percentile_interval else 4000
        held: dict[tuple[int, float], list[float]] = {}
        for sizes, units, truth, correlation in product(SIZES, UNITS, TRUTHS, CORRELATIONS):
            if sizes == "1" and correlation:
                continue  # single statements have none
            drawn = zip(*samples(sizes, units, truth, correlation, many), strict=True)
            bounds = [interval(right, decided, MARGIN) for right, decided in drawn]
            holding = [low <= truth + 1e-12 and truth <= high for low, high in bounds]
            held.setdefault((units, truth), []).append(sum(holding) / many)
        rows += [
            (name, units, *(f"{min(held[units, truth]):.1%}" for truth in TRUTHS))
            for units in UNITS
        ]
    columns = ("interval", "units", *(f"correctness {truth:g}" for truth in TRUTHS))
    yield Table(columns, rows)


LEVEL, SAMPLES = 0.05, 1999


def normal(rng: np.random.Generator, size: Any) -> Any:
    """Errors that are as often above as below 0."""
    return rng.normal(size=size)


def skewed(rng: np.random.Generator, size: Any) -> Any:
    """Errors with a long tail, to the one side for every second system, to the other for others."""
    sides = np.where(np.arange(size[1]) % 2, 1.0, -1.0)
    return sides * (rng.exponential(size=size) - 1)


def unequal(errors: Callable[..., Any]) -> Callable[..., Any]:
    """Errors up to four times as large for some systems as for others."""
    return lambda rng, size: (1 + np.arange(size[1]) % 4) * errors(rng, size)


def one_outlier(rng: np.random.Generator, size: Any) -> Any:
    """Lognormal errors, those of the first system much larger and more skewed."""
    spread = np.where(np.arange(size[1]) == 0, 1.5, 0.3)
    return rng.lognormal(sigma=spread, size=size) - np.exp(spread**2 / 2)


ERRORS = {
    "normal": normal,
    "unequal": unequal(normal),
    "skewed": skewed,
    "skewed, unequal": unequal(skewed),
}


def holds(ranks: dict[Any, tuple[int, int]], means: Any) -> bool:
    """Whether all sets have each rank that a system may have, equal ones ranked in any way."""
    return all(
        low <= 1 + np.count_nonzero(means > means[system])
        and high >= len(means) - np.count_nonzero(means < means[system])
        for system, (low, high) in ranks.items()
    )


def contain(found: po.results.SystemComparison, means: Any) -> bool:
    """Whether all intervals of differences contain the true ones."""
    return all(
        each.low <= means[each.first] - means[each.second] + 1e-12 <= each.high + 2e-12
        for each in next(iter(found.pairs.values()))
    )


def coverage(draws: int) -> Table:
    """Return how often all sets of ranks hold, how wide they are, and how often all intervals hold.

    Of the last kind, one system alone has large and skewed errors, no reach is promised.
    """
    cases = [
        (10, groups, name, kind)
        for groups in (15, 30, 60)
        for name in ERRORS
        for kind in ("all equal", "in pairs")
    ]
    cases += [(4, groups, name, "all equal") for groups in (15, 20) for name in ERRORS]
    cases += [(6, groups, "one outlier", "all equal") for groups in (15, 30, 60)]
    rows = []
    for systems, groups, name, kind in cases:
        # Means on a few levels: any two neighbours are equal.
        step = 0.0 if kind == "all equal" else 3 / np.sqrt(groups)
        means, errors = step * (np.arange(systems) // 2), ERRORS.get(name, one_outlier)
        rng, held, width, inside = np.random.default_rng(1), 0, 0.0, 0
        for _ in range(draws):
            values = means + errors(rng, (groups, systems))
            found = po.compare_scores(values, samples=SAMPLES, seed=rng)
            ranks = found.rank_sets()
            inside += contain(found, means)
            held += holds(ranks, means)
            width += float(np.mean([high - low + 1 for low, high in ranks.values()]))
        shares = f"{held / draws:.1%}", f"{width / draws:.2f}", f"{inside / draws:.1%}"
        rows.append((systems, groups, name, kind, *shares))
    columns = ("systems", "groups", "errors", "equal", "all sets hold", "mean width")
    return Table(
        (*columns, "intervals hold"),
        rows,
        title=f"{draws:,} draws each, level {LEVEL}; wanted 93.5% at least",
    )


def fronts(*, small: bool) -> Iterator[Table]:
    """Yield how often an order by two measures states something false of eight systems."""
    draws, rows = (FEW if small else 300), []
    one, other, last = np.arange(8) / 2, np.zeros(8), np.eye(8)[0]
    cases = {
        "all equal": (other, other, 0.0),
        "better by one measure, equal by the other": (one, other, 0.0),
        "better by one measure, worse by the other": (one, -one, 0.0),
        "better by one measure, worse by the margin": (4 * last, -0.3 * last, 0.3),
    }
    for tasks, (name, (good, cheap, margin)) in product((20, 50, 150), cases.items()):
        rng, false = np.random.default_rng(1), 0
        for _ in range(draws):
            hard = rng.normal(size=(tasks, 1))
            values = {
                "good": good + hard + rng.normal(size=(tasks, 8)),
                "cheap": cheap + hard + rng.normal(size=(tasks, 8)),
            }
            how: dict[str, Any] = {"better": dict.fromkeys(values, "higher"), "margin": margin}
            order = dominance_order(values, Trial(samples=SAMPLES), systems=range(8), **how)
            false += bool(order.number_of_edges())
        rows.append((tasks, name, draws, f"{false / draws:.1%}"))
    yield Table(("tasks", "systems", "boards", "something stated"), rows)


def shop_of_users(seed: int, *, is_split: bool) -> dict[str, Any]:
    """Return a log of 400 users with four columns, of whom half may have another taste."""
    taste = {item: 1.35**-place for place, item in enumerate("abcdef")}
    other = taste | {"e": taste["a"], "a": taste["e"]} if is_split else taste
    first = po.simulate_log(taste, 600, length=4, seed=seed)
    second = po.simulate_log(other, 600, length=4, seed=seed + 10**6)
    second["session"] = second["session"] + 600
    log: dict[str, Any] = {name: np.concatenate([first[name], second[name]]) for name in first}
    user = np.where(log["session"] <= 600, 0, 200) + log["session"] % 200
    rng = np.random.default_rng(seed)
    log["user"] = [f"user {number}" for number in user.tolist()]
    log["device"] = np.where(user < 200, "phone", "desk")
    log["age"] = rng.integers(18, 70, 400)[user]
    log["country"] = np.array(["fi", "se", "no", "dk"])[rng.integers(0, 4, 400)][user]
    log["plan"] = np.array(["free", "paid"])[rng.integers(0, 2, 400)][user]
    return log


def segments(*, small: bool) -> Iterator[Table]:
    """Yield how often a search finds a split of equal users, or the split that is there first."""
    logs, rows = (FEW if small else 100), []
    for is_split in (False, True):
        found, right = 0, 0
        for seed in range(1, logs + 1):
            log = shop_of_users(seed, is_split=is_split)
            clearest = po.find_segments(log, ["device", "age", "country", "plan"]).comparisons[0]
            found += bool(clearest.parted)
            right += bool(clearest.parted) and clearest.segment == "device"
        rows.append(("two tastes" if is_split else "equal users", logs, found, right))
    yield Table(("users", "logs", "a split found", "that of the devices first"), rows)


def several_rules(*, small: bool) -> Iterator[Table]:
    """Yield how often rules settle something in logs of equal items, and how often any of them."""
    logs = FEW if small else 150
    settled = {name: np.zeros(logs, dtype=bool) for name in RULES}
    for seed, (name, one) in product(range(logs), settled.items()):
        log = po.simulate_log(dict.fromkeys("abcdef", 1.0), 400, length=4, seed=seed)
        pairs = po.from_log(log, rule=name)
        one[seed] = bool(pairs.edges) and bool(po.settled_order(pairs).edges)
    rows = [(name, logs, f"{one.mean():.1%}") for name, one in settled.items()]
    rows.append(("any of them", logs, f"{np.any([*settled.values()], axis=0).mean():.1%}"))
    yield Table(("rule", "logs", "something settled"), rows)


def shared_prompts(
    rng: np.random.Generator,
    judges: int,
    prompts: int,
    each: int,
    tastes: tuple[int, int],
    step: float,
) -> dict[str, Any]:
    """Return battles of six systems before judges who each see `each` of the prompts.

    System k is better than the next one by `step` in log-odds; judges and prompts have tastes with
    standard deviations.
    """
    judge = np.repeat(np.arange(judges), each)
    prompt = np.concatenate([rng.permutation(prompts)[:each] for _ in range(judges)])
    first = rng.integers(6, size=judge.size)
    second = (first + rng.integers(1, 6, size=judge.size)) % 6
    of_judge, of_prompt = (
        spread * rng.normal(size=(many, 6))
        for spread, many in zip(tastes, (judges, prompts), strict=True)
    )
    liking = of_judge[judge] + of_prompt[prompt] - step * np.arange(6)
    rows = np.arange(judge.size)
    gap = liking[rows, first] - liking[rows, second]
    winner = np.where(rng.random(judge.size) < 1 / (1 + np.exp(-gap)), first, second)
    names = ("judge", "prompt", "model_a", "model_b", "winner")
    return dict(zip(names, (judge, prompt, first, second, winner), strict=True))


def prompts(*, small: bool) -> Iterator[Table]:
    """Yield what battles settle whose judges share prompts, of equal and of unequal systems."""
    logs, rows = (FEW if small else 200), []
    for judges, many, each in ((30, 40, 20), (100, 100, 40)):
        for tastes in ((0, 0), (1, 0), (0, 1), (1, 1), (3, 3)):
            name = f"{judges} judges x {each} of {many} prompts, tastes {tastes[0]} and {tastes[1]}"
            found = np.zeros((2, logs))
            wrong = 0
            for number, (row, step) in product(range(logs), enumerate((0.0, 0.25))):
                rng = generator(name, 2 * number + row)
                battles = shared_prompts(rng, judges, many, each, tastes, step)
                edges = po.settled_order(battles).edges
                found[row, number] = len(edges)
                wrong += step > 0 and any(u > v for u, v in edges)
            shares = f"{np.mean(found[0] > 0):.1%}", f"{found[1].mean():.2f}", f"{wrong / logs:.1%}"
            rows.append((name, logs, *shares))
    columns = ("battles", "logs", "equal systems settled", "unequal: pairs of 15", "any false")
    yield Table(columns, rows)


def counts_of(log: dict[str, Any]) -> dict[tuple[int, int], int]:
    """Return the wins in battles, as counts."""
    rows = zip(*(log[name].tolist() for name in ("model_a", "model_b", "winner")), strict=True)
    return Counter((won, a + b - won) for a, b, won in rows)


#: The order of battles that names states of pairs, with half a log-odds as margin.
STATES: dict[str, Callable[[dict[str, Any]], nx.DiGraph]] = {
    "battles": lambda log: po.settled_order(log, margin=0.5),
    "battles in two segments": lambda log: po.compare_segments(log, "half").order(margin=0.5),
    "counts": lambda log: po.settled_order(counts_of(log), margin=0.5),
    "strengths of counts": lambda log: po.fit_strengths(counts_of(log), samples=1000).order(),
}


def duels(rng: np.random.Generator, gaps: Any) -> dict[str, Any]:
    """Return 3,000 battles; u beats v with log-odds gaps[u, v]."""
    one, other = rng.permuted(np.tile(np.arange(len(gaps)), (3000, 1)), axis=1).T[:2]
    wins = rng.random(one.size) < 1 / (1 + np.exp(-gaps[one, other]))
    log = {"model_a": one, "model_b": other, "winner": np.where(wins, one, other)}
    return log | {"half": rng.integers(0, 2, one.size)}


def states(*, small: bool) -> Iterator[Table]:
    """Yield how often pairs of five systems, each a margin ahead of the next, get a false state.

    Beside it, how often three systems that beat each other in a circle are conflicting.
    """
    logs, rows = (FEW if small else 200), []
    steps = -0.5 * np.arange(5)[:, None] + 0.5 * np.arange(5)
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    for name, order_of in STATES.items():
        found = np.zeros((logs, 4), dtype=bool)
        for number in range(logs):
            orders = [
                order_of(duels(generator(name, 2 * number + k), gaps))
                for k, gaps in enumerate((steps, circle))
            ]
            state, of_circle = ({*po.open_pairs(order)["state"]} for order in orders)
            is_false = any(u > v for u, v in orders[0].edges)
            found[number, :2] = ["equal enough" in state, "conflicting" in state]
            found[number, 2:] = [is_false, "conflicting" in of_circle]
        rows.append((name, logs, *(f"{share:.1%}" for share in found.mean(axis=0))))
    columns = ("evidence", "logs", "equal enough", "conflicting", "false order")
    yield Table((*columns, "a circle found"), rows)


def ranks(*, small: bool) -> Iterator[Table]:
    """Yield how often sets of ranks hold all at once."""
    yield coverage(20 if small else 1000)


def verdicts(
    rng: np.random.Generator,
    *,
    judges: int,
    battles: int,
    prompts: bool,
    most: int = 1,
    systems: int = 4,
) -> dict[str, Any]:
    """Return battles of systems before judges who favour no place, each with own strengths.

    Each verdict is written down 1 to `most` times.
    """
    count = judges * battles
    judge = np.repeat(np.arange(judges), battles)
    first = rng.integers(systems, size=count)
    second = (first + rng.integers(1, systems, size=count)) % systems
    strength = rng.normal(size=(judges, systems))
    gap = strength[judge, first] - strength[judge, second]
    winner = np.where(rng.random(count) < 1 / (1 + np.exp(-gap)), first, second)
    # A single judge 0 would be nobody.
    table = {"judge": judge + 1, "model_a": first, "model_b": second, "winner": winner}
    table |= {"prompt": np.arange(count)} if prompts else {}
    times = rng.integers(1, most + 1, size=count)
    return {name: np.repeat(column, times) for name, column in table.items()}


def is_any_biased(found: po.results.JudgeComparison) -> bool:
    """Return whether the interval of a judge misses one half."""
    return bool(((found["low"] > 0.5) | (found["high"] < 0.5)).any())


def called_biased(rng: np.random.Generator, **table: Any) -> tuple[bool]:
    """Return whether an interval of judges who favour no place misses one half."""
    return (is_any_biased(po.compare_judges(verdicts(rng, **table))),)


#: Number of tables of battles, and of data sets for rankers.
TABLES, SETS = 1000, 200
JUDGES: rates.Settings = {
    f"{judges} x {battles}{', repeated' * (most > 1)}, {'no ' * (not prompts)}prompts": partial(
        called_biased, judges=judges, battles=battles, prompts=prompts, most=most
    )
    for judges, battles in ((1, 20), (1, 400), (5, 20), (5, 100), (20, 100), (100, 20))
    for prompts, most in product((True, False), (1, 9))
}


def judges(*, small: bool) -> Iterator[Table]:
    """Yield how often an interval of judges who favour no place misses one half."""
    columns = ("judges x verdicts", "tables", "any called biased")
    yield Table(columns, rates.rows_of(JUDGES, TABLES, small=small))


def estimators() -> dict[str, Any]:
    """Return some rankers of scikit-learn, by name."""
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    return {
        "linear regression": LinearRegression(),
        "logistic regression": LogisticRegression(),
        "five nearest neighbours": KNeighborsRegressor(5),
        "decision tree": DecisionTreeRegressor(random_state=0),
    }


def right_and_decided(ranker: Any, rows: Any, grades: Any) -> tuple[int, int]:
    """Return how many preferences on some rows are right, and how many there are."""
    edges = np.array(ranker.predict(rows).edges, dtype=np.int64).reshape(-1, 2).T
    return int(np.count_nonzero(grades[edges[0]] > grades[edges[1]])), edges.shape[1]


def kept_by_the_test(
    name: str, n: int, draw: Callable[..., tuple[Any, Any, int]], sets: int
) -> tuple[str, ...]:
    """Return what share of pairs is decided, by default and at the minimal threshold; and kept.

    A data set has n rows to learn from, and others to rank. What is kept is the number of right
    preferences by default, divided by the one at the minimal threshold.
    """
    counts = np.zeros((2, 2))
    pairs = 0
    for number in range(sets):
        rng = generator(f"{name}, {n} rows", number)
        rows, grades, split = draw(rng, n)
        ranker = po.PartialRanker(estimators()[name], n_members=10, seed=number)
        ranker.fit(rows[:split], grades[:split])
        for side, alpha in enumerate(("tested", "minimal")):
            ranker.set_params(alpha=alpha)
            counts[side] += right_and_decided(ranker, rows[split:], grades[split:])
        pairs += (len(rows) - split) * (len(rows) - split - 1) // 2
    (right, decided), (most_right, most_decided) = counts
    return f"{decided / pairs:.1%}", f"{most_decided / pairs:.1%}", f"{right / most_right:.0%}"


def noise(rng: np.random.Generator, n: int, *, is_class: bool) -> tuple[Any, Any, int]:
    """Return rows of five features with grades that are noise; 20 rows are to be ranked."""
    rows, grades = rng.normal(size=(n + 20, 5)), rng.normal(size=n + 20)
    return rows, (grades > 0).astype(int) if is_class else grades, n


def diabetes(rng: np.random.Generator, n: int) -> tuple[Any, Any, int]:
    """Return some patients of `load_diabetes` and how their disease progressed; 20 are ranked."""
    from sklearn.datasets import load_diabetes

    rows, grades = load_diabetes(return_X_y=True)
    drawn = rng.permutation(len(rows))[: n + 20]
    return rows[drawn], grades[drawn], n


def rankers(*, small: bool) -> Iterator[Table]:
    """Yield what rankers decide that learnt noise, and what the test on rows left out costs."""
    sets = FEW if small else SETS
    rows: list[tuple[Any, ...]] = []
    for name, n in product(estimators(), (30, 100, 400)):
        draw = partial(noise, is_class=name.startswith("logistic"))
        rows.append((name, n, sets, *kept_by_the_test(name, n, draw, sets)[:2]))
    columns = ("ranker of noise", "rows", "data sets", "pairs decided", "at the minimal threshold")
    yield Table(columns, rows)
    rows = [
        (name, n, sets, *kept_by_the_test(name, n, diabetes, sets))
        for name, n in product(estimators(), (20, 40, 80, 200))
        if not name.startswith("logistic")
    ]
    yield Table(("ranker of patients", *columns[1:], "right ones kept"), rows)


Pairs = set[tuple[int, int]]


def closed(order: nx.DiGraph) -> Pairs:
    """Return the pairs that an order states."""
    return set(po.transitive_closure(order).edges)


def share(G: nx.DiGraph, **options: Any) -> Pairs:
    """Return the order of the shares at a threshold."""
    return closed(po.predict_order(po.feedback_relation(G), **options))


def each_alone(G: nx.DiGraph) -> Pairs:
    """Return the pairs that are significant by themselves, as if no other had been tested."""
    tests = (
        {(u, v): data["support"], (v, u): data["against"]} for u, v, data in G.edges(data=True)
    )
    return {pair for counts in tests for pair in po.settled_order(counts).edges}


#: What states pairs, of a log and its evidence; what contradicts stronger pairs is dropped.
STATING: dict[str, Callable[[nx.DiGraph], Pairs]] = {
    "share, minimal threshold": share,
    "share at .6": lambda G: share(G, alpha=0.6, impossible="drop"),
    "share at .75": lambda G: share(G, alpha=0.75, impossible="drop"),
    "each pair at .05": each_alone,
    "settled_order": lambda G: closed(po.settled_order(G)),
}


def rows_of(
    name: str, strengths: dict[int, float], sessions: int, logs: int
) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each rule: true pairs found, false pairs, and logs with any."""
    true = {(u, v) for u in strengths for v in strengths if strengths[u] > strengths[v]}
    made = [po.ClickLog(po.simulate_log(strengths, sessions, seed=k)) for k in range(logs)]
    graphs = [po.from_log(log) for log in made]
    for rule, states in STATING.items():
        stated = [states(G) for G in graphs]
        found = sum(len(pairs & true) for pairs in stated) / logs
        false = [len(pairs - true) for pairs in stated]
        yield (
            f"{name}, {sessions:,} sessions",
            rule,
            logs,
            f"{found / len(true):.0%}" if true else "",
            sum(false) / logs,
            f"{sum(map(bool, false)) / logs:.1%}",
        )


def settings(*, small: bool) -> Iterator[tuple[str, dict[int, float], int, int]]:
    """Yield names, strengths, sessions and logs, those of equal items first."""
    many, few = (40, 4) if small else (500, 20)
    for n, sessions in [(5, 100), (8, 200), (8, 2000), (12, 500)]:
        yield f"{n} equal items", dict.fromkeys(range(n), 1.0), sessions, many
    yield "8 items, strengths 1.3^-k", {k: 1.3**-k for k in range(8)}, 2000, few
    yield "12 items, linear strengths", {k: 12.0 - k for k in range(12)}, 2000, few
    yield "two groups of four", {k: 1.0 if k < 4 else 0.4 for k in range(8)}, 2000, few


def settled(*, small: bool) -> Iterator[Table]:
    """Yield what counts by each rule settle."""
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    yield Table(columns, [row for each in settings(small=small) for row in rows_of(*each)])


def rows_of_looks(logs: int, battles: int = 400) -> Iterator[tuple[Any, ...]]:
    """Yield for each share of wins in how many logs two systems are told apart, by several rules.

    The normal test looks from the tenth battle on, the e-process always, the sign test at the end.
    """
    rng, fought = np.random.default_rng(0), np.arange(1, battles + 1)
    for share in (0.5, 0.55, 0.6, 0.65, 0.7):
        won = (rng.random((logs, battles)) < share).cumsum(axis=1)
        lost = fought - won
        z = np.abs(won - lost)[:, 9:] / np.sqrt(fought[9:]) > 1.959964
        both = (log_e_values(u.ravel(), v.ravel()) for u, v in ((won, lost), (lost, won)))
        watched = np.maximum(*both).reshape(won.shape) >= np.log(2 / 0.05)
        at_end = sign_p_values(won[:, -1], lost[:, -1]) <= 0.05
        found = (z.any(axis=1), watched.any(axis=1), at_end)
        yield f"{share:.0%}", logs, *(f"{each.mean():.1%}" for each in found)


def looks(*, small: bool) -> Iterator[Table]:
    """Yield the table of two systems that are looked at after each of 400 battles."""
    columns = "share won", "logs", "z, each look", "anytime=True, each look"
    yield Table((*columns, "sign test, at the end"), list(rows_of_looks(100 if small else 2000)))


PARTS = (
    *(intervals, ranks, fronts, segments, several_rules),
    *(prompts, states, judges, rankers, settled, looks),
)

if __name__ == "__main__":
    run(__doc__, "networkx numpy scikit-learn", *PARTS)
