"""The folder of a demonstration: its own files are replaced, whatever else is there is kept."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from porank.commands.outputs import write_output
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

#: By this line a later demonstration knows its own folder.
_MARK = "porank demo wrote these files, and replaces them when it runs again:"
#: The file that has it.
_NOTE = "README.txt"


class DemoFolder:
    """A folder for the files of a demonstration.

    Parameters
    ----------
    path : str
        Where it is, or is to be.
    names : sequence of str
        The files to come.
    force : bool
        Whether files of these names may be replaced that no earlier demonstration has written.

    Raises
    ------
    PorankError
        If there are such files, or `path` is no folder.
    """

    def __init__(self, path: str, names: Sequence[str], *, force: bool) -> None:
        self.path = path
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise PorankError(f"expected a folder, found the file {path!r}; --folder names another")
        there = [name for name in (_NOTE, *names) if (folder / name).exists()]
        if there and not force and not self._is_ours():
            raise PorankError(
                f"expected a folder of an earlier demo, found {listed(there)} of no demo in "
                f"{path!r}; --force replaces them, --folder names another folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        self.write(_NOTE, "\n".join([_MARK, "", *names, ""]))

    def _is_ours(self) -> bool:
        try:
            return (Path(self.path) / _NOTE).read_text("utf-8").startswith(_MARK)
        except (OSError, UnicodeDecodeError):
            return False

    def file(self, name: str) -> str:
        """Return the path of a file in the folder."""
        return os.path.join(self.path, name)

    def shown(self, name: str) -> str:
        """Return the path of a file as a shell reads it."""
        return shlex.quote(self.file(name))

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, in the place of an earlier one."""
        plain = content.encode() if isinstance(content, str) else content
        write_output(plain, self.file(name), force=True)
