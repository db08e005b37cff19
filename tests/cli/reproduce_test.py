"""medlar reproduce: the same numbers again from the same seed, in every form they are written in."""

import csv
import json
import os
import random
import unittest

from support import REFUSED, CommandTest, run

DATA = os.environ["MEDLAR_DATA"]


class Reproduce(CommandTest):
    def files(self, folder):
        return {file.name: file.read_bytes() for file in folder.iterdir()}

    def nci60(self):
        """Cell lines that share what genes do, as a stand-in for the real ones."""
        draw = random.Random(3)
        genes = [draw.gauss(0, 1) for _ in range(200)]
        lines = ["class," + ",".join(f"g{j}" for j in range(200))]
        for t in range(14):
            tissue = "RENAL" if t in (4, 5) else "COLON"
            lines.append(tissue + "," + ",".join(f"{gene + draw.gauss(0, 0.5):.4f}" for gene in genes))
        return self.path("nci60.csv", "\n".join(lines) + "\n")

    def test_a_quick_run_is_repeated_to_the_byte(self):
        names = ["figure1", "sinc", "figure5", "figure6", "figure7", "figure9", "table2"]
        flags = ["--quick", "--data", DATA, "--nci60", self.nci60(), "--quiet"]
        for folder in ("one", "two"):
            self.medlar("reproduce", *names, "-o", self.folder / folder, *flags)
        one, two = self.files(self.folder / "one"), self.files(self.folder / "two")
        self.assertEqual(one, two)
        self.assertTrue({"index.html", "figure6.svg", "figure6.csv", "figure6.json", "table2-numbers.csv"} <= set(one))
        page = one["index.html"].decode()
        for name in ("Figure 1:", "Figure 3:", "Figure 6:", "Table 2:"):
            self.assertIn(name, page)
        told = json.loads(one["figure6.json"])
        rows = list(csv.reader(one["figure6-numbers.csv"].decode().splitlines()))
        self.assertEqual([[row[0], *map(float, row[1:])] for row in rows[1:]], told["tables"]["figure6"]["rows"])
        gain = told["tables"]["figure6"]["rows"]
        self.assertGreater(gain[0][1], gain[1][1], "selection should help on splice sites")

    def test_another_seed_is_another_split(self):
        aucs = [self.json("reproduce", "figure7", "--quick", "--data", DATA, "--seed", seed, "-o", self.folder / "out")
                ["exhibits"][0]["claims"][0]["evidence"] for seed in (1, 2)]
        self.assertNotEqual(*aucs)

    def test_without_nci60_table_2_is_skipped_and_says_so(self):
        done = run("reproduce", "table2", "--data", DATA, "-o", self.folder / "out")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--nci60 FILE", done.stderr.decode())

    def test_refusals(self):
        out = self.folder / "out"
        self.assertIn("no figure or table", self.refusal("reproduce", "figure12", "-o", out))
        self.assertIn("cannot open", self.refusal("reproduce", "figure6", "--data", self.folder, "-o", out, "--quiet"))
        self.assertIn("RENAL", self.refusal("reproduce", "table2", "--nci60", self.classes_of_tissue(), "-o", out, "--quiet"))
        self.assertEqual(run("reproduce", "figure1", "-o", "/proc/nowhere").returncode, REFUSED)

    def classes_of_tissue(self):
        return self.path("other.csv", "class,a,b\nCOLON,1,2\nBREAST,2,1\nCOLON,3,2\n")


if __name__ == "__main__":
    unittest.main()
