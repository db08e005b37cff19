"""Classes told apart by log-likelihood ratios of exponential families (docs/generative.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._classes import ClassifierMED
from ._linear import SelectingMED
from ._native import Model, TracePoint
from ._options import family_text, keep_keywords


class GenerativeMED(SelectingMED):
    """A model of families, one member for one or more columns; a cell of X that is NaN says nothing."""

    _may_miss = True
    family: Any

    def _orders_rows(self, x: Any) -> bool:
        return True

    def _kind(self) -> str:
        return "generative"

    def _keywords(self) -> dict[str, Any]:
        return super()._keywords() | {"family": family_text(self.family)}

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.inclusion_ = model.inclusion
        if model.inclusion_by_class is not None:
            self.inclusion_by_class_ = model.inclusion_by_class
        self.families_ = {", ".join(names): family for family, names, _ in model.members}


class GenerativeMEDClassifier(ClassifierMED, GenerativeMED):
    """Maximum entropy discrimination between generative models, for two or more classes.

    The discriminant of class k is E[log p(x | theta_k)] + b_k, p an exponential family for each column; theta_k has a
    conjugate prior that has seen its own class, and the margins move it as far as they ask. A missing cell is NaN.

    Parameters
    ----------
    family : 'auto', a family, or a mapping from names of columns to families
        gaussian, gaussian-diagonal, gaussian-full, multinomial, bernoulli, poisson, exponential, tree; auto guesses the
        family of each column.
    c : float > 0, default=1
        How much more than once an example may count.
    margin : {'auto', 'exponential', 'laplace', 'gaussian', 'hinge', 'logistic'}
    margin_location : float, default: the median absolute leave-one-out margin
    switches : {'none', 'tied', 'per-class'}
        Switches that select columns, with the prior probability p0; the columns then have an inclusion_ below 1.
    switch_evidence : {'bayes-factor', 'none'}
        What a switch knows before the fit.
    prior_strength : float > 0, default=1
        Pseudo-examples of the weak prior.
    statistics_weight : float >= 0, default=1
        Weight of a class's own statistics in its prior.
    offsets : {'leave-one-out', 'none'}
        Whether an example's margin is measured with a prior that has not seen it.
    calibration : {'folds', 'left-out'}
        Which scores become probabilities.
    bias : {'auto', 'flat', 'none'} or float
        The prior over the bias, about the log odds of the classes: its variance, which is 1 with auto, flat, or none.
    p0, class_weight, expand, scale, precision, solver, tolerance, max_passes, max_seconds, threads, seed, verbose, \
callback
        As for MEDClassifier.

    Attributes
    ----------
    classes_ : the classes.
    families_ : the family of each column, or of columns that share one.
    inclusion_ : probability of each feature to be in; 1 without switches, and the largest of its classes' with one in each.
    inclusion_by_class_ : with switches='per-class' the same for each feature (rows) and class (columns, as classes_).
    support_, objective_, gap_, n_iter_, report_, model_ : as for MEDClassifier.
    """

    def __init__(self, *, family: Any = "auto", c: float | None = None, margin: str = "auto",
                 margin_location: float | None = None, switches: str = "none", switch_evidence: str = "bayes-factor",
                 p0: float = 1e-3, prior_strength: float = 1.0, statistics_weight: float = 1.0,
                 offsets: str = "leave-one-out", calibration: str = "folds", bias: str | float = "auto",
                 class_weight: Any = None, expand: str = "none", scale: str = "auto", precision: str = "double",
                 solver: str = "auto", tolerance: float = 1e-6, max_passes: int = 100000,
                 max_seconds: float = float("inf"), threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())

    def decision_function(self, X: Any) -> np.ndarray:
        """Of two classes the log odds of the second, as predict_proba has them; of more, the score of each.

        ``medlar predict`` shows the score of two classes before the calibration.
        """
        scores = super().decision_function(X)
        slope = self.model_.calibration
        return slope * scores if scores.ndim == 1 and slope > 0 else scores
