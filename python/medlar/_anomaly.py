"""What is odd among examples of one kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import OutlierMixin

from . import _data
from ._generative import GenerativeMED
from ._native import Dataset, Model, TracePoint
from ._options import keep_keywords
from ._sklearn import _check_sample_weight, check_is_fitted


class MEDAnomalyDetector(OutlierMixin, GenerativeMED):
    """Maximum entropy anomaly detection: examples whose expected log-likelihood is low are odd.

    The columns have families as for GenerativeMEDClassifier; a missing cell of X is NaN and says nothing. A category of a frame
    that was not seen at fit is odd.

    Parameters
    ----------
    alpha : float in (0, 1), default=0.05
        The share of normal examples that lie below the threshold.
    trim : float in [0, 1/2), default=0.1
        The share of examples, the oddest, that are left out of the prior.
    c : float > 0, default=0.1
        How dearly an example below the level is paid.
    family, margin, prior_strength, statistics_weight, offsets, calibration
        As for GenerativeMEDClassifier.
    expand, scale, precision, solver, tolerance, max_passes, max_seconds, threads, seed, verbose, callback
        As for MEDClassifier.

    Attributes
    ----------
    offset_ : the threshold; of a whole row ``decision_function`` is ``score_samples`` less offset_.
    typical_ : the mean of ``contributions`` over the training examples.
    families_, inclusion_, support_, objective_, gap_, n_iter_, report_, model_ : as for GenerativeMEDClassifier.
    """

    _task = "anomaly"
    _other_level = True  # what was never seen is odd

    def __init__(self, *, alpha: float = 0.05, trim: float = 0.1, family: Any = "auto", c: float | None = None,
                 margin: str = "auto", prior_strength: float = 1.0, statistics_weight: float = 1.0,
                 offsets: str = "leave-one-out", calibration: str = "folds", expand: str = "none", scale: str = "auto",
                 precision: str = "double", solver: str = "auto", tolerance: float = 1e-6, max_passes: int = 100000,
                 max_seconds: float = float("inf"), threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> MEDAnomalyDetector:
        """Fits the model to examples X, most of which are normal; y is not looked at."""
        x = _data.first_look(self, X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, x, dtype=np.float64)
        return self._fit_examples(x, sample_weight, {})

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.offset_, self.typical_ = model.threshold, model.typical

    def _compared(self, X: Any, y: Any) -> Dataset:
        if y is None:  # scores and reasons need no truth
            return _data.dataset(self, _data.another_look(self, X))
        odd = (np.asarray(y) < 0).astype(np.int32)
        return _data.dataset(self, _data.another_look(self, X), codes=odd, labels=["normal", "odd"])

    def score_samples(self, X: Any) -> np.ndarray:
        """E[log p(x)] of each example over the cells that it has, in nats: the lower, the odder.

        Rows with gaps do not compare with whole ones by it; ``decision_function`` does.
        """
        return self._predictions(X)["score"]

    def decision_function(self, X: Any) -> np.ndarray:
        """score_samples, with what is typical of the cells that a row misses, less offset_: below 0 for what is odd."""
        check_is_fitted(self)
        x = _data.another_look(self, X)
        return self.model_.predict(x)["score"] + self.model_.typical_of_gaps(x) - self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """1 for what is normal, -1 for what is odd."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def p_values(self, X: Any) -> np.ndarray:
        """The share of normal examples, which the fit had not seen, that score no higher: small for what is odd."""
        return self._predictions(X)["probability"]

    def contributions(self, X: Any) -> np.ndarray:
        """What each feature of the model adds to score_samples; one far below typical_ is why an example is odd."""
        check_is_fitted(self)
        return self.model_.contributions(_data.another_look(self, X))
