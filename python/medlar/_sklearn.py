"""What differs between the scikit-learn releases that are supported, 1.2 and later."""

from __future__ import annotations

from typing import Any

from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight, check_is_fitted, check_X_y

try:
    from sklearn.utils.validation import validate_data  # 1.6 and later

    MAY_MISS = {"ensure_all_finite": "allow-nan"}

    def check_names(estimator: Any, X: Any, reset: bool) -> None:
        """Names and number of features, checked or recorded; X stays as it is."""
        validate_data(estimator, X, reset=reset, skip_check_array=True)

except ImportError:
    MAY_MISS = {"force_all_finite": "allow-nan"}

    def validate_data(estimator: Any, X: Any, y: Any = "no_validation", **checks: Any) -> Any:
        return estimator._validate_data(X, y, **checks)

    def check_names(estimator: Any, X: Any, reset: bool) -> None:
        """Names and number of features, checked or recorded; X stays as it is."""
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)


__all__ = ["MAY_MISS", "ConvergenceWarning", "SelectorMixin", "_check_feature_names_in", "_check_sample_weight", "check_classification_targets",
           "check_X_y", "check_is_fitted", "check_names", "validate_data"]
