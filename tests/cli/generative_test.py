"""Generative models, anomaly detectors and several classes on the command line."""

import csv
import io
import json
import random
import unittest

from support import CommandTest


class Generative(CommandTest):
    def mixed(self, classes=2, examples=120, missing=False):
        """A count, a bit, a category and a number, whose law depends on the class."""
        draw = random.Random(4)
        lines = ["count,bit,colour,size,kind"]
        for t in range(examples):
            k = t % classes
            count = sum(draw.random() < 0.15 * (k + 1) for _ in range(20))
            bit = int(draw.random() < 0.2 + 0.2 * k)
            colour = draw.choices(("red", "green", "blue"), weights=(1 + 2 * k, 2, 3 - k))[0]
            size = "" if missing and t % 6 == 0 else f"{draw.gauss(k, 1):.4f}"
            lines.append(f"{count},{bit},{colour},{size},{'abc'[k]}")
        return self.path("mixed.csv", "\n".join(lines) + "\n")

    def test_values_that_a_family_cannot_have_are_refused_by_line_and_column(self):
        model, new = self.path("m.json"), self.path("new.csv", "count,bit,colour,size,kind\n1,1,red,0,a\n-2,0,red,0,b\n")
        self.json("train", self.mixed(), "--model", "generative", "--target", "kind", "-o", model)
        for command in ("predict", "evaluate"):
            self.assertRegex(self.refusal(command, model, new),
                             r"new\.csv:3: 'count' is -2, but a value of family poisson must be a whole number >= 0")
        bit = self.path("bit.csv", "count,bit,colour,size,kind\n1,3,red,0,a\n")
        self.assertIn("'bit' is 3, but a value of family bernoulli must be 0 or 1", self.refusal("predict", model, bit))

    def test_expand_refuses_gaps_by_its_own_name(self):
        self.assertIn("expand = quadratic, but the data has missing cells",
                      self.refusal("train", self.mixed(missing=True), "--model", "generative", "--expand", "quadratic",
                                   "--family", "gaussian", "--ignore", "colour"))

    def test_switches_per_class_are_listed_by_class(self):
        model = self.path("m.json")
        self.json("train", self.mixed(), "--model", "generative", "--switches", "per-class", "--p0", "0.2", "-o", model)
        for feature in self.json("features", model)["features"]:
            self.assertEqual(max(feature["inclusion_by_class"].values()), feature["inclusion"])
            self.assertEqual(sorted(feature["inclusion_by_class"]), ["a", "b"])
        self.assertIn("in a", self.medlar("features", model, "--verbose"))

    def test_guesses_families_and_certifies(self):
        model = self.path("m.json")
        said = self.json("train", self.mixed(), "--model", "generative", "-o", model)
        self.assertEqual((said["status"], said["model"], said["prior"]), ("converged", "generative", "empirical"))
        self.assertGreater(said["margin_scale"], 0)
        kept = json.loads(model.read_text())["generative"]["members"]
        self.assertEqual(sorted(member["family"] for member in kept),
                         ["bernoulli", "gaussian-diagonal", "multinomial", "poisson"])
        self.assertGreater(self.json("evaluate", model, self.mixed())["accuracy"], 0.7)
        self.assertIn("a generative classifier of 'b' against 'a'", self.medlar("train", self.mixed(), "--model", "generative"))

    def test_the_sentence_of_an_early_end_has_the_gap_of_the_model(self):
        for passes in (5, 20, 40):
            said = self.json("train", self.mixed(3, 240), "--model", "generative", "--calibration", "left-out",
                             "--bias", "flat", "--max-passes", passes, code=2)
            self.assertEqual(said["status"], "limit")
            self.assertIn(f"relative gap {said['relative_gap']:.1e} >", said["message"])

    def test_ascent_and_newton_agree_on_mixed_columns(self):
        found = [self.json("train", self.mixed(3, 240), "--model", "generative", "--calibration", "left-out", "--solver",
                           solver)["objective"] for solver in ("newton", "ascent")]
        self.assertAlmostEqual(found[0], found[1], delta=2e-6 * found[0])
        self.assertIn("use newton", self.refusal("train", self.mixed(), "--model", "generative", "--switches", "tied",
                                                 "--p0", "0.1", "--solver", "ascent"))

    def test_several_classes_for_families_and_for_linear_models(self):
        for options in (["--model", "generative"], ["--p0", "0.1"]):
            model = self.path("m.json")
            said = self.json("train", self.mixed(3, 240), "-o", model, *options)
            self.assertEqual((said["status"], said["labels"]), ("converged", ["a", "b", "c"]))
            rows = list(csv.DictReader(io.StringIO(self.medlar("predict", model, self.mixed(3, 240)))))
            self.assertEqual(len(rows), 240)
            total = sum(float(rows[0][f"probability {label}"]) for label in "abc")
            self.assertAlmostEqual(total, 1, places=12)
            judged = self.json("evaluate", model, self.mixed(3, 240))
            self.assertEqual(sum(map(sum, judged["confusion"])), 240)
            self.assertGreater(judged["accuracy"], 0.5)
            self.assertGreater(judged["auc"], 0.7)
            self.assertIn("truth \\ predicted", self.medlar("evaluate", model, self.mixed(3, 240)))
        listed = self.json("features", model)["features"]
        self.assertEqual(set(listed[0]["coefficients"]), {"a", "b", "c"})

    def test_missing_cells_are_natural(self):
        self.assertIn("has no value here", self.refusal("train", self.mixed(missing=True), "--model", "generative",
                                                        "--missing", "refuse"))
        whole, holed = self.path("whole.json"), self.path("holed.json")
        self.json("train", self.mixed(), "--model", "generative", "-o", whole)
        self.assertEqual(self.json("train", self.mixed(missing=True), "--model", "generative", "-o", holed)["status"], "converged")
        kept = self.path("kept.json")
        self.json("train", self.mixed(missing=True), "--model", "generative", "--missing", "keep", "-o", kept)
        scores = [[row["score"] for row in self.json("predict", model, self.mixed(missing=True))["predictions"]]
                  for model in (holed, kept)]
        self.assertEqual(scores[0], scores[1])
        for model in (whole, holed):
            self.assertEqual(self.json("predict", model, self.mixed(missing=True))["examples"], 120)
            self.assertGreater(self.json("evaluate", model, self.mixed(missing=True))["accuracy"], 0.65)
        # A row without any value has the score of the bias alone.
        bare = self.path("bare.csv", "count,bit,colour,size\n,,,\n2,,,\n")
        rows = self.json("predict", whole, bare)["predictions"]
        self.assertAlmostEqual(rows[0]["score"], json.loads(whole.read_text())["bias"], places=9)
        self.assertNotEqual(rows[0]["score"], rows[1]["score"])
        # Models of earlier versions did not say that cells may be missing.
        told = json.loads(whole.read_text())
        for column in told["schema"]["columns"]:
            column.pop("open", None)
        whole.write_text(json.dumps(told))
        self.assertEqual(self.json("predict", whole, bare)["predictions"], rows)
        self.refusal("train", self.mixed(missing=True), "--missing", "keep")
        self.assertIn("products", self.refusal("train", self.mixed(missing=True), "--model", "generative", "--missing", "keep",
                                               "--expand", "quadratic"))
        filled = self.path("filled.json")
        self.json("train", self.mixed(missing=True), "--model", "generative", "--missing", "mean", "-o", filled)
        self.assertEqual(self.json("predict", filled, self.mixed(missing=True))["examples"], 120)

    def test_switches_tell_which_columns_matter(self):
        said = self.json("train", self.mixed(), "--model", "generative", "--switches", "tied", "--p0", "0.1")
        self.assertEqual((said["status"], said["prior"]), ("converged", "switches"))
        self.assertIn("--switches tied", self.refusal("train", self.mixed(), "--model", "generative", "--p0", "0.1"))

    def test_an_anomaly_is_found_and_explained(self):
        draw = random.Random(9)
        lines = ["a,b"] + [f"{draw.gauss(0, 1):.4f},{draw.gauss(5, 2):.4f}" for _ in range(150)]
        data, model = self.path("normal.csv", "\n".join(lines) + "\n"), self.path("m.json")
        said = self.json("train", data, "--model", "generative", "--task", "anomaly", "-o", model)
        self.assertEqual((said["status"], said["task"], said["features"]), ("converged", "anomaly", 2))
        odd = self.path("odd.csv", "a,b\n0.1,5.2\n0.1,25\n")
        rows = list(csv.DictReader(io.StringIO(self.medlar("predict", model, odd))))
        self.assertEqual([row["label"] for row in rows], ["normal", "odd"])
        self.assertTrue(rows[1]["why"].startswith("b -"), rows[1])
        told = self.json("predict", model, odd)["predictions"][1]
        self.assertLess(told["contributions"]["b"], -5)
        judged = self.path("judged.csv", "a,b,y\n0.1,5.2,0\n0.1,25,1\n0.3,4,0\n")
        self.assertEqual(self.json("evaluate", model, judged, "--target-file", self.path("y", "0\n1\n0\n"))["auc"], 1)
        self.assertIn("--model generative", self.refusal("train", data, "--task", "anomaly", "--model", "linear"))
        alone = self.json("train", data, "--task", "anomaly")  # which no other kind of model serves
        self.assertEqual((alone["status"], alone["objective"]), ("converged", said["objective"]))

    def test_refuses_what_a_family_cannot_hold(self):
        data = self.path("bad.csv", "a,y\n1,p\n-2,q\n")
        self.assertIn("'a' is -2, but a value of family poisson",
                      self.refusal("train", data, "--model", "generative", "--family", "poisson"))
        self.assertIn("known are", self.refusal("train", data, "--model", "generative", "--family", "cauchy"))

    def test_tunes_c(self):
        said = self.json("tune", self.mixed(), "--model", "generative")
        self.assertEqual([each["c"] for each in said["tuning"]["candidates"]], [1, 3])


if __name__ == "__main__":
    unittest.main()
