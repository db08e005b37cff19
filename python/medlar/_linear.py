"""Models with one coefficient and one probability of inclusion per feature, which select features as well."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._base import BaseMED
from ._data import another_look
from ._folds import distinct_rows
from ._native import Model
from ._sklearn import SelectorMixin, _check_feature_names_in, check_is_fitted


FEW_VALUES = 1 << 14  # so few are soon put into an order of their own


class SelectingMED(SelectorMixin, BaseMED):
    """A model that selects features: those of its list if it was tuned, else those that stand out by themselves."""

    def _get_support_mask(self) -> np.ndarray:
        """The input features of which some model feature (a level, a product) is selected."""
        check_is_fitted(self)
        if not hasattr(self, "inclusion_"):  # a kernel model
            return np.ones(self.n_features_in_, dtype=bool)
        selected = self.model_.selected_mask | self.model_.kept
        for step in self.model_.transforms:
            if step["kind"] not in ("expand", "scale"):  # functions of all features
                selected = np.full(self.model_.features, selected.any())
            elif step["kind"] == "expand":
                used = [i for product, chosen in zip(step["factors"], selected) if chosen for i in product]
                selected = np.zeros(self.model_.features, dtype=bool)
                selected[used] = True
        if self._columns is None:
            return selected
        widths = [max(len(levels), 1) for _, levels, _ in self._columns.schema]
        return np.array([part.any() for part in np.split(selected, np.cumsum(widths)[:-1])])

    def _best_alone(self) -> int:
        """The input feature that stands in where none is selected: that of the largest coefficient in units of the scale."""
        if self._columns is not None or self.model_.features != len(self.model_.names):
            return 0
        return int(np.argmax(np.abs(self.model_.coefficient)))

    def transform(self, X: Any) -> Any:
        """The selected columns of X. Where none is selected, the best single one, with a warning."""
        if self.get_support().any():
            return super().transform(X)
        warnings.warn("no feature is selected, because nothing predicts beyond chance by itself; the best single one is "
                      "passed on", UserWarning, stacklevel=2)
        x = another_look(self, X)  # refuses what no prediction would take
        if self._columns is not None:
            return X.iloc[:, [self._best_alone()]]
        return x[:, [self._best_alone()]]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns that transform() passes on."""
        if self.get_support().any():
            return super().get_feature_names_out(input_features)
        return _check_feature_names_in(self, input_features)[[self._best_alone()]]

    def inverse_transform(self, X: Any) -> Any:
        """X with columns of 0 in the places of features that are not passed on."""
        if self.get_support().any():
            return super().inverse_transform(X)
        if X.shape[1] != 1:
            raise ValueError(f"X has {X.shape[1]} columns, but no feature is selected, so that one is passed on")
        whole = np.zeros((X.shape[0], self.n_features_in_))
        whole[:, [self._best_alone()]] = X.toarray() if hasattr(X, "toarray") else X
        return whole


class LinearMED(SelectingMED):
    """A linear discriminant; ``_kind`` says whether a kernel stands in its place, which has no features to select."""

    kernel: str | None = None
    intercept_: Any

    def _kind(self) -> str:
        return "linear" if self.kernel is None else "kernel"

    def _orders_rows(self, x: Any) -> bool:
        return self.kernel != "precomputed" and x.size <= FEW_VALUES

    def _kinds(self, examples: int) -> np.ndarray | None:
        """What else tells examples apart that are equal; None for nothing."""
        return None

    def _in_order(self, x: Any, target: Any, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
        if self.kernel is None:
            return super()._in_order(x, target, weights)
        return distinct_rows(x, target, weights, self._kinds(x.shape[0]))

    def _keep(self, model: Model) -> None:
        super()._keep(model)
        self.dual_coef_ = model.multipliers[None, :]
        for stale in ("coef_", "coef_sd_", "inclusion_", "intercept_"):
            self.__dict__.pop(stale, None)
        several = len(model.labels) > 2
        if model.settings.text("model") == "kernel":
            if not several:  # else there is one for each pair
                self._keep_intercept(np.array([model.bias - model.score_threshold]))
            return
        factor, shift = np.ones(1), np.zeros(1)
        last = model.last_transform
        if last is not None and last["kind"] == "scale":  # what a map near a kernel makes of scaled features is in no units
            factor, shift = last["factor"], last["shift"] if len(last["shift"]) else shift
        scaled = model.class_coefficient if several else model.coefficient[None, :]
        sd = self._class_sd(model, scaled) if several else model.sd[None, :]
        self.inclusion_ = model.inclusion
        self._keep_coefficients(scaled * factor, sd * factor)
        bias = model.class_bias if several else np.array([model.bias - model.score_threshold])
        self._keep_intercept(bias - np.sum(scaled * factor * shift, axis=1))

    def _class_sd(self, model: Model, coefficient: np.ndarray) -> np.ndarray:
        """The sd of theta_ki s_i from its mean w: sqrt(v P + (1 - P)/P w^2), one switch for a feature in all classes."""
        inclusion, variance = model.inclusion, model.prior_variances
        odds = np.divide(1 - inclusion, inclusion, out=np.zeros_like(inclusion), where=inclusion > 0)
        return np.sqrt(variance * inclusion + odds * coefficient**2)

    def _keep_coefficients(self, coefficient: np.ndarray, sd: np.ndarray) -> None:
        self.coef_, self.coef_sd_ = coefficient, sd

    def _keep_intercept(self, intercept: np.ndarray) -> None:
        self.intercept_ = intercept

    def _more_tags(self) -> dict[str, Any]:
        return {"pairwise": self.kernel == "precomputed"}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
