"""What memory there is, so that what does not fit is refused before it is asked for.

`require_memory` raises an error for more bytes than there are.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from porank.errors import Hint, PorankError

#: Where Linux tells of the machine, of this process, and of the group of processes it is in.
_MACHINE, _PROCESS = Path("/proc/meminfo"), Path("/proc/self/status")
_GROUP = Path("/sys/fs/cgroup")
#: The bytes there are taken to be where the system does not tell.
_UNTOLD = 8 * 10**9
#: Less than this is never worth a look.
_SMALL = 10**8


def require_memory(taken: float, *, what: str, instead: str | Hint) -> None:
    """Raise an error if so many bytes are not there, naming what needs them and what to do."""
    if taken > _SMALL and taken > (left := _memory_left()):
        message = (
            f"expected {taken / 10**9:.1f} GB of memory for {what}, found {left / 10**9:.1f} GB"
        )
        if isinstance(instead, Hint):
            raise PorankError(message, hint=instead)
        raise PorankError(f"{message}; {instead}")


def _memory_left() -> float:
    """Return how many bytes this process may still ask for: by the machine, and by its limits."""
    return min(_left_on_the_machine(), _left_within_limits())


def _left_on_the_machine() -> float:
    """Return the bytes of memory that are free, or hold what could be read again."""
    with suppress(OSError, StopIteration):
        return _kilobytes(_MACHINE, "MemAvailable:") * 1024
    return _UNTOLD


def _left_within_limits() -> float:
    """Return the bytes that the limits of the process (``ulimit -v``) and of its group leave."""
    left = float("inf")
    with suppress(OSError, ValueError, KeyError):
        most, used = (int((_GROUP / f"memory.{name}").read_text()) for name in ("max", "current"))
        left = most - used + _read_again()
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            with suppress(OSError, StopIteration):
                left = min(left, most - _kilobytes(_PROCESS, "VmSize:") * 1024)
    return max(left, 0.0)


def _read_again() -> int:
    """Return how many bytes of its memory a group of processes has only read from files."""
    told = dict(line.split() for line in (_GROUP / "memory.stat").read_text().splitlines())
    return int(told["active_file"]) + int(told["inactive_file"])


def _kilobytes(path: Path, name: str) -> int:
    """Return a figure of a file of the system, in kilobytes."""
    lines = path.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
