"""The findings of a report on a log, in sentences about this log.

`sections_of` makes the sections of the report on an `Exploration`: what the log settles, place and
popularity, how sure this is, groups, segments, judges, what it leans to, which pairs are nearly
settled, contradictions, the order to explore, what is in the log, and the limits of all this.
`verdict_of` is the beginning.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from heapq import nsmallest
from inspect import getdoc
from io import StringIO
from itertools import islice, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.clicks.holdout import FeedbackValidation, cells_of
from porank.clicks.rules import RULES
from porank.clicks.statements import GroupItem
from porank.convert.notation import spell_label
from porank.core.graphs import item_key
from porank.core.tables import Table, printable
from porank.drawing.curves import draw_positions, draw_tradeoff
from porank.drawing.hasse_diagram import draw_hasse
from porank.drawing.item_rows import draw_rank_intervals, draw_segments
from porank.drawing.page.page import write_page
from porank.errors import counted
from porank.exploration.report import Picture, Section
from porank.orders.open_pairs import Reason
from porank.orders.ranks import levels, maximal_items, minimal_items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx

    from porank.clicks.holdout_scores import HoldoutScore
    from porank.exploration.record import Record
    from porank.significance.judges import JudgeComparison
    from porank.significance.segments import SegmentComparison
    from porank.typing import Item


#: Maximum number of preferences named in a sentence, and of rows in a table.
_NAMED, _ROWS = 4, 10
#: A settled pair hangs on few units if it is open without so many.
_HANGING = 2
#: Maximum number of further units for a nearly settled pair, as a multiple of those so far.
_MOST_TIMES = 10


def sections_of(found: Record) -> Iterator[Section]:
    """Yield the sections of findings in the report on a log."""
    yield _settled(found)
    yield _place_or_popularity(found)
    yield _certainty(found)
    if found.by is not None:
        yield _groups(found)
    for compared in found.segments:
        yield _segments(compared, len(found.segments))
    if found.judges is not None:
        yield _judges(found.judges)
    yield _leaning(found)
    yield from _would_settle(found)
    yield contradictions_of(found)
    if found.pictured.edges:
        yield Section("The settled order, to explore", (), page=partial(_page_of, found))
    yield Section("What is in the log", [*_reading(found)], [found.contents.to_table()])
    yield Section("What this does not say", [*_limits(found)])


def verdict_of(found: Record) -> Iterator[str]:
    """Yield the findings on what a log settles: segments that are opposed, then the verdict."""
    for compared in found.segments:
        if compared.parted:
            first, second = compared.segments
            yield (
                f"{compared.segment}: {first} and {second} have opposite preferences on "
                f"{counted(len(compared.parted), 'pair')}; below, they are taken together."
            )
    order = found.order()
    settled, pairs = order.number_of_edges(), _number_of_pairs(order)
    if not settled:
        yield f"The log settles none of {counted(pairs, 'pair')}."
    else:
        how_many = f"{settled:,} of {counted(pairs, 'pair')}"
        clearest = [_clearest(order)] if settled <= _NAMED or found.by is not None else []
        ends = [_best_and_worst(found)] if found.by is None else []
        what = "; ".join(clearest + ends)
        yield f"The log settles {how_many} at a risk of {_percent(order)}: {what}."
        if not _has_positions(found):
            yield "Place may explain these, because the log has no positions."
    if left := pairs - settled:
        are = "is" if left == 1 else "are"
        yield f"{counted(left, 'pair')} {are} open: {_why_open(found, left)}."
    if perhaps := len(order.graph["perhaps_place"]):
        yield f"Counts alone would settle {counted(perhaps, 'more pair')}, which place may explain."
    if left := len(order) - len(found.leaning):
        yield (
            f"Pictures show and rank the {len(found.leaning):,} items in most settled pairs, "
            f"without {counted(left, 'other')}."
        )
    if isinstance(found.validation, FeedbackValidation) and found.validation.ahead:
        rules = " and ".join(f'"{rule}"' for rule in found.validation.ahead)
        yield (
            f"On {_tested_on(found)}, choices are predicted better by the simple rule {rules} than "
            "by the order that the log leans to."
        )


def _best_and_worst(found: Record) -> str:
    """Return which items may be best, because none is settled above them, and which worst."""
    order, strength = found.order(), found.taste.leaning
    # The most likely ones first, items without a strength last.
    best, worst = (
        sorted(items, key=lambda item: sign * strength.get(item, sign * math.inf))
        for sign, items in ((-1, maximal_items(order)), (1, minimal_items(order)))
    )
    texts = []
    for word, items in (("best", best), ("worst", worst)):
        named = _first([str(item) for item in items])
        texts.append(f"{word} {'may be' if named[1:] else 'is'} {' or '.join(_joined(named))}")
    return "; ".join(texts)


def _first(texts: list[str], others: str = "others", most: int = _NAMED) -> list[str]:
    """Return the first texts for a sentence, and how many others there are if they are several."""
    most += len(texts) == most + 1
    more = [f"{len(texts) - most:,} {others}"] if len(texts) > most else []
    return [*map(printable, texts[:most]), *more]


def _joined(names: list[str]) -> list[str]:
    """Return names for a sentence: all but the last with commas between, and the last."""
    return [", ".join(names[:-1]), names[-1]] if names[1:] else names


def _clearest(order: nx.DiGraph) -> str:
    """Return the clearest pairs of a settled order, for a sentence."""
    edges = sorted(order.edges(data=True), key=_clearest_first)
    return ", ".join(_first([f"{u} is preferred to {v}" for u, v, _ in edges], "more"))


def _clearest_first(edge: Any) -> tuple[Any, ...]:
    """Return the key for sorting settled pairs: the p-value, the least gap, then the items."""
    u, v, data = edge
    return data["p_value"], -data["low"], item_key(u), item_key(v)


def _tested_on(found: Record) -> str:
    """Return what the orders are tested on: units of this log, or a later log."""
    return "the later log" if found.is_later else f"unseen {found.unit}s"


def _has_positions(found: Record) -> bool:
    """Return whether the log says where items stood."""
    return bool((found.taste.compared.places >= 0).any())


def _percent(order: nx.DiGraph) -> str:
    """Return the risk of a settled order in percent, for findings."""
    return f"{100 * order.graph['risk']:.3g}%"


def _number_of_pairs(items: Iterable[Item]) -> int:
    """Return how many pairs of items a log could settle; with groups, pairs within one group."""
    sizes = Counter(item.group if isinstance(item, GroupItem) else None for item in items)
    return sum(math.comb(size, 2) for size in sizes.values())


def _settled(found: Record) -> Section:
    """Return the first section: what a log settles, in a few sentences and two pictures."""
    shows = "What is settled: lines lead down to the worse item."
    pictures = [Picture(lambda: draw_hasse(found.pictured, title=None), shows)]
    if found.by is None:
        shows = (
            "The ranks that each item may have. Darker means more likely, if all rankings that "
            "agree with the settled order are equally likely."
        )
        pictures.insert(
            0, Picture(lambda: draw_rank_intervals(found.pictured, seed=0, title=None), shows)
        )
    shown = pictures if found.pictured.edges else ()
    return Section("What the log settles", [" ".join(verdict_of(found))], pictures=shown)


def _certainty(found: Record) -> Section:
    """Return the section of findings on how sure the settled pairs are, and for whom they hold."""
    order = found.order()
    stated = [edge for edge in order.edges(data=True) if not edge[2]["added"]]
    rows = nsmallest(_ROWS, stated, key=_clearest_first)
    columns = ("gap", "low", "high", "support", "against", "p_value")
    cells = [(u, v, *(data[name] for name in columns)) for u, v, data in rows]
    title = ("the clearest " if len(stated) > _ROWS else "") + "settled preferences"
    names = ("preferred", "other", *columns[:-1], "p-value")
    tables = [Table(names, cells, title)] if rows else []
    return Section("How sure this is", [*_of_settled(found)], tables)


def _of_settled(found: Record) -> Iterator[str]:
    """Yield the findings that explain a settled order, and for whom it holds."""
    order, unit = found.order(), found.unit
    graph = order.graph
    if order.edges:
        allowing, unless = "", " and place has no part in it"
        if _has_positions(found):
            allowing, unless = ", and allowing for where they stood,", ""
        yield (
            f"Within the same list{allowing} more {unit}s chose the preferred item than chance "
            "explains. The chance that any of these preferences is false is at most about "
            f"{_percent(order)}, if {unit}s are independent{unless}. Support and against count the "
            f"{unit}s that prefer either item; the gap, in log-odds, also follows from their "
            "comparisons with other items, and all intervals hold together."
        )
    holds = f"other {unit}s like the {graph['units']:,} of this log that choose between items"
    yield f"This is about {graph['fixed'] + ' and ' if graph['fixed'] else ''}{holds}."
    yield from _of_added(order)
    rests = [units for *_, units in order.edges(data="rests_on") if units is not None]
    if few := sum(units <= _HANGING for units in rests):
        rest = "rests" if few == 1 else "rest"
        yield f"{few:,} of {len(rests):,} settled pairs {rest} on {_HANGING} {unit}s or fewer."
    if opposed := graph["contradicted"]:
        some = "; ".join(_first([f"{u} and {v}" for u, v in opposed], "more pairs"))
        yield (
            f"The comparisons of {some} go against what all others imply; these pairs are left "
            "open."
        )


def _of_added(order: nx.DiGraph) -> Iterator[str]:
    """Yield the finding on pairs that are settled only by transitivity."""
    if added := sum(data for *_, data in order.edges(data="added")):
        one = "1 of them follows" if added == 1 else f"{added:,} of them follow"
        yield f"{one} from others, which assumes that the majority is transitive."


def _place_or_popularity(found: Record) -> Section:
    """Return the section of findings that compare a settled order with place and popularity."""
    places, tables, pictures = _places(found)
    (unseen, *explained), others, curves = _unseen(found)
    sentences = [" ".join([*places, unseen]), *explained]
    title = "Taste, place or popularity"
    return Section(title, sentences, [*tables, *others], [*pictures, *curves])


#: Sentences, tables and pictures of a part of a section.
_Part: TypeAlias = "tuple[list[str], list[Table], list[Picture]]"


def _places(found: Record) -> _Part:
    """Return the findings on places, and on what may be due to them."""
    taste, perhaps = found.taste, found.order().graph["perhaps_place"]
    if not _has_positions(found):
        return ["The log has no positions: what stood higher may only look better."], [], []
    blocks = taste.compared.blocks
    in_time = (
        f"The effect of a place may differ between {blocks} blocks of time. "
        if blocks > 1
        else "The log has no times, or too few sessions for blocks of time: if the lists and the "
        "habits of users changed together, what stood higher may still look better. "
    )
    compared = (
        "An item may be chosen because people like it, or because of its place. Items are compared "
        f"within the same list, at equal places. {in_time}".rstrip()
    )
    sentences = [compared]
    if fixed := int(np.count_nonzero(taste.tests.reason == Reason.ARRANGED)):
        sentences.append(
            f"{counted(fixed, 'pair')} nearly always stood the same way round, or the place "
            "decided: taste and place cannot be told apart, and these are left open."
        )
    tables = []
    if perhaps:
        sentences.append(
            f"{counted(len(perhaps), 'pair')} would be settled by counts alone, but not at equal "
            "places."
        )
        some = sorted(perhaps, key=lambda pair: (*map(item_key, pair),))[:_ROWS]
        tables = [Table(("counts prefer", "to"), some, "may be due to place")]
    picture = Picture(
        lambda: draw_positions(taste),
        "How many times as often an item is chosen at a place as at the first one, if both are "
        "liked equally; and click rates.",
    )
    return sentences, tables, [picture]


def _page_of(found: Record) -> str:
    """Return the interactive page of the settled order, for the report of findings on a log."""
    page = StringIO()
    write_page(found.pictured, page, title="The settled order")
    return page.getvalue()


def _groups(found: Record) -> Section:
    """Return the section of findings on the groups within which items are compared."""
    compared = Counter(u.group for u, v in _compared(found.evidence))
    order = found.order()
    settled = Counter(u.group for u, _ in order.edges)
    items = Counter(item.group for item in order)
    some = sorted(compared, key=lambda group: (-settled[group], -compared[group], item_key(group)))
    rows = [(group, items[group], compared[group], settled[group]) for group in some[:_ROWS]]
    deciding = sum(count > 0 for count in settled.values())
    sentence = (
        f"Items are compared only within each {found.by}, and all pairs are tested together. "
        f"Pairs are settled in {deciding:,} of {len(items):,}."
    )
    title = "those with most settled pairs" if len(some) > _ROWS else ""
    columns = (str(found.by), "items", "pairs compared", "pairs settled")
    return Section(f"Within each {found.by}", [sentence], [Table(columns, rows, title)])


def _compared(evidence: nx.DiGraph) -> Iterator[tuple[Any, Any]]:
    """Yield each pair of items that some session of the findings compares, once."""
    for u, v in evidence.edges:
        if not evidence.has_edge(v, u) or item_key(u) < item_key(v):
            yield u, v


def _leaning(found: Record) -> Section:
    """Return the section of findings on the order that a log leans to."""
    leaning = found.leaning
    text = (
        "This ranking announces nothing beyond the settled pairs, which it states first: it orders "
        "the other items by how often they are chosen, allowing for their places, also across "
        "lists. What is not settled may be due to chance."
    )
    sentences = [text]
    if found.by is None:
        ranking = [" ~ ".join(spell_label(str(x)) for x in level) for level in levels(leaning)]
        sentences.insert(0, f"The log leans to {' > '.join(_first(ranking, most=_ROWS))}.")
    picture = Picture(
        lambda: draw_hasse(found.pictured, leaning=leaning, title=None),
        "Hasse diagram: settled preferences, and dashed those that the log only leans to.",
    )
    return Section("What the log leans to", sentences, pictures=[picture])


def _why_open(found: Record, left: int) -> str:
    """Return for findings how many open pairs there are for each reason."""
    many = Counter(found.recorded["reason"].tolist())
    never = many.pop("never compared", 0) + left - found.recorded["reason"].size
    many["never compared, nor enough through other items"] = never
    reasons = [(reason, f" ({k:,})") for reason, k in many.most_common() if k]
    return "; ".join(reason + number * (len(reasons) > 1) for reason, number in reasons)


def _would_settle(found: Record) -> Iterator[Section]:
    """Yield the section of findings on the open pairs that are nearest to being settled, if any."""
    pairs, units = found.recorded, found.taste.compared.comparisons.units
    is_near = (pairs["state"] == "not enough") & (pairs["lacking"] <= _MOST_TIMES * units)
    # Where places turned the counts round, the pair is not near.
    is_near &= pairs["support"] >= np.maximum(pairs["against"], 1)
    if not is_near.any():
        return
    sentence = (
        f"The last column is about how many further {found.unit}s would settle a pair, if they are "
        "like those of the log. Expect to need more, because some pairs are here by luck."
    )
    names = ("u", "v", "support", "against", "lacking")
    rows = zip(*(pairs[name][is_near][:_ROWS].tolist() for name in names), strict=True)
    columns = ("preferred", "other", "support", "against", f"{found.unit}s needed")
    yield Section("Nearly settled pairs", [sentence], [Table(columns, list(rows))])


def _unseen(found: Record) -> _Part:
    """Return the findings from the test on unseen sessions."""
    tested = found.validation
    if isinstance(tested, str):
        return [f"A test on {_tested_on(found)} is not possible: {tested}."], [], []
    others = f"{tested.test_sessions:,} " + ("later sessions" if found.is_later else "others")
    explained = (
        f"Orders of {counted(tested.train_sessions, 'session')} are tested on the "
        f"{counted(tested.statements, 'statement')} of {others}. Completeness is the share of "
        "statements that an order decides; correctness is the share of these that it agrees with "
        "minus the share that it contradicts. The last rows are simple rules, which prefer the "
        "item that fits their name; an order that is not better may have found no more than that."
    )
    tables = [_scores(tested.scores, f"all pairs, intervals at {tested.confidence:.0%}")]
    if tested.both_ways:
        both = "pairs shown both ways at the same places, both weighed alike"
        tables.append(_scores(tested.both_ways, both))
    picture = Picture(
        lambda: draw_tradeoff(tested),
        "Correctness against completeness, from the clearest pairs to all, with simple rules.",
    )
    shares = f"On {_tested_on(found)}, {_in_shares(tested.scores)}."
    return [shares, explained], tables, [picture]


def _in_shares(scores: Mapping[str, HoldoutScore]) -> str:
    """Return how many statements an order and the clicks alone decide as chosen, in percent."""
    # With correctness c, the share (1 + c) / 2 of the statements that are decided is as chosen.
    settled, clicks = scores["settled order"], scores.get("clicked more often")
    if not settled.completeness:
        return "the settled order decides no choice"
    right = f"{(1 + settled.correctness) / 2:.0%} of these as users chose"
    text = f"the settled order decides {settled.completeness:.0%} of the choices, {right}"
    if clicks is None or not clicks.completeness:
        return text
    alike = f"{(1 + clicks.correctness) / 2:.0%} of these so"
    return f"{text}; the number of clicks alone decides {clicks.completeness:.0%}, {alike}"


def _scores(scores: Mapping[str, HoldoutScore], title: str) -> Table:
    """Return the table of scores on unseen sessions, for a section of findings."""
    columns = ("completeness", "correctness", "low", "high")
    rows = [(name, *cells_of(score, columns)) for name, score in scores.items()]
    return Table(("by", *columns), rows, title)


def contradictions_of(found: Record) -> Section:
    """Return the section of findings on contradictions between sessions."""
    contents, evidence = found.contents, found.evidence
    split = _most_split(evidence)
    both = f"{contents.contradictions:,} of {contents.pairs:,} pairs compared"
    against = sum(
        min(evidence.edges[u, v]["support"], evidence.edges[v, u]["support"])
        for u, v in _compared(evidence)
        if evidence.has_edge(v, u)
    )
    many = f"{against:,} of {contents.support:,} statements"
    sentences = [f"Sessions contradict each other on {both}, and the majority of a pair in {many}."]
    tables = [_evidence(found, split, "the most contradicted pairs")] if split else []
    if contents.cycle is None:
        sentences.append("The majorities do not form a cycle.")
    else:
        sentences.append(
            "The majorities form cycles: no ranking agrees with all of them. Cycles of narrow "
            "majorities may be due to chance."
        )
        tables.append(_evidence(found, pairwise(contents.cycle), "a cycle of majorities"))
    return Section("Contradictions", sentences, tables)


def _most_split(evidence: nx.DiGraph) -> list[tuple[Item, Item]]:
    """Return the most contradicted pairs, for findings, with the majority's choice first."""
    split = [
        (-edge["against"], item_key(u), item_key(v), u, v)
        for u, v, edge in evidence.edges(data=True)
        if edge["support"] >= edge["against"] > 0
        and (edge["support"] > edge["against"] or item_key(u) < item_key(v))
    ]
    return [(u, v) for *_, u, v in nsmallest(_ROWS, split, key=itemgetter(0, 1, 2))]


