"""scikit-learn's own checks of estimators, without expected failures."""

import functools
import unittest
import warnings

from sklearn.utils import estimator_checks

import medlar

if hasattr(estimator_checks, "estimator_checks_generator"):  # 1.6 and later
    checks_of = estimator_checks.estimator_checks_generator
    # They compare fits with weights and fits with repeated rows to seven digits.
    EXACT = {"tolerance": 1e-12, "solver": "newton"}
    CLASSES = {"tolerance": 1e-14}
else:
    checks_of = functools.partial(estimator_checks.check_estimator, generate_only=True)
    EXACT = CLASSES = {}

ESTIMATORS = [
    medlar.MEDClassifier(**CLASSES),
    medlar.MEDClassifier(kernel="rbf", **({"tolerance": 1e-10} | EXACT)),
    medlar.MEDRegressor(**EXACT),
    medlar.MEDRegressor(kernel="rbf", **({"tolerance": 1e-10} | EXACT)),
    medlar.MEDClassifierCV(p0_grid=(1.0, 1e-2), **CLASSES),
    medlar.MEDRegressorCV(p0_grid=(1.0, 1e-2), **EXACT),
    medlar.GenerativeMEDClassifier(**EXACT),
    medlar.MEDAnomalyDetector(**EXACT),
    medlar.TransductiveMEDClassifier(**CLASSES),
]


class EstimatorChecks(unittest.TestCase):
    def test_every_check_passes(self):
        for estimator, check in (pair for each in ESTIMATORS for pair in checks_of(each)):
            with self.subTest(estimator=estimator, check=check.func.__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)


if __name__ == "__main__":
    unittest.main()
