"""How far the selection of each feature can be trusted, as ``medlar stability`` measures it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target

from . import _native
from ._classifier import MEDClassifier
from ._folds import Given
from ._linear import LinearMED
from ._regressor import MEDRegressor
from ._sklearn import ConvergenceWarning


@dataclass
class Stability:
    """What was measured, one number per feature of the model in the order of names.

    stability is the fraction of refits that chose the feature; from threshold on it is stable. different features vary and
    differ from each other, and at most false_bound of these are expected to be stable by chance. knockoff, discovered,
    probability (that the feature matters) and expected (how many different ones do) are None without fdr. clusters are
    features that nearly say the same: the probability that one of them is in, and their names. model is the fit to all examples.
    """

    names: list[str]
    inclusion: np.ndarray
    coef: np.ndarray
    stability: np.ndarray
    threshold: float
    false_bound: float | None
    different: int
    knockoff: np.ndarray | None
    discovered: np.ndarray | None
    probability: np.ndarray | None
    expected: float | None
    clusters: list[tuple[float, list[str]]]
    model: _native.Model = field(repr=False)

    @property
    def stable(self) -> np.ndarray:
        """Which features are."""
        return self.stability >= self.threshold


def group_numbers(groups: Any, given: Given) -> list[int]:
    """A number for the group of each example that the data hold."""
    groups = np.asarray(groups)
    if groups.shape != (given.examples,):
        raise ValueError(f"groups has the shape {groups.shape}, but must have one entry for each of {given.examples} examples")
    try:
        numbers = np.unique(groups, return_inverse=True)[1]
    except TypeError:
        raise ValueError("groups must be all numbers or all texts, and none may be missing") from None
    return (numbers if given.rows is None else numbers[given.rows]).tolist()


class Repeated(LinearMED):
    """An estimator whose fit is repeated on parts of the examples."""

    how: dict[str, Any]

    def _orders_rows(self, x: Any) -> bool:
        return False  # parts are drawn from the examples as they are

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: Any, given: Given, **decided: str) -> Any:
        settings = self._settings(data.names, **decided)
        how = dict(self.how)
        groups = how.pop("groups")
        if groups is not None:
            how["groups"] = group_numbers(groups, given)
        model, raised = _native.stability(data, settings, **how, callback=self.callback)
        if raised is not None:
            raise raised
        if model is None:
            raise RuntimeError("the callback or max_seconds stopped the refits before there were two; nothing was measured")
        done = model.stability["refits"]
        if done < self.how["refits"] or (self.how["fdr"] is not None and model.discoveries is None):
            warnings.warn(f"the callback or max_seconds ended it after {done} of {self.how['refits']} refits"
                          f"{', before the knockoffs' if self.how['fdr'] is not None else ''}", ConvergenceWarning, stacklevel=3)
        self.model_ = model
        return self


class RepeatedClassifier(MEDClassifier, Repeated):
    """Over classes."""


class RepeatedRegressor(MEDRegressor, Repeated):
    """Over numbers."""


def med_stability(X: Any, y: Any, *, refits: int = 100, share: float = 0.5, top: int | None = None,
                  threshold: float | None = None, fdr: float | None = None, cluster: float | None = 0.95,
                  groups: Any = None, task: str | None = None, sample_weight: Any = None, **keywords: Any) -> Stability:
    """Fits parts of the examples, and counts how often each feature is among the first.

    refits, share, top, threshold, fdr and cluster are the options of ``medlar stability``; cluster=None looks for none.
    groups has the group of each example, such as a patient; halves do not part them, and fdr cannot be asked for then.
    task is 'classify' or 'regress'; without it y decides. The keywords are those of MEDClassifier or MEDRegressor.
    """
    if task not in (None, "classify", "regress"):
        raise ValueError(f"task = {task!r}, but must be 'classify' or 'regress'")
    if keywords.get("kernel") is not None:
        raise ValueError("a kernel model has no features to follow; leave kernel out")
    classify = type_of_target(y) in ("binary", "multiclass") if task is None else task == "classify"
    estimator = (RepeatedClassifier if classify else RepeatedRegressor)(**keywords)
    estimator.how = {"refits": refits, "share": share, "top": top, "threshold": threshold, "fdr": fdr, "cluster": cluster,
                     "groups": groups,
                     "own_strength": "p0" in keywords or "prior_variance" in keywords}
    estimator.fit(X, y, sample_weight)
    model = estimator.model_
    measured, found = model.stability, model.discoveries
    assert measured is not None  # what _native.stability() is for
    return Stability(names=model.names, inclusion=model.inclusion, coef=model.coefficient,
                     stability=measured["fraction"], threshold=measured["threshold"], false_bound=measured["false_bound"],
                     different=measured["different"],
                     knockoff=None if found is None else found["statistic"],
                     discovered=None if found is None else found["statistic"] >= found["threshold"],
                     probability=None if found is None or not len(found["probability"]) else found["probability"],
                     expected=None if found is None else found["expected"],
                     clusters=[(inclusion, [model.names[i] for i in members])
                               for inclusion, _, members in model.clusters or []],
                     model=model)
