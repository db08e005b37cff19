"""Estimators that choose p0 and c by cross-validation, as ``medlar tune`` does, and fit the best on all examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _native
from ._classifier import MEDClassifier
from ._folds import folds_of
from ._native import TracePoint
from ._options import keep_keywords, text_of
from ._regressor import MEDRegressor

P0_GRID = (1.0, 0.1, 1e-2, 1e-3, 1e-5)


class Tuned:
    """The choice: every p0 with every c on the same folds; AUC to classify, RMSE to regress. With a kernel, c alone.

    Equal examples are in the same fold, and an example of weight 0 is in none.
    """

    _own: tuple[str, ...] = ("verbose", "callback", "p0_grid", "c_grid", "folds", "one_standard_error")
    _settings: Any
    _fit_model: Any
    p0_grid: Sequence[float]
    c_grid: Sequence[float] | None
    folds: int
    kernel: str | None
    seed: int
    one_standard_error: bool
    _task: str
    _leaves_weightless_out = True  # or they would be dealt out to folds as the others
    callback: Callable[[TracePoint], Any] | None

    def _fit_prepared(self, data: _native.Dataset, x: Any, target: Any, rows: np.ndarray | None, **decided: str) -> Any:
        grid = self._grid()
        fold_of = folds_of(x, target, self.folds, self._task == "classify", self.seed)
        settings = self._settings(data.names, **decided)
        tuned, raised = _native.cross_validate(data, settings, grid, fold_of, self.callback)
        if raised is not None:
            raise raised
        if tuned["interrupted"]:
            raise RuntimeError(f"the callback stopped the choice after {len(tuned['scores'])} of {len(grid)} candidates")
        self._keep_scores(tuned)
        chosen = {"p0": text_of("p0", self.p0_)} | ({} if self.c_ is None else {"c": text_of("c", self.c_)})
        return self._fit_model(data, self._settings(data.names, **decided, **chosen), rows)

    def _grid(self) -> list[tuple[float, float | None]]:
        p0s = [float(p0) for p0 in np.ravel(self.p0_grid)] if self.kernel is None else [1.0]
        cs = [None] if self.c_grid is None else [float(c) for c in np.ravel(self.c_grid)]
        return [(p0, c) for p0 in p0s for c in cs]

    def _keep_scores(self, tuned: dict[str, Any]) -> None:
        scores = tuned["scores"]
        best = tuned["best"]
        if self.one_standard_error:
            best = simplest_within_one_standard_error(scores, best)
        self.metric_ = tuned["metric"]
        self.cv_results_ = {name: np.array([score[name] for score in scores])
                            for name in ("p0", "c", "mean", "standard_error", "selected", "converged", "folds")}
        self.best_index_ = best
        self.p0_, self.c_ = scores[best]["p0"], scores[best]["c"]


def simplest_within_one_standard_error(scores: list[dict[str, Any]], best: int) -> int:
    """The candidate that selects least among those within one standard error of the best."""
    reach = scores[best]["standard_error"]
    near = [k for k, score in enumerate(scores) if abs(score["mean"] - scores[best]["mean"]) <= reach]
    return min(near, key=lambda k: (scores[k]["selected"], scores[k]["p0"]))


class MEDClassifierCV(Tuned, MEDClassifier):
    """MEDClassifier with p0 and c chosen by cross-validation of the AUC.

    Parameters
    ----------
    p0_grid : values of p0 to try.
    c_grid : values of c to try; None for the default of c alone.
    folds : parts of the examples that are left out in turn.
    one_standard_error : take the candidate that selects least within one standard error of the best.

    The others are those of MEDClassifier.

    Attributes
    ----------
    p0_, c_ : what was chosen; c_ is None for the default of c.
    cv_results_, best_index_, metric_ : the scores of each candidate; which was chosen; what was measured.
    """

    def __init__(self, *, p0_grid: Sequence[float] = P0_GRID, c_grid: Sequence[float] | None = None, folds: int = 5,
                 one_standard_error: bool = False, margin: str = "auto", margin_location: float | None = None,
                 kernel: str | None = None, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                 prior_variance: float | None = None, prior_mean: Any = None, feature_priors: Any = None,
                 groups: Any = "columns", bias: str | float = "flat", class_weight: Any = None, expand: str = "none",
                 scale: str = "auto", precision: str = "double", solver: str = "auto", line_search: str | None = None,
                 tolerance: float = 1e-6, max_passes: int = 100000, max_seconds: float = float("inf"),
                 cache_mb: float = 200.0, threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())


class MEDRegressorCV(Tuned, MEDRegressor):
    """MEDRegressor with p0 and c chosen by cross-validation of the RMSE; keywords and attributes as for MEDClassifierCV."""

    def __init__(self, *, p0_grid: Sequence[float] = P0_GRID, c_grid: Sequence[float] | None = None, folds: int = 5,
                 one_standard_error: bool = False, epsilon: float | None = None, margin: str = "auto",
                 kernel: str | None = None, gamma: float | None = None, coef0: float = 0.0, degree: int = 3,
                 prior_variance: float | None = None, prior_mean: Any = None, feature_priors: Any = None,
                 groups: Any = "columns", bias: str | float = "flat", expand: str = "none", scale: str = "auto",
                 precision: str = "double", solver: str = "auto", line_search: str | None = None,
                 tolerance: float = 1e-6, max_passes: int = 100000, max_seconds: float = float("inf"),
                 cache_mb: float = 200.0, threads: int = 0, seed: int = 1, verbose: int | str = 0,
                 callback: Callable[[TracePoint], Any] | None = None) -> None:
        keep_keywords(self, locals())