def _evidence(found: Record, pairs: Iterable[tuple[Item, Item]], title: str) -> Table:
    """Return the table of sessions for and against some pairs, for a section of findings."""
    edges = ((u, v, found.evidence.edges[u, v]) for u, v in islice(pairs, 2 * _ROWS))
    counts = ((u, v, edge["support"], edge["against"]) for u, v, edge in edges)
    rows = [(u, v, s, a, s / (s + a)) for u, v, s, a in counts]
    return Table(("preferred", "other", "support", "against", "share"), rows, title)


def _segments(compared: SegmentComparison, comparisons: int) -> Section:
    """Return the section of findings on the pairs on which two segments are opposed."""
    first, second = compared.segments
    is_one = comparisons == 1
    where = "elsewhere" if second == "the rest" else f"where it is {second}"
    are_compared = f"{counted(len(compared.pairs), 'pair is', 'pairs are')} compared both"
    parted = (
        f"{are_compared} where {compared.segment} is {first} and "
        f"{where}. On {len(compared.parted):,} of them the preferences are opposite, at a risk of "
        f"{compared.risk:.3g}, with all pairs tested together."
    )
    one, other = counted(compared.units[0], compared.unit), f"{compared.units[1]:,}"
    few = f"{one} where {compared.segment} is {first} and {other} {where}: too few to compare any"
    sentences = [parted if compared.pairs else f"{few} pair."]
    if not is_one:
        sentences.append(
            f"{comparisons} splits by {compared.segment} are compared in this way; their risks sum "
            f"to {compared.risk * comparisons:.3g}."
        )
    picture = Picture(lambda: draw_segments(compared), "The log-odds of each pair in each segment.")
    title = f"By {compared.segment}" if is_one else f"By {compared.segment}: {first}"
    return Section(title, sentences, pictures=[picture] if compared.pairs else ())


