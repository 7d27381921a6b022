"""A report in sections, as text for a terminal or as one HTML page.

`Section` may contain a `Picture` or an interactive page; `report_text` returns all sections as
HTML.
"""

from __future__ import annotations

import re
from base64 import b64encode
from bisect import bisect
from dataclasses import replace
from html import escape
from string import Template
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from porank.drawing.axes import image_of
from porank.drawing.page.page import head_of, style_of, web_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from porank.core.tables import Table


_HERE = "porank.exploration"
#: The length of a line of text.
_WIDTH = 79
#: Of pictures, the first width in a file, and their classes up to some widths in points. Large ones
#: may be wider than the screen of a telephone.
_WIDTH_OF, _LARGEST = re.compile(r'^<svg [^>]*?width="([\d.]+)pt"', re.M), (400, 560)
_SIZES = ('class="small"', 'class="middle" tabindex="0"', 'class="large" tabindex="0"')
#: The style of a cell of a table, and the class that replaces it for numbers.
_STYLED, _NUMBER = re.compile(r' style="[^"]*"'), ' class="number"'
#: The part of an interactive page's policy that allows the browser to load scripts and styles.
_ALLOWED = re.compile(r"(script|style)-src ([^;\"]+)")
#: A run of letters that are read from right to left, such as Hebrew and Arabic ones.
_BACKWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+")


class Picture(NamedTuple):
    """A picture of a report: a function that draws it, and a text that describes it."""

    draw: Callable[[], Axes]
    shows: str


class Section(NamedTuple):
    """A section of a report."""

    title: str
    sentences: Sequence[str]
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    page: Callable[[], str] | None = None

    def to_text(self) -> str:
        """Return the section for a terminal, without pictures and pages."""
        sentences = "\n".join(fill(sentence, _WIDTH) for sentence in self.sentences)
        parts = [sentences, *(table.to_text() for table in self.tables)]
        return f"{self.title}\n{'-' * len(self.title)}\n" + "\n\n".join(filter(None, parts))


def report_text(title: str, sections: Sequence[Section]) -> str:
    """Return the sections of a report as an HTML page that needs no server and loads nothing.

    A Content Security Policy allows the browser to run only the script of the order's frame.
    """
    numbered = list(enumerate(sections, start=1))
    pages = [section.page() if section.page else "" for section in sections]
    allowed = _ALLOWED.findall("".join(pages))
    scripts, styles = ([h for k, h in allowed if k == kind] for kind in ("script", "style"))
    sheet = style_of("colors") + web_file("report.css", _HERE)
    return Template(web_file("report.html", _HERE)).substitute(
        title=escape(title),
        head=head_of(title, sheet, scripts=scripts, others=styles),
        contents="".join(
            f'<li><a href="#part{number}">{escape(section.title)}</a></li>'
            for number, section in numbered
        ),
        sections="\n".join(
            _section_html(section, number, page)
            for (number, section), page in zip(numbered, pages, strict=True)
        ),
    )


def _section_html(section: Section, number: int, page: str) -> str:
    """Return a section of a report as HTML."""
    sentences = (_BACKWARDS.sub(r"<bdi>\g<0></bdi>", escape(each)) for each in section.sentences)
    parts = [f"<p>{sentence}</p>" for sentence in sentences]
    figures = "".join(map(_figure_html, section.pictures))
    parts += [f'<div class="pictures">{figures}</div>'] if figures else []
    parts += [
        f"<details><summary>{escape(table.title or 'the numbers')}</summary>"
        f'<div class="table" tabindex="0">{_table_html(replace(table, title=""))}</div></details>'
        for table in section.tables
    ]
    if page:
        name = escape(section.title)
        parts.append(f'<iframe title="{name}" srcdoc="{escape(page)}"></iframe>')
    heading = f'<section id="part{number}"><h2>{escape(section.title)}</h2>'
    return "\n".join([heading, *parts, "</section>"])


def _figure_html(picture: Picture) -> str:
    """Return a picture of a report with its caption, and its description for screen readers."""
    image = image_of(picture.draw, ".svg")
    about = image.decode().partition("<desc>")[2].partition("</desc>")[0]
    source = f"data:image/svg+xml;base64,{b64encode(image).decode()}"
    caption = f"<figcaption>{escape(picture.shows)}</figcaption>"
    (width,) = _WIDTH_OF.findall(image.decode())
    size = _SIZES[bisect(_LARGEST, float(width))]
    return f'<figure {size}><img src="{source}" alt="{about}">{caption}</figure>'


def _table_html(table: Table) -> str:
    """Return a table of a report as HTML, without styles of cells, which the policy forbids."""
    return _STYLED.sub(lambda style: _NUMBER * ("right" in style[0]), table.to_html())
