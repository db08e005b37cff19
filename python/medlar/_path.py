"""A sweep over p0 (or c, or the prior variance): how features come and go."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target

from . import _native
from ._classifier import MEDClassifier
from ._folds import Given, folds_of, whole_number
from ._linear import LinearMED
from ._options import text_of
from ._regressor import MEDRegressor
from ._sklearn import ConvergenceWarning

SWEPT = ("p0", "c", "prior_variance")


@dataclass
class Path:
    """One fit for each value, each with its certificate. Rows are values, columns features in the order of names.

    Of more than two classes coef has one table per value, with a row for each class. With folds, left_out is the mean of
    the metric on examples that were left out, and standard_error that of the mean.
    """

    over: str
    values: np.ndarray
    names: list[str]
    inclusion: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray
    selected: np.ndarray
    objective: np.ndarray
    gap: np.ndarray
    relative_gap: np.ndarray
    metric: str | None = None
    left_out: np.ndarray | None = None
    standard_error: np.ndarray | None = None


class Sweep(LinearMED):
    """An estimator whose fit goes along the values and keeps the model of each."""

    over: str
    seed: int
    swept: np.ndarray | None
    folds: int | None = None
    metric: str | None = None
    tuned: dict[str, Any] | None = None

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: Any, given: Given, **decided: str) -> Any:
        settings = self._settings(data.names, **decided)
        if self.swept is None:
            self.swept = usual_values(self.over, data, settings)
        display, callback = self._watchers(settings)
        start = time.monotonic()
        self.models, raised = _native.fit_along(data, settings, self.over.replace("_", "-"), self.swept, callback)
        if display is not None and self.models:
            display.close(self.models[-1].report)
        if raised is not None:
            raise raised
        if self.folds is not None and len(self.models) == len(self.swept):
            left = max(float(settings.text("max-seconds")) - (time.monotonic() - start), 1e-3)
            self._measure(data, self._settings(data.names, **decided, max_seconds=text_of("max_seconds", left)), x, target)
        return self

    def _measure(self, data: _native.Dataset, settings: _native.Settings, x: Any, target: Any) -> None:
        """Each value on folds that are left out in turn, as ``medlar path --folds`` does."""
        fold_of = folds_of(x, target, self.folds, self._task == "classify", self.seed)
        splits = [(np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in range(fold_of.max() + 1)]
        point = {"p0": float(settings.text("p0")), "c": None, "prior_variance": None}
        assert self.swept is not None
        tuning, raised = _native.tune(data, settings, [point | {self.over: value} for value in self.swept.tolist()], splits,
                                      (self.metric or "").replace("_", "-"), True, callback=self.callback)
        if raised is not None:
            raise raised
        self.tuned = tuning.table


class ClassifierSweep(MEDClassifier, Sweep):
    """Over classes."""


class RegressorSweep(MEDRegressor, Sweep):
    """Over numbers."""


def usual_values(over: str, data: _native.Dataset, settings: _native.Settings) -> np.ndarray:
    """Nine values over the range of ``medlar path``."""
    return np.geomspace(*_native.usual_range(data, settings, over.replace("_", "-")), 9)


def med_path(X: Any, y: Any, *, over: str = "p0", values: Any = None, task: str | None = None,
             sample_weight: Any = None, folds: int | None = None, metric: str | None = None, **keywords: Any) -> Path:
    """Fits a linear model for each value of p0 (or of ``over``: 'c', 'prior_variance'), each begun from the one before.

    task is 'classify' or 'regress'; without it y decides, as scikit-learn reads it. The keywords are those of
    MEDClassifier or MEDRegressor; max_seconds holds for the whole sweep, folds included. Without
    values, nine over the range of ``medlar path``: p0 from 1 to 1e-8, c from 100 to 1.1 (of numbers from 100 / sd(y) to
    0.1 / sd(y)), the prior variance from 10 to 1e-4 of its default.
    With folds each value is also measured on so many parts of the examples that are left out in turn, by the metric of
    MEDClassifierCV or MEDRegressorCV.
    """
    if over not in SWEPT:
        raise ValueError(f"over = {over!r}, but must be one of {', '.join(SWEPT)}")
    if task not in (None, "classify", "regress"):
        raise ValueError(f"task = {task!r}, but must be 'classify' or 'regress'")
    if keywords.get("kernel") is not None:
        raise ValueError("a kernel model has no features to follow; leave kernel out")
    classify = type_of_target(y) in ("binary", "multiclass") if task is None else task == "classify"
    estimator = (ClassifierSweep if classify else RegressorSweep)(**keywords)
    estimator.over, estimator.folds, estimator.metric = over, folds, metric
    if folds is None and metric is not None:
        raise ValueError("metric is for folds; add folds, such as folds=5")
    if folds is not None:
        whole_number("folds", folds, 2)
    estimator.swept = None if values is None else np.asarray(values, dtype=np.float64).ravel()
    if estimator.swept is not None and len(estimator.swept) == 0:
        raise ValueError("values is empty; give at least one")
    estimator.fit(X, y, sample_weight)
    assert estimator.swept is not None
    models, swept = estimator.models, estimator.swept
    late = [model.report for model in models if model.report.status != "converged"]
    if late or len(models) < len(swept):
        warnings.warn(f"{len(models) - len(late)} of {len(swept)} fits converged"
                      f"{'; the first that did not: ' + late[0].message if late else ''}", ConvergenceWarning, stacklevel=2)
    steps = []
    for model in models:
        estimator._keep(model)
        several = len(model.labels) > 2 or not classify
        steps.append((estimator.inclusion_, estimator.coef_ if several else estimator.coef_[0],
                      estimator.intercept_ if several else estimator.intercept_[0], model.report.objective,
                      model.report.gap, model.report.relative_gap))
    inclusion, coef, intercept, objective, gap, relative_gap = (np.array(each) for each in zip(*steps))
    scores = estimator.tuned["scores"] if estimator.tuned is not None and not estimator.tuned["interrupted"] else None
    measured = {} if estimator.tuned is None or scores is None else {
        "metric": estimator.tuned["metric"], "left_out": np.array([score["mean"] for score in scores]),
        "standard_error": np.array([score["standard_error"] for score in scores])}
    return Path(over=over, values=swept[:len(models)], names=models[0].names, inclusion=inclusion, coef=coef,
                intercept=intercept, selected=((inclusion > 0.5) & ~models[0].kept).sum(axis=1), objective=objective, gap=gap,
                relative_gap=relative_gap, **measured)
