"""Make slides of the decks here: ``python -m docs.decks.make FOLDER`` writes a file for each.

A deck is a text in Markdown. A line ``---`` ends a slide, and ``. . .`` holds back what follows
until the next key. A picture or a framed page stands beside the text of its slide, or below it,
wherever the script of the slides can set the text larger, and in pieces on a telephone; a picture
after a pause takes the place of the one before it. The code in a block ``{draw}`` draws a picture,
as `docs.decks.sketch` says. Folded text is an answer, which the key ``a`` shows. Paragraphs that
begin with ``Source:`` are at the foot. The code on a slide is code of the page of the same name,
where it runs.
"""

from __future__ import annotations

import re
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

import matplotlib.pyplot as plt
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from docs.decks.sketch import drawn, names_of_blocks
from docs.draw import DRAWN, draw_old, illustrated, title_of
from docs.interactive_pages import PAGES, write_pages
from docs.single_file import single_file
from docs.tasks.make import read_tasks

DECKS: Final = Path(__file__).parent

_SLIDES = re.compile(r"^---\n", re.MULTILINE)
_PAUSE = re.compile(r"^\. \. \.\n", re.MULTILINE)
_INTERACTIVE = re.compile(r"^```\{interactive\} (\w+)\n```\n", re.MULTILINE)
_PICTURE = re.compile(
    r"^!\[(?P<of>[^]]*)\]\((?P<file>[\w-]+\.svg)\)$"
    r"|^```\{draw\} (?P<alt>[^\n]*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_ANSWER = re.compile(r"<details>\n<summary>.*?</summary>\n(.*?)</details>", re.DOTALL)
_SOURCE = re.compile(r"<p>Source: .*?</p>", re.DOTALL)
_REST = re.compile(".+", re.DOTALL)
_VISUAL = re.compile(r"<figure.*?</figure>", re.DOTALL)
#: Pictures wider than this stand below the text.
_WIDE = 1.7
#: Largest size of a picture, in rem for each of its points, the height of a slide's body, and the
#: size of text that can just be read.
_SCALE, _HIGH, _READABLE = 0.16, 20.0, 0.58


def decks() -> list[Path]:
    """Return all decks, the file of each being named like its page."""
    return sorted(DECKS.glob("*.md"))


def slides(deck: Path, pages: str) -> str:
    """Return the slides of a deck as one file, the framed pages being in the folder `pages`."""
    names = names_of_blocks()
    text = _PICTURE.sub(lambda found: _embedded(found, names), deck.read_text("utf-8"))
    parts = _SLIDES.split(_INTERACTIVE.sub(lambda name: _frame(name[1], pages), text))
    body = "\n".join(_slide(part, number) for number, part in enumerate(parts, start=1))
    return single_file(title_of(deck), body, DECKS / "deck")


def _embedded(found: re.Match[str], names: dict[str, Any]) -> str:
    """Return a picture as HTML, read from its file or drawn by its code."""
    code, file = found["code"], found["file"]
    svg = drawn(code, names) if code else (DRAWN / file).with_suffix(".html").read_text("utf-8")
    sizes = re.findall(r"--w: ([\d.]+); --h: ([\d.]+); --t: ([\d.]+)", svg)
    wide, high, text = (list(map(float, each)) for each in zip(*sizes, strict=True))
    kind = "wide" if sum(wide) > _WIDE * max(high) else "picture"
    alt = escape(found["alt"] or found["of"])
    needs = min(_SCALE * sum(wide), _HIGH * sum(wide) / max(high))
    least = _READABLE * max(high) / min(text)
    named = f'class="{kind}" data-rem="{needs:.1f} {least:.1f}" role="img" aria-label="{alt}"'
    return f"<figure {named}>{svg}</figure>\n"


def _slide(text: str, number: int) -> str:
    """Return one slide: what follows a pause is a step, and pictures have a column of their own."""
    heading, *steps = _PAUSE.split(text)
    title, _, first = heading.strip("\n").partition("\n")
    found: dict[str, str] = {"visual": "", "source": "", "text": ""}
    for place, step in enumerate([first, *steps]):
        html = _html(f"{step}\n")
        for name, pattern in (("visual", _VISUAL), ("source", _SOURCE), ("text", _REST)):
            found[name] += _step("".join(pattern.findall(html)), place)
            html = pattern.sub("", html)
    is_below = not found["text"] or re.search('<figure class="wide"|<iframe', found["visual"])
    kind = "plain" if not found["visual"] else "below" if is_below else "beside"
    shown = "".join(
        f'<div class="{name}">{found[name]}</div>' for name in ("text", "visual") if found[name]
    )
    foot = f'<footer><div>{found["source"]}</div><p class="number">{number}</p></footer>'
    rem = re.findall(r'data-rem="([\d.]+) ([\d.]+)"', found["visual"])
    wide, high = (max(map(float, each)) for each in zip(("0", "0"), *rem, strict=True))
    main = f'<div class="body {kind}" style="--column: {wide}rem; --high: {high}rem">{shown}</div>'
    return f'<section id="slide-{number}">\n{_html(title)}\n{main}\n{foot}\n</section>'


def _step(html: str, place: int) -> str:
    """Return what appears together, if anything; the first step is there from the beginning."""
    kind = "step" if place else "step shown"
    return f'<div class="{kind}" data-step="{place}">{html}</div>' if html.strip() else ""


def _html(text: str) -> str:
    """Return Markdown as HTML, with formulas."""

    def formula(tex: str, options: dict[str, Any]) -> str:
        return str(convert(tex, display="block" if options["display_mode"] else "inline"))

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    markdown.use(dollarmath_plugin, renderer=formula)
    markdown.add_render_rule("text", _unbroken)
    html: str = markdown.render(text).replace("\n\n</code></pre>", "\n</code></pre>")
    return _ANSWER.sub(r'<div class="answer">\1</div>', html)


def _unbroken(_renderer: Any, tokens: Any, place: int, *_: Any) -> str:
    """Return text, in which no line begins or ends with >, or begins with ∎."""
    return escape(re.sub(" (?=> |∎)|(?<= >) ", "\u00a0", tokens[place].content), quote=False)


def _frame(name: str, pages: str) -> str:
    """Return a frame around an interactive page, which is loaded when its slide is shown."""
    kind = "task" if name in read_tasks() else "page"
    frame = (
        f'<iframe class="{kind}" data-src="{pages}/{name}.html" title="{escape(PAGES[name][0])}">'
    )
    return f"<figure>{frame}</iframe></figure>\n\n"


def _write_deck(deck: Path, folder: Path, pages: str) -> None:
    """Write one deck to a folder."""
    plt.switch_backend("Agg")
    (folder / f"{deck.stem}.html").write_text(slides(deck, pages), "utf-8")


def write_decks(folder: Path, pages: str = "interactive") -> None:
    """Write all decks to a folder, on all processors."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(_write_deck, folder=folder, pages=pages), decks()))


if __name__ == "__main__":
    draw_old([path for path in illustrated() if path.stem in {deck.stem for deck in decks()}])
    write_decks(Path(sys.argv[1]))
    write_pages(Path(sys.argv[1]) / "interactive")
