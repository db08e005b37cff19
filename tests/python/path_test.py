"""Sweeps over p0, c and the prior variance."""

import unittest

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from support import classes, several, values

from medlar import MEDClassifier, MEDClassifierCV, MEDRegressor, MEDRegressorCV, med_path


class Paths(unittest.TestCase):
    def test_each_step_is_the_fit_of_its_value(self):
        x, y = classes()
        path = med_path(x, y, values=[1.0, 0.1, 1e-3], tolerance=1e-9)
        self.assertEqual(path.inclusion.shape, (3, 12))
        self.assertEqual(path.names[:2], ["x1", "x2"])
        np.testing.assert_array_equal(path.inclusion[0], 1)
        for k, p0 in enumerate(path.values):
            alone = MEDClassifier(p0=p0, tolerance=1e-9).fit(x, y)
            np.testing.assert_allclose(path.coef[k], alone.coef_[0], rtol=1e-3, atol=1e-4)
            self.assertLessEqual(path.relative_gap[k], 1e-6)
        self.assertTrue((np.diff(path.selected) <= 0).all())

    def test_a_sweep_costs_less_than_its_fits_and_may_be_watched(self):
        x, y = classes(200, 40)
        values_of_p0 = np.logspace(0, -6, 25)
        points = []
        path = med_path(x, y, values=values_of_p0, callback=points.append)
        alone = sum(len(MEDClassifier(p0=p0).fit(x, y).report_.trace) for p0 in values_of_p0)
        self.assertLess(len(points), 0.6 * alone)  # each fit begins from the one before
        self.assertEqual(len(path.values), 25)

    def test_an_end_before_the_last_value_is_a_warning(self):
        x, y = classes(200, 40)
        with self.assertWarnsRegex(ConvergenceWarning, "of 9 fits converged"):
            path = med_path(x, y, callback=lambda point: point.iteration >= 3, solver="newton")
        self.assertLess(len(path.values), 9)
        self.assertEqual(len(path.values), len(path.coef))

    def test_regression_and_other_sweeps(self):
        x, y = values()
        path = med_path(x, y, over="c", p0=0.1)
        self.assertEqual(len(path.values), 9)
        self.assertEqual(path.coef.shape, (9, 8))
        np.testing.assert_allclose(path.coef[-1], MEDRegressor(c=path.values[-1], p0=0.1).fit(x, y).coef_, rtol=1e-3, atol=1e-3)
        self.assertEqual(med_path(x, y > 0, over="prior_variance", values=[0.1, 1]).inclusion.shape, (2, 8))

    def test_folds_measure_each_value_on_examples_left_out(self):
        for (x, y), over, swept in ((values(90, 6), "p0", [1.0, 0.1, 1e-6]), (values(90, 6), "c", [0.05, 3.0]),
                                    (several(90, 6), "p0", [1.0, 1e-2])):
            path = med_path(x, y, over=over, values=swept, folds=3)
            make = MEDClassifierCV if len(np.unique(y)) == 3 else MEDRegressorCV
            grid = {f"{over}_grid": swept} | ({} if over == "p0" else {"p0_grid": [1e-3]})
            tuned = make(folds=3, repeats=1, exhaustive=True, **grid).fit(x, y)
            self.assertEqual(path.metric, tuned.metric_)
            np.testing.assert_allclose(path.left_out, tuned.cv_results_["mean"], rtol=1e-9)
            np.testing.assert_allclose(path.standard_error, tuned.cv_results_["standard_error"], rtol=1e-9)
        x, y = classes()
        self.assertEqual(med_path(x, y, values=[1.0, 0.1], folds=3, metric="log_loss").metric, "log-loss")
        self.assertIsNone(med_path(x, y, values=[1.0]).left_out)

    def test_refusals(self):
        x, y = classes()
        for keywords, part in (({"over": "tolerance"}, "over = 'tolerance'"), ({"values": []}, "values is empty"),
                               ({"kernel": "rbf"}, "no features to follow"), ({"task": "guess"}, "task = 'guess'"),
                               ({"values": [0.0]}, "p0 = 0"), ({"folds": 1}, "folds = 1"), ({"metric": "auc"}, "add folds"),
                               ({"folds": 3, "metric": "f9"}, "metric = 'f9'")):
            with self.assertRaisesRegex(ValueError, part):
                med_path(x, y, **keywords)


if __name__ == "__main__":
    unittest.main()
