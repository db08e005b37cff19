"""Every model file that was ever written predicts what it predicted (tests/zoo)."""

import csv
import math
import pathlib
import unittest

from support import CommandTest

ZOO = pathlib.Path(__file__).resolve().parent.parent / "zoo"
RELATIVE = 1e-9  # another compiler or processor may round sums otherwise
SMALL = 1e-12    # of what is a difference of such sums


def rows_of(file):
    with open(file, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def agree(kept, now):
    """Words are the same, numbers nearly."""
    if kept == now:
        return True
    try:
        return math.isclose(float(kept), float(now), rel_tol=RELATIVE, abs_tol=SMALL)
    except ValueError:
        return False


class Zoo(CommandTest):
    def models(self):
        models = sorted((ZOO / "models").glob("*.json"))
        self.assertGreaterEqual(len(models), 114)
        return models

    def test_every_model_predicts_what_it_predicted(self):
        now = self.path("now.csv")
        for model in self.models():
            with self.subTest(model=model.stem):
                data = next(ZOO.glob(f"data/{model.stem.split('-')[0]}_new.*"))
                self.medlar("predict", model, data, "-o", now, "--quiet")
                kept_rows, now_rows = rows_of(ZOO / "predictions" / f"{model.stem}.csv"), rows_of(now)
                self.assertEqual(list(map(len, kept_rows)), list(map(len, now_rows)))
                for line, (kept, found) in enumerate(zip(kept_rows, now_rows), 1):
                    for a, b in zip(kept, found):
                        self.assertTrue(agree(a, b), f"line {line}: {a} was predicted, now {b}")

    def test_every_model_has_its_predictions(self):
        names = {model.stem for model in self.models()}
        self.assertEqual(names, {file.stem for file in (ZOO / "predictions").glob("*.csv")})


if __name__ == "__main__":
    unittest.main()
