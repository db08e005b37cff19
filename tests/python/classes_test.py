"""Several classes: shapes, scores, probabilities, selection, files."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.sparse as sp
from sklearn.model_selection import cross_val_score
from support import several

from medlar import MEDClassifier, MEDClassifierCV, load_model, med_path

MEDLAR = os.environ.get("MEDLAR")


class Several(unittest.TestCase):
    def test_shapes_and_the_units_of_x(self):
        x, y = several()
        x = 5 * x + 2
        for data in (x, sp.csr_matrix(x)):
            for keywords in ({}, {"scale": "none"}, {"bias": 2.0, "scale": "maxabs"}, {"groups": np.arange(10) // 2}):
                model = MEDClassifier(p0=0.1, **keywords).fit(data, y)
                self.assertEqual((model.coef_.shape, model.coef_sd_.shape, model.intercept_.shape, model.inclusion_.shape),
                                 ((3, 10), (3, 10), (3,), (10,)))
                scores = model.decision_function(data)
                np.testing.assert_allclose(scores, x @ model.coef_.T + model.intercept_, rtol=1e-8, atol=1e-8)
                np.testing.assert_array_equal(model.predict(data), model.classes_[scores.argmax(axis=1)])
                # the library keeps the root of the mean variance over classes, in scaled features
                factor = next((step["factor"] for step in model.model_.transforms if step["kind"] == "scale"), 1)
                np.testing.assert_allclose(np.sqrt((model.coef_sd_**2).mean(axis=0)), model.model_.sd * factor, rtol=1e-9)

    def test_probabilities_agree_with_the_winner(self):
        x, y = several()
        model = MEDClassifier(p0=0.1).fit(x, y)
        chance = model.predict_proba(x)
        np.testing.assert_allclose(chance.sum(axis=1), 1)
        np.testing.assert_array_equal(chance.argmax(axis=1), model.decision_function(x).argmax(axis=1))
        np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), chance)
        self.assertGreater(model.score(x, y), 0.85)

    def test_one_switch_for_all_classes_selects(self):
        x, y = several()
        model = MEDClassifier(p0=0.1, prior_variance=0.3).fit(x, y)
        np.testing.assert_array_equal(model.get_support(indices=True), [0, 1])
        self.assertEqual(model.transform(x).shape, (150, 2))

    def test_labels_weights_and_balance(self):
        x, y = several()
        expected = MEDClassifier(tolerance=1e-9).fit(x, y)
        names = np.array(["unripe", "bletted", "rotten"])
        named = MEDClassifier(tolerance=1e-9).fit(x, names[y])
        self.assertEqual(named.classes_.tolist(), sorted(names))
        np.testing.assert_array_equal(named.predict(x), names[expected.predict(x)])
        factor = {0: 2.0, 1: 1.0, 2: 0.5}
        by_class = MEDClassifier(tolerance=1e-9, class_weight=factor).fit(x, y)
        by_example = MEDClassifier(tolerance=1e-9).fit(x, y, [factor[k] for k in y])
        np.testing.assert_allclose(by_class.coef_, by_example.coef_, rtol=1e-5, atol=1e-7)
        counts = np.arange(len(y)) // 3 % 3
        weighted = MEDClassifier(tolerance=1e-10).fit(x, y, counts)
        repeated = MEDClassifier(tolerance=1e-10).fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
        np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-4, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "no example of the class 1 has a positive sample_weight"):
            MEDClassifier().fit(x, y, y != 1)

    def test_kernels_tell_classes_apart_two_by_two(self):
        x, y = several(60, 4)
        model = MEDClassifier(kernel="rbf", tolerance=1e-9, scale="none").fit(x, y)
        against = np.full((60, 3), np.inf)
        for a, b in ((0, 1), (0, 2), (1, 2)):
            two = y != 3 - a - b
            score = MEDClassifier(kernel="rbf", tolerance=1e-9, scale="none").fit(x[two], y[two]).decision_function(x)
            against[:, a], against[:, b] = np.minimum(against[:, a], -score), np.minimum(against[:, b], score)
        np.testing.assert_allclose(model.decision_function(x), against, rtol=1e-3, atol=1e-3)
        np.testing.assert_array_equal(model.predict(x), model.decision_function(x).argmax(axis=1))
        np.testing.assert_array_equal(model.predict(x), model.predict_proba(x).argmax(axis=1))
        self.assertFalse(hasattr(model, "coef_") or hasattr(model, "intercept_"))

    def test_the_choice_of_p0_and_sweeps(self):
        x, y = several(90, 6)
        chosen = MEDClassifierCV(p0_grid=(1.0, 0.1), folds=3).fit(x, y)
        self.assertEqual(chosen.metric_, "margin-loss")
        self.assertEqual(chosen.coef_.shape, (3, 6))
        self.assertGreater(cross_val_score(MEDClassifier(), x, y, cv=3).mean(), 0.7)
        path = med_path(x, y, values=[1.0, 0.1])
        self.assertEqual((path.coef.shape, path.intercept.shape, path.inclusion.shape), ((2, 3, 6), (2, 3), (2, 6)))
        cold = MEDClassifier(p0=0.1, tolerance=1e-9).fit(x, y)
        warm = med_path(x, y, values=[1.0, 0.1], tolerance=1e-9)
        np.testing.assert_allclose(warm.coef[1], cold.coef_, rtol=1e-3, atol=1e-4)
        self.assertAlmostEqual(warm.objective[1], cold.objective_, delta=2e-9 * cold.report_.primal)
        usual = med_path(x, y, over="c", margin="exponential")  # from 100 down to just above what teaches nothing
        self.assertEqual((len(usual.values), usual.values[0]), (9, 100))
        self.assertAlmostEqual(usual.values[-1], 1.1)

    def test_files_go_both_ways(self):
        x, y = several()
        model = MEDClassifier(p0=0.1).fit(x, y)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            model.save(folder / "model.json")
            back = load_model(folder / "model.json")
            np.testing.assert_array_equal(back.predict_proba(x), model.predict_proba(x))
            np.testing.assert_array_equal(back.coef_, model.coef_)
            np.save(folder / "x.npy", x)
            subprocess.run([MEDLAR, "predict", folder / "model.json", folder / "x.npy", "-o", folder / "out.csv", "--quiet"],
                           check=True)
            table = np.genfromtxt(folder / "out.csv", delimiter=",", names=True)
            np.testing.assert_allclose(table["score"], model.decision_function(x).max(axis=1), rtol=1e-6, atol=1e-8)
            model.report(folder / "report.html", x, y)
            self.assertIn("inclusion", model._repr_html_())


if __name__ == "__main__":
    unittest.main()
