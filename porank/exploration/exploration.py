"""`Exploration`: the order that a log settles, the order it leans to, and how sure they are."""

from __future__ import annotations

from typing import Any

from porank.core.files import write_text
from porank.core.tables import one_line
from porank.drawing.page.page import framed, require_page
from porank.exploration.findings import sections_of, verdict_of
from porank.exploration.record import Record
from porank.exploration.report import report_text


class Exploration(Record):
    """A report on a click log: what it settles, how sure this is, and what stays open.

    Attributes
    ----------
    title : str
        Title of the report.
    rules : tuple of str
        Rules by which preferences were read.
    unit : str
        What is treated as independent: "user", "judge", "session" and so on.
    by : str or None
        Column of groups within which items are compared; items are then pairs (group, item).
    contents : LogContents
        What is in the log.
    evidence : DiGraph
        All items; each edge has ``support`` and ``against``, the numbers of lists.
    taste : LogTaste
        The taste model of the log.
    leaning : DiGraph
        The order that the log leans to, on the items in pictures: a ranking by strength that states
        the settled pairs first. ``graph["strength"]`` has the strengths.
    validation : FeedbackValidation or str
        Test on unseen sessions; if the log is too small for it, the reason.
    is_later : bool
        Whether the test is on a later log, and not on units of this one.
    segments : tuple of SegmentComparison
        The comparison of two segments, or those of each segment with the rest; empty without a
        column of segments.
    judges : JudgeComparison or None
        For battles, how reliable their judges are, as by `compare_judges`; None for other logs.

    See Also
    --------
    explore, settled_order

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 200, seed=1)
    >>> found = po.explore(log)
    >>> found.contents.counts.sessions, found.order(), found.leaning
    (200, tea > milk > water, tea > milk > water)
    """

    @property
    def verdict(self) -> str:
        """What the log settles, in a few sentences."""
        return " ".join(verdict_of(self))

    def to_text(self) -> str:
        """Return the report as text for a terminal."""
        said = (section for section in sections_of(self) if section.sentences)
        return "\n\n".join(section.to_text() for section in said)

    def to_html(self) -> str:
        """Return the report as a self-contained HTML page."""
        return report_text(self.title, [*sections_of(self)])

    def write(self, path: Any) -> None:
        """Write the report as one HTML page for a browser; it needs no server and loads nothing.

        Parameters
        ----------
        path : path or open file
            Where to write. An existing file is replaced once the new one is complete.
        """
        require_page(path, self.title)
        write_text(self.to_html(), path)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return one_line(self, self.title)

    def _repr_html_(self) -> str:
        return framed(self.to_html(), title=self.title, height=720)
