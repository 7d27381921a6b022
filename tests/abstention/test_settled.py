"""The sign test of two counts."""

import numpy as np

from porank.abstention.settled import sign_p_values


def test_p_values_are_those_of_scipy() -> None:
    from scipy.stats import binomtest

    for n in (1, 2, 9, 60, 1001, 200_000):
        k = np.unique(np.linspace(0, n, 30).astype(int))
        expected = [binomtest(int(heads), n).pvalue for heads in k]
        np.testing.assert_allclose(sign_p_values(k, n - k), expected, rtol=1e-8, atol=1e-300)
