"""What the demonstration finds in its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from porank.commands.demo_data import RULE, clicks, truth

if TYPE_CHECKING:
    import networkx as nx

    from porank.abstention.curve import AbstentionCurve
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.clicks.report import FeedbackReport
    from porank.measures.compare import Comparison


class Findings(NamedTuple):
    """What the demonstration finds, step by step."""

    log: dict[str, list[Any]]
    said: nx.DiGraph
    report: FeedbackReport
    relation: PreferenceRelation
    predicted: nx.DiGraph
    truth: nx.DiGraph
    curve: AbstentionCurve
    comparison: Comparison


def findings() -> Findings:
    """Return what is found in the log, from the preferences to the comparison with the truth.

    Examples
    --------
    >>> found = findings()
    >>> found.report.contradictions > 0, found.predicted.number_of_nodes()
    (True, 7)
    """
    from porank.abstention.curve import abstention_curve
    from porank.abstention.prediction import predict_order
    from porank.clicks.feedback import feedback_relation, from_log
    from porank.clicks.report import feedback_report
    from porank.measures.compare import compare

    log, target = clicks(), truth()
    said = from_log(log, rule=RULE)
    relation = feedback_relation(said)
    predicted = predict_order(relation)
    return Findings(
        log=log,
        said=said,
        report=feedback_report(log, rule=RULE),
        relation=relation,
        predicted=predicted,
        truth=target,
        curve=abstention_curve(relation, target),
        comparison=compare(target, predicted),
    )
