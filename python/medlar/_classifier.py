"""Two classes told apart by a linear discriminant that selects its features."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import log_ndtr
from sklearn.base import ClassifierMixin

from . import _data
from ._base import LinearMED
from ._native import Dataset, Model, TracePoint
from ._options import class_weight_text
from ._sklearn import _check_sample_weight, check_classification_targets


def label_text(label: Any) -> str:
    """A class as the library and its files write it: 1.0 and 1 are the same label."""
    if isinstance(label, numbers.Real) and not isinstance(label, (bool, np.bool_)):
        value = float(label)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(label)


def classes_of(labels: Sequence[str]) -> np.ndarray:
    """The classes of labels in a file: whole numbers, numbers, or else texts."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(label) for label in labels])
        except ValueError:
            pass
    return np.array(labels)


class MEDClassifier(ClassifierMixin, LinearMED):
    """Maximum entropy discrimination with feature selection, for two classes.

    The keywords are the options of the command line, see docs/options.md; None stands for the library's default.

    Parameters
    ----------
    p0 : float in (0, 1], default=1e-3
        Prior probability that a feature is in; 1 selects nothing.
    c : float > 0, default=3
        How dearly an example's error is paid.
    margin : {'auto', 'exponential', 'laplace', 'gaussian', 'hinge'}
        The prior over margins, which decides the loss.
    margin_location : float > 0, default=1
        The margin that the prior asks for.
    kernel : None or {'linear', 'poly', 'rbf', 'sigmoid', 'precomputed'}
        None is the linear model, which selects features; a kernel model selects nothing (p0 has no say).
    gamma, coef0, degree : float, float, int
        Of the kernel, with LIBSVM's meanings; gamma is 1 / features unless given.
    cache_mb : float > 0
        Megabytes for rows of the kernel matrix.
    prior_variance : float > 0, default=1
        Prior variance of a coefficient that is in.
    prior_mean, feature_priors : mapping or array
        Prior mean (needs p0 = 1) and p0 of single features: by name or number, or one value for each feature.
    groups : {'columns', 'none'}, mapping or array
        Features that share one switch: the levels of a category, or features of the same group.
    bias : {'flat', 'none'} or float
        The prior over the bias: flat, none, or its variance.
    class_weight : None, 'balanced' or mapping
        Weight of each class.
    expand : {'none', 'quadratic', 'powers:D'}
        Products or powers of features that are added.
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
    classes_ : the two classes; the second is the positive one.
    coef_, intercept_ : the discriminant in the units of X, ``X @ coef_.T + intercept_``; a kernel model has no coef_.
    coef_sd_ : standard deviation of each coefficient under the fitted distribution.
    inclusion_ : probability of each feature to be in; above 1/2 it is selected.
    dual_coef_, support_ : signed multipliers and the examples that have one.
    objective_, gap_ : the dual J and the duality gap, a certificate of how close J is to its maximum.
    n_iter_, report_, model_ : iterations, how the solve ended, the model of the library.
    """

    _task = "classify"

    def __init__(self, *, p0: float = 1e-3, c: float | None = None, margin: str = "auto",
                 margin_location: float | None = None, kernel: str | None = None, gamma: float | None = None,
                 coef0: float = 0.0, degree: int = 3, prior_variance: float | None = None, prior_mean: Any = None,
                 feature_priors: Any = None, groups: Any = "columns", bias: str | float = "flat",
                 class_weight: Any = None, expand: str = "none", scale: str = "auto", precision: str = "double",
                 solver: str = "auto", line_search: str | None = None, tolerance: float = 1e-6,
                 max_passes: int = 100000, max_seconds: float = float("inf"), cache_mb: float = 200.0,
                 threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        self.p0 = p0
        self.c = c
        self.margin = margin
        self.margin_location = margin_location
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.prior_variance = prior_variance
        self.prior_mean = prior_mean
        self.feature_priors = feature_priors
        self.groups = groups
        self.bias = bias
        self.class_weight = class_weight
        self.expand = expand
        self.scale = scale
        self.precision = precision
        self.solver = solver
        self.line_search = line_search
        self.tolerance = tolerance
        self.max_passes = max_passes
        self.max_seconds = max_seconds
        self.cache_mb = cache_mb
        self.threads = threads
        self.seed = seed
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MEDClassifier:
        """Fits the model to examples X with their classes y; sample_weight 2 equals the same row twice."""
        target_name = getattr(y, "name", None)
        x, y = _data.first_look(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {self.classes_[0]!r}, but a classifier needs examples of two classes")
        if len(self.classes_) > 2:
            raise ValueError("Only binary classification is supported. The type of the target is multiclass: "
                             f"y has {len(self.classes_)} classes")
        labels = [label_text(label) for label in self.classes_.tolist()]
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, x, dtype=np.float64)
            if len(np.unique(codes[sample_weight > 0])) < 2:
                raise ValueError("the examples with a positive sample_weight are all of one class, but a classifier "
                                 "needs examples of two classes")
            if self._leaves_weightless_out:
                x, codes, sample_weight = _data.with_weight(x, codes, sample_weight)
        data = _data.dataset(self, x, codes=codes, labels=labels, weights=sample_weight,
                             target_name=target_name if isinstance(target_name, str) else "")
        class_weight = class_weight_text(self.class_weight, labels, self.classes_.tolist())
        return self._fit_prepared(data, x, codes, class_weight=class_weight)

    def _keep_coefficients(self, coefficient: np.ndarray, sd: np.ndarray) -> None:
        self.coef_, self.coef_sd_ = coefficient[None, :], sd[None, :]

    def _keep_intercept(self, intercept: float) -> None:
        self.intercept_ = np.array([intercept])

    def _keep_labels(self, model: Model) -> None:
        self.classes_ = classes_of(model.labels)

    def _compared(self, X: Any, y: Any) -> Dataset:
        known = {label: code for code, label in enumerate(self.classes_.tolist())}
        codes = [known.get(label, -1) for label in np.asarray(y).tolist()]
        return _data.dataset(self, _data.another_look(self, X), codes=codes, labels=[label_text(c) for c in self.classes_.tolist()])

    def decision_function(self, X: Any) -> np.ndarray:
        """The expected discriminant of each example; above 0 for the second class."""
        return self._predictions(X)["score"]

    def predict(self, X: Any) -> np.ndarray:
        """The class of each example."""
        labels = self._predictions(X)["label"]
        return self.classes_[labels]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class: that of the discriminant's sign, with the sd of a typical example.

        Hence examples keep the order of their scores. The command line takes the sd of each example instead.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of predict_proba, exact in the tails."""
        standardised = self._standardised(X)
        return log_ndtr(np.column_stack([-standardised, standardised]))

    def _standardised(self, X: Any) -> np.ndarray:
        score = self.decision_function(X)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(score == 0, 0.0, score / self.model_.typical_sd)

    def _more_tags(self) -> dict[str, Any]:
        return {"binary_only": True, "pairwise": self.kernel == "precomputed"}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.classifier_tags.multi_class = False
        return tags
