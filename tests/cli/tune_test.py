"""medlar tune: cross-validation over p0 and c."""

import json
import unittest

from support import CommandTest


class Tune(CommandTest):
    def test_picks_the_best_mean_and_refits_on_all_data(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "-o", model, "--p0-grid", "1,0.1,1e-3", "--c-grid", "1.5,3", "--folds", "4")
        tuning = said["tuning"]
        self.assertEqual((tuning["metric"], tuning["folds"], len(tuning["candidates"])), ("auc", 4, 6))
        for candidate in tuning["candidates"]:
            self.assertEqual(len(candidate["folds"]), 4)
            self.assertAlmostEqual(candidate["mean"], sum(candidate["folds"]) / 4, delta=1e-12)
        best = tuning["candidates"][tuning["best"]]
        self.assertEqual(best["mean"], max(c["mean"] for c in tuning["candidates"]))
        self.assertEqual((said["p0"], said["c"], said["examples"]), (best["p0"], best["c"], 200))
        alone = self.json("train", data, "--p0", best["p0"], "--c", best["c"])
        self.assertEqual(said["objective"], alone["objective"])
        self.assertEqual(json.loads(model.read_text())["settings"]["p0"], best["p0"])

    def test_regression_goes_by_rmse(self):
        tuning = self.json("tune", self.values(), "--target", "y", "--p0-grid", "1,1e-3")["tuning"]
        self.assertEqual(tuning["metric"], "rmse")
        best = tuning["candidates"][tuning["best"]]
        self.assertEqual(best["mean"], min(c["mean"] for c in tuning["candidates"]))

    def test_folds_depend_on_the_seed_alone(self):
        data = self.classes()

        def folds(seed):
            said = self.json("tune", data, "--p0-grid", "0.1", "--seed", seed)
            return said["tuning"]["candidates"][0]["folds"]

        self.assertEqual(folds(4), folds(4))
        self.assertNotEqual(folds(4), folds(5))

    def test_prints_the_table(self):
        text = self.medlar("tune", self.classes(), "--p0-grid", "1,0.1")
        self.assertIn("5-fold cross-validation", text)
        self.assertIn("best", text)

    def test_refusals(self):
        data = self.classes()
        self.assertIn("p0 = 2, but must lie in (0, 1]", self.refusal("tune", data, "--p0-grid", "1,2"))
        self.assertIn("folds = 1, but must be", self.refusal("tune", data, "--folds", "1"))
        self.assertIn("folds = 201, but must be", self.refusal("tune", data, "--folds", "201"))


if __name__ == "__main__":
    unittest.main()
