"""A page as one file that needs nothing else: its style and its script are in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

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
{body}
<script>
{script}</script>
</body>
</html>
"""


def single_file(title: str, body: str, source: Path) -> str:
    """Return a page with the style and the script of a source, `source`.css and `source`.js."""
    style, script = (source.with_suffix(end).read_text("utf-8") for end in (".css", ".js"))
    return _PAGE.format(title=escape(title), body=body, style=style, script=script)
