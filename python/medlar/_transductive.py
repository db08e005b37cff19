"""Classes learnt from examples of which some have no label (docs/latent.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _data, _native
from ._classes import ClassifierMED
from ._labels import without_label
from ._linear import LinearMED
from ._native import Model, TracePoint
from ._options import keep_keywords
from ._sklearn import check_is_fitted


class TransductiveMEDClassifier(ClassifierMED, LinearMED):
    """Maximum entropy discrimination with latent labels, for two or more classes.

    In y an example without a label has -1 among whole numbers, NaN among other numbers, None among texts. If -1 and one
    other number are all there is in y, they are the two classes, and a warning says so.

    Parameters
    ----------
    balance : {'auto', 'none'} or float
        The share of the positive class among the unlabelled: from the labelled, free, or given.
    unlabelled_weight : float > 0, default=0.1
        What an unlabelled example counts.
    latent_mode : {'anchored', 'literal'}
        literal is the paper's alternation.
    p0, c, margin, margin_location, prior_variance, feature_priors, groups, bias, class_weight, expand, scale, precision
        As for MEDClassifier.
    tolerance, max_passes, max_seconds, threads, seed, verbose, callback
        As for MEDClassifier.

    Attributes
    ----------
    transduction_ : the class of each training example: its own, or the predicted one where there was none.
    kl_ : the total KL divergence after each round.
    classes_, coef_, intercept_, inclusion_, objective_, gap_, n_iter_, report_, model_ : as for MEDClassifier.
    coef_sd_ : as for MEDClassifier; of more than two classes the root of the mean variance over them.
    """

    def __init__(self, *, p0: float = 1e-3, c: float | None = None, balance: str | float = "auto",
                 unlabelled_weight: float = 0.1, latent_mode: str = "anchored", margin: str = "auto",
                 margin_location: float | None = None, prior_variance: float | None = None, feature_priors: Any = None,
                 groups: Any = "columns", bias: str | float = "auto", class_weight: Any = None, expand: str = "none",
                 scale: str = "auto", precision: str = "double", tolerance: float = 1e-6, max_passes: int = 100000,
                 max_seconds: float = float("inf"), threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())

    def _kind(self) -> str:
        return "latent"

    def _orders_rows(self, x: Any) -> bool:
        return True

    def _settings(self, names: list[str], **decided: str) -> _native.Settings:
        return super()._settings(names, latent="labels", **decided)

    def _without_label(self, y: Any) -> tuple[Any, np.ndarray | None]:
        return without_label(y)

    def _fit_examples(self, x: Any, weights: np.ndarray | None, decided: dict[str, str], **target: Any) -> Any:
        before = self.__dict__.get("model_")
        try:
            return super()._fit_examples(x, weights, decided, **target)
        finally:  # also after Ctrl-C, which leaves the best model so far
            if self.__dict__.get("model_") is not before:
                predicted = self._labels_of(x)
                self.transduction_ = self.classes_[np.where(target["codes"] < 0, predicted, target["codes"])]

    def _labels_of(self, x: Any) -> np.ndarray:
        """The most probable label of each row of the fit, as a number."""
        last = self.model_.last_transform
        if last is not None and last["kind"] != "scale" or self.coef_.shape[1] != x.shape[1]:
            return self.model_.predict(_data.canonical(x))["label"]
        scores = np.asarray(x @ self.coef_.T) + self.intercept_
        return (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.kl_ = model.kl

    def _class_sd(self, model: Model, coefficient: np.ndarray) -> np.ndarray:
        """Each class has switches of its own here, of which the model keeps the mean."""
        return np.broadcast_to(model.sd, coefficient.shape)

    def transduce(self, X: Any) -> np.ndarray:
        """The classes of new examples after they have joined the fit as unlabelled ones; the estimator stays as it is."""
        check_is_fitted(self)
        data = _data.dataset(self, _data.another_look(self, X))
        wider, raised = _native.transduce(self.model_, data, self.callback)
        if raised is not None:
            raise raised
        assert wider is not None
        return self.classes_[wider.predict(_data.another_look(self, X))["label"]]
