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
        done = run("train", self.mixed(), "--quiet", "--max-passes", 1)
        self.assertEqual((done.returncode, done.stdout), (NOT_CONVERGED, b""))
        self.assertIn(b"passes reached with relative gap", done.stderr)

    def test_a_full_disk_under_standard_output_is_no_crash(self):
        for command in (["list"], ["train", str(self.mixed())], ["train", "nowhere.csv"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([MEDLAR, *command, "--json"], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, REFUSED, done.stderr)


if __name__ == "__main__":
    unittest.main()
