"""Medlar: maximum entropy discrimination with certified fits, as scikit-learn estimators."""

from ._anomaly import MEDAnomalyDetector
from ._base import load_model
from ._classifier import MEDClassifier
from ._cv import MEDClassifierCV, MEDRegressorCV
from ._generative import GenerativeMEDClassifier
from ._native import __version__
from ._path import med_path
from ._regressor import MEDRegressor
from ._stability import med_stability
from ._transductive import TransductiveMEDClassifier

__all__ = ["GenerativeMEDClassifier", "MEDAnomalyDetector", "MEDClassifier", "MEDClassifierCV", "MEDRegressor",
           "MEDRegressorCV", "TransductiveMEDClassifier", "__version__", "load_model", "med_path", "med_stability"]
