"""TransductiveMEDClassifier: what counts as no label, what the unlabelled teach, files."""

import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
from sklearn.base import clone
from support import several

from medlar import MEDClassifier, TransductiveMEDClassifier, load_model

MEDLAR = os.environ.get("MEDLAR")


def two_clouds(examples=200, features=30, labelled=6, seed=3):
    """Two clouds far apart along all features together, of which a few examples have a label (-1: none)."""
    draw = np.random.default_rng(seed)
    y = np.arange(examples) % 2
    x = draw.normal(size=(examples, features)) + 0.45 * np.where(y, 1, -1)[:, None]
    known = y.copy()
    known[labelled:] = -1
    return x, y, known


class Transductive(unittest.TestCase):
    def test_the_unlabelled_teach(self):
        x, y, known = two_clouds()
        model = TransductiveMEDClassifier(p0=1.0).fit(x, known)
        alone = MEDClassifier(p0=1.0).fit(x[known >= 0], known[known >= 0])
        self.assertEqual(model.classes_.tolist(), [0, 1])
        self.assertGreater(model.score(x, y), alone.score(x, y))
        self.assertGreater(model.score(x, y), 0.95)
        np.testing.assert_array_equal(model.transduction_[known >= 0], known[known >= 0])
        np.testing.assert_array_equal(model.transduction_[known < 0], model.predict(x)[known < 0])
        np.testing.assert_allclose(model.decision_function(x), x @ model.coef_[0] + model.intercept_, rtol=1e-8, atol=1e-8)
        self.assertTrue((np.diff(model.kl_) <= 1e-9 * np.abs(model.kl_[:-1])).all())

    def test_no_label_in_every_kind_of_target(self):
        x, _, known = two_clouds()
        expected = TransductiveMEDClassifier(p0=1.0).fit(x, known).decision_function(x)
        for other in (np.where(known < 0, np.nan, known), np.array([None, "a", "b"], dtype=object)[known + 1],
                      np.array([np.nan, "a", "b"], dtype=object)[known + 1], known.tolist(),
                      np.array([-1, "a", "b"], dtype=object)[known + 1]):
            model = TransductiveMEDClassifier(p0=1.0).fit(x, other)
            np.testing.assert_allclose(model.decision_function(x), expected, rtol=1e-9)
        self.assertEqual(model.classes_.tolist(), ["a", "b"])
        self.assertEqual(set(model.transduction_), {"a", "b"})

    def test_minus_one_and_one_are_two_classes(self):
        x, y, _ = two_clouds()
        with self.assertWarnsRegex(UserWarning, "taken as the two classes"):
            model = TransductiveMEDClassifier(p0=1.0).fit(x, np.where(y, 1, -1))
        self.assertEqual(model.classes_.tolist(), [-1, 1])
        with self.assertRaisesRegex(ValueError, "no label at all"):
            TransductiveMEDClassifier().fit(x, np.full(len(y), -1))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            TransductiveMEDClassifier(p0=1.0).fit(x, np.where(np.arange(len(y)) % 5, -1, y + 1))

    def test_several_classes(self):
        x, y = several()
        known = np.where(np.arange(len(y)) < 15, y, -1)
        model = TransductiveMEDClassifier(p0=1.0).fit(x, known)
        self.assertEqual(model.coef_.shape, (3, 10))
        self.assertEqual(model.decision_function(x).shape, (150, 3))
        np.testing.assert_allclose(model.decision_function(x), x @ model.coef_.T + model.intercept_, rtol=1e-8, atol=1e-8)
        self.assertGreater(model.score(x, y), 0.85)

    def test_weights_are_repetitions_in_any_order(self):
        x, y, known = two_clouds(80, 5, 20)
        counts = np.arange(80) // 2 % 3
        weighted = TransductiveMEDClassifier(p0=1.0).fit(x, known, counts)
        rows = np.random.default_rng(1).permutation(np.repeat(np.arange(80), counts))
        repeated = TransductiveMEDClassifier(p0=1.0).fit(x[rows], known[rows])
        np.testing.assert_array_equal(weighted.decision_function(x), repeated.decision_function(x))
        self.assertEqual(weighted.transduction_.shape, (80,))
        self.assertEqual(weighted.dual_coef_.shape, (1, len(weighted.support_)))
        self.assertAlmostEqual(weighted.dual_coef_.sum(), repeated.dual_coef_.sum(), places=9)

    def test_new_examples_may_join(self):
        x, y, known = two_clouds(400)
        model = TransductiveMEDClassifier(p0=1.0).fit(x[:100], known[:100])
        before = model.decision_function(x)
        joined = model.transduce(x[100:])
        self.assertGreaterEqual((joined == y[100:]).mean(), (model.predict(x[100:]) == y[100:]).mean() - 0.02)
        np.testing.assert_array_equal(model.decision_function(x), before)

    def test_refusals_speak_python(self):
        x, _, known = two_clouds()
        for keywords, part in (({"margin": "hinge"}, "margin = hinge"), ({"balance": "even"}, "balance"),
                               ({"unlabelled_weight": -1.0}, "unlabelled_weight")):
            with self.assertRaisesRegex(ValueError, part) as caught:
                TransductiveMEDClassifier(**keywords).fit(x, known)
            self.assertNotIn("--", str(caught.exception))

    def test_clone_pickle_and_files_both_ways(self):
        x, _, known = two_clouds()
        model = TransductiveMEDClassifier(p0=1.0, balance=0.5).fit(x, known)
        self.assertEqual(clone(model).get_params(), model.get_params())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(x), model.predict_proba(x))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            model.save(folder / "model.json")
            back = load_model(folder / "model.json")
            self.assertIs(type(back), TransductiveMEDClassifier)
            np.testing.assert_array_equal(back.decision_function(x), model.decision_function(x))
            np.save(folder / "x.npy", x)
            subprocess.run([MEDLAR, "predict", folder / "model.json", folder / "x.npy", "-o", folder / "out.csv", "--quiet"],
                           check=True)
            table = np.genfromtxt(folder / "out.csv", delimiter=",", names=True)
            np.testing.assert_allclose(table["score"], model.decision_function(x), rtol=1e-6, atol=1e-8)
            rows = [",".join([*map(repr, row.tolist()), "" if label < 0 else str(label)]) for row, label in zip(x, known)]
            head = ",".join([f"f{i}" for i in range(x.shape[1])] + ["kind"])
            (folder / "x.csv").write_text("\n".join([head, *rows, ""]))
            subprocess.run([MEDLAR, "train", folder / "x.csv", "--target", "kind", "--task", "classify", "--model", "latent",
                            "--latent", "labels", "--p0", "1", "--balance", "0.5", "-o", folder / "theirs.json", "--quiet"],
                           check=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                theirs = load_model(folder / "theirs.json").decision_function(x)
            np.testing.assert_allclose(theirs, model.decision_function(x), rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
