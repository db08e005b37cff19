"""scikit-learn's own checks of estimators, without expected failures."""

import unittest
import warnings

from sklearn.utils.estimator_checks import check_estimator

import medlar

# Where two fits of the same problem are compared to seven digits, the gap must be small enough for it.
ESTIMATORS = [
    medlar.MEDClassifier(),
    medlar.MEDClassifier(kernel="rbf", tolerance=1e-10),
    medlar.MEDRegressor(),
    medlar.MEDRegressor(kernel="rbf", tolerance=1e-10),
    medlar.MEDClassifierCV(),
    medlar.MEDRegressorCV(),
]


class EstimatorChecks(unittest.TestCase):
    def test_every_check_passes(self):
        for estimator, check in ((e, c) for each in ESTIMATORS for e, c in check_estimator(each, generate_only=True)):
            with self.subTest(estimator=estimator, check=check.func.__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)


if __name__ == "__main__":
    unittest.main()
