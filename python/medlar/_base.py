"""What all estimators share: a fit that can be watched and stopped, files and reports."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from . import _native
from ._data import Columns, another_look, canonical, dataset
from ._folds import Given, rows_in_order
from ._options import settings_of
from ._progress import Bar, Lines, display_of
from ._sklearn import ConvergenceWarning, check_is_fitted


class BaseMED(BaseEstimator):
    """An estimator over one fitted model of the library, ``model_``."""

    _task = ""  # classify, regress or anomaly
    _own: tuple[str, ...] = ("verbose", "callback")  # keywords that are no options of the library
    _may_miss = False  # whether NaN in X is a cell without a value
    _other_level = False  # whether a category has a level for words that are not seen at fit
    verbose: int | str
    callback: Callable[[_native.TracePoint], Any] | None

    def _keywords(self) -> dict[str, Any]:
        """The keywords that are options of the library."""
        return {name: getattr(self, name) for name in keyword_names(type(self)) if name not in self._own}

    def _kind(self) -> str:
        """The option model."""
        return "linear"

    def _leaves_weightless_out(self) -> bool:
        """Whether examples of weight 0 go before the others are dealt out to folds."""
        return False

    def _orders_rows(self, x: Any) -> bool:
        """Whether examples are taken in an order that their content gives, which leaves folds and the last digits alone."""
        return False

    def _in_order(self, x: Any, target: Any, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
        """Which examples in that order, and their weights."""
        return rows_in_order(x, target, weights)

    def _settings(self, names: list[str], **decided: str) -> _native.Settings:
        return settings_of(self._keywords() | {name: None for name in decided}, names, task=self._task,
                           model=self._kind(), **decided)

    def _fit_examples(self, x: Any, weights: np.ndarray | None, decided: dict[str, str], *, target_name: Any = None,
                      **target: Any) -> Any:
        """Fits x, which has been looked at; the target is codes with their labels, or values, or neither."""
        if weights is not None and (weights < 0).any():
            raise ValueError(f"sample_weight holds {weights.min():g}, but must not be negative")
        rows, x = None, canonical(x)
        examples = x.shape[0]
        if self._orders_rows(x):
            rows, weights = self._in_order(x, target.get("codes", target.get("values")), weights)
        elif weights is not None and self._leaves_weightless_out() and not (weights > 0).all():
            rows = np.flatnonzero(weights > 0)
            weights = weights[rows]
        if rows is not None:
            x = x[rows]
            target = {name: each[rows] if name != "labels" else each for name, each in target.items()}
        data = dataset(self, x, weights=weights, target_name=target_name if isinstance(target_name, str) else "", **target)
        return self._fit_prepared(data, x, target.get("codes", target.get("values")), Given(rows, examples), **decided)

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: np.ndarray | None, given: Given, **decided: str) -> Any:
        return self._fit_model(data, self._settings(data.names, **decided), given)

    def _fit_model(self, data: _native.Dataset, settings: _native.Settings, given: Given) -> Any:
        """Fits, keeps the best certified model whatever happens, and then passes on what was raised."""
        display, callback = self._watchers(settings)
        model, raised = self._native_fit(data, settings, callback)
        if model is None:  # Ctrl-C before the first certificate
            self.__dict__.pop("model_", None)
            raise raised
        if display is not None:
            display.close(model.report)
        self._keep_model(model, given)
        if raised is not None:
            raise raised
        if model.report.status not in ("converged", "interrupted"):
            warnings.warn(model.report.message, ConvergenceWarning, stacklevel=3)
        return self

    def _keep_model(self, model: _native.Model, given: Given) -> None:
        if given.rows is not None:
            model.number_examples(given.rows, given.examples)
        self._keep(model)

    def _native_fit(self, data: _native.Dataset, settings: _native.Settings, callback: Any) -> Any:
        """The model, and what was raised while it was fitted or None."""
        return _native.fit(data, settings, callback)

    def _watchers(self, settings: _native.Settings) -> tuple[Lines | Bar | None, Callable[[Any], Any] | None]:
        """What shows the progress, and the callback that does so and tells the user's own."""
        display = display_of(self.verbose, float(settings.text("tolerance")))
        callback = self.callback
        if callback is not None and not callable(callback):
            raise TypeError(f"callback = {callback!r} cannot be called; give a function of one trace point, or None")
        return display, callback if display is None else shown_and_told(display, callback)

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
            estimator.feature_names_in_ = np.array([name for name, *_ in columns], dtype=object)
        estimator._columns = Columns(columns) if any(levels for _, levels, _ in columns) else None
        estimator._keep_labels(model)
        estimator._keep(model)
        return estimator

    def _keep_labels(self, model: _native.Model) -> None:
        """The classes of a classifier that comes from a file."""

    def report(self, path: str | os.PathLike[str], X: Any = None, y: Any = None, *, top: int = 5000) -> None:
        """Writes one self-contained HTML page about the model; with examples, also how well it predicts them."""
        check_is_fitted(self)
        if X is not None and y is None and self._task != "anomaly":
            raise ValueError("the report of examples X also needs y, what they truly are; leave both out, or give both")
        page = self.model_.html(None if X is None else self._compared(X, y), top)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _predictions(self, X: Any) -> _native.Predictions:
        check_is_fitted(self)
        return self.model_.predict(another_look(self, X))

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": self._may_miss}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._may_miss
        return tags

    def _repr_html_(self) -> str:
        from ._html import summary

        return summary(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


KEYWORDS: dict[type[BaseMED], tuple[str, ...]] = {}


def keyword_names(kind: type[BaseMED]) -> tuple[str, ...]:
    """The keywords of a class, read from its constructor once; scikit-learn would read them at each fit."""
    if kind not in KEYWORDS:
        KEYWORDS[kind] = tuple(kind._get_param_names())
    return KEYWORDS[kind]


def shown_and_told(display: Callable[[Any], None], callback: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    """A callback that shows the trace point and then hands it to the user's own."""

    def both(point: _native.TracePoint) -> Any:
        display(point)
        return callback(point) if callback is not None else None

    return both


def parameters_of(model: _native.Model, names: Iterable[str]) -> dict[str, Any]:
    """Keywords that would give a model's settings."""
    settings = model.settings
    numeric = {row["name"]: row["numeric"] for row in _native.options()}
    parameters: dict[str, Any] = {}
    if settings.text("model") != "kernel":
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
    for name, entries in (("feature_priors", settings.feature_p0),
                          ("feature_prior_variance", settings.feature_prior_variance), ("prior_mean", settings.prior_mean),
                          ("groups", settings.feature_group)):
        if entries:
            parameters[name] = dict(entries)
    if parameters.get("class_weight") == "none":
        parameters["class_weight"] = None
    return parameters


def estimator_class(model: _native.Model) -> type[BaseMED]:
    """The class of estimator for a model of the library."""
    import medlar

    kind, latent = model.settings.text("model"), model.settings.text("latent")
    if kind == "generative":
        return medlar.MEDAnomalyDetector if model.task == "anomaly" else medlar.GenerativeMEDClassifier
    if kind == "latent" and latent == "labels":
        return medlar.TransductiveMEDClassifier
    if kind == "latent":
        raise ValueError(f"the model is one of latent {latent}, for which Python has no estimator; use the command medlar")
    return medlar.MEDClassifier if model.task == "classify" else medlar.MEDRegressor


def load_model(path: str | os.PathLike[str]) -> Any:
    """A fitted estimator from a model file, of the class that suits it."""
    return BaseMED.from_file(path)
