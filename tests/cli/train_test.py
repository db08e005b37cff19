"""medlar train: what it prints, writes and refuses."""

import json
import lzma
import gzip
import os
import stat
import unittest

from support import NOT_CONVERGED, CommandTest, run

FIELDS = {
    "status": str, "message": str, "task": str, "model": str, "prior": str, "margin": str, "solver": str, "why": str,
    "examples": int, "features": int, "objective": float, "primal": float, "gap": float, "relative_gap": float,
    "tolerance": float, "iterations": int, "passes": int, "support": int, "selected": int, "selected_by": str, "bias": float, "p0": float,
    "c": float, "scale": str, "notes": list, "seconds": dict,
}


class Train(CommandTest):
    def test_prints_every_promised_field(self):
        model = self.path("m.json")
        said = self.json("train", self.classes(), "-o", model)
        for name, kind in FIELDS.items():
            self.assertIn(name, said)
            self.assertIsInstance(said[name], (int, float) if kind is float else kind, name)
        self.assertEqual(said["status"], "converged")
        self.assertEqual((said["task"], said["model"], said["margin"], said["prior"]),
                         ("classify", "linear", "logistic", "switches"))
        self.assertEqual((said["examples"], said["features"], said["c"], said["p0"]), (200, 4, 1, 1e-3))
        self.assertEqual(set(said["seconds"]), {"read", "prepare", "fit", "total"})
        self.assertGreaterEqual(said["seconds"]["total"], said["seconds"]["fit"])
        self.assertEqual(said["output"], str(model))
        self.assertLessEqual(said["relative_gap"], 1e-6)
        self.assertAlmostEqual(said["gap"], said["primal"] - said["objective"], delta=1e-9)

    def test_finds_the_feature_that_matters(self):
        text = self.medlar("train", self.classes())
        self.assertRegex(text, r"(?m)^converged: .*relative gap")
        self.assertIn("no model was written; give -o MODEL to keep it", text)
        table = [line.split() for line in text.splitlines()]
        self.assertNotIn("not calibrated", text)  # the score of the logistic margin is the log odds
        self.assertIn("not calibrated", self.medlar("train", self.classes(), "--margin", "exponential"))
        header = table.index(["name", "coefficient"])
        self.assertEqual(table[header + 1][0], "signal")

    def test_regression_is_guessed_from_numbers(self):
        said = self.json("train", self.values(), "--target", "y", "--p0", "1")
        self.assertEqual((said["task"], said["margin"], said["prior"]), ("regress", "gaussian", "gaussian"))
        tube = self.json("train", self.values(), "--target", "y", "--p0", "1", "--epsilon", "0.1")
        self.assertEqual((tube["margin"], tube["epsilon"]), ("tube", 0.1))
        self.assertIn("task: regress (guessed from the target; set it with --task)", said["notes"])
        told = self.json("train", self.values(), "--target", "y", "--task", "regress")
        self.assertFalse([note for note in told["notes"] if note.startswith("task")])

    def test_model_file_is_complete(self):
        model = json.loads(self.trained("--p0", "0.01", "--c", "5").read_text())
        self.assertEqual((model["format"], model["version"]), ("medlar-model", 1))
        self.assertEqual((model["settings"]["p0"], model["settings"]["c"]), (0.01, 5))
        self.assertEqual([f["name"] for f in model["features"]], ["signal", "noise a", "noise b", "noise c"])
        self.assertEqual(len(model["support"]), len(model["multipliers"]))
        self.assertEqual(sorted(model["labels"]), ["raw", "ripe"])
        self.assertEqual(model["schema"]["target"], "kind")

    def test_same_data_from_file_standard_input_and_compressed(self):
        data = self.classes()
        content = data.read_bytes()
        plain = self.json("train", data)["objective"]
        self.assertEqual(self.json("train", "-", "--format", "csv", stdin=content)["objective"], plain)
        packed = {"gz": gzip.compress(content), "xz": lzma.compress(content)}
        for ending, packed_content in packed.items():
            self.assertEqual(self.json("train", self.path(f"data.csv.{ending}", packed_content))["objective"], plain)

    def test_indices_of_64_bits_are_names(self):
        true, rest = 4000000007, [2 ** 62 + 999 * k for k in range(40)]
        lines = ["{} {}".format(1 if t % 2 else -1, " ".join(
            f"{index}:{1 + (t + index) % 3}" for index in ([true] if t % 2 else []) + rest[t % 7::7])) for t in range(80)]
        data, model = self.path("hashed.svm", "\n".join(lines) + "\n"), self.path("m.json")
        said = self.json("train", data, "-o", model)
        self.assertEqual((said["status"], said["features"]), ("converged", 41))
        self.assertEqual(self.json("features", model)["features"][0]["name"], str(true))
        test = self.path("test.svm", f"1 {true}:2\n-1 12:5 {rest[3]}:1 9000000000000000000:1\n")
        self.assertEqual(self.json("evaluate", model, test)["accuracy"], 1)
        self.medlar("convert", data, self.path("table.csv"))
        for source in data, self.path("table.csv"):
            self.medlar("convert", source, self.path("again.svm"))
            self.assertEqual(self.path("again.svm").read_text().split(), data.read_text().split())
        priors = self.path("priors.csv", f"{true},0.5\n123,0.25\n")  # the second occurs nowhere
        said = self.json("train", data, "--feature-priors", priors, "-o", model)
        self.assertEqual((said["status"], said["features"]), ("converged", 42))
        broken = json.loads(model.read_text())
        broken["schema"]["indices"][0] -= 1
        self.assertIn("has index 122 for feature '123'", self.refusal("features", self.path("b.json", json.dumps(broken))))

    def test_quiet_prints_nothing(self):
        done = run("train", self.classes(), "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_global_flags_stand_before_or_after_the_command(self):
        data = self.classes()
        before = json.loads(self.medlar("--json", "--seed", "3", "--threads", "1", "train", data))
        after = self.json("train", data, "--seed", "3", "--threads", "1")
        self.assertEqual(before["objective"], after["objective"])

    def test_values_by_feature_reach_the_fit(self):
        data = self.classes()
        priors = self.path("priors.txt", "signal 0.9\nnoise a,0.5\n")
        with_priors = self.json("train", data, "--feature-priors", priors)
        self.assertNotEqual(with_priors["objective"], self.json("train", data)["objective"])
        wrong = self.path("wrong.txt", "smell 0.5\n")
        self.assertIn("names 'smell', which is no feature", self.refusal("train", data, "--feature-priors", wrong))

    def test_labels_may_begin_with_a_dash(self):
        lines = [f"{'-1' if k % 3 else '+1'} 1:{k * 37 % 11 - (0 if k % 3 else 6)} 2:{k * 17 % 7}" for k in range(60)]
        data = self.path("signs.svm", "\n".join(lines) + "\n")
        self.assertEqual(self.json("train", data, "--positive", "-1")["labels"], ["1", "-1"])
        self.assertEqual(self.json("train", data)["labels"], ["-1", "1"])

    def test_columns_can_be_left_out(self):
        self.assertEqual(self.json("train", self.classes(), "--ignore", "noise a,noise c")["features"], 2)
        self.assertEqual(self.json("train", "--ignore", "noise a", self.classes())["features"], 3)

    def test_stopping_early_is_exit_2_with_a_model(self):
        model = self.path("m.json")
        said = self.json("train", self.classes(), "-o", model, "--max-passes", "1", "--tolerance", "1e-12",
                         code=NOT_CONVERGED)
        self.assertEqual(said["status"], "limit")
        self.assertGreater(said["relative_gap"], 1e-12)
        self.assertEqual(json.loads(model.read_text())["report"]["status"], "limit")


class Refusals(CommandTest):
    def test_goes_on_from_a_checkpoint(self):
        data, kept = self.classes(), self.path("kept.json")
        whole = self.json("train", data, "--tolerance", "1e-9")
        part = run("train", data, "--tolerance", "1e-9", "--max-passes", "3", "--checkpoint", kept, "--quiet")
        self.assertEqual(part.returncode, NOT_CONVERGED)
        rest = self.json("train", data, "--tolerance", "1e-9", "--resume", kept)
        self.assertEqual(rest["status"], "converged")
        self.assertAlmostEqual(rest["objective"] / whole["objective"], 1, 8)
        self.assertIn("was fitted to other data", self.refusal("train", self.values(), "--resume", kept))
        self.assertIn("for linear models", self.refusal("train", data, "--model", "kernel", "--resume", kept))

    def test_options_out_of_range(self):
        data = self.classes()
        for arguments, sentence in {
            ("--p0", "1.5"): "p0 = 1.5, but must lie in (0, 1]",
            ("--p0", "small"): "p0 = 'small' is not a number; it must lie in (0, 1]",
            ("--c", "-1"): "c = -1, but must be a number > 0",
            ("--margin", "soft"): "margin = 'soft' is unknown; known are auto, exponential",
            ("--max-seconds", "0"): "max-seconds = 0, but must be a number > 0, or inf",
            ("--threads", "-1"): "threads = -1, but must be a whole number from 0",
            ("--bias", "steep"): "bias = 'steep' is not a number; it must be flat, none or a variance > 0",
        }.items():
            self.assertIn(sentence, self.refusal("train", data, *arguments))

    def test_unknown_flags_and_commands(self):
        self.assertIn("--pO", self.refusal("train", self.classes(), "--pO", "1"))
        self.assertIn("trian", self.refusal("trian"))
        self.assertIn("DATA", self.refusal("train"))

    def test_margins_of_the_other_task(self):
        self.assertIn("tube", self.refusal("train", self.classes(), "--margin", "tube"))
        self.assertIn("hinge", self.refusal("train", self.values(), "--target", "y", "--margin", "hinge"))

    def test_missing_and_broken_files(self):
        missing = self.path("missing.csv")
        self.assertIn(str(missing), self.refusal("train", missing))
        broken = self.path("broken.csv", "a,b,y\n1,2,x\n1,2\n")
        self.assertIn(f"{broken}:3", self.refusal("train", broken))

    def test_missing_values_by_row_and_column(self):
        gap = self.path("gap.csv", "a,b,y\n1,2,x\n,3,z\n4,5,x\n")
        sentence = self.refusal("train", gap)
        self.assertIn(f"{gap}:3", sentence)
        self.assertIn("'a'", sentence)

    def test_a_refused_fit_leaves_the_old_model(self):
        model = self.trained()
        before = model.read_bytes()
        self.refusal("train", self.classes(), "-o", model, "--p0", "2")
        self.assertEqual(model.read_bytes(), before)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_cannot_be_written(self):
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
        self.assertIn(str(closed / "m.json"), self.refusal("train", self.classes(), "-o", closed / "m.json"))
        self.assertEqual(list(closed.iterdir()), [])

    def test_an_output_that_cannot_be_is_refused_before_the_data_is_read(self):
        missing = self.path("missing.csv")
        file = self.path("file", "")
        for output in (self.folder, file / "m.json", "-"):
            sentence = self.refusal("train", missing, "-o", output)
            self.assertIn(str(output), sentence)
            self.assertNotIn(str(missing), sentence)

    def test_a_folder_that_does_not_exist(self):
        model = self.folder / "nowhere" / "m.json"
        self.assertIn(str(model), self.refusal("train", self.classes(), "-o", model))
        self.assertFalse(model.parent.exists())


if __name__ == "__main__":
    unittest.main()
