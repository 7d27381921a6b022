"""Make slides of the lectures: ``python -m docs.lectures.slides FOLDER`` writes one file for each.

A heading of the page begins a slide, and a slide that would be too long goes on in a next one. Its
blocks appear one after the other: space or the right arrow shows the next, the left arrow goes
back. Printed, every slide is a page with all that is on it, for a handout. A file needs nothing
else: the pictures of the page are in it, and so are the style and the script.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from docs.lectures.make import LECTURES, lectures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

#: What fits on a slide, in lines of text.
_ROOM: Final = 18
_COLUMNS: Final = 80
#: What a picture takes up, in lines.
_PICTURE_LINES: Final = 10

_IMAGE = re.compile(r'<img src="[^"]*drawn/([\w.-]+)"')
#: A link to another page of the site, which a file by itself cannot follow.
_LINK = re.compile(r'<a href="(?!https?:)[^"]*">(.*?)</a>', re.DOTALL)
#: What only the site needs: framed pages with the paragraph above them, the link to the notebook,
#: the names of tests.
_ONLY_ON_THE_SITE = re.compile(
    r"(?:^(?!```)\S.*\n)+\n(?=```\{live\})|^```\{live\} \w+\n```\n*"
    r"|^\[This lecture as a notebook\].*\n*"
    r"|\s<!-- checked: .* -->",
    re.MULTILINE,
)
_FOOTNOTES = re.compile(r"^\[\^\w+\]:.*\n(?: {4}.*\n)*|\[\^\w+\]", re.MULTILINE)

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{slides}
<script>
{script}</script>
</body>
</html>
"""


class _Block(NamedTuple):
    """Something that appears at once: a paragraph, a list, some code, a table, a picture."""

    html: str
    lines: int


def slides(page: Path) -> str:
    """Return the slides of a lecture as one HTML file."""
    text = _FOOTNOTES.sub("", _ONLY_ON_THE_SITE.sub("", page.read_text("utf-8")))
    made = [
        _slide(number, title, blocks)
        for number, (title, blocks) in enumerate(_parted(text), start=1)
    ]
    folder = Path(__file__).parent
    return _PAGE.format(
        title=re.findall(r"^# (.*)", text, re.MULTILINE)[0],
        style=(folder / "slides.css").read_text("utf-8"),
        script=(folder / "slides.js").read_text("utf-8"),
        slides="\n".join(made),
    )


def _slide(number: int, title: str, blocks: list[_Block]) -> str:
    """Return one slide, of which all but the first block come step by step."""
    steps = "\n".join(f'<div class="step">{block.html}</div>' for block in blocks)
    foot = f'<p class="number">{number}</p>'
    return f'<section id="slide-{number}">\n{title}\n{steps}\n{foot}\n</section>'


def _parted(text: str) -> Iterator[tuple[str, list[_Block]]]:
    """Yield the heading and the blocks of each slide."""
    title, blocks = "", list[_Block]()
    for heading, block in _blocks(text):
        is_full = sum(each.lines for each in blocks) + block.lines > _ROOM
        if heading or (is_full and blocks):
            if title and (blocks or heading):
                yield title, blocks
            title, blocks = heading or title, []
        if not heading:
            blocks.append(block)
    yield title, blocks


def _blocks(text: str) -> Iterator[tuple[str, _Block]]:
    """Yield what the text is made of: a heading with nothing below it, or a block without one."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    dollarmath_plugin(markdown, renderer=_formula)
    tokens = markdown.parse(text)
    start = 0
    for number, token in enumerate(tokens):
        if token.nesting + sum(each.nesting for each in tokens[start:number]) == 0:
            some = tokens[start : number + 1]
            html = _with_pictures(markdown.renderer.render(some, markdown.options, {}))
            html = html.replace("\n\n</code></pre>", "\n</code></pre>")
            is_heading = some[0].type == "heading_open" and some[0].tag in ("h1", "h2", "h3")
            yield (html, _Block("", 0)) if is_heading else ("", _Block(html, _lines_of(some, html)))
            start = number + 1


def _formula(text: str, options: dict[str, bool]) -> str:
    """Return a formula as MathML, which browsers show without a script."""
    return str(convert(text, display="block" if options["display_mode"] else "inline"))


def _lines_of(tokens: list[Token], html: str) -> int:
    """Return about how many lines a block takes up."""
    if "<img" in html:
        return _PICTURE_LINES
    if tokens[0].type in ("fence", "code_block"):
        lines: int = tokens[0].content.count("\n")
        return lines + 2
    rows = html.count("<tr>") + html.count("<li>")
    texts = (token.content for token in tokens if token.type == "inline")
    return rows + sum(1 + len(text) // _COLUMNS for text in texts) + 1


def _with_pictures(html: str) -> str:
    """Return the text with the pictures of the page in it, and without links to other pages."""

    def embedded(found: re.Match[str]) -> str:
        data = b64encode((LECTURES.parent / "drawn" / found[1]).read_bytes()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}"'

    return _IMAGE.sub(embedded, _LINK.sub(r"\1", html))


def write_slides(folder: Path) -> None:
    """Write the slides of all lectures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in lectures():
        (folder / f"{page.stem}.html").write_text(slides(page), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m docs.lectures.slides FOLDER")
    write_slides(Path(sys.argv[1]))
