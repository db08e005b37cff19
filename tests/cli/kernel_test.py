"""medlar --model kernel: training, predicting and refusing from the command line."""

import json
import random
import unittest

from support import CommandTest


class Kernels(CommandTest):
    def rings(self, examples=150, seed=3):
        """Two rings that no line tells apart."""
        draw = random.Random(seed)
        lines = ["a,b,kind"]
        while len(lines) <= examples:
            a, b = draw.uniform(-2, 2), draw.uniform(-2, 2)
            if abs(a * a + b * b - 1.5) > 0.2:
                lines.append(f"{a:.6f},{b:.6f},{'in' if a * a + b * b < 1.5 else 'out'}")
        return self.path("rings.csv", "\n".join(lines) + "\n")

    def test_a_kernel_tells_rings_apart(self):
        data, model = self.rings(), self.path("m.json")
        said = self.json("train", data, "-o", model, "--model", "kernel", "--gamma", "1", "--c", "20")
        self.assertEqual((said["status"], said["model"], said["prior"]), ("converged", "kernel", "gaussian"))
        self.assertEqual(said["features"], 2)
        self.assertRegex(said["solver"], "^smo")
        self.assertGreater(self.json("evaluate", model, data)["accuracy"], 0.97)
        kept = json.loads(model.read_text())
        self.assertEqual(len(kept["kernel"]["vectors"]), len(kept["support"]))
        self.assertLess(len(kept["support"]), 150)
        text = self.medlar("train", data, "--model", "kernel")
        self.assertIn("rbf kernel with gamma = 0.5", text)
        self.assertNotIn("inclusion", text)
        self.medlar("report", model, data, "-o", self.path("r.html"))
        rows = self.medlar("predict", model, data).splitlines()
        self.assertEqual(rows[0], "score,label,probability,sd")
        self.assertEqual(len(rows), 151)

    def test_refusals_say_what_to_do(self):
        data, model = self.rings(), self.path("m.json")
        self.assertIn("model = linear has none; add --model kernel", self.refusal("train", data, "--kernel", "poly"))
        self.assertIn("known are linear, poly, rbf", self.refusal("train", data, "--model", "kernel", "--kernel", "cubic"))
        self.assertIn("one column per example", self.refusal("train", data, "--model", "kernel", "--kernel", "precomputed"))
        self.assertIn("indefinite", self.refusal("train", data, "--model", "kernel", "--kernel", "sigmoid", "--coef0", "-1"))
        self.medlar("train", data, "-o", model, "--model", "kernel", "--quiet")
        self.assertIn("is a kernel model", self.refusal("features", model))
        broken = json.loads(model.read_text())
        broken["kernel"]["vectors"].pop()
        other = self.path("broken.json", json.dumps(broken))
        self.assertIn("kernel.vectors has", self.refusal("predict", other, data))


    def test_several_classes_two_by_two_or_jointly(self):
        lines = ["a,b,kind"]
        for k, name in enumerate(("low", "mid", "high")):
            lines += [f"{3 * k + (t % 7) / 7},{(t % 5) / 5 - k},{name}" for t in range(30)]
        data, model = self.path("three.csv", "\n".join(lines) + "\n"), self.path("three.json")
        said = self.json("train", data, "-o", model, "--model", "kernel")
        self.assertEqual(said["status"], "converged")
        self.assertIn("3 pairs of 3 classes", said["why"])
        self.assertEqual(self.json("evaluate", model, data)["accuracy"], 1)
        rows = self.medlar("predict", model, data).splitlines()
        self.assertEqual(len(rows), 91)
        said = self.json("train", data, "-o", model, "--model", "kernel", "--multiclass", "joint")
        self.assertEqual(said["status"], "converged")
        self.assertIn("3 classes", said["why"])
        self.assertAlmostEqual(sum(said["class_bias"]), 0)
        self.assertEqual(self.json("evaluate", model, data)["accuracy"], 1)
        broken = json.loads(model.read_text())
        broken["kernel"]["class_bias"].pop()
        other = self.path("broken.json", json.dumps(broken))
        self.assertIn("class_bias has 2 values for 3 classes", self.refusal("predict", other, data))
        self.assertIn("multiclass = joint", self.refusal("train", data, "--multiclass", "joint"))


if __name__ == "__main__":
    unittest.main()
