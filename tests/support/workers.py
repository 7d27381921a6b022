"""Clusters of Dask for tests and benchmarks."""

from typing import Any

#: Options of a `LocalCluster` that shows no page in the browser. With no address at all it takes
#: the usual port, and warns if another cluster has it.
WITHOUT_PAGE: dict[str, Any] = {
    "dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
}
