"""Make slides of the decks here: ``python -m docs.decks.make FOLDER`` writes a file for each.

A deck is a text in Markdown. A line ``---`` ends a slide, and ``. . .`` holds back what follows
until the next key. A picture or a framed page stands beside the text of its slide, or below a short
one. Folded text is an answer, which the key ``a`` shows. Paragraphs that begin with ``Source:`` are
at the foot. The code on a slide is code of the page of the same name, where it runs.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from docs.draw import DRAWN, draw_old, illustrated, title_of
from docs.interactive_pages import PAGES, write_pages
from docs.single_file import single_file

DECKS: Final = Path(__file__).parent

_SLIDES = re.compile(r"^---\n", re.MULTILINE)
_PAUSE = re.compile(r"^\. \. \.\n", re.MULTILINE)
_INTERACTIVE = re.compile(r"^```\{interactive\} (\w+)\n```\n", re.MULTILINE)
_EMBEDDED = re.compile(r'<img src="([\w-]+\.svg)"')
_ANSWER = re.compile(r"<details>\n<summary>(.*?)</summary>\n(.*?)</details>", re.DOTALL)
_SOURCE = re.compile(r"<p>(Source: .*?)</p>", re.DOTALL)
_VISUAL = re.compile(r"<p>\s*<img[^>]*>\s*</p>|<figure.*?</figure>", re.DOTALL)
#: A slide with less text than this has its picture below it, as do pictures wider than this.
_SHORT, _WIDE = 160, 2.0


class _Parts(NamedTuple):
    """What a slide is laid out from: its heading, what is read, what is looked at, its sources."""

    heading: str
    text: str
    visuals: str
    sources: str


def decks() -> list[Path]:
    """Return all decks, the file of each being named like its page."""
    return sorted(DECKS.glob("*.md"))


def slides(deck: Path, pages: str) -> str:
    """Return the slides of a deck as one file, the framed pages being in the folder `pages`."""
    texts = _SLIDES.split(deck.read_text("utf-8"))
    body = "\n".join(_slide(text, number, pages) for number, text in enumerate(texts, start=1))
    return single_file(title_of(deck), body, DECKS / "deck")


def _slide(text: str, number: int, pages: str) -> str:
    """Return one slide: what follows a pause is a step, and pictures have a column of their own."""
    parts = _parts(text, pages)
    letters = len(re.sub(r"<[^>]*>", "", parts.text))
    is_below = letters < _SHORT or any(map(_is_wide, re.findall(r"\]\(([\w-]+\.svg)\)", text)))
    kind = "plain" if not parts.visuals else "below" if is_below else "beside"
    body = f'<div class="text">{parts.text}</div>' if parts.text.strip() else ""
    body += f'<div class="visual">{parts.visuals}</div>' if parts.visuals else ""
    foot = f'<footer><div>{parts.sources}</div><p class="number">{number}</p></footer>'
    main = f'<div class="body {kind}">{body}</div>'
    return f'<section id="slide-{number}">\n{parts.heading}\n{main}\n{foot}\n</section>'


def _is_wide(name: str) -> bool:
    """Return whether a picture would be small beside a text."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', (DRAWN / name).read_text("utf-8"))
    return box is not None and float(box[1]) > _WIDE * float(box[2])


def _parts(text: str, pages: str) -> _Parts:
    """Take a slide apart."""
    heading, *steps = _PAUSE.split(text)
    title, _, first = heading.strip("\n").partition("\n")
    found: dict[str, list[str]] = {"visuals": [], "sources": []}
    texts = []
    for place, step in enumerate([first, *steps]):
        html = _html(_INTERACTIVE.sub(lambda name: _frame(name[1], pages), f"{step}\n"))
        for name, pattern in (("visuals", _VISUAL), ("sources", _SOURCE)):
            found[name] += [_step(each[0], place) for each in pattern.finditer(html)]
            html = pattern.sub("", html)
        texts.append(_step(html, place) if html.strip() else "")
    return _Parts(_html(title), "".join(texts), *("".join(found[name]) for name in found))


def _step(html: str, place: int) -> str:
    """Return what appears together; the first step is there from the beginning."""
    return f'<div class="step{"" if place else " shown"}" data-step="{place}">{html}</div>'


def _html(text: str) -> str:
    """Return Markdown as HTML, with formulas, and with the pictures in it."""

    def embedded(found: re.Match[str]) -> str:
        data = b64encode((DRAWN / found[1]).read_bytes()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}"'

    def formula(tex: str, options: dict[str, Any]) -> str:
        html: str = convert(tex, display="block" if options["display_mode"] else "inline")
        return html

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    markdown.use(dollarmath_plugin, renderer=formula)
    html = _EMBEDDED.sub(embedded, markdown.render(text)).replace(
        "\n\n</code></pre>", "\n</code></pre>"
    )
    answered: str = _ANSWER.sub(r'<div class="answer"><p class="asked">\1</p>\2</div>', html)
    return answered


def _frame(name: str, pages: str) -> str:
    """Return a frame around an interactive page, which is loaded when its slide is shown."""
    title = escape(PAGES[name][0])
    return f'<figure><iframe data-src="{pages}/{name}.html" title="{title}"></iframe></figure>\n\n'


def write_decks(folder: Path, pages: str = "interactive") -> None:
    """Write all decks to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for deck in decks():
        (folder / f"{deck.stem}.html").write_text(slides(deck, pages), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m docs.decks.make FOLDER")
    draw_old([path for path in illustrated() if path.stem in {deck.stem for deck in decks()}])
    write_decks(Path(sys.argv[1]))
    write_pages(Path(sys.argv[1]) / "interactive")
