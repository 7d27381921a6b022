"""Estimators of scikit-learn by name: it is imported when one is asked for, and not before."""

from importlib import import_module
from typing import Any


def learner(name: str, *given: Any, **options: Any) -> Any:
    """Return an estimator, named with its module, such as "linear_model.Ridge"."""
    module, _, kind = name.rpartition(".")
    return getattr(import_module(f"sklearn.{module}"), kind)(*given, **options)


def ridge() -> Any:
    """Return a linear regression."""
    return learner("linear_model.Ridge")


def bayes(**options: Any) -> Any:
    """Return a classifier that takes features as independent."""
    return learner("naive_bayes.GaussianNB", **options)
