"""The workers of Dask: those of the caller, or some of this machine for as long as they are needed.

Idea: *a task that can be done again may be lost.* All work is tasks that may be done twice, in one
graph; the scheduler gives those of a worker that has died to another one. And *a fault in the data
is a result*: it is handed on to the caller, who alone says so, once.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError
from porank.extras import load
from porank.progress import track

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: So many seconds a scheduler has to answer, and its first worker to come.
_PATIENCE = 10
#: Options of a `LocalCluster` that shows no page in the browser. With no address at all it takes
#: the usual port, and warns if another cluster has it.
WITHOUT_PAGE: dict[str, Any] = {
    "dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
}


@contextmanager
def connected(scheduler: Any = None) -> Iterator[Any]:
    """Yield a client of a scheduler that has workers; what was opened for it is closed after.

    Parameters
    ----------
    scheduler : Client, str, or None
        A client of ``distributed``, or the address of a scheduler; None takes the client that is
        there already, or else starts a worker for each processor of this machine.

    Examples
    --------
    >>> with connected(7):
    ...     pass
    Traceback (most recent call last):
    porank.errors.PorankError: expected the address of a Dask scheduler or a distributed.Client as
    scheduler, found 7
    """
    distributed = load("distributed", "scale")
    with ExitStack() as stack:
        if scheduler is None:
            client = _client_there(distributed) or _workers_here(distributed, stack)
        elif isinstance(scheduler, str):
            client = stack.enter_context(_client_of(distributed, scheduler))
        elif isinstance(scheduler, distributed.Client):
            client = scheduler
        else:
            raise PorankError(
                "expected the address of a Dask scheduler or a distributed.Client as scheduler, "
                f"found {scheduler!r}"
            )
        if client.asynchronous:
            raise PorankError(
                "expected a distributed.Client that waits, found an asynchronous one; "
                "Client(address) makes one"
            )
        _require_workers(client)
        yield client


def _client_there(distributed: Any) -> Any:
    """Return the client that the caller has opened, None if there is none."""
    try:
        return distributed.default_client()
    except ValueError:
        return None


def _workers_here(distributed: Any, stack: ExitStack) -> Any:
    cluster = distributed.LocalCluster(threads_per_worker=1, processes=True, **WITHOUT_PAGE)
    client = distributed.Client(stack.enter_context(cluster), set_as_default=False)
    return stack.enter_context(client)


def _client_of(distributed: Any, address: str) -> Any:
    try:
        _require_address(distributed, address)
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    # A host without a scheduler is an OSError, what is no address a ValueError.
    except (OSError, ValueError) as error:
        raise PorankError(
            f"expected a Dask scheduler at {address!r}, found none: {error}; 'dask scheduler' "
            "starts one and tells its address, scheduler=None takes workers of this machine"
        ) from None


def _require_address(distributed: Any, address: str) -> None:
    """Raise an error for what no client can use: one that has begun is slow and loud to close."""
    if address.startswith("inproc://"):
        return
    distributed.comm.get_address_host_port(address)
    if address.startswith(("tls://", "wss://")):
        security = distributed.Security().get_connection_args("client")
        if security.get("ssl_context") is None:
            raise ValueError("the configuration of Dask names no certificates")


def _require_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        address = client.scheduler.address
        raise PorankError(
            f"expected workers at the Dask scheduler {address!r}, found none; "
            f"'dask worker {address}' starts one"
        ) from None


def count_threads(client: Any) -> int:
    """Return how many tasks the workers do at the same time."""
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


class Stopped:
    """The error of a task in place of its result, and of each part of it."""

    def __init__(self, error: PorankError) -> None:
        self.error = error

    # Nobody is to run through its parts, which never end.
    __iter__ = None

    def __getitem__(self, _: object) -> Stopped:
        return self


class _Task:
    """A function whose errors of ours are its results, and that hands on those it is given."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__name__ = function.__name__

    def __call__(self, *args: Any) -> Any:
        before = _stopped_in(args, depth=3)
        if before is not None:
            return before
        try:
            return self._function(*args)
        except PorankError as error:
            return Stopped(error)


def _stopped_in(values: Any, *, depth: int) -> Stopped | None:
    """Return the first error among values, in lists and tuples down to a depth."""
    if isinstance(values, Stopped):
        return values
    if depth and isinstance(values, (list, tuple)):
        found = (_stopped_in(value, depth=depth - 1) for value in values)
        return next((stopped for stopped in found if stopped is not None), None)
    return None


def delayed_task(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes a task for workers of each call.

    A worker that meets an error says so itself, with a traceback, and the caller once more. So an
    error of porank is a result (`Stopped`), which later tasks hand on and `in_sequence` raises.

    Parameters
    ----------
    function : callable
        Its arguments may be results of other tasks, parts of these, and lists and tuples of both,
        up to two within each other.
    """
    made: Callable[..., Any] = load("dask", "scale").delayed(_Task(function), pure=False)
    return made


def in_sequence(
    client: Any, tasks: Sequence[Any], *, progress: bool = False, label: str = "parts"
) -> Iterator[Any]:
    """Yield the results of delayed tasks one by one, all of them being worked on.

    Parameters
    ----------
    client : Client
        As `connected` yields it.
    tasks : sequence of Delayed
        What is to be worked out, made by `delayed_task`.
    progress : bool
        Show a bar.
    label : str
        What the bar calls them.

    Raises
    ------
    PorankError
        What a task has raised; or if workers die again and again of the same task.
    """
    killed = load("distributed.scheduler", "scale").KilledWorker
    futures = client.compute(list(tasks))
    futures.reverse()
    try:
        for _ in track(range(len(futures)), progress=progress, label=label):
            # What has been fetched need not be kept by the workers.
            result = futures.pop().result()
            if isinstance(result, Stopped):
                raise result.error
            yield result
    except killed as error:
        raise PorankError(
            f"expected workers that live, found several that died of the same task, the last at "
            f"{error.last_worker.address}; most often their memory is too small"
        ) from None
    finally:
        client.cancel(futures)
