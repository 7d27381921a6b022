"""A page as one file that needs nothing else: its style and its script are in it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template


def single_file(title: str, body: str, source: Path) -> str:
    """Return a page with the style and the script of a source, `source`.css and `source`.js."""
    page = Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
    style, script = (source.with_suffix(end).read_text("utf-8") for end in (".css", ".js"))
    return page.substitute(title=escape(title), body=body, style=style, script=script)
