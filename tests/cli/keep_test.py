"""--keep: covariates that stay in, by every command that fits, and what is refused."""

import json
import random
import unittest

from support import CommandTest


class Keep(CommandTest):
    def table(self, examples=150):
        """age and site decide the outcome together with a and b; the other columns follow age, with noise."""
        draw = random.Random(5)
        lines = [",".join(["age", "site", "a", "b"] + [f"n{i}" for i in range(12)] + ["y"])]
        for _ in range(examples):
            age, site = draw.gauss(60, 8), draw.choice(["north", "south", "west"])
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            noise = [0.1 * age + draw.gauss(0, 1) for _ in range(12)]
            score = 0.2 * (age - 60) + (site == "north") + a - b + 0.6 * draw.gauss(0, 1)
            lines.append(",".join(map(str, [age, site, a, b, *noise, "ill" if score > 0.3 else "well"])))
        return self.path("data.csv", "\n".join(lines) + "\n")

    def test_kept_columns_are_in_and_not_counted(self):
        data, model = self.table(), self.path("m.json")
        said = self.json("train", data, "--keep", "age,site", "-o", model)
        self.assertEqual(said["status"], "converged")
        self.assertIn("for kept columns", said["solver"])
        listed = self.json("features", model)
        kept = {each["name"] for each in listed["features"] if each.get("kept")}
        self.assertEqual(kept, {"age", "site=north", "site=south", "site=west"})
        for each in listed["features"]:
            if each["name"] in kept:
                self.assertEqual((each["inclusion"], each["sd"], each["selected"]), (1, 0, False))
        self.assertEqual(listed["selected"], sum(each["selected"] for each in listed["features"]))
        self.assertIn("kept", self.medlar("features", model))
        self.assertIn("beside 4 kept", self.medlar("train", data, "--keep", "age,site"))
        kept_in_file = [each["name"] for each in json.loads(model.read_text())["features"] if each.get("kept")]
        self.assertEqual(set(kept_in_file), kept)
        self.assertGreater(self.json("evaluate", model, data)["accuracy"], 0.8)
        page = self.path("page.html")
        self.medlar("report", model, data, "-o", page)
        self.assertIn('"kept":', page.read_text())

    def test_prediction_is_from_raw_columns(self):
        data, model = self.table(), self.path("m.json")
        self.medlar("train", data, "--keep", "age", "-o", model)
        features = {each["name"]: each for each in self.json("features", model)["features"]}
        self.assertLess(features["age"]["coefficient"], -0.5)  # to "well", of age in units of its spread, without shrinkage

    def test_tune_and_stability_keep_them(self):
        data, model = self.table(), self.path("m.json")
        self.json("tune", data, "--keep", "age,site", "--p0-grid", "0.1,0.001", "-o", model)
        self.assertEqual(sum(each.get("kept", False) for each in self.json("features", model)["features"]), 4)
        said = self.json("stability", data, "--keep", "age,site", "--refits", "10", "--fdr", "0.5", "-o", model)
        for each in said["features"]:
            if each.get("kept"):
                self.assertEqual((each["stability"], each["knockoff"], each["selected"]), (0, 0, False))
        best = max(said["features"], key=lambda each: each["stability"])
        self.assertIn(best["name"], ("a", "b"))

    def test_relaxed_refits_keep_them(self):
        data, model = self.table(), self.path("m.json")
        self.json("tune", data, "--keep", "age,site", "--relax", "--keep-grid", "2", "-o", model)
        listed = self.json("features", model)["features"]
        self.assertEqual(sum(each.get("kept", False) for each in listed), 4)

    def test_path_keeps_them(self):
        said = self.json("path", self.table(), "--keep", "age", "--values", "0.1,0.001")
        self.assertEqual(len(said["steps"]), 2)

    def test_resumes(self):
        data, model = self.table(), self.path("m.json")
        first = self.json("train", data, "--keep", "age", "-o", model)
        again = self.json("train", data, "--keep", "age", "--resume", model)
        self.assertEqual(again["status"], "converged")
        self.assertAlmostEqual(first["objective"], again["objective"], delta=2e-6 * first["primal"])

    def test_a_variance_of_each_feature(self):
        data, model = self.table(), self.path("m.json")
        variances = self.path("v.txt", "age 1e-9\na,4\n")
        self.json("train", data, "--p0", "1", "--feature-prior-variance", variances, "-o", model)
        features = {each["name"]: each for each in self.json("features", model)["features"]}
        self.assertLess(abs(features["age"]["coefficient"]), 1e-5)
        self.assertLess(features["a"]["coefficient"], -0.1)
        broken = self.path("w.txt", "age -1\n")
        self.assertIn("must be a number > 0", self.refusal("train", data, "--feature-prior-variance", broken))

    def test_refusals(self):
        data = self.table()
        self.assertIn("did you mean 'age'", self.refusal("train", data, "--keep", "agee"))
        self.assertIn("names 'a' twice", self.refusal("train", data, "--keep", "a,a"))
        for model in ("kernel", "generative"):
            self.assertIn("keep is for linear models", self.refusal("train", data, "--keep", "age", "--model", model))
        self.assertIn("puts others in their place", self.refusal("train", data, "--keep", "age", "--expand", "fourier:20"))
        same = self.path("same.csv", "u,v,w,y\n" + "".join(f"{k},{2 * k + 1},{k * 7 % 5},{k % 2}\n" for k in range(40)))
        said = self.refusal("train", same, "--keep", "u,v", "--target", "y", "--task", "classify")
        self.assertIn("keep names 'v', which is a sum of multiples of 'u' and a constant", said)
        apart = self.path("apart.csv", "u,v,y\n" + "".join(f"{k},{k * 7 % 5},{'low' if k < 20 else 'high'}\n" for k in range(40)))
        self.assertIn("separate the classes", self.refusal("train", apart, "--keep", "u"))


if __name__ == "__main__":
    unittest.main()
