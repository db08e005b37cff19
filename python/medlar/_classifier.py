"""Two or more classes told apart by linear discriminants that select their features, or by a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import log_ndtr

from ._classes import ClassifierMED
from ._linear import LinearMED
from ._native import Dataset, Settings, TracePoint, recalibrated
from ._options import keep_keywords
from ._sklearn import check_is_fitted


class MEDClassifier(ClassifierMED, LinearMED):
    """Maximum entropy discrimination with feature selection, for two or more classes, which are fitted jointly.

    The keywords are the options of the command line, see docs/options.md; None stands for the library's default.

    Parameters
    ----------
    p0 : float in (0, 1], default=1e-3
        Prior probability that a feature is in; 1 selects nothing.
    c : float > 0, default=3, of the logistic margin 1
        How dearly an example's error is paid.
    margin : {'auto', 'exponential', 'laplace', 'gaussian', 'hinge', 'logistic'}
        The prior over margins, which decides the loss. 'auto': logistic, whose score is the log odds; with a kernel, keep or a
        margin_location exponential.
    margin_location : float > 0, default=1; logistic has no use for it
        The margin that the prior asks for.
    kernel : None or {'linear', 'poly', 'rbf', 'sigmoid', 'precomputed'}
        None is the linear model, which selects features; a kernel model selects nothing (p0 has no say).
    multiclass : {'pairs', 'joint'}
        How a kernel model tells more than two classes apart: two by two, or by one score for each class.
    gamma, coef0, degree : float, float, int
        Of the kernel, with LIBSVM's meanings; gamma is 1 / features unless given.
    cache_mb : float > 0
        Megabytes for rows of the kernel matrix.
    gram_precision : {'float', 'double'}
        How these rows are kept.
    prior_variance : float > 0, default=1
        Prior variance of a coefficient that is in.
    prior_mean, feature_priors, feature_prior_variance : mapping or array
        Prior mean (needs p0 = 1), p0 and prior variance of single features: by name or number, or one value for each.
    keep : list of names or numbers
        Features that stay in, such as age and sex: without a switch, and with a flat coefficient, as the bias has. The name of a
        category means all its levels.
    groups : {'columns', 'none'}, mapping or array
        Features that share one switch: the levels of a category, or features of the same group.
    bias : {'auto', 'flat', 'none'} or float
        The prior over the bias: flat, none, or its variance; auto is flat.
    recalibrate : None, 'folds', 'platt' or 'isotonic'
        Probabilities by a curve over the scores of examples that five further fits leave out; None for those of the model.
    class_weight : None, 'balanced' or mapping
        Weight of each class.
    expand : {'none', 'quadratic', 'powers:D', 'fourier:D', 'nystrom:D'}
        Products or powers of features that are added, or D functions near a kernel in their place.
    scale : {'auto', 'standard', 'maxabs', 'none'}
        Scaling of features, kept in the model; auto is standard for dense and maxabs for sparse data.
    precision : {'double', 'float'}
        How the values of features are kept.
    solver, line_search, tolerance, max_passes, max_seconds, threads, seed
        How the dual is maximised: until the relative duality gap is at most `tolerance`.
    verbose : {0, 1, 'tqdm'}
        Lines about the progress, or a bar.
    callback : callable
        Called with each trace point (iteration, passes, seconds, objective, primal, relative_gap, stage); the fit ends
        with its best model when it returns True.

    Attributes
    ----------
    classes_ : the classes; the second of two is the positive one.
    coef_, intercept_ : the discriminant in the units of X, ``X @ coef_.T + intercept_``: one row, or of more than two
        classes one for each; a kernel model has no coef_.
    coef_sd_ : standard deviation of each coefficient under the fitted distribution.
    inclusion_ : probability of each feature to be in, in all classes alike; above 1/2 it is selected.
    dual_coef_, support_ : signed multipliers and the examples that have one.
    objective_, gap_ : the dual J and the duality gap, a certificate of how close J is to its maximum.
    n_iter_, report_, model_ : iterations, how the solve ended, the model of the library.
    """

    _task = "classify"
    _own: tuple[str, ...] = ("verbose", "callback", "recalibrate")
    recalibrate: str | None

    def _native_fit(self, data: Dataset, settings: Settings, callback: Any) -> Any:
        model, raised = super()._native_fit(data, settings, callback)
        if self.recalibrate is None or model is None or raised is not None:
            return model, raised
        if not isinstance(self.recalibrate, str):
            raise TypeError(f"recalibrate = {self.recalibrate!r}, but must be 'folds', 'platt', 'isotonic' or None")
        return recalibrated(model, data, settings, self.recalibrate, callback)

    def __init__(self, *, p0: float = 1e-3, c: float | None = None, margin: str = "auto",
                 margin_location: float | None = None, kernel: str | None = None, gamma: float | None = None,
                 coef0: float = 0.0, degree: int = 3, multiclass: str = "pairs", recalibrate: str | None = None,
                 prior_variance: float | None = None, prior_mean: Any = None,
                 feature_priors: Any = None, feature_prior_variance: Any = None, keep: Any = None, groups: Any = "columns",
                 bias: str | float = "auto",
                 class_weight: Any = None, expand: str = "none", scale: str = "auto", precision: str = "double",
                 solver: str = "auto", line_search: str | None = None, tolerance: float = 1e-6,
                 max_passes: int = 100000, max_seconds: float = float("inf"), cache_mb: float = 200.0, gram_precision: str = "float",
                 threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class; of two, that of the discriminant's sign, with the sd of a typical example.

        With the logistic margin the discriminant is the log odds, and the probability is 1 / (1 + exp(-score)).
        Hence examples keep the order of their scores. The command line takes the sd of each example instead. A model from
        a file that was recalibrated gives probabilities by its curve.
        """
        check_is_fitted(self)
        by_model = len(self.classes_) > 2 or self.model_.recalibrated
        return super().predict_proba(X) if by_model else np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of predict_proba; of two classes exact in the tails."""
        check_is_fitted(self)
        if len(self.classes_) > 2 or self.model_.recalibrated:
            return super().predict_log_proba(X)
        score = self.decision_function(X)
        if self.margin == "logistic":
            return -np.logaddexp(0, np.column_stack([score, -score]))
        with np.errstate(divide="ignore", invalid="ignore"):
            standardised = np.where(score == 0, 0.0, score / self.model_.typical_sd)
        return log_ndtr(np.column_stack([-standardised, standardised]))
