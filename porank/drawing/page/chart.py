"""The chart beside the slider of a page, as SVG: a curve with a mark for each threshold.

`chart_of`. With a target it shows correctness against completeness, otherwise the number of pairs
decided at each threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The size of the chart, and the ends of its axes: left, right, top, floor.
_WIDE, _HIGH, _RIGHT, _TOP, _FLOOR = 310, 170, 298, 12, 136


def chart_of(data: Mapping[str, Any]) -> str:
    """Return the chart of a page with its caption; empty if there are no thresholds."""
    has_target = data.get("target") is not None
    names = ("completeness", "correctness") if has_target else ("value", "pairs")
    stops = {k: stop for k, stop in enumerate(data.get("stops", ())) if stop["alpha"]}
    points = {
        k: (float(stop[names[0]]), float(stop[names[1]]))
        for k, stop in stops.items()
        if None not in (stop.get(names[0]), stop.get(names[1]))
    }
    if not points:
        return ""
    first, low, high = _ends([*points.values()], has_target)
    left = 26 + 6.6 * max(len(_tick(low)), len(_tick(high)))
    across, up = ("completeness", "correctness") if has_target else ("threshold", "pairs decided")
    at = {
        k: (
            left + (x - first) / (1 - first) * (_RIGHT - left),
            _FLOOR - (y - low) / (high - low) * (_FLOOR - _TOP),
        )
        for k, (x, y) in points.items()
    }
    parts = [
        f'<path class="axis" fill="none" d="M{left:.1f} {_TOP}V{_FLOOR}H{_RIGHT}"/>',
        f'<path class="run" d="{_run([*at.values()], is_stepped=not has_target)}"/>',
        _text(_tick(first), left, _FLOOR + 14),
        _text("1", _RIGHT, _FLOOR + 14),
        _text(_tick(low), left - 5, _FLOOR + 4, "end"),
        _text(_tick(high), left - 5, _TOP + 4, "end"),
        _text(across, (left + _WIDE) / 2, _HIGH - 6),
        f'<g transform="translate(10 {(_TOP + _FLOOR) / 2}) rotate(-90)">{_text(up, 0, 0)}</g>',
        *(_mark(k, *place, is_dropped=stops[k]["dropped"]) for k, place in at.items()),
    ]
    area = "" if data["area"] is None else f"Area {data['area']:.3f}. "
    caption = f"{area}To the left, thresholds grow and fewer pairs are decided." * has_target
    label = f"{up} against {across}"
    return (
        f'<svg id="curve" role="img" viewBox="0 0 {_WIDE} {_HIGH}" aria-label="{label}">'
        f"{''.join(parts)}</svg><figcaption>{caption}</figcaption>"
    )


def _ends(points: list[tuple[float, float]], has_target: bool) -> tuple[float, float, float]:
    """Return the left end of the chart, which ends at 1, and its lowest and highest value."""
    xs, ys = zip(*points, strict=True)
    if not has_target:
        return min(0.5, *xs), 0.0, max(1.0, *ys)
    high = max(-1.0, *ys)
    return 0.0, min(high - 0.2, *ys), high


def _run(places: list[tuple[float, float]], *, is_stepped: bool) -> str:
    """Return the path of a line; between two degrees, the higher one determines the cut."""
    (x, y), *others = places
    step = "V{1:.1f}H{0:.1f}" if is_stepped else "L{0:.1f} {1:.1f}"
    return f"M{x:.1f} {y:.1f}" + "".join(step.format(*place) for place in others)


def _mark(stop: int, x: float, y: float, *, is_dropped: bool) -> str:
    """Return the mark of a threshold."""
    kind = "stop dropped" if is_dropped else "stop"
    return f'<circle class="{kind}" r="3.5" cx="{x:.1f}" cy="{y:.1f}" data-stop="{stop}"/>'


def _tick(value: float) -> str:
    """Return the text of a value at an axis, with separators of thousands in whole numbers."""
    return f"{value:,.0f}" if value.is_integer() else f"{value:.2f}"


def _text(words: str, x: float, y: float, anchor: str = "middle") -> str:
    """Return a text of the chart."""
    return f'<text class="tick" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{words}</text>'