def _judges(judges: JudgeComparison) -> Section:
    """Return the section of findings on the judges of battles."""
    table = judges.to_table()
    most = sorted(table.rows, key=lambda row: -int(str(row[1])))[: 2 * _ROWS]
    title = f"the {len(most)} judges with the most battles" * (len(most) < len(judges))
    explained = (
        "A verdict is about the two systems only if it stays the same when they swap positions. "
        "Shares of the first position are weighted as if each pair was shown both ways equally "
        f"often. All intervals hold together at {1 - judges.risk:.0%}: one without 0.5 indicates "
        "position bias. A pair is flipped if its winner changes with the position. Pairs that "
        "other judges decide, too, are compared with their majority."
    )
    notes = [f"{note[0].upper()}{note[1:]}." for note in judges.notes()]
    return Section("The judges", [explained, *notes], [Table(table.columns, most, title)])


def _reading(found: Record) -> Iterator[str]:
    """Yield the rules by which preferences were read, for the findings on what is in a log."""
    for rule in found.rules:
        what = (getdoc(RULES[rule]) or "").partition("\n")[0] if rule in RULES else ""
        yield f"Rule for reading preferences: {rule}. {what}".rstrip()


def _limits(found: Record) -> Iterator[str]:
    """Yield the findings on what cannot be concluded from a log."""
    pairs = _number_of_pairs(found.order())
    if missing := pairs - found.contents.pairs:
        yield (
            f"No list compares {missing:,} of {pairs:,} pairs of items. What is known of them "
            "follows from other pairs."
        )
    if found.unit == "session" and "user" not in found.taste.statements.log.reader.roles:
        yield (
            "The log names no users, so users who return count as new ones. If they often do, "
            "pairs may be settled that chance explains."
        )
    yield (
        "Users who read lists differently from others, and are shown other lists for a reason that "
        "the log does not name, can still mislead the settled order."
    )
    yield (
        f"The settled order holds for {found.unit}s like those of the log. It does not show what "
        "other people prefer, or what these people prefer when they are shown other items."
    )
