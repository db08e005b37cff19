"""Pictures of fitted models with matplotlib, which is imported when the first one is drawn.

Each function draws into ``ax`` (a new one unless given) and returns it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._native import Model
from ._sklearn import check_is_fitted


def _axes(ax: Any, width: float = 6.0, height: float = 4.0) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _order(model: Model, top: int) -> np.ndarray:
    """The model features of the highest inclusion, of the largest coefficient among equals."""
    return np.lexsort((-np.abs(model.coefficient), -model.inclusion))[:top]


def inclusion(estimator: Any, *, top: int = 20, ax: Any = None) -> Any:
    """Bars: the probability of inclusion of the `top` features, with a line at 1/2, above which one is selected."""
    check_is_fitted(estimator)
    model = estimator.model_
    order = _order(model, top)[::-1]
    names, inclusions = model.names, model.inclusion
    ax = _axes(ax, height=1.0 + 0.25 * len(order))
    colours = ["#9c5b2e" if inclusions[i] > 0.5 else "#cdb9a6" for i in order]
    ax.barh([names[i] for i in order], inclusions[order], color=colours)
    ax.axvline(0.5, color="#444444", linewidth=0.8, linestyle="--")
    ax.set(xlim=(0, 1), xlabel="probability of inclusion")
    return ax


def weights(estimator: Any, *, top: int = 20, ax: Any = None) -> Any:
    """Points with bars of one sd: the coefficients of the `top` features, for scaled features."""
    check_is_fitted(estimator)
    model = estimator.model_
    order = _order(model, top)[::-1]
    names = model.names
    ax = _axes(ax, height=1.0 + 0.25 * len(order))
    ax.errorbar(model.coefficient[order], np.arange(len(order)), xerr=model.sd[order], fmt="o", color="#9c5b2e",
                ecolor="#cdb9a6", capsize=2)
    ax.axvline(0, color="#444444", linewidth=0.8)
    ax.set_yticks(np.arange(len(order)), [names[i] for i in order])
    ax.set(xlabel="coefficient of the scaled feature, with its sd")
    return ax


def roc(estimator: Any, X: Any, y: Any, *, ax: Any = None, label: str | None = None) -> Any:
    """The ROC curve of a classifier of two classes on examples, with the area under it."""
    from sklearn.metrics import roc_auc_score, roc_curve

    check_is_fitted(estimator)
    positive = np.asarray(y) == estimator.classes_[1]
    score = estimator.decision_function(X)
    false_positive, true_positive, _ = roc_curve(positive, score)
    ax = _axes(ax, 4.5, 4.5)
    name = f"{label}, " if label else ""
    ax.plot(false_positive, true_positive, color="#9c5b2e", label=f"{name}AUC {roc_auc_score(positive, score):.3f}")
    ax.plot([0, 1], [0, 1], color="#aaaaaa", linewidth=0.8, linestyle="--")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    ax.legend(loc="lower right")
    return ax


def path(swept: Any, *, top: int = 10, ax: Any = None) -> Any:
    """Lines: the probability of inclusion along a sweep (med_path) of the `top` features that ever have the most."""
    order = np.argsort(-swept.inclusion.max(axis=0))[:top]
    ax = _axes(ax)
    for i in order:
        ax.plot(swept.values, swept.inclusion[:, i], marker="o", markersize=3, label=swept.names[i])
    ax.axhline(0.5, color="#444444", linewidth=0.8, linestyle="--")
    ax.set(xscale="log", ylim=(0, 1.02), xlabel=swept.over, ylabel="probability of inclusion")
    ax.legend(fontsize="small")
    return ax
