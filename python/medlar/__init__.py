"""Medlar: maximum entropy discrimination with certified fits, as scikit-learn estimators."""

from ._base import load_model
from ._classifier import MEDClassifier
from ._cv import MEDClassifierCV, MEDRegressorCV
from ._native import __version__
from ._path import med_path
from ._regressor import MEDRegressor

__all__ = ["MEDClassifier", "MEDClassifierCV", "MEDRegressor", "MEDRegressorCV", "__version__", "load_model", "med_path"]
