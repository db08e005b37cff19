"""GenerativeMEDClassifier: families, switches, missing cells, frames, files."""

import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from support import classes, several

from medlar import GenerativeMEDClassifier, load_model

MEDLAR = os.environ.get("MEDLAR")


def mixed(examples=200, seed=4):
    """A count, a bit and a number that differ between two classes, and a number that does not."""
    draw = np.random.default_rng(seed)
    y = np.arange(examples) % 2
    x = np.column_stack([draw.poisson(2 + 3 * y), draw.random(examples) < 0.2 + 0.6 * y, draw.normal(1.5 * y),
                         draw.normal(size=examples)]).astype(float)
    return x, y


def score(model, x):
    """Before the calibration, whose folds go by the rows: as ``medlar predict`` shows it."""
    return model.model_.predict(x)["score"]


class Generative(unittest.TestCase):
    def test_inclusion_by_class(self):
        draw = np.random.default_rng(4)
        y = np.arange(150) % 3
        x = draw.normal(size=(150, 4))
        x[:, 0] += 2.0 * (y == 1)
        model = GenerativeMEDClassifier(switches="per-class", p0=0.2).fit(x, y)
        self.assertEqual(model.inclusion_by_class_.shape, (4, 3))
        np.testing.assert_array_equal(model.inclusion_by_class_.max(axis=1), model.inclusion_)
        self.assertFalse(hasattr(GenerativeMEDClassifier(switches="tied", p0=0.2).fit(x, y), "inclusion_by_class_"))

    def test_families_are_guessed_or_given(self):
        x, y = mixed()
        model = GenerativeMEDClassifier().fit(x, y)
        self.assertEqual(model.families_, {"x1": "poisson", "x2": "bernoulli", "x3": "gaussian-diagonal",
                                           "x4": "gaussian-diagonal"})
        self.assertGreater(model.score(x, y), 0.85)
        given = GenerativeMEDClassifier(family={"x1": "gaussian-diagonal"}).fit(x, y)
        self.assertEqual(given.families_["x1"], "gaussian-diagonal")
        full = GenerativeMEDClassifier(family="gaussian-full").fit(x, y)
        self.assertEqual(full.families_, {"x1, x2, x3, x4": "gaussian-full"})
        self.assertEqual(model.report_.status, "converged")

    def test_without_margins_it_is_naive_bayes(self):
        """With c near 0 the constraints have no say: the ratio is that of the two fitted bernoulli columns."""
        draw = np.random.default_rng(8)
        y = np.arange(400) % 2
        x = (draw.random((400, 3)) < np.where(y[:, None], [0.8, 0.3, 0.5], [0.2, 0.6, 0.5])).astype(float)
        model = GenerativeMEDClassifier(family="bernoulli", c=1e-6, offsets="none", bias="none").fit(x, y)
        # E[log p] under Beta(s + ones, s + zeros): digamma differences
        from scipy.special import digamma

        expected = np.zeros(400)
        for k, sign in ((1, 1), (0, -1)):
            ones, zeros = 1 + x[y == k].sum(axis=0), 1 + (1 - x[y == k]).sum(axis=0)
            on, off = digamma(ones) - digamma(ones + zeros), digamma(zeros) - digamma(ones + zeros)
            expected += sign * (x * on + (1 - x) * off).sum(axis=1)
        np.testing.assert_allclose(score(model, x), expected, atol=1e-3)

    def test_without_margins_it_approaches_the_classifiers_of_scikit_learn(self):
        """These plug in one estimate; the expectation under the posterior comes to the same as 1/T."""
        try:
            import pandas as pd
        except ImportError:
            self.skipTest("pandas is not installed")
        from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
        from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

        def drawn(kind, count):
            draw = np.random.default_rng(17)
            y = np.arange(count) % 2
            if kind in ("gaussian-diagonal", "gaussian-full"):
                x = draw.normal(size=(count, 3)) @ np.array([[1, 0.3, 0], [0, 1, 0.2], [0, 0, 1]]) * (1 + 0.4 * y[:, None])
                return x + 0.8 * y[:, None], y
            if kind == "bernoulli":
                return (draw.random((count, 3)) < np.where(y[:, None], [0.7, 0.3, 0.5], [0.3, 0.6, 0.5])).astype(float), y
            if kind == "categorical":
                return np.where(draw.random((count, 3)) < 0.3 + 0.3 * y[:, None], 2, draw.integers(0, 2, (count, 3))), y
            return draw.poisson(np.where(y[:, None], [3, 2, 4], [2, 3, 4])).astype(float), y

        peers = (("gaussian-diagonal", GaussianNB()), ("gaussian-full", QuadraticDiscriminantAnalysis()),
                 ("bernoulli", BernoulliNB(alpha=1)), ("multinomial", MultinomialNB(alpha=1)),
                 ("categorical", CategoricalNB(alpha=1)))
        for family, peer in peers:
            for count in (200, 2000, 20000):
                x, y = drawn(family, count)
                name = "auto" if family == "categorical" else family
                letters = np.array(list("acg"))
                table = x if family != "categorical" else \
                    pd.DataFrame(letters[x], columns=list("uvw")).astype("category")
                model = GenerativeMEDClassifier(family=name, c=1e-3, margin_location=1e-9, offsets="none",
                                                calibration="left-out").fit(table, y)
                log_odds = peer.fit(x, y).predict_log_proba(x[:60])
                seen = (x[:60, :, None] == np.arange(3)).reshape(60, 9).astype(float) if family == "categorical" else x[:60]
                distance = np.abs(score(model, seen) - (log_odds[:, 1] - log_odds[:, 0])).max()
                self.assertLess(distance, 150 / count, (family, count))

    def test_a_missing_cell_says_nothing(self):
        x, y = mixed()
        holes = x.copy()
        holes[np.random.default_rng(1).random(x.shape) < 0.2] = np.nan
        model = GenerativeMEDClassifier().fit(holes, y)
        self.assertGreater(model.score(holes, y), 0.75)
        self.assertTrue(np.isfinite(model.decision_function(np.full((1, 4), np.nan))).all())
        # three columns of NaN leave the fourth, which is added to the bias
        alone, empty = np.full((2, 1, 4), np.nan)
        alone[0, 2] = 3.0
        self.assertGreater(model.decision_function(alone)[0], model.decision_function(empty)[0])
        scaled = GenerativeMEDClassifier(family="gaussian", scale="standard").fit(holes[:, 2:], y)
        self.assertGreater(scaled.score(holes[:, 2:], y), 0.7)

    def test_a_model_of_whole_rows_takes_missing_cells(self):
        x, y = mixed()
        for family in ("auto", "gaussian", "gaussian-full"):
            model = GenerativeMEDClassifier(family=family).fit(x, y)
            holes = x.copy()
            holes[:, 2] = np.nan
            self.assertTrue(np.isfinite(model.predict_proba(holes)).all())
            parts = model.decision_function(x) - model.decision_function(holes)
            self.assertGreater(np.abs(parts).max(), 0.01)

    def test_switches_select_columns(self):
        x, y = classes(300, 6)
        model = GenerativeMEDClassifier(switches="tied", p0=0.1).fit(x, y)
        np.testing.assert_array_equal(model.get_support(indices=True), [0, 1])
        np.testing.assert_array_equal(model.transform(x), x[:, :2])
        self.assertTrue(GenerativeMEDClassifier().fit(x, y).get_support().all())

    def test_probabilities_and_several_classes(self):
        for x, y in (classes(), several()):
            model = GenerativeMEDClassifier().fit(x, y)
            chance, scores = model.predict_proba(x), model.decision_function(x)
            np.testing.assert_allclose(chance.sum(axis=1), 1)
            np.testing.assert_array_equal(chance.argmax(axis=1), model.predict(x))
            self.assertEqual(scores.shape, (len(y),) if y.max() == 1 else (len(y), 3))
            if scores.ndim == 1:
                np.testing.assert_allclose(1 / (1 + np.exp(-scores)), chance[:, 1], rtol=1e-9)
            winner = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
            np.testing.assert_array_equal(model.predict(x), winner)
            self.assertGreater(model.score(x, y), 0.8)

    def test_trees_and_frames_with_categories(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        draw = np.random.default_rng(9)
        y = np.repeat(["pome", "stone"], 60)
        frame = pandas.DataFrame({"colour": np.where(draw.random(120) < 0.8, np.where(y == "pome", "green", "red"), "blue"),
                                  "size": draw.normal(np.where(y == "pome", 6.0, 4.0)),
                                  "pips": draw.poisson(np.where(y == "pome", 5, 1)).astype(float)})
        frame.loc[::7, "size"] = np.nan
        frame.loc[::11, "colour"] = None
        model = GenerativeMEDClassifier(family={"pips": "poisson"}).fit(frame, y)
        self.assertGreater(model.score(frame, y), 0.9)
        self.assertEqual(model.feature_names_in_.tolist(), ["colour", "size", "pips"])
        bits = (np.random.default_rng(2).random((80, 3)) < 0.5).astype(float)
        bits[:, 2] = np.where(np.arange(80) % 2, bits[:, 0], 1 - bits[:, 0])
        trees = GenerativeMEDClassifier(family="tree").fit(bits, np.arange(80) % 2)
        self.assertGreater(trees.score(bits, np.arange(80) % 2), 0.9)

    def test_sparse_counts(self):
        draw = np.random.default_rng(6)
        y = np.arange(100) % 2
        x = draw.poisson(np.where(y[:, None], [3, 0.2, 1, 1], [0.2, 3, 1, 1])).astype(float)
        dense, sparse = (GenerativeMEDClassifier(family="multinomial").fit(data, y) for data in (x, sp.csr_matrix(x)))
        np.testing.assert_allclose(score(sparse, sp.csr_matrix(x)), score(dense, x), rtol=1e-5, atol=1e-6)

    def test_weight_zero_is_absence(self):
        x, y = classes(90, 4)
        kept = np.arange(90) % 3 > 0
        weighted = GenerativeMEDClassifier().fit(x, y, kept.astype(float))
        absent = GenerativeMEDClassifier().fit(x[kept], y[kept])
        np.testing.assert_allclose(weighted.predict_proba(x), absent.predict_proba(x), rtol=1e-9)
        np.testing.assert_array_equal(weighted.support_, np.flatnonzero(kept)[absent.support_])

    def test_a_whole_weight_is_a_repetition_in_any_order(self):
        x, y = classes(60, 4)
        counts = np.arange(60) % 3
        shuffled = np.random.default_rng(1).permutation(60)
        weighted = GenerativeMEDClassifier(tolerance=1e-9).fit(x[shuffled], y[shuffled], counts[shuffled])
        repeated = GenerativeMEDClassifier(tolerance=1e-9).fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
        np.testing.assert_allclose(weighted.predict_proba(x), repeated.predict_proba(x), rtol=1e-9)
        self.assertTrue((counts[shuffled][weighted.support_] > 0).all())

    def test_clone_pickle_and_files_both_ways(self):
        x, y = mixed()
        x[::9, 2] = np.nan
        model = GenerativeMEDClassifier(switches="tied", p0=0.2).fit(x, y)
        self.assertEqual(clone(model).get_params(), model.get_params())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(x), model.predict_proba(x))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            model.save(folder / "model.json")
            back = load_model(folder / "model.json")
            self.assertIs(type(back), GenerativeMEDClassifier)
            np.testing.assert_array_equal(back.decision_function(x), model.decision_function(x))
            np.testing.assert_allclose(back.fit(x, y).decision_function(x), model.decision_function(x), rtol=1e-6, atol=1e-6)
            header = "a,b,c,d,kind"
            np.savetxt(folder / "x.csv", np.column_stack([x, y]), delimiter=",", header=header, comments="", fmt="%.17g")
            text = (folder / "x.csv").read_text().replace("nan", "")
            (folder / "x.csv").write_text(text)
            subprocess.run([MEDLAR, "train", folder / "x.csv", "--target", "kind", "--task", "classify", "--model",
                            "generative", "--missing", "keep", "-o", folder / "ours.json", "--quiet"], check=True)
            theirs = load_model(folder / "ours.json")
            self.assertEqual(theirs.feature_names_in_.tolist(), ["a", "b", "c", "d"])
            plain = GenerativeMEDClassifier().fit(x, y)
            np.testing.assert_allclose(score(theirs, x), score(plain, x), rtol=1e-6, atol=1e-6)
            try:
                import pandas
            except ImportError:
                return
            frame = pandas.DataFrame(x, columns=list("abcd"))
            GenerativeMEDClassifier().fit(frame, pandas.Series(y, name="kind")).save(folder / "framed.json")
            subprocess.run([MEDLAR, "predict", folder / "framed.json", folder / "x.csv", "-o", folder / "out.csv", "--quiet"],
                           check=True)
            table = np.genfromtxt(folder / "out.csv", delimiter=",", names=True)
            np.testing.assert_allclose(table["score"], score(plain, x), rtol=1e-6, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
