"""Estimators that choose their settings by cross-validation, as ``medlar tune`` does, and fit the best on all examples."""

from __future__ import annotations

import numbers
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _native
from ._classifier import MEDClassifier
from ._folds import Given, folds_of, kinds_in, splits_in, splits_of, whole_number
from ._native import TracePoint
from ._options import keep_keywords, text_of
from ._regressor import MEDRegressor
from ._sklearn import ConvergenceWarning, check_is_fitted

FOR_FOLDS = 0.8  # of max_seconds; the rest is for the fit to all examples
P0_GRID = (1.0, 0.1, 1e-2, 1e-3, 1e-5)
OWN = ("p0_grid", "c_grid", "prior_variance_grid", "relax", "keep_grid", "folds", "repeats", "cv", "metric", "exhaustive",
       "one_standard_error")  # and "recalibrate" of a classifier
SCORES = ("p0", "c", "prior_variance", "epsilon", "kept", "mean", "standard_error", "selected", "converged", "dropped")


def numbers_of(grid: Any) -> list[float | None]:
    """The entries of a grid; None alone where there is none."""
    return [None] if grid is None else [float(value) for value in np.ravel(grid)]


def told(answer: tuple[Any, BaseException | None]) -> Any:
    """What the library found, unless Ctrl-C came before."""
    found, raised = answer
    if raised is not None:
        raise raised
    return found


