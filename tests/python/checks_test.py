"""scikit-learn's own checks of estimators, without expected failures."""

import functools
import unittest
import warnings

from sklearn.utils import estimator_checks

import medlar

checks_of = getattr(estimator_checks, "estimator_checks_generator",  # 1.6 and later
                    functools.partial(estimator_checks.check_estimator, generate_only=True))

# As a user would: with the defaults alone, and with kernels.
ESTIMATORS = [
    medlar.MEDClassifier(),
    medlar.MEDRegressor(),
    medlar.GenerativeMEDClassifier(),
    medlar.MEDAnomalyDetector(),
    medlar.TransductiveMEDClassifier(),
    medlar.MEDClassifierCV(),
    medlar.MEDRegressorCV(),
    medlar.MEDClassifier(kernel="rbf"),
    medlar.MEDRegressor(kernel="rbf"),
    medlar.MEDClassifierCV(kernel="rbf"),
    medlar.MEDRegressorCV(kernel="rbf"),
]


class EstimatorChecks(unittest.TestCase):
    def test_every_estimator_is_here(self):
        public = {name for name in medlar.__all__ if isinstance(getattr(medlar, name), type)}
        self.assertEqual(public, {type(each).__name__ for each in ESTIMATORS})

    def test_every_check_passes(self):
        for estimator, check in (pair for each in ESTIMATORS for pair in checks_of(each)):
            with self.subTest(estimator=estimator, check=check.func.__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)


if __name__ == "__main__":
    unittest.main()
