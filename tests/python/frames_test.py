"""Frames: names and categories, carried into the model and back; the same model as the command line's."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from support import classes

from medlar import GenerativeMEDClassifier, MEDClassifier, MEDRegressor, load_model

try:
    import pandas as pd
except ImportError:  # pragma: no cover
    pd = None
try:
    import polars as pl
except ImportError:
    pl = None

MEDLAR = os.environ.get("MEDLAR")


def fruit(examples=150, seed=3):
    """Medlars: colour and firmness tell which are ripe; the orchard does not."""
    draw = np.random.default_rng(seed)
    colour = draw.choice(["brown", "green", "yellow"], examples)
    firmness, weight = draw.normal(size=examples), draw.normal(size=examples)
    score = 2.0 * (colour == "brown") - 1 - firmness + 0.3 * draw.normal(size=examples)
    return {"colour": colour, "firmness": firmness, "weight": weight, "orchard": draw.choice(["east", "west"], examples)}, \
        np.where(score > 0, "ripe", "raw")


@unittest.skipIf(pd is None, "pandas is not installed")
class Frames(unittest.TestCase):
    def test_nullable_columns_of_generative_models(self):
        draw = np.random.default_rng(3)
        y = np.arange(120) % 2
        plain = pd.DataFrame({"count": draw.poisson(2 + 3 * y).astype(float), "bit": (draw.random(120) < 0.3 + 0.4 * y) * 1.0,
                              "size": draw.normal(size=120) + y})
        plain.iloc[::7, 0] = plain.iloc[::5, 1] = plain.iloc[::9, 2] = np.nan
        for words in (False, True):
            if words:
                plain["colour"] = np.where(draw.random(120) < 0.5 + 0.3 * y, "red", "blue")
                plain.loc[::11, "colour"] = None
            nullable = plain.astype({"count": "Int64", "bit": "boolean", "size": "Float64"} |
                                    ({"colour": "string"} if words else {}))
            wanted = GenerativeMEDClassifier().fit(plain, y)
            model = GenerativeMEDClassifier().fit(nullable, y)
            np.testing.assert_array_equal(model.predict_proba(nullable), wanted.predict_proba(plain))

    def test_names_are_kept_and_checked(self):
        x, y = classes()
        frame = pd.DataFrame(x, columns=[f"gene {i}" for i in range(12)])
        model = MEDClassifier(p0=0.1).fit(frame, y)
        self.assertEqual(model.feature_names_in_.tolist(), list(frame.columns))
        self.assertEqual(model.model_.names, list(frame.columns))
        self.assertEqual(model.get_feature_names_out().tolist(), ["gene 0", "gene 1"])
        with self.assertRaisesRegex(ValueError, "feature names"):
            model.predict(frame[frame.columns[::-1]])
        chosen = model.set_output(transform="pandas").transform(frame)
        self.assertEqual(list(chosen.columns), ["gene 0", "gene 1"])
        named = MEDClassifier(feature_priors={"gene 0": 0.0}).fit(frame, y)
        self.assertEqual(named.inclusion_[0], 0)

    def test_categories_become_features_that_share_a_switch(self):
        columns, y = fruit()
        for as_category in (False, True):
            frame = pd.DataFrame(columns)
            if as_category:
                frame = frame.astype({"colour": "category", "orchard": "category"})
            model = MEDClassifier(p0=0.1, prior_variance=0.3).fit(frame, y)
            self.assertEqual(model.n_features_in_, 4)
            self.assertEqual(model.model_.names, ["colour=brown", "colour=green", "colour=yellow", "firmness", "weight",
                                                  "orchard=east", "orchard=west"])
            self.assertEqual(len(set(model.inclusion_[:3])), 1)
            self.assertEqual(model.get_feature_names_out().tolist(), ["colour", "firmness"])
            self.assertEqual(list(model.transform(frame).shape), [150, 2])
            self.assertGreater(model.score(frame, y), 0.85)

    def test_words_that_training_did_not_see(self):
        columns, y = fruit()
        model = MEDClassifier(p0=0.1).fit(pd.DataFrame(columns), y)
        strange = pd.DataFrame(columns)
        strange.loc[3, "colour"] = "blue"
        strange.loc[4, "colour"] = None
        with self.assertWarnsRegex(UserWarning, "column 'colour': 1 values such as 'blue' were not seen"):
            scores = model.decision_function(strange)
        self.assertTrue(np.isfinite(scores).all())
        with self.assertRaisesRegex(ValueError, "a frame with the columns"):
            model.predict(np.zeros((2, 4)))
        broken = pd.DataFrame(columns).astype({"firmness": object})
        broken.loc[0, "firmness"] = "soft"
        with self.assertRaisesRegex(ValueError, "column 'firmness' held numbers"):
            model.predict(broken)

    def test_the_command_line_fits_the_same_model(self):
        columns, y = fruit()
        frame = pd.DataFrame(columns)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            frame.assign(kind=y).to_csv(folder / "fruit.csv", index=False)
            subprocess.run([MEDLAR, "train", folder / "fruit.csv", "-o", folder / "model.json", "--p0", "0.1", "--quiet",
                            "--tolerance", "1e-10"], check=True)
            theirs = load_model(folder / "model.json")
            ours = MEDClassifier(p0=0.1, tolerance=1e-10).fit(frame, pd.Series(y, name="kind"))
            self.assertEqual(theirs.get_params()["p0"], 0.1)
            np.testing.assert_allclose(theirs.decision_function(frame), ours.decision_function(frame), rtol=1e-4, atol=1e-5)
            ours.save(folder / "ours.json")
            told = subprocess.run([MEDLAR, "evaluate", folder / "ours.json", folder / "fruit.csv", "--json"], check=True,
                                  capture_output=True)
            self.assertAlmostEqual(json.loads(told.stdout)["accuracy"], ours.score(frame, y), places=9)

    def test_odd_frames_are_fitted_or_refused_with_a_sentence(self):
        x, y = classes(40, 3)
        plain = pd.DataFrame(x, columns=["a", "b", "c"])
        for frame in (plain.assign(b=plain["b"] > 0), plain.assign(b=pd.array(np.arange(40) % 3, dtype="Int64")),
                      plain.astype(object), plain.astype("float32"), plain.set_index("c", append=True)):
            model = MEDClassifier(p0=0.1).fit(frame, y)
            self.assertEqual(model.feature_names_in_.tolist(), list(frame.columns))
            self.assertTrue(np.isfinite(model.decision_function(frame)).all())
        gap = plain.assign(b=pd.array([None, *range(39)], dtype="Int64"))
        for frame in (gap, plain.assign(b=np.nan), plain.assign(b=pd.Timestamp("2020-01-01")), plain.iloc[:0], plain[[]],
                      plain.assign(b=None), plain.assign(b=plain["b"] + 1j)):
            with self.subTest(dtypes=frame.dtypes.tolist()), self.assertRaises((ValueError, TypeError)) as caught:
                MEDClassifier().fit(frame, y[:len(frame)])
            self.assertTrue(str(caught.exception))
        twins = pd.DataFrame(x, columns=["a", "a", "c"])
        with self.assertRaisesRegex(ValueError, "'a'"):
            MEDClassifier().fit(twins, y)

    def test_a_regression_with_categories(self):
        columns, _ = fruit()
        frame = pd.DataFrame(columns)
        y = 2.0 * (frame["colour"] == "green") + frame["weight"]
        model = MEDRegressor(p0=0.1).fit(frame, y)
        self.assertGreater(model.score(frame, y), 0.95)


@unittest.skipIf(pl is None, "polars is not installed")
class Polars(unittest.TestCase):
    def test_frames_of_polars(self):
        columns, y = fruit()
        ours = MEDClassifier(p0=0.1).fit(pl.DataFrame(columns), y)
        theirs = MEDClassifier(p0=0.1).fit(pd.DataFrame(columns), y)
        self.assertEqual(ours.model_.names, theirs.model_.names)
        np.testing.assert_allclose(ours.decision_function(pl.DataFrame(columns)),
                                   theirs.decision_function(pd.DataFrame(columns)), rtol=1e-9)
        x, y = classes()
        numbers = MEDClassifier().fit(pl.DataFrame(x, schema=[f"g{i}" for i in range(12)]), y)
        self.assertEqual(numbers.feature_names_in_.tolist(), [f"g{i}" for i in range(12)])
        frame = pl.DataFrame(x, schema=[f"g{i}" for i in range(12)])
        with self.assertRaisesRegex(TypeError, "collect"):
            MEDClassifier().fit(frame.lazy(), y)
        chosen = MEDClassifier(p0=0.1).set_output(transform="polars").fit(frame, y).transform(frame)
        self.assertEqual(chosen.columns, ["g0", "g1"])


if __name__ == "__main__":
    unittest.main()
