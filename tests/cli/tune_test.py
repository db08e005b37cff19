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
        kept = json.loads(model.read_text())
        self.assertEqual(kept["settings"]["p0"], best["p0"])
        self.assertEqual(kept["tuning"]["candidates"], tuning["candidates"], "the model keeps the table of all results")
        self.assertEqual(kept["tuning"]["chosen"], tuning["chosen"])

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

    def test_one_se_takes_fewer_features(self):
        data = self.classes()
        common = ("tune", data, "--p0-grid", "1,0.1,1e-3", "--repeats", "2", "--folds", "4")
        best, simple = self.json(*common), self.json(*common, "--rule", "one-se")
        self.assertEqual(best["tuning"]["candidates"], simple["tuning"]["candidates"])
        self.assertEqual(len(best["tuning"]["candidates"][0]["folds"]), 8)
        scores, chosen = simple["tuning"]["candidates"], simple["tuning"]["chosen"]
        top = scores[simple["tuning"]["best"]]
        near = [score for score in scores if score["mean"] >= top["mean"] - top["standard_error"]]
        self.assertEqual(scores[chosen]["selected"], min(score["selected"] for score in near))
        self.assertEqual(simple["p0"], scores[chosen]["p0"])

    def test_relaxed_refits_and_prior_variances(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "-o", model, "--p0-grid", "1", "--relax", "--keep-grid", "1,2",
                         "--prior-variance-grid", "0.1,1", "--metric", "log-loss")
        tuning = said["tuning"]
        self.assertEqual((tuning["metric"], len(tuning["candidates"])), ("log-loss", 6))
        self.assertEqual([score["kept"] for score in tuning["candidates"]], [None, None, 1, 1, 2, 2])
        chosen = tuning["candidates"][tuning["chosen"]]
        self.assertEqual(chosen["mean"], min(score["mean"] for score in tuning["candidates"]))
        self.assertEqual(said["prior_variance"], chosen["prior_variance"])
        if chosen["kept"]:
            self.assertEqual(said["selected"], chosen["kept"])
        self.json("evaluate", model, data)

    def test_refusals(self):
        data = self.classes()
        self.assertIn("add --relax", self.refusal("tune", data, "--keep-grid", "3"))
        self.assertIn("keep-grid has 'x'", self.refusal("tune", data, "--relax", "--keep-grid", "x"))
        self.assertIn("rule = 'worst' is unknown", self.refusal("tune", data, "--rule", "worst"))
        self.assertIn("metric = 'f9' is unknown", self.refusal("tune", data, "--metric", "f9"))
        self.assertIn("metric = rmse is none of task = classify", self.refusal("tune", data, "--metric", "rmse"))
        self.assertIn("repeats = 0, but must be >= 1", self.refusal("tune", data, "--repeats", "0"))
        self.assertIn("p0 = 2, but must lie in (0, 1]", self.refusal("tune", data, "--p0-grid", "1,2"))
        self.assertIn("folds = 1, but must be", self.refusal("tune", data, "--folds", "1"))
        self.assertIn("folds = 201, but must be", self.refusal("tune", data, "--folds", "201"))


if __name__ == "__main__":
    unittest.main()
