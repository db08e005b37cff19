"""A sweep over p0 (or c, or the prior variance): how features come and go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target

from ._classifier import MEDClassifier
from ._regressor import MEDRegressor

SWEPT = ("p0", "c", "prior_variance")


@dataclass
class Path:
    """One fit for each value, each with its certificate. Rows are values, columns features in the order of names."""

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


def usual_values(over: str, estimator: Any) -> np.ndarray:
    """Nine values of p0 from 1 to 1e-8; of the others, around what the default is."""
    if over == "p0":
        return np.logspace(0, -8, 9)
    return np.logspace(-2, 2, 9) * (float(estimator.model_.settings.texts[over.replace("_", "-")]))


def med_path(X: Any, y: Any, *, over: str = "p0", values: Any = None, task: str | None = None,
             sample_weight: Any = None, **keywords: Any) -> Path:
    """Fits a linear model for each value of p0 (or of ``over``: 'c', 'prior_variance').

    task is 'classify' or 'regress'; without it y decides, as scikit-learn reads it. The keywords are those of
    MEDClassifier or MEDRegressor.
    """
    if over not in SWEPT:
        raise ValueError(f"over = {over!r}, but must be one of {', '.join(SWEPT)}")
    if task not in (None, "classify", "regress"):
        raise ValueError(f"task = {task!r}, but must be 'classify' or 'regress'")
    if keywords.get("kernel") is not None:
        raise ValueError("a kernel model has no features to follow; leave kernel out")
    classify = type_of_target(y) in ("binary", "multiclass") if task is None else task == "classify"
    estimator = (MEDClassifier if classify else MEDRegressor)(**keywords)
    if values is None:
        values = usual_values(over, estimator if over == "p0" else estimator.fit(X, y, sample_weight))
    swept = np.asarray(values, dtype=np.float64).ravel()
    if len(swept) == 0:
        raise ValueError("values is empty; give at least one")
    steps = []
    for value in swept:
        estimator.set_params(**{over: float(value)}).fit(X, y, sample_weight)
        report = estimator.report_
        steps.append((estimator.inclusion_, estimator.coef_, estimator.intercept_, report.objective, report.gap,
                      report.relative_gap))
    inclusion, coef, intercept, objective, gap, relative_gap = (np.array(each) for each in zip(*steps))
    return Path(over=over, values=swept, names=estimator.model_.names, inclusion=inclusion,
                coef=coef[:, 0] if coef.ndim == 3 and coef.shape[1] == 1 else coef, intercept=intercept.squeeze(),
                selected=(inclusion > 0.5).sum(axis=1), objective=objective, gap=gap, relative_gap=relative_gap)
