"""keep and feature_prior_variance: by name or number, and what the fit says of kept features."""

import unittest

import numpy as np
from support import classes

from medlar import MEDClassifier, MEDClassifierCV, MEDRegressor, med_path


class Keep(unittest.TestCase):
    def test_by_name_and_by_number(self):
        x, y = classes()
        by_number = MEDClassifier(keep=[2, 5]).fit(x, y)
        np.testing.assert_array_equal(np.flatnonzero(by_number.model_.kept), [2, 5])
        np.testing.assert_array_equal(by_number.inclusion_[[2, 5]], 1)
        np.testing.assert_array_equal(by_number.coef_sd_[0, [2, 5]], 0)
        names = by_number.model_.names
        by_name = MEDClassifier(keep=[names[2], names[5]]).fit(x, y)
        np.testing.assert_array_equal(by_name.coef_, by_number.coef_)
        self.assertEqual(by_number.report_.status, "converged")
        self.assertTrue(by_number.get_support()[[2, 5]].all())
        self.assertFalse(by_number.model_.selected_mask[[2, 5]].any())

    def test_units_of_kept_columns_do_not_matter(self):
        x, y = classes()
        z = np.array(x)
        z[:, 2] = 100 * z[:, 2] + 7
        a = MEDClassifier(keep=[2], scale="none", tolerance=1e-9).fit(x, y)
        b = MEDClassifier(keep=[2], scale="none", tolerance=1e-9).fit(z, y)
        self.assertAlmostEqual(a.coef_[0, 2], 100 * b.coef_[0, 2], delta=1e-3)
        np.testing.assert_allclose(a.decision_function(x), b.decision_function(z), atol=1e-3)

    def test_least_squares_beside_nothing(self):
        draw = np.random.default_rng(4)
        x = draw.normal(size=(200, 3))
        y = x @ [1.0, -2.0, 0.5] + 0.3 + 0.1 * draw.normal(size=200)
        fitted = MEDRegressor(keep=[0, 1, 2], tolerance=1e-9).fit(x, y)
        np.testing.assert_allclose(fitted.coef_, [1, -2, 0.5], atol=0.05)
        self.assertAlmostEqual(float(fitted.intercept_), 0.3, delta=0.05)

    def test_paths_and_cross_validation(self):
        x, y = classes()
        path = med_path(x, y, keep=[2], values=[0.1, 0.001])
        np.testing.assert_array_equal(path.inclusion[:, 2], 1)
        np.testing.assert_array_equal(path.selected, (path.inclusion > 0.5).sum(axis=1) - 1)
        chosen = MEDClassifierCV(keep=[2], p0_grid=[0.1, 0.001], folds=3).fit(x, y)
        self.assertTrue(chosen.model_.kept[2])

    def test_refusals(self):
        x, y = classes()
        for keep, part in (([99], "99"), (["nobody"], "nobody"), ([2, 2], "twice")):
            with self.subTest(keep=keep), self.assertRaises(ValueError) as caught:
                MEDClassifier(keep=keep).fit(x, y)
            self.assertIn(part, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
