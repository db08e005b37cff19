"""MEDAnomalyDetector: scores, the threshold, why an example is odd, files."""

import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

from medlar import MEDAnomalyDetector, load_model

MEDLAR = os.environ.get("MEDLAR")


def odd_ones(examples=300, seed=1):
    """Correlated normal examples; every tenth lies far out in one feature."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(examples, 5))
    odd = np.arange(examples) % 10 == 0
    place = draw.integers(5, size=examples)
    x[odd, place[odd]] += 8
    return x, odd, place


class Anomalies(unittest.TestCase):
    def test_odd_examples_score_low(self):
        x, odd, _ = odd_ones()
        model = MEDAnomalyDetector().fit(x)
        self.assertGreater(roc_auc_score(odd, -model.score_samples(x)), 0.99)
        np.testing.assert_allclose(model.decision_function(x), model.score_samples(x) - model.offset_)
        np.testing.assert_array_equal(model.predict(x), np.where(model.decision_function(x) < 0, -1, 1))
        np.testing.assert_array_equal(model.fit_predict(x), model.predict(x))
        self.assertEqual(model.report_.status, "converged")

    def test_the_threshold_is_the_share_of_normal_examples(self):
        draw = np.random.default_rng(5)
        model = MEDAnomalyDetector(alpha=0.1).fit(draw.normal(size=(2000, 3)))
        fresh = draw.normal(size=(4000, 3))
        self.assertAlmostEqual((model.predict(fresh) < 0).mean(), 0.1, delta=0.03)
        chance = model.p_values(fresh)
        self.assertAlmostEqual((chance <= 0.3).mean(), 0.3, delta=0.05)

    def test_contributions_add_up_and_name_the_feature(self):
        x, odd, place = odd_ones()
        model = MEDAnomalyDetector().fit(x)
        parts = model.contributions(x)
        np.testing.assert_allclose(parts.sum(axis=1), model.score_samples(x), rtol=1e-9)
        np.testing.assert_allclose(parts.mean(axis=0), model.typical_, rtol=1e-9)
        np.testing.assert_array_equal((parts - model.typical_)[odd].argmin(axis=1), place[odd])

    def test_rows_with_gaps_are_judged_as_the_command_does(self):
        x, odd, _ = odd_ones(400)
        model = MEDAnomalyDetector(alpha=0.1).fit(x)
        gaps = x.copy()
        gaps[::2, 1] = gaps[::3, 4] = np.nan
        whole = ~np.isnan(gaps).any(axis=1)
        labels = model.model_.predict(gaps)["label"]  # what `medlar predict` writes
        np.testing.assert_array_equal(model.predict(gaps), np.where(labels == 1, -1, 1))
        np.testing.assert_array_equal(model.predict(gaps) < 0, model.decision_function(gaps) < 0)
        chance = model.p_values(gaps)
        self.assertLess(chance[labels == 1].max(), 0.1 + 2 / 400)
        self.assertGreater(chance[labels == 0].min(), 0.1 - 2 / 400)
        np.testing.assert_allclose(model.decision_function(gaps)[whole],
                                   (model.score_samples(gaps) - model.offset_)[whole])
        self.assertFalse(np.allclose(model.decision_function(gaps), model.score_samples(gaps) - model.offset_))

    def test_values_that_a_family_cannot_have_are_refused(self):
        x = np.random.default_rng(2).exponential(size=(100, 2))
        model = MEDAnomalyDetector(family="exponential").fit(x)
        x[3, 1] = -50
        for ask in (model.predict, model.score_samples, model.p_values, model.contributions):
            with self.assertRaisesRegex(ValueError, "example 4: .* is -50, but a value of family exponential must be"):
                ask(x)

    def test_missing_cells(self):
        x, odd, _ = odd_ones()
        x[1::7, 3] = np.nan
        model = MEDAnomalyDetector().fit(x)
        np.testing.assert_array_equal(model.contributions(x)[1::7, 3], 0)
        self.assertGreater(roc_auc_score(odd, -model.score_samples(x)), 0.95)

    def test_categories_never_seen_are_odd_as_in_the_command(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        draw = np.random.default_rng(8)

        def frame(words):
            return pandas.DataFrame({"size": draw.normal(size=len(words)), "colour": words,
                                     "kind": draw.choice(["(other)", "b"], size=len(words))})

        x = frame(draw.choice(["red", "green"], size=200, p=[0.7, 0.3]))
        fresh = frame(["red"] * 5 + ["green"] * 5 + ["blue"] * 5)
        fresh["size"], fresh["kind"] = 0.0, "b"
        for family in ("auto", "tree"):
            with self.subTest(family=family), tempfile.TemporaryDirectory() as name:
                seen = x if family == "auto" else x[["colour", "kind"]]
                rows = fresh[list(seen.columns)]
                model = MEDAnomalyDetector(family=family).fit(seen)
                with self.assertWarnsRegex(UserWarning, r"5 values such as 'blue' were not seen .* count as \(other\)"):
                    score = model.score_samples(rows)
                self.assertLess(score[10:].max(), score[5:10].min())
                self.assertLess(score[5:10].max(), score[:5].min())
                folder = pathlib.Path(name)
                seen.to_csv(folder / "seen.csv", index=False)
                rows.to_csv(folder / "rows.csv", index=False)
                model.save(folder / "ours.json")
                subprocess.run([MEDLAR, "train", folder / "seen.csv", "--task", "anomaly", "--model", "generative", "--family",
                                family, "-o", folder / "theirs.json", "--quiet"], check=True)
                for file in ("ours.json", "theirs.json"):  # fitted here or there, predicted here and there
                    subprocess.run([MEDLAR, "predict", folder / file, folder / "rows.csv", "-o", folder / "out.csv", "--quiet"],
                                   check=True)
                    told = [float(line.split(",")[0]) for line in (folder / "out.csv").read_text().splitlines()[1:]]
                    np.testing.assert_allclose(told, score, rtol=1e-5)
                    with self.assertWarns(UserWarning):
                        np.testing.assert_allclose(load_model(folder / file).score_samples(rows), score, rtol=1e-5)

    def test_clone_pickle_and_files_both_ways(self):
        x, _, _ = odd_ones()
        model = MEDAnomalyDetector(alpha=0.02, family="gaussian-full").fit(x)
        self.assertEqual(clone(model).get_params(), model.get_params())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).score_samples(x), model.score_samples(x))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            model.save(folder / "model.json")
            back = load_model(folder / "model.json")
            self.assertIs(type(back), MEDAnomalyDetector)
            np.testing.assert_array_equal(back.predict(x), model.predict(x))
            np.testing.assert_allclose(back.fit(x).score_samples(x), model.score_samples(x), rtol=1e-6)
            np.save(folder / "x.npy", x)
            subprocess.run([MEDLAR, "predict", folder / "model.json", folder / "x.npy", "-o", folder / "out.csv", "--quiet"],
                           check=True)
            score = np.array([float(line.split(",")[0]) for line in (folder / "out.csv").read_text().splitlines()[1:]])
            np.testing.assert_allclose(score, model.score_samples(x), rtol=1e-6)
            subprocess.run([MEDLAR, "train", folder / "x.npy", "--task", "anomaly", "--model", "generative", "--alpha", "0.02",
                            "--family", "gaussian-full", "-o", folder / "theirs.json", "--quiet"], check=True)
            np.testing.assert_allclose(load_model(folder / "theirs.json").score_samples(x), model.score_samples(x), rtol=1e-6)
            model.report(folder / "report.html", x)
            self.assertIn("</html>", (folder / "report.html").read_text())
            self.assertIn('"anomaly":{"threshold"', (folder / "report.html").read_text())


if __name__ == "__main__":
    unittest.main()
