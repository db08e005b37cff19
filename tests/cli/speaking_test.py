"""What a user must be told: columns that were misread, categories that are new, fits that ended early, full disks."""

import subprocess
import unittest

from support import MEDLAR, NOT_CONVERGED, REFUSED, CommandTest, run


class Speaking(CommandTest):
    def mixed(self):
        rows = "".join(f"{20 + t % 30},{'red' if t % 3 else 'blue'},{t % 2}\n" for t in range(60))
        return self.path("mixed.csv", "age,colour,y\n" + rows)

    def test_a_stray_cell_in_a_column_of_numbers_is_named(self):
        lines = self.mixed().read_text().splitlines()
        lines[7] = "-," + lines[7].split(",", 1)[1]
        notes = self.json("train", self.path("stray.csv", "\n".join(lines) + "\n"))["notes"]
        self.assertTrue(any("'age'" in note and "'-' (line 8) is no number" in note for note in notes), notes)

    def test_categories_that_are_new_are_counted_at_prediction(self):
        model = self.path("m.json")
        self.medlar("train", self.mixed(), "-o", model, "--quiet")
        new = self.path("new.csv", "age,colour\n30,green\n31,red\n")
        done = run("predict", model, new)
        self.assertEqual(done.returncode, 0)
        self.assertIn("'green' not seen in training", done.stderr.decode())
        said = self.json("predict", model, new)
        self.assertEqual(len(said["predictions"]), 2)
        self.assertIn("green", said["notes"][0])

    def test_a_quiet_fit_that_ended_early_says_so(self):
        done = run("train", self.mixed(), "--quiet", "--margin", "exponential", "--max-passes", 1)
        self.assertEqual((done.returncode, done.stdout), (NOT_CONVERGED, b""))
        self.assertIn(b"passes reached with relative gap", done.stderr)

    def test_a_full_disk_under_standard_output_is_no_crash(self):
        for command in (["list"], ["train", str(self.mixed())], ["train", "nowhere.csv"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([MEDLAR, *command, "--json"], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, REFUSED, done.stderr)

    def test_slips_on_the_command_line(self):
        data = self.mixed()
        for command, said in (
                (["frobnicate"], "'frobnicate' is no command; the commands are train, predict"),
                (["train", data, "--folds", "3"], "--folds is no option of train; medlar train --help lists them"),
                (["train", data, "extra"], "'extra' is one word too many for train"),
                (["train", data, "--threads", "1", "--threads", "2"], "--threads is given 2 times; give it once"),
                (["tune", data, "--folds", "abc"], "--folds = 'abc' cannot be read"),
                (["train", data, "--p0", "1e-400"], "p0 = 1e-400 is beyond what double precision holds")):
            self.assertIn(said, self.refusal(*command))
        self.assertIn(b"--c is given without its value; write --c NUMBER", run("train", data, "--c").stderr)

    def test_files_that_are_read_as_something_else(self):
        data = self.mixed()
        self.assertIn("one column only; if it is text", self.refusal("train", data, "--target", "y", "--delimiter", ";"))
        self.assertIn("is the file svmlight (--format)?", self.refusal("train", data, "--format", "svmlight"))
        sparse = self.path("s.svm", "1 1:2\n-1 1:1\n")
        self.assertIn("what a line leaves out is 0", self.refusal("train", sparse, "--missing", "mean"))
        holed = self.path("holed.csv", data.read_text().replace("\n21,", "\n,", 1))
        self.assertIn("holed.csv:3: 'age' has no value here, which only generative models do without",
                      self.refusal("train", holed, "--target", "y", "--missing", "keep"))

    def test_strengths_that_double_precision_cannot_tell_from_their_limit(self):
        for option, value, said in (("c", "1e20", "forbids them in effect"), ("bias", "1e300", "use --bias flat"),
                                    ("prior-variance", "1e30", "bring it nearer to"),
                                    ("margin-location", "1e300", "must lie in (0, 1e12]")):
            self.assertIn(said, self.refusal("train", self.mixed(), "--target", "y", f"--{option}", value))

    def test_targets_that_are_all_alike_or_too_small(self):
        rows = "".join(f"{t % 7},5\n" for t in range(20))
        notes = self.json("train", self.path("same.csv", "a,y\n" + rows), "--task", "regress")["notes"]
        self.assertIn("every example has the same target, so the model is constant", notes)
        rows = "".join(f"{t % 7},{t}e-300\n" for t in range(20))
        self.assertIn("multiply the target", self.refusal("train", self.path("tiny.csv", "a,y\n" + rows), "--task", "regress"))


if __name__ == "__main__":
    unittest.main()
