"""medlar path: fits along p0, c or the prior variance."""

import csv
import io
import json
import math
import random
import time
import unittest

from support import NOT_CONVERGED, CommandTest, run


class Path(CommandTest):
    def test_lists_one_certified_step_per_value(self):
        rows = list(csv.DictReader(io.StringIO(self.medlar("path", self.classes(), "--values", "1,0.1,1e-3"))))
        self.assertEqual([float(row["p0"]) for row in rows], [1, 0.1, 1e-3])
        for row in rows:
            self.assertEqual(row["status"], "converged")
            self.assertLessEqual(float(row["relative_gap"]), 1e-6)

    def test_a_step_is_the_fit_of_its_value(self):
        data = self.classes()
        path = json.loads(self.medlar("path", data, "--values", "1,0.1,1e-3", "--json"))
        fitted = json.loads(self.medlar("train", data, "--p0", "1e-3", "--json"))
        self.assertAlmostEqual(path["steps"][-1]["objective"], fitted["objective"], delta=2e-6 * fitted["primal"])
        model = self.path("step.json")
        self.medlar("train", data, "--p0", "1e-3", "-o", model)
        inclusion = [each["inclusion"] for each in self.json("features", model)["features"]]
        self.assertEqual(path["steps"][-1]["selected"], sum(each > 0.5 for each in inclusion))
        self.assertEqual(len(path["leading"][0]["inclusion"]), 3)

    def test_a_terminal_gets_a_table_with_bars(self):
        text = self.on_a_terminal("path", self.classes(), "--values", "1,1e-3", "--quiet", NO_COLOR="1")
        head, first, _ = text.splitlines()
        self.assertEqual(head.split(), ["p0", "status", "relative", "gap", "support", "selected"])
        self.assertEqual(first.split()[-1], "█" * 40)  # without selection every feature takes part
        self.assertNotIn(",", text)

    def test_goes_over_c_and_writes_a_file(self):
        out = self.path("path.json")
        self.assertEqual(self.medlar("path", self.classes(), "--over", "c", "--values", "2,5,20", "-o", out), "")
        path = json.loads(out.read_text())
        self.assertEqual([step["c"] for step in path["steps"]], [2, 5, 20])
        self.assertTrue(path["complete"])

    def test_refuses_what_it_cannot_sweep(self):
        data = self.classes()
        self.assertIn("known are p0, c, prior-variance", self.refusal("path", data, "--over", "epsilon", "--values", "1"))
        self.assertIn("task = anomaly", self.refusal("path", data, "--task", "anomaly"))
        self.assertIn("(0, 1]", self.refusal("path", data, "--values", "2"))

    def test_refuses_options_that_it_would_ignore(self):
        data = self.classes()
        self.assertIn("leave --p0 out", self.refusal("path", data, "--p0", "0.1"))
        self.assertIn("leave --c out", self.refusal("path", data, "--over", "c", "--values", "3", "--c", "5"))
        self.assertIn("leave --steps out", self.refusal("path", data, "--values", "1", "--steps", "5"))


