"""What all estimators share: a fit that can be watched and stopped, files, reports, and selection of features."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from . import _native
from ._data import Columns, another_look
from ._options import settings_of
from ._progress import display_of
from ._sklearn import ConvergenceWarning, SelectorMixin, check_is_fitted


class BaseMED(BaseEstimator):
    """An estimator over one fitted model of the library, ``model_``."""

    _task = ""  # classify or regress
    _own: tuple[str, ...] = ("verbose", "callback")  # keywords that are no options of the library
    _leaves_weightless_out = False  # examples of weight 0, before the library sees them

    def _keywords(self) -> dict[str, Any]:
        """The keywords that are options of the library."""
        return {name: value for name, value in self.get_params(deep=False).items() if name not in self._own}

    def _kind(self) -> str:
        """The option model."""
        return "linear"

    def _settings(self, names: list[str], **decided: str) -> _native.Settings:
        return settings_of(self._keywords() | {name: None for name in decided}, names, task=self._task,
                           model=self._kind(), **decided)

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: np.ndarray, **decided: str) -> Any:
        return self._fit_model(data, self._settings(data.names, **decided))

    def _fit_model(self, data: _native.Dataset, settings: _native.Settings) -> Any:
        """Fits, keeps the best certified model whatever happens, and then passes on what was raised."""
        display = display_of(self.verbose, float(settings.texts["tolerance"]))
        callback = self.callback
        if callback is not None and not callable(callback):
            raise TypeError(f"callback = {callback!r} cannot be called; give a function of one trace point, or None")
        if display is not None:
            callback = shown_and_told(display, callback)
        model, raised = _native.fit(data, settings, callback)
        if display is not None:
            display.close(model.report)
        self._keep(model)
        if raised is not None:
            raise raised
        if model.report.status not in ("converged", "interrupted"):
            warnings.warn(model.report.message, ConvergenceWarning, stacklevel=3)
        return self

    def _keep(self, model: _native.Model) -> None:
        """The fitted attributes that every model has."""
        self.model_ = model
        report = model.report
        self.objective_, self.gap_, self.n_iter_ = report.objective, report.gap, report.iterations
        self.support_ = model.support

    @property
    def report_(self) -> _native.Report:
        """How the solve ended: status, message, objective, primal, gap, relative_gap, trace, ..."""
        try:
            return self.model_.report
        except AttributeError:
            raise AttributeError(f"{type(self).__name__} has no report_ before it is fitted") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command ``medlar`` and ``load_model`` read."""
        check_is_fitted(self)
        self.model_.save(os.fsdecode(path))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Any:
        """A fitted estimator from a model file, of Python's or of the command line's making."""
        name = os.fsdecode(path)
        with open(name, "rb") as file:
            text = file.read()
        model = _native.Model.from_json(text, name)
        wanted = estimator_class(model)
        if not issubclass(wanted, cls):
            raise ValueError(f"{name}: the model is one for {wanted.__name__}, not for {cls.__name__}; use load_model")
        return wanted._from_model(model)

    @classmethod
    def _from_model(cls, model: _native.Model) -> Any:
        estimator = cls(**parameters_of(model, cls._get_param_names()))
        columns = model.columns
        estimator.n_features_in_ = len(columns) or model.features
        if model.format == "csv":
            estimator.feature_names_in_ = np.array([name for name, _ in columns], dtype=object)
        estimator._columns = Columns(columns) if any(levels for _, levels in columns) else None
        estimator._keep_labels(model)
        estimator._keep(model)
        return estimator

    def _keep_labels(self, model: _native.Model) -> None:
        """The classes of a classifier that comes from a file."""

    def report(self, path: str | os.PathLike[str], X: Any = None, y: Any = None, *, top: int = 5000) -> None:
        """Writes one self-contained HTML page about the model; with examples, also how well it predicts them."""
        check_is_fitted(self)
        page = self.model_.html(None if X is None else self._compared(X, y), top)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def _predictions(self, X: Any) -> _native.Predictions:
        check_is_fitted(self)
        return self.model_.predict(another_look(self, X))

    def _repr_html_(self) -> str:
        from ._html import summary

        return summary(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def shown_and_told(display: Callable[[Any], None], callback: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    """A callback that shows the trace point and then hands it to the user's own."""

    def both(point: _native.TracePoint) -> Any:
        display(point)
        return callback(point) if callback is not None else None

    return both


class LinearMED(SelectorMixin, BaseMED):
    """A model with one coefficient and one probability of inclusion per feature; it selects features as well.

    With a kernel it has neither, and all features stay.
    """

    kernel: str | None

    def _kind(self) -> str:
        return "linear" if self.kernel is None else "kernel"

    def _keep(self, model: _native.Model) -> None:
        super()._keep(model)
        self.dual_coef_ = model.multipliers[None, :]
        for stale in ("coef_", "coef_sd_", "inclusion_"):
            self.__dict__.pop(stale, None)
        if model.settings.texts["model"] == "kernel":
            self._keep_intercept(model.bias)
            return
        factor, shift = np.ones(1), np.zeros(1)
        for step in model.transforms:
            if step["kind"] == "scale":
                factor, shift = step["factor"], step["shift"] if len(step["shift"]) else shift
        coefficient = model.coefficient * factor
        self.inclusion_ = model.inclusion
        self._keep_coefficients(coefficient, model.sd * factor)
        self._keep_intercept(model.bias - float(np.sum(coefficient * shift)))

    def _get_support_mask(self) -> np.ndarray:
        """The input features of which some model feature (a level, a product) is in with a probability above 1/2."""
        check_is_fitted(self)
        if not hasattr(self, "inclusion_"):  # a kernel model
            return np.ones(self.n_features_in_, dtype=bool)
        selected = self.inclusion_ > 0.5
        for step in self.model_.transforms:
            if step["kind"] not in ("expand", "scale"):  # functions of all features
                selected = np.full(self.model_.features, selected.any())
            elif step["kind"] == "expand":
                used = [i for product, chosen in zip(step["factors"], selected) if chosen for i in product]
                selected = np.zeros(self.model_.features, dtype=bool)
                selected[used] = True
        if self._columns is None:
            return selected
        widths = [max(len(levels), 1) for _, levels in self._columns.schema]
        return np.array([part.any() for part in np.split(selected, np.cumsum(widths)[:-1])])


def parameters_of(model: _native.Model, names: Iterable[str]) -> dict[str, Any]:
    """Keywords that would give a model's settings."""
    settings = model.settings
    numeric = {row["name"]: row["numeric"] for row in _native.options()}
    parameters: dict[str, Any] = {}
    if settings.texts["model"] != "kernel":
        names = [name for name in names if name != "kernel"]
    for option, text in settings.texts.items():
        name = option.replace("-", "_")
        if name not in names or text in ("auto", ""):
            continue
        if numeric[option]:
            value = float(text)
            parameters[name] = int(text) if text.isdigit() else value
        else:
            parameters[name] = text
    for name, entries in (("feature_priors", settings.feature_p0), ("prior_mean", settings.prior_mean),
                          ("groups", settings.feature_group)):
        if entries:
            parameters[name] = dict(entries)
    if parameters.get("class_weight") == "none":
        parameters["class_weight"] = None
    return parameters


def estimator_class(model: _native.Model) -> type[BaseMED]:
    """The class of estimator for a model of the library."""
    from ._classifier import MEDClassifier
    from ._regressor import MEDRegressor

    kind = model.settings.texts["model"]
    if kind not in ("linear", "kernel") or model.task not in ("classify", "regress") or len(model.labels) > 2:
        raise ValueError(f"the model is of the kind {kind} for the task {model.task} with {len(model.labels)} labels, for "
                         "which Python has no estimator yet; use the command medlar")
    return MEDClassifier if model.task == "classify" else MEDRegressor


def load_model(path: str | os.PathLike[str]) -> Any:
    """A fitted estimator from a model file, of the class that suits it."""
    return BaseMED.from_file(path)
