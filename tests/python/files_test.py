"""Model files go both ways between Python and the command line."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from support import classes, values

from medlar import MEDClassifier, MEDRegressor, load_model

MEDLAR = os.environ.get("MEDLAR")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_saved_and_loaded_are_the_same(self):
        for estimator, (x, y) in ((MEDClassifier(p0=0.2, c=2.0, margin="laplace"), classes()), (MEDRegressor(), values()),
                                  (MEDClassifier(expand="quadratic", bias=4.0), classes(60, 4)),
                                  (MEDClassifier(groups=[0, 0, 1, 1], feature_priors={0: 0.5, 1: 0.5}), classes(60, 4)),
                                  (MEDClassifier(class_weight={0: 2.0}), classes(60, 4)),
                                  (MEDClassifier(kernel="poly", degree=2, c=2.0), classes(60, 4)),
                                  (MEDRegressor(kernel="rbf", gamma=0.2), values(60, 4))):
            estimator.fit(x, y).save(self.folder / "model.json")
            back = load_model(self.folder / "model.json")
            self.assertIs(type(back), type(estimator))
            np.testing.assert_array_equal(back.predict(x), estimator.predict(x))
            if estimator.kernel is None:
                np.testing.assert_array_equal(back.coef_, estimator.coef_)
            np.testing.assert_array_equal(back.get_support(), estimator.get_support())
            self.assertEqual(back.n_features_in_, x.shape[1])
            again = back.fit(x, y)  # its keywords are those of the file
            np.testing.assert_allclose(again.dual_coef_, estimator.dual_coef_, rtol=1e-6, atol=1e-9)

    def test_the_command_predicts_with_our_models(self):
        x, y = classes()
        np.save(self.folder / "x.npy", x)
        model = MEDClassifier().fit(x, y)
        model.save(self.folder / "model.json")
        self.check_predictions(model, x, "x.npy")
        dump_svmlight_file(x, y, str(self.folder / "x.svm"), zero_based=False)
        sparse = MEDClassifier().fit(sp.csr_matrix(x), y)
        sparse.save(self.folder / "model.json")
        self.check_predictions(sparse, sp.csr_matrix(x), "x.svm")

    def check_predictions(self, model, x, file):
        subprocess.run([MEDLAR, "predict", self.folder / "model.json", self.folder / file, "-o", self.folder / "out.csv",
                        "--quiet"], check=True)
        table = np.genfromtxt(self.folder / "out.csv", delimiter=",", names=True)
        np.testing.assert_allclose(table["score"], model.decision_function(x), rtol=1e-6, atol=1e-8)

    def test_refusals(self):
        with self.assertRaises(FileNotFoundError):
            load_model(self.folder / "nothing.json")
        (self.folder / "no model.json").write_text("[1]")
        with self.assertRaisesRegex(ValueError, "this is no model file"):
            load_model(self.folder / "no model.json")
        model = MEDRegressor().fit(*values())
        with self.assertRaises(OSError):
            model.save(self.folder / "missing" / "model.json")
        model.save(self.folder / "model.json")
        with self.assertRaisesRegex(ValueError, "use load_model"):
            MEDClassifier.from_file(self.folder / "model.json")
        self.assertIsInstance(MEDRegressor.from_file(self.folder / "model.json"), MEDRegressor)

    def test_reports(self):
        x, y = classes()
        model = MEDClassifier().fit(x, y)
        model.report(self.folder / "report.html", x, y)
        page = (self.folder / "report.html").read_text()
        self.assertIn("</html>", page)
        self.assertIn("x1", page)
        self.assertIn("ROC", page)
        MEDRegressor().fit(*values()).report(self.folder / "report.html")
        self.assertIn("inclusion", model._repr_html_())
        self.assertIn("text/html", model._repr_mimebundle_())
        self.assertNotIn("inclusion", MEDClassifier()._repr_html_())


class Reports(unittest.TestCase):
    def test_examples_come_with_a_target_for_each(self):
        x, y = classes(40, 3)
        with tempfile.TemporaryDirectory() as name:
            page = pathlib.Path(name) / "report.html"
            for model, target in ((MEDClassifier().fit(x, y), y), (MEDRegressor().fit(x, x[:, 0]), x[:, 0])):
                with self.assertRaisesRegex(ValueError, "the target has 5 entries, but x has 40 examples"):
                    model.report(page, x, target[:5])
                with self.assertRaisesRegex(ValueError, "also needs y"):
                    model.report(page, x)
                self.assertFalse(page.exists())
                model.report(page, x, target)
                page.unlink()


if __name__ == "__main__":
    unittest.main()