class Inputs(CommandTest):
    """What is read is never written over."""

    def test_no_command_writes_over_what_it_reads(self):
        data, model = self.classes(), self.trained()
        kept = data.read_bytes(), model.read_bytes()
        for arguments in (("train", data, "-o", data), ("tune", data, "-o", data), ("path", data, "-o", data),
                          ("predict", model, data, "-o", model), ("predict", model, data, "-o", data),
                          ("report", model, data, "-o", model), ("convert", data, data)):
            self.assertIn("it is the file that is read", self.refusal(*arguments), arguments)
        self.assertEqual((data.read_bytes(), model.read_bytes()), kept)

    def test_svmlight_needs_a_target(self):
        self.assertIn("--target", self.refusal("convert", self.path("plain.csv", "a\n1\n3\n"), self.path("out.svm")))

    def test_tune_refuses_options_that_its_grids_set(self):
        data = self.classes()
        self.assertIn("leave --p0 out", self.refusal("tune", data, "--p0", "0.5"))
        self.assertIn("leave --c out", self.refusal("tune", data, "--c", "4", "--c-grid", "3"))

    def test_steps_on_folds_left_out(self):
        data = self.classes()
        path = self.json("path", data, "--values", "1,0.1,1e-3", "--folds", "4")
        tuning = self.json("tune", data, "--p0-grid", "1,0.1,1e-3", "--folds", "4", "--exhaustive")["tuning"]
        self.assertEqual(path["metric"], "margin-loss")
        for step, candidate in zip(path["steps"], tuning["candidates"]):
            self.assertEqual((step["left_out"], step["standard_error"]), (candidate["mean"], candidate["standard_error"]))
        text = self.medlar("path", data, "--values", "1,0.1", "--folds", "3", "--metric", "brier")
        self.assertEqual(text.splitlines()[0].split(",")[-2:], ["brier", "standard_error"])
        over_c = self.json("path", data, "--over", "c", "--values", "2,5", "--folds", "3")
        self.assertTrue(all(0 < step["left_out"] < 0.7 for step in over_c["steps"]))
        self.assertIn("add --folds", self.refusal("path", data, "--metric", "auc"))

    def test_what_folds_tell_does_not_depend_on_threads(self):
        for data, metric in ((self.classes(), "margin-loss"), (self.three(), "margin-loss")):
            one, two = (self.json("path", data, "--values", "1,0.1,1e-3", "--folds", "4", "--threads", threads)
                        for threads in ("1", "2"))
            self.assertEqual(one["metric"], metric)
            for a, b in zip(one["steps"], two["steps"]):
                self.assertEqual((a["left_out"], a["standard_error"]), (b["left_out"], b["standard_error"]))
                # Of the fit to all examples the BLAS may sum in another order: the same within its certificate.
                self.assertAlmostEqual(a["objective"], b["objective"], delta=2e-6 * a["primal"])

    def test_even_and_adaptive_steps(self):
        data = self.classes()
        even = self.json("path", data, "--steps", "9", "--even")["steps"]
        for k, step in enumerate(even):
            self.assertAlmostEqual(math.log10(step["p0"]), -k, delta=1e-9)
        adaptive = self.json("path", data, "--steps", "9", "--margin", "exponential")["steps"]
        self.assertEqual((adaptive[0]["p0"], len(adaptive)), (1, 9))
        self.assertNotEqual([step["p0"] for step in adaptive], [step["p0"] for step in even])
        c = self.json("path", data, "--over", "c", "--steps", "8")["steps"]
        self.assertEqual((c[0]["c"], len(c)), (100, 8))
        even = self.json("path", data, "--over", "prior-variance", "--steps", "6", "--even")["steps"]
        for k, step in enumerate(even):
            self.assertAlmostEqual(math.log10(step["prior-variance"]), 1 - k, delta=1e-9)
        self.assertIn("leave one out", self.refusal("path", data, "--even", "--values", "1"))

    def three(self):
        draw = random.Random(5)
        lines = ["a,b,c,kind"]
        for _ in range(90):
            a, b, c = (draw.gauss(0, 1) for _ in range(3))
            lines.append(f"{a:.4f},{b:.4f},{c:.4f},{'low' if a + b < -0.5 else 'high' if a - b > 0.5 else 'mid'}")
        return self.path("three.csv", "\n".join(lines) + "\n")

    def test_several_classes(self):
        data = self.three()
        path = self.json("path", data, "--values", "1,0.1,1e-3", "--folds", "3", "--tolerance", "1e-8")
        self.assertEqual((path["labels"], path["metric"]), (["high", "low", "mid"], "margin-loss"))
        self.medlar("train", data, "--p0", "1e-3", "--tolerance", "1e-8", "-o", self.path("m.json"), "--quiet")
        fitted = {each["name"]: each for each in self.json("features", self.path("m.json"))["features"]}
        for leading in path["leading"]:
            cold = fitted[leading["name"]]
            self.assertAlmostEqual(leading["inclusion"][-1], cold["inclusion"], delta=5e-3)
            for label, course in leading["coefficients"].items():
                self.assertAlmostEqual(course[-1], cold["coefficients"][label], delta=5e-3)
            norm = math.sqrt(sum(course[-1] ** 2 for course in leading["coefficients"].values()))
            self.assertAlmostEqual(leading["coefficient"][-1], norm, delta=1e-12)
        for step in path["steps"]:
            self.assertAlmostEqual(sum(step["bias"].values()), 0, delta=1e-9)
            self.assertTrue(0 < step["left_out"] < math.log(3))
        head, *rows = self.medlar("path", data, "--steps", "6").splitlines()
        self.assertNotIn("bias", head)
        self.assertEqual({len(row.split(",")) for row in rows}, {len(head.split(","))})
        self.medlar("report", self.path("m.json"), "-o", self.path("page.html"), "--path", data, "--steps", "4", "--quiet")
        self.assertIn('"over":"p0"', self.path("page.html").read_text())

    def test_seconds_hold_for_path_and_folds_together(self):
        start = time.monotonic()
        path = self.json("path", self.classes(), "--steps", "100000", "--even", "--folds", "5", "--max-seconds", "0.3",
                         code=NOT_CONVERGED)
        self.assertLess(time.monotonic() - start, 20)
        self.assertFalse(path["complete"])
        self.assertEqual(path["status"], "limit")
        self.assertGreater(len(path["steps"]), 1)

    def test_a_constant_target_is_told(self):
        data = self.path("same.csv", "a,b,y\n1,2,5.5\n2,3,5.5\n4,1,5.5\n2,2,5.5\n")
        done = run("path", data, "--task", "regress", "--steps", "3")
        self.assertIn(b"every example has the same target", done.stderr)
        self.assertIn("or --task regress", self.refusal("path", self.path("five.csv", "a,y\n1,5\n2,5\n"), "--target", "y"))


if __name__ == "__main__":
    unittest.main()