class Tuned:
    """The choice: the usual candidates, or every p0 with every c and prior variance, on the same folds.

    Equal examples are in the same fold, and an example of weight 0 is in none.
    """

    _own: tuple[str, ...] = ("verbose", "callback", *OWN)
    _settings: Any
    _fit_model: Any
    _keep_model: Any
    p0_grid: Sequence[float] | None
    c_grid: Sequence[float] | None
    prior_variance_grid: Sequence[float] | None
    relax: bool | None
    keep_grid: Sequence[int] | None
    folds: int
    repeats: int | None
    cv: Any
    metric: str | None
    exhaustive: bool
    kernel: str | None
    prior_variance: float | None
    prior_mean: Any
    feature_priors: Any
    feature_prior_variance: Any
    seed: int
    one_standard_error: bool
    _task: str
    _pairs: list[tuple[np.ndarray, np.ndarray]] | None
    callback: Callable[[TracePoint], Any] | None

    def _leaves_weightless_out(self) -> bool:
        return True

    def _kinds(self, examples: int) -> np.ndarray | None:
        return None if self._pairs is None else kinds_in(self._pairs, examples)

    def _fit_examples(self, x: Any, weights: Any, decided: dict[str, str], **target: Any) -> Any:
        if self.kernel == "precomputed":
            raise ValueError("kernel = 'precomputed' has examples for columns and cannot be cut into folds here; use "
                             "GridSearchCV of scikit-learn, which cuts both ways")
        by_user = self.cv is not None and not isinstance(self.cv, numbers.Integral)
        self._pairs = splits_of(self.cv, x, target["codes" if "codes" in target else "values"]) if by_user else None
        try:
            return super()._fit_examples(x, weights, decided, **target)  # type: ignore[misc]
        finally:
            for passing in ("_pairs", "_tuning"):  # the model keeps the table
                self.__dict__.pop(passing, None)

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: Any, given: Given, **decided: str) -> Any:
        settings = self._settings(data.names, **decided)
        grid = self._grid(data, decided)
        most, start = float(settings.text("max-seconds")), time.monotonic()
        within = self._settings(data.names, **decided, max_seconds=text_of("max_seconds", FOR_FOLDS * most))
        splits, repeats = self._splits(x, target, given.rows)
        self._tuning, raised = _native.tune(data, within, grid, splits, (self.metric or "").replace("_", "-"),
                                            bool(self.exhaustive), repeats, self.callback)
        tuned = self._tuning.table
        if tuned["scores"]:
            self._keep_scores(tuned)
        late = tuned["out_of_time"]
        if late and tuned["scores"]:
            warnings.warn(f"max_seconds were over after {len(tuned['scores'])} of {len(grid)} candidates; the best of those is "
                          "fitted", ConvergenceWarning, stacklevel=3)
        elif raised is not None or tuned["interrupted"]:
            chosen = tuned["scores"][self.best_index_] if tuned["scores"] else grid[0]
            brief = _native.fit_briefly(data, settings, chosen)
            if brief is None:  # the data alone took longer to prepare
                self.__dict__.pop("model_", None)
            else:
                self._keep_model(brief, given)
            raise raised or RuntimeError(f"{'max_seconds' if late else 'the callback'} stopped the choice after {len(tuned['scores'])} of {len(grid)} "
                                         "candidates")
        left = max(most - (time.monotonic() - start), 1e-3)
        return self._fit_model(data, self._settings(data.names, **decided, max_seconds=text_of("max_seconds", left)), given)

    def _native_fit(self, data: _native.Dataset, settings: _native.Settings, callback: Any) -> Any:
        return _native.fit_chosen(data, settings, self._tuning, self.best_index_, getattr(self, "recalibrate", None) or "none",
                                  callback)

    def _keep(self, model: _native.Model) -> None:
        super()._keep(model)
        self.verdict_, self.left_out_ = model.verdict, model.left_out
        narrow = model.short_list
        self.list_ = None if narrow is None else self._as_estimator(narrow)

    def _as_estimator(self, model: _native.Model) -> Any:
        """A fitted estimator of this kind, without the choice, that predicts by another model of the same columns."""
        kind = MEDClassifier if self._task == "classify" else MEDRegressor
        other = kind(**{name: value for name, value in self.get_params(deep=False).items() if name in kind._get_param_names()})
        for name in ("classes_", "n_features_in_", "feature_names_in_", "_columns"):
            if name in self.__dict__:
                setattr(other, name, self.__dict__[name])
        other._keep(model)
        return other

    def _splits(self, x: Any, target: Any, rows: np.ndarray | None) -> tuple[list[tuple[np.ndarray, np.ndarray]], int]:
        """The folds, and how often the examples were cut into them."""
        if self._pairs is not None:
            return splits_in(self._pairs, rows), 1
        folds = self.folds if self.cv is None else self.cv
        splits = []
        several = self._task == "classify" and len(self.classes_) > 2  # type: ignore[attr-defined]
        repeats = _native.usual_repeats(x.shape[0], several) if self.repeats is None else whole_number("repeats", self.repeats, 1)
        for repeat in range(repeats):
            fold_of = folds_of(x, target, folds, self._task == "classify", self.seed + repeat)
            splits += [(np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in range(fold_of.max() + 1)]
        return splits, repeats

    def _grid(self, data: _native.Dataset, decided: dict[str, str]) -> list[_native.Candidate]:
        if self.keep_grid is not None and not self.relax:
            raise ValueError("keep_grid is for relaxed refits; add relax=True")
        epsilon_grid = getattr(self, "epsilon_grid", None)
        if epsilon_grid is not None and self.metric == "eps_loss":
            raise ValueError("eps_loss measures each candidate by its own epsilon, and the widest would win; use metric='rmse'")
        given = (self.p0_grid, self.prior_variance_grid, self.prior_variance, self.feature_priors, self.feature_prior_variance,
                 self.prior_mean)
        if self.kernel is None and all(each is None for each in given):
            relaxed = None if self.relax is None else False  # those of relax=True follow, for keep_grid
            grid = []
            for c in numbers_of(self.c_grid):
                for epsilon in numbers_of(epsilon_grid):
                    own = {name: text_of(name, value) for name, value in (("c", c), ("epsilon", epsilon)) if value is not None}
                    usual = told(_native.usual_candidates(data, self._settings(data.names, **(decided | own)), relaxed))
                    grid += [each | {"c": c, "epsilon": epsilon} for each in usual]
        else:
            p0s = [1.0] if self.kernel is not None else numbers_of(P0_GRID if self.p0_grid is None else self.p0_grid)
            grid = [{"p0": p0, "c": c, "prior_variance": variance, "epsilon": epsilon} for p0 in p0s
                    for c in numbers_of(self.c_grid) for variance in numbers_of(self.prior_variance_grid)
                    for epsilon in numbers_of(epsilon_grid)]
        if self.relax:
            kept = [] if self.keep_grid is None else [whole_number("keep_grid", each, 1) for each in self.keep_grid]
            fixed = self.prior_variance if self.prior_variance_grid is None else self.prior_variance_grid
            variances = [] if fixed is None else [float(value) for value in np.ravel(fixed)]
            for c in numbers_of(self.c_grid):
                tried = decided if c is None else decided | {"c": text_of("c", c)}
                refits = told(_native.relaxed_candidates(data, self._settings(data.names, **tried), kept, variances))
                grid += [each | {"c": c, "epsilon": epsilon} for epsilon in numbers_of(epsilon_grid) for each in refits]
        return grid

    def _keep_scores(self, tuned: dict[str, Any]) -> None:
        scores = tuned["scores"]
        self.best_index_ = tuned["one_se" if self.one_standard_error else "best"]
        self.metric_ = tuned["metric"]
        self.cv_results_ = {name: np.array([score[name] for score in scores]) for name in SCORES}
        most = max(len(score["folds"]) for score in scores)
        self.cv_results_["folds"] = np.array([score["folds"] + [np.nan] * (most - len(score["folds"])) for score in scores])
        chosen = scores[self.best_index_]
        self.p0_, self.c_, self.prior_variance_ = chosen["p0"], chosen["c"], chosen["prior_variance"]
        self.kept_, self.epsilon_ = chosen["kept"], chosen["epsilon"]


class MEDClassifierCV(Tuned, MEDClassifier):
    """MEDClassifier with its settings chosen by cross-validation of the margin loss (accuracy of more than two classes).

    Parameters
    ----------
    p0_grid, c_grid, prior_variance_grid : values to try, each with each. Without p0_grid and prior_variance_grid, and without
        prior_variance, several strengths of selection and prior variances that suit the data, p0 = 1 among them.
    relax : also rank features by fits with small p0, keep the best of them and fit these anew with p0 = 1. None: where there
        are more features than examples, and of two classes at least 200 of these, unless a grid, a prior or a kernel is given.
    keep_grid : with relax, how many features to keep.
    folds, repeats : parts of the examples that are left out in turn, and how often they are cut anew; None for 5 times
        where there are at most 100 examples, unless of several classes; else once.
    cv : instead of folds, a number of them, a splitter of scikit-learn, or pairs of indices to fit and to leave out.
    metric : 'margin_loss', 'auc', 'accuracy', 'log_loss', 'brier'; to regress 'rmse', 'mae', 'eps_loss'. None for the usual
        one.
    exhaustive : measure every candidate on every fold, also those that cannot win any more.
    one_standard_error : take the candidate that selects least within one standard error of the best.
    recalibrate : how scores become probabilities: 'folds' by the scores of the examples that were left out, 'platt',
        'isotonic', or None for those of the model itself.

    The others are those of MEDClassifier.

    Attributes
    ----------
    list_ : the fewest features that predict nearly as well as any list does, as an estimator of its own; None for a kernel.
        get_support() and transform() are of the list; predict(), coef_ and intercept_ of the predictor.
    verdict_ : sentences that say how good predictor and list are.
    left_out_ : the same in numbers, from the examples that were left out.
    p0_, c_, prior_variance_, kept_ : what was chosen; None for the default, and for all features.
    cv_results_, best_index_, metric_ : the scores of each candidate (NaN for folds after it was dropped); which was chosen;
        what was measured.
    """

    _own: tuple[str, ...] = (*Tuned._own, "recalibrate")

    def __init__(self, *, p0_grid: Sequence[float] | None = None, c_grid: Sequence[float] | None = None,
                 prior_variance_grid: Sequence[float] | None = None, relax: bool | None = None,
                 keep_grid: Sequence[int] | None = None, folds: int = 5, repeats: int | None = None, cv: Any = None,
                 metric: str | None = None, exhaustive: bool = False,
                 one_standard_error: bool = False, recalibrate: str | None = "folds", margin: str = "auto", margin_location: float | None = None,
                 kernel: str | None = None, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                 multiclass: str = "pairs",
                 prior_variance: float | None = None, prior_mean: Any = None, feature_priors: Any = None,
                 feature_prior_variance: Any = None, keep: Any = None,
                 groups: Any = "columns", bias: str | float = "auto", class_weight: Any = None, expand: str = "none",
                 scale: str = "auto", precision: str = "double", solver: str = "auto", line_search: str | None = None,
                 tolerance: float = 1e-6, max_passes: int = 100000, max_seconds: float = float("inf"),
                 cache_mb: float = 200.0, gram_precision: str = "float", threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())


class MEDRegressorCV(Tuned, MEDRegressor):
    """MEDRegressor, its settings chosen by cross-validation of the RMSE; keywords and attributes as for MEDClassifierCV,
    and epsilon_grid with epsilon_."""

    _own = (*Tuned._own, "epsilon_grid")
    epsilon_grid: Sequence[float] | None

    def predict_interval(self, X: Any, alpha: float = 0.1) -> np.ndarray:
        """The interval of each example, low and high, that holds its value with probability 1 - alpha.

        Its width is that of the errors of examples that were left out. It holds for examples like those of the fit.
        """
        check_is_fitted(self)
        if not 0 < alpha < 1:
            raise ValueError(f"alpha = {alpha}, but must lie between 0 and 1")
        half = self.model_.half_width(1 - alpha)
        if not np.isfinite(half):
            raise ValueError(f"alpha = {alpha} is too small for so few examples; give a larger one, or more examples")
        values = self.predict(X)
        return np.column_stack([values - half, values + half])

    def __init__(self, *, p0_grid: Sequence[float] | None = None, c_grid: Sequence[float] | None = None,
                 prior_variance_grid: Sequence[float] | None = None, epsilon_grid: Sequence[float] | None = None,
                 relax: bool | None = None,
                 keep_grid: Sequence[int] | None = None, folds: int = 5, repeats: int | None = None, cv: Any = None,
                 metric: str | None = None, exhaustive: bool = False, one_standard_error: bool = False,
                 epsilon: float | None = None, margin: str = "auto",
                 kernel: str | None = None, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                 prior_variance: float | None = None, prior_mean: Any = None, feature_priors: Any = None,
                 feature_prior_variance: Any = None, keep: Any = None,
                 groups: Any = "columns", bias: str | float = "auto", expand: str = "none", scale: str = "auto",
                 precision: str = "double", solver: str = "auto", line_search: str | None = None,
                 tolerance: float = 1e-6, max_passes: int = 100000, max_seconds: float = float("inf"),
                 cache_mb: float = 200.0, gram_precision: str = "float", threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())
