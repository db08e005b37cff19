"""What has no effect is refused, and slips in lists and files are named with their remedy."""

import json
import resource
import signal
import subprocess
import time
import unittest

from support import INTERRUPTED, MEDLAR, NOT_CONVERGED, REFUSED, CommandTest


class Idle(CommandTest):
    def test_options_that_the_fit_has_no_use_for(self):
        classes, values = self.classes(), self.values()
        for data, option, value, who in (
                (classes, "epsilon", "0.2", "a classifier"), (values, "margin-location", "2", "a regression"),
                (values, "positive", "1", None), (classes, "cache-mb", "20", "a linear model without --solver smo")):
            task = ("--task", "regress") if data == values else ()
            said = self.refusal("train", data, f"--{option}", value, *task)
            self.assertIn(f"{option} = {value}, but", said)
            self.assertIn(f"{who or 'a regression'} has no use for it; leave it out", said)

    def test_a_flag_that_repeats_the_default(self):
        self.assertIn("model = linear has none; add --model kernel", self.refusal("train", self.classes(), "--kernel", "rbf"))
        self.assertIn("selects no features", self.refusal("train", self.classes(), "--model", "kernel", "--p0", "0.001"))

    def test_options_of_columns(self):
        data = self.path("d.svm", "1 1:2\n-1 1:1\n1 1:3\n-1 1:0.5\n")
        self.assertIn("header = yes, but svmlight data has none", self.refusal("train", data, "--header", "yes"))
        self.assertIn("delimiter = ;, but svmlight data has none", self.refusal("train", data, "--delimiter", ";"))

    def test_lists_with_an_empty_entry(self):
        data = self.classes()
        self.assertIn("values = '0.1,,1' has an empty entry", self.refusal("path", data, "--values", "0.1,,1"))
        self.assertIn("values = 'auto', but must be numbers", self.refusal("path", data, "--over", "c", "--values", "auto"))
        self.assertIn("p0-grid = '1,' has an empty entry", self.refusal("tune", data, "--p0-grid", "1,"))

    def test_a_path_keeps_its_file_and_prints_json(self):
        out = self.path("p.csv")
        said = self.json("path", self.classes(), "--steps", "2", "-o", out)
        self.assertEqual(len(said["steps"]), 2)
        self.assertTrue(out.read_text().startswith("p0,status,"))

    def test_models_that_are_none(self):
        data, model = self.classes(), self.trained()
        self.assertIn("this is a folder", self.refusal("predict", self.folder, data))
        cut = self.path("cut.json", model.read_bytes()[:300])
        self.assertIn("breaks off after 300 of 300 bytes", self.refusal("predict", cut, data))

    def test_another_target_to_compare_with(self):
        model, other = self.trained(), self.path("o.csv", self.classes().read_text().replace(",kind\n", ",sort\n"))
        self.assertIn("name another with --target", self.refusal("evaluate", model, other))
        self.assertEqual(self.json("evaluate", model, other, "--target", "sort")["examples"], 200)
        self.assertIn("target = signal, but the model predicts from that column",
                      self.refusal("evaluate", model, self.classes(), "--target", "signal"))

    def test_a_path_without_end(self):
        self.assertIn("is not a number from 1 to 100000", self.refusal("path", self.classes(), "--steps", "2000000000"))

    def test_stability_of_fits_that_ended_early_says_so(self):
        said = self.json("stability", self.classes(), "--refits", "4", "--max-seconds", "1e-9", code=NOT_CONVERGED)
        self.assertEqual(said["status"], "limit")

    def test_a_constant_model_says_so(self):
        notes = self.json("train", self.values(), "--margin", "tube", "--c", "1e-3")["notes"]
        self.assertTrue(any("the model is constant; raise --c" in note for note in notes), notes)

    def test_p0_down_to_1e_300(self):
        said = self.json("train", self.classes(), "--p0", "1e-300")
        self.assertEqual(said["status"], "converged")
        self.assertEqual(said["selected_by"], "evidence")

    def test_a_name_without_end_does_not_widen_the_table(self):
        data = self.path("wide.csv", self.classes().read_text().replace("noise a", "n" * 5000))
        text = self.medlar("train", data)
        self.assertLess(max(map(len, text.splitlines())), 300)
        self.assertIn("n" * 59 + "\u2026", text)

    def test_too_little_memory_is_an_error(self):
        lines = [",".join(str((7 * t * i + t) % 11) for i in range(1, 58)) + f",{t % 2}" for t in range(4000)]
        data = self.path("m.csv", "\n".join(lines) + "\n")
        limit = 300 << 20
        done = subprocess.run([MEDLAR, "train", data, "--expand", "quadratic", "--task", "classify", "--threads", "1"],
                              capture_output=True, timeout=60, env={"OPENBLAS_NUM_THREADS": "1"},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, REFUSED, done.stdout)
        self.assertIn(b"memory", done.stderr)

    def test_a_file_that_may_not_grow_leaves_nothing(self):
        out = self.folder / "model.json"
        done = subprocess.run([MEDLAR, "train", self.classes(), "-o", out], capture_output=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)))
        self.assertEqual(done.returncode, REFUSED, done.stderr)
        self.assertEqual([each.name for each in self.folder.iterdir()], ["classes.csv"])

    def test_an_interrupted_tune_keeps_the_best_so_far(self):
        out = self.folder / "m.json"
        grid = ",".join(f"{10 ** (-k / 250):.8g}" for k in range(2000))
        command = [MEDLAR, "tune", self.classes(), "-o", out, "--json", "--p0-grid", grid, "--repeats", "60"]
        for wait in (0.5, 1, 2, 4, 8, 16):  # longer where the machine was too busy to finish one candidate
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            text = process.communicate(timeout=60)[0]
            if process.returncode == -signal.SIGINT:
                continue  # before it listened
            said = json.loads(text)
            self.assertEqual(process.returncode, INTERRUPTED)
            if "tuning" in said:
                break
        self.assertIn("the best of those was fitted", " ".join(said["notes"]))
        measured = said["tuning"]["candidates"]
        self.assertTrue(len(measured) < 2000 or len(measured[0]["folds"]) < 5 * 60, "not all was measured")
        self.assertTrue(out.exists())

    def test_an_interrupt_while_the_answer_is_told_does_not_cut_it(self):
        grid = ",".join(f"{10 ** (-k / 250):.8g}" for k in range(1000))
        process = subprocess.Popen([MEDLAR, "tune", self.classes(), "--json", "--p0-grid", grid, "--repeats", "4"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        head = process.stdout.read(1)  # the answer has begun, and is longer than a pipe holds
        process.send_signal(signal.SIGINT)
        said = json.loads(head + process.communicate(timeout=60)[0])
        self.assertEqual(len(said["tuning"]["candidates"]), 1000)


if __name__ == "__main__":
    unittest.main()
