"""Real targets predicted by a linear model that selects its features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from . import _data
from ._linear import LinearMED
from ._native import Dataset, TracePoint
from ._options import keep_keywords
from ._sklearn import _check_sample_weight


class MEDRegressor(RegressorMixin, LinearMED):
    """Maximum entropy regression with feature selection: an epsilon-tube with switches.

    The keywords are the options of the command line, see docs/options.md; None stands for the library's default.

    Parameters
    ----------
    p0 : float in (0, 1], default=1e-3
        Prior probability that a feature is in; 1 selects nothing.
    c : float > 0, default=10 / sd(y), of the gaussian margin sqrt(10) / sd(y)
        How dearly an example's error is paid.
    epsilon : float >= 0, default=0.1 sd(y)
        Errors up to this size are all alike to the prior; the gaussian margin has no use for it.
    margin : {'auto', 'tube', 'svr', 'gaussian'}
        'auto': gaussian, which is squared loss; with a kernel or an epsilon tube.
        The prior over errors, which decides the loss; gaussian is the squared loss.
    prior_variance : float > 0, default=var(y)
        Prior variance of a coefficient that is in.
    kernel, gamma, coef0, degree, cache_mb, gram_precision, prior_mean, feature_priors, feature_prior_variance, keep, groups, bias, expand,
    scale, precision
        As for MEDClassifier.
    solver, line_search, tolerance, max_passes, max_seconds, threads, seed, verbose, callback
        As for MEDClassifier.

    Attributes
    ----------
    coef_, intercept_ : the prediction in the units of X and y, ``X @ coef_ + intercept_``.
    coef_sd_, inclusion_, dual_coef_, support_, objective_, gap_, n_iter_, report_, model_ : as for MEDClassifier.
    """

    _task = "regress"

    def __init__(self, *, p0: float = 1e-3, c: float | None = None, epsilon: float | None = None,
                 margin: str = "auto", kernel: str | None = None, gamma: float | None = None, coef0: float = 0.0,
                 degree: int = 3, prior_variance: float | None = None, prior_mean: Any = None,
                 feature_priors: Any = None, feature_prior_variance: Any = None, keep: Any = None, groups: Any = "columns",
                 bias: str | float = "auto",
                 expand: str = "none", scale: str = "auto", precision: str = "double", solver: str = "auto",
                 line_search: str | None = None, tolerance: float = 1e-6, max_passes: int = 100000,
                 max_seconds: float = float("inf"), cache_mb: float = 200.0, gram_precision: str = "float", threads: int = 0, seed: int = 1,
                 verbose: int | str = 0, callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MEDRegressor:
        """Fits the model to examples X with their targets y; sample_weight 2 equals the same row twice."""
        target_name = getattr(y, "name", None)
        x, y = _data.first_look(self, X, y, y_numeric=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, x, dtype=np.float64)
        return self._fit_examples(x, sample_weight, {}, target_name=target_name, values=y)

    def _keep_coefficients(self, coefficient: np.ndarray, sd: np.ndarray) -> None:
        self.coef_, self.coef_sd_ = coefficient[0], sd[0]

    def _keep_intercept(self, intercept: np.ndarray) -> None:
        self.intercept_ = float(intercept[0])

    def _compared(self, X: Any, y: Any) -> Dataset:
        return _data.dataset(self, _data.another_look(self, X), values=np.asarray(y, dtype=np.float64))

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The expected value of each example; with return_std also its sd under the fitted distribution.

        The sd says how sure the coefficients are. It is no error of prediction: it says nothing of the noise in y.
        """
        predictions = self._predictions(X)
        return (predictions["score"], predictions["sd"]) if return_std else predictions["score"]
