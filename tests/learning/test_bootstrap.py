"""Orders of bootstrap samples."""

import porank as po
from tests.support.refusals import refuses


def test_instances_are_something_to_draw_rows_of() -> None:
    refuses("found a str", po.bootstrap_orders, len, "abc")
    refuses(r"found a tuple; .*range\(n\)", po.bootstrap_orders, len, ([1], [2]))
    refuses("at least one instance", po.bootstrap_orders, len, [])
