"""medlar train --model latent, predict --transduce: unlabelled and believed examples in files."""

import json
import random
import unittest

from support import NOT_CONVERGED, OK, CommandTest, run


class Latent(CommandTest):
    def clusters(self, name, examples=60, labelled=6, seed=3, belief=None):
        """Two clusters; all but the first examples have no label. Also the truth."""
        draw = random.Random(seed)
        lines, truth = ["a,b,noise" + (",sure" if belief else "") + ",kind"], []
        for t in range(examples):
            kind, side = (("ripe", 2), ("raw", -2))[t % 2]
            numbers = [draw.gauss(side, 1), draw.gauss(side, 1), draw.gauss(0, 2)]
            truth.append(kind)
            sure = [belief if t < labelled else ""] if belief else []
            lines.append(",".join([f"{x:.5f}" for x in numbers] + sure + [kind if t < labelled else ""]))
        return self.path(name, "\n".join(lines) + "\n"), truth

    def latent(self, data, *more, code=OK):
        return self.json("train", data, "--model", "latent", "--latent", "labels", "--p0", "1", *more, code=code)

    def test_learns_from_unlabelled_examples(self):
        data, truth = self.clusters("some.csv")
        model = self.path("m.json")
        said = self.latent(data, "-o", model)
        self.assertEqual((said["status"], said["model"], said["latent"], said["latent_mode"], said["unlabelled"]),
                         ("converged", "latent", "labels", "anchored", 54))
        self.assertIn("54 of 60 examples have no target", said["notes"])
        self.assertEqual(said["share"], [0.5])
        self.assertTrue(all(b <= a * (1 + 1e-12) for a, b in zip(said["kl"], said["kl"][1:])), said["kl"])
        predicted = self.json("predict", model, data)
        self.assertIn("probability", predicted["rule"])
        right = sum(row["label"] == kind for row, kind in zip(predicted["predictions"], truth))
        self.assertGreaterEqual(right, 57)

    def test_literal_alternation(self):
        data, _ = self.clusters("some.csv")
        said = self.latent(data, "--latent-mode", "literal")
        self.assertEqual((said["status"], said["latent_mode"]), ("converged", "literal"))
        self.assertIn("rounds", said["message"])
        self.assertGreater(len(said["kl"]), 1)
        self.assertTrue(all(b <= a * (1 + 1e-12) for a, b in zip(said["kl"], said["kl"][1:])), said["kl"])

    def test_rounds_that_a_limit_ends_are_not_converged_though_the_gap_of_the_last_is_closed(self):
        data, _ = self.clusters("some.csv")
        said = [self.latent(data, "--latent-mode", "literal", "--max-passes", str(passes), code=NOT_CONVERGED)
                for passes in range(10, 60, 5)]
        closed = [each for each in said if each["relative_gap"] <= 1e-6]
        self.assertTrue(closed, "no limit here ends right after a round")
        for each in closed:
            self.assertEqual(each["status"], "limit")
            self.assertIn("still lowered", each["message"])

    def test_transduction_fits_again_with_the_new_examples(self):
        data, _ = self.clusters("some.csv", examples=20)
        model = self.path("m.json")
        self.latent(data, "-o", model)
        new, truth = self.clusters("new.csv", seed=8, labelled=0)
        said = self.json("predict", "--transduce", model, new)
        self.assertEqual(said["status"], "converged")
        right = sum(row["label"] == kind for row, kind in zip(said["predictions"], truth))
        self.assertGreaterEqual(right, 57)
        self.assertNotEqual(said["mean_score"], self.json("predict", model, new)["mean_score"])
        linear = self.trained()
        self.assertIn("train it with --model latent --latent labels", self.refusal("predict", "--transduce", linear, self.classes()))

    def test_svmlight_marks_unlabelled_examples_by_a_label_of_its_own(self):
        draw = random.Random(5)
        for mark in ("0", "?"):
            lines = []
            for t in range(40):
                y = 1 - 2 * (t % 2)
                label = f"{y:+d}" if t < 6 else mark
                lines.append(f"{label} 1:{draw.gauss(2 * y, 1):.4f} 2:{draw.gauss(2 * y, 1):.4f}")
            data = self.path("data.svm", "\n".join(lines) + "\n")
            said = self.latent(data, "--unlabelled", mark)
            self.assertEqual((said["unlabelled"], said["labels"]), (34, ["-1", "1"]))

    def test_beliefs_come_from_a_column_or_are_one_for_all(self):
        data, _ = self.clusters("sure.csv", labelled=60, belief="0.9")
        by_column = self.latent(data, "--label-belief", "sure")
        plain, _ = self.clusters("plain.csv", labelled=60)
        by_number = self.latent(plain, "--label-belief", "0.9")
        self.assertAlmostEqual(by_column["objective"], by_number["objective"], places=9)
        certain = self.json("train", plain, "--p0", "1", "--prior-variance", "1", "--margin", "exponential")
        sure = self.latent(plain, "--label-belief", "1", "--prior-variance", "1")
        self.assertAlmostEqual(sure["objective"], certain["objective"], delta=2e-6 * certain["primal"])

    def test_refusals(self):
        data, _ = self.clusters("some.csv")
        self.assertIn("use --model latent --latent labels", self.refusal("train", data))
        bad, _ = self.clusters("bad.csv", labelled=60, belief="1.5")
        self.assertIn("belief '1.5' in column 'sure', but a belief must be a number in [0, 1]",
                      self.refusal("train", bad, "--model", "latent", "--latent", "labels", "--label-belief", "sure"))
        text, _ = self.clusters("text.csv", labelled=60, belief="much")
        self.assertIn("belief 'much' in column 'sure', but a belief must be a number in [0, 1]",
                      self.refusal("train", text, "--model", "latent", "--latent", "labels", "--label-belief", "sure"))
        self.assertIn("label-belief = 2, but must be a column or a number in [0, 1]",
                      self.refusal("train", data, "--model", "latent", "--latent", "labels", "--label-belief", "2"))
        self.assertIn("balance = 0.5, but model = linear; use --model latent", self.refusal("train", self.classes(), "--balance", "0.5"))

    def test_a_belief_without_a_label_is_refused(self):
        data = self.path("odd.csv", "a,sure,kind\n1,0.9,ripe\n2,,raw\n3,0.7,\n")
        self.assertIn("odd.csv:4:7: the belief is 0.7, but the target is empty",
                      self.refusal("train", data, "--model", "latent", "--latent", "labels", "--label-belief", "sure"))

    def test_the_report_and_the_features_know_it(self):
        data, _ = self.clusters("some.csv")
        model = self.path("m.json")
        self.latent(data, "-o", model)
        self.assertEqual(self.json("features", model)["total"], 3)
        page = self.path("page.html")
        self.medlar("report", model, "-o", page)
        self.assertIn("Latent: labels (anchored), 54 of 60 examples without a label; the total KL divergence fell from", page.read_text())
        self.assertIn("latent labels (anchored, 54 unlabelled, balanced at 0.5)", self.medlar("train", data, "--model", "latent", "--latent", "labels", "--p0", "1"))
        kept = json.loads(model.read_text())["latent"]
        self.assertEqual(len(kept["belief"]), 60)


