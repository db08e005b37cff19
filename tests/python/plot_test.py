"""The pictures show what the model holds. Skipped without matplotlib, which the package does not need."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from support import classes

from medlar import MEDClassifier, med_path

try:
    import matplotlib

    matplotlib.use("Agg")
except ImportError:
    matplotlib = None


class Imports(unittest.TestCase):
    def test_nothing_optional_is_imported(self):
        loaded = ("import sys, scipy.sparse, sklearn.feature_selection; before = set(sys.modules); import medlar; "
                  "print([n for n in ('matplotlib', 'pandas', 'tqdm', 'polars') if n in sys.modules and n not in before])")
        self.assertEqual(subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True).stdout, "[]\n")


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Pictures(unittest.TestCase):
    def test_the_gallery_runs(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "gallery.py"
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(list(pathlib.Path(folder).glob("*.svg"))), 9, done.stdout)

    def test_pictures(self):
        from medlar import plot

        x, y = classes()
        model = MEDClassifier(p0=0.1).fit(x, y)
        bars = plot.inclusion(model, top=5)
        widths = [bar.get_width() for bar in bars.patches]
        np.testing.assert_allclose(widths, np.sort(model.inclusion_)[-5:])
        self.assertEqual(len(plot.weights(model, top=3).get_yticks()), 3)
        lines = plot.path(med_path(x, y, values=[1, 0.1]), top=4)
        self.assertEqual(len(lines.get_legend().get_texts()), 4)
        curve = plot.roc(model, x, y)
        self.assertIn("AUC", curve.get_legend().get_texts()[0].get_text())


if __name__ == "__main__":
    unittest.main()
