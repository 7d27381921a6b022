"""The chart beside the slider of a page, as SVG: a curve with a mark for each threshold.

`chart_of`. With a target it shows correctness against completeness, otherwise the number of pairs
decided at each threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDE, _HIGH, _RIGHT, _TOP, _FLOOR = 310, 170, 298, 12, 136


def chart_of(data: Mapping[str, Any]) -> str:
    """Return the chart of a page with its caption; empty if there are no thresholds."""
    has_target = data.get("target") is not None
    across, up = ("completeness", "correctness") if has_target else ("threshold", "pairs decided")
    names = (across, up) if has_target else ("value", "pairs")
    stops = [stop if stop["alpha"] else {} for stop in data.get("stops", ())]
    places = {k: [stop.get(name) for name in names] for k, stop in enumerate(stops)}
    points = {k: place for k, place in places.items() if None not in place}
    if not points:
        return ""
    sides, tops = ([float(value) for value in side] for side in zip(*points.values(), strict=True))
    high = max(-1.0 if has_target else 1.0, *tops)
    low = min(high - 0.2, *tops) if has_target else 0.0
    first = 0.0 if has_target else min(0.5, *sides)
    left = 26 + 6.6 * max(len(_tick(low)), len(_tick(high)))
    xs = [left + (value - first) / (1 - first) * (_RIGHT - left) for value in sides]
    ys = [_FLOOR - (value - low) / (high - low) * (_FLOOR - _TOP) for value in tops]
    # Between two degrees, the higher one determines the cut.
    step = "L{0:.1f} {1:.1f}" if has_target else "V{1:.1f}H{0:.1f}"
    run = "".join(map(step.format, xs[1:], ys[1:]))
    parts = [
        f'<path class="axis" fill="none" d="M{left:.1f} {_TOP}V{_FLOOR}H{_RIGHT}"/>',
        f'<path class="run" d="M{xs[0]:.1f} {ys[0]:.1f}{run}"/>',
        *(_text(_tick(value), x, _FLOOR + 14) for value, x in ((first, left), (1.0, _RIGHT))),
        *(
            _text(_tick(value), left - 5, y + 4, "end")
            for value, y in ((low, _FLOOR), (high, _TOP))
        ),
        _text(across, (left + _WIDE) / 2, _HIGH - 6),
        f'<g transform="translate(10 {(_TOP + _FLOOR) / 2}) rotate(-90)">{_text(up, 0, 0)}</g>',
    ]
    for k, x, y in zip(points, xs, ys, strict=True):
        kind = "stop dropped" if stops[k]["dropped"] else "stop"
        parts.append(f'<circle class="{kind}" r="3.5" cx="{x:.1f}" cy="{y:.1f}" data-stop="{k}"/>')
    area = "" if data["area"] is None else f"Area {data['area']:.3f}. "
    caption = (
        f"{area}To the left, thresholds grow and fewer pairs are decided." if has_target else ""
    )
    return (
        f'<svg id="curve" role="img" viewBox="0 0 {_WIDE} {_HIGH}" aria-label="{up} against '
        f'{across}">{"".join(parts)}</svg><figcaption>{caption}</figcaption>'
    )


def _tick(value: float) -> str:
    """Return the text of a value at an axis, with separators of thousands in whole numbers."""
    return f"{value:,.0f}" if value.is_integer() else f"{value:.2f}"


def _text(words: str, x: float, y: float, anchor: str = "middle") -> str:
    """Return a text of the chart."""
    return f'<text class="tick" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{words}</text>'