class Sequences(CommandTest):
    def steps(self, name, count=30, seed=2, form="ts"):
        """A step at a random time whose height tells the class; sequences of unequal length, two channels."""
        draw = random.Random(seed)
        ts, long, truth = ["# a remark", "% another", "@problemName steps", "@classLabel true low high", "@data"], ["walk,second,height,noise,kind"], []
        for t in range(count):
            kind, height = (("high", 4), ("low", 2.5))[t % 2]
            length, change = draw.randint(15, 24), draw.randint(4, 11)
            a = [(0 if tau < change else height) + draw.gauss(0, 0.4) for tau in range(length)]
            b = [draw.gauss(0, 1) for _ in range(length)]
            truth.append(kind)
            ts.append(",".join(map(repr, a)) + ":" + ",".join(map(repr, b)) + ":" + kind)
            lines = [f"w{t},{tau},{a[tau]!r},{b[tau]!r},{kind}" for tau in range(length)]
            draw.shuffle(lines)
            long += lines
        return self.path(name, "\n".join(ts if form == "ts" else long) + "\n"), truth

    def test_the_same_sequences_from_ts_and_from_a_long_table(self):
        options = ["--model", "latent", "--latent", "alignment:2", "--state-path", "hmm", "--state-statistics", "levels", "--p0", "1"]
        model = self.path("m.json")
        train, _ = self.steps("train.ts")
        said = self.json("train", train, *options, "-o", model)
        self.assertEqual((said["status"], said["examples"], said["latent"]), ("converged", 30, "alignment:2"))
        long, _ = self.steps("train.csv", form="long")
        columns = ["--sequence-id", "walk", "--time", "second", "--target", "kind"]
        self.assertAlmostEqual(self.json("train", long, *columns, *options)["objective"], said["objective"], places=9)
        test, truth = self.steps("test.ts", count=40, seed=9)
        paths = self.path("paths.csv")
        predicted = self.json("predict", model, test, "--alignment", paths)
        right = sum(row["label"] == kind for row, kind in zip(predicted["predictions"], truth))
        self.assertGreaterEqual(right, 38)
        lines = paths.read_text().splitlines()
        self.assertEqual(lines[0], "sequence,time,state1,state2,weight1,weight2")
        self.assertAlmostEqual(sum(map(float, lines[1].split(",")[2:4])), 1, places=5)
        page = self.path("page.html")
        self.medlar("report", model, test, "-o", page)
        self.assertIn("Latent: alignment:2 (anchored)", page.read_text())
        names = [feature["name"] for feature in self.json("features", model)["features"]]
        self.assertIn("state2:channel1:level", names)
        self.assertGreater(self.json("evaluate", model, test)["accuracy"], 0.9)

    def test_labels_of_a_ts_file_are_classes_even_if_they_are_numbers(self):
        draw = random.Random(3)
        lines = ["@classLabel true 1 2 3", "@data"]
        for t in range(45):
            lines.append(",".join(f"{(tau >= 6) * (1 + t % 3) + draw.gauss(0, 0.2):.4f}" for tau in range(12)) + f":{1 + t % 3}")
        data, model = self.path("three.ts", "\n".join(lines) + "\n"), self.path("m.json")
        said = self.json("train", data, "--model", "latent", "--latent", "alignment:2", "--state-path", "segments",
                         "--state-statistics", "levels", "--p0", "1", "-o", model)
        self.assertEqual((said["task"], said["labels"]), ("classify", ["1", "2", "3"]))
        self.assertGreater(self.json("evaluate", model, data)["accuracy"], 0.95)
        said = self.json("predict", model, data)
        self.assertIn("e^(2 score)", said["rule"])
        self.assertAlmostEqual(sum(said["predictions"][0]["probabilities"]), 1)
        page = self.path("page.html")
        self.medlar("report", model, data, "-o", page)
        self.assertIn("tells 3 classes apart", page.read_text())

    def test_labels_of_several_classes(self):
        draw, lines = random.Random(4), ["a,b,kind"]
        for t in range(90):
            x, y = ((3, 0), (-2, 2), (-2, -2))[t % 3]
            lines.append(f"{draw.gauss(x, 1):.4f},{draw.gauss(y, 1):.4f},{'pqr'[t % 3] if t < 9 else ''}")
        data, model = self.path("three.csv", "\n".join(lines) + "\n"), self.path("m.json")
        said = self.json("train", data, "--model", "latent", "--latent", "labels", "--p0", "1", "-o", model)
        self.assertEqual((said["status"], said["unlabelled"], len(said["share"])), ("converged", 81, 3))
        said = self.json("predict", model, data, "--transduce")
        right = sum(row["label"] == "pqr"[t % 3] for t, row in enumerate(said["predictions"]))
        self.assertGreaterEqual(right, 82)
        self.assertEqual(self.json("features", model)["total"], 2)
        self.assertIn("balance = 0.4 is the share of one class, but there are 3",
                      self.refusal("train", data, "--model", "latent", "--latent", "labels", "--balance", "0.4"))

    def test_a_long_table_is_read_for_prediction_too(self):
        model = self.path("m.json")
        long, _ = self.steps("train.csv", form="long")
        self.medlar("train", long, "--sequence-id", "walk", "--time", "second", "--target", "kind", "--model", "latent",
                    "--latent", "alignment:2", "--state-path", "segments", "--state-statistics", "levels", "-o", model, "--quiet")
        new, _ = self.steps("new.csv", count=8, seed=4, form="long")
        self.assertEqual(self.json("predict", model, new)["examples"], 8)
        self.assertIn("state2:height:level", [feature["name"] for feature in self.json("features", model)["features"]])

    def test_refusals(self):
        data, _ = self.steps("train.ts")
        self.assertIn("sequences of unequal length need --model latent --latent alignment:S", self.refusal("train", data))
        odd = self.path("odd.ts", "@classLabel true a b\n@data\n1,2:3,4:a\n1,2:b\n")
        self.assertIn("odd.ts:4:1: the sequence has 1 channels, but those before have 2", self.refusal("train", odd))
        empty = self.path("empty.ts", "@classLabel true a b\n@data\n:a\n")
        self.assertIn("empty.ts:3:1: the sequence is empty; remove the line", self.refusal("train", empty))
        short = self.path("short.ts", "@classLabel true a b\n@data\n1,2:3:a\n")
        self.assertIn("channel 2 has 1 values, but channel 1 has 2", self.refusal("train", short))
        none = self.path("none.ts", "@classLabel true a b\n")
        self.assertIn("there is no @data line", self.refusal("train", none))
        gap = self.path("gap.ts", "@classLabel true a b\n@data\n1,?:a\n")
        self.assertIn("value '?', but a value must be a finite number", self.refusal("train", gap))
        changing = self.path("c.csv", "id,x,kind\n1,2,a\n1,3,b\n2,1,a\n")
        self.assertIn("c.csv:3: the target of sequence '1' changes here",
                      self.refusal("train", changing, "--sequence-id", "id", "--target", "kind"))
        self.assertIn("give --sequence-id", self.refusal("train", self.classes(), "--time", "signal"))
        model = self.path("m.json")
        self.medlar("train", data, "--model", "latent", "--latent", "alignment:2", "--state-path", "segments",
                    "--state-statistics", "levels", "-o", model, "--quiet")
        one = self.path("one.ts", "@classLabel true high low\n@data\n1,2:high\n")
        self.assertIn("the sequence has 1 channels, but the model was trained on 2", self.refusal("predict", model, one))

    def test_shifts_of_an_image(self):
        draw = random.Random(1)
        lines = [",".join(f"p{i}" for i in range(16)) + ",kind"]
        for t in range(30):
            kind, down, right = t % 2, draw.randint(0, 2), draw.randint(0, 2)
            pixels = [0.0] * 16
            pixels[4 * down + right] = pixels[4 * (down + (kind == 0)) + right + (kind == 1)] = 5.0
            lines.append(",".join(f"{p + draw.gauss(0, 0.1):.4f}" for p in pixels) + f",{kind}")
        data = self.path("images.csv", "\n".join(lines) + "\n")
        said = self.json("train", data, "--model", "latent", "--latent", "shifts:2", "--image", "4x4", "--p0", "1")
        self.assertEqual((said["status"], said["latent"], said["unlabelled"]), ("converged", "shifts:2", 0))
        self.assertIn("latent = shifts:R, R", self.refusal("train", data, "--latent", "shifts:x"))


if __name__ == "__main__":
    unittest.main()
