"""medlar stability: refits, knockoffs, and what is refused."""

import json
import random
import signal
import subprocess
import time
import unittest

from support import INTERRUPTED, MEDLAR, NOT_CONVERGED, CommandTest


class Stability(CommandTest):
    def table(self, examples=120, columns=30, letters=False):
        """a and b decide the label; the other columns are noise."""
        draw = random.Random(3)
        names = ["a", "b"] + [f"n{i}" for i in range(columns - 2)]
        lines = [",".join(names + ["y"])]
        for _ in range(examples):
            x = [draw.choice("ACGT") if letters else draw.gauss(0, 1) for _ in names]
            positive = (x[0] in "AC") if letters else x[0] - x[1] + 0.2 * draw.gauss(0, 1) > 0
            lines.append(",".join(map(str, x + ["yes" if positive else "no"])))
        return self.path("data.csv", "\n".join(lines) + "\n")

    def test_ranks_the_true_features_first(self):
        said = self.json("stability", self.table(), "--target", "y", "--refits", "20")
        self.assertEqual((said["status"], said["refits"], said["share"], said["top"]), ("ok", 20, 0.5, 4))
        first = said["features"][:2]
        self.assertEqual({feature["name"] for feature in first}, {"a", "b"})
        self.assertTrue(all(feature["stable"] and feature["stability"] == 1 for feature in first))
        self.assertAlmostEqual(said["false_bound"], 1, delta=1e-12)
        self.assertEqual(len(said["features"]), 30)  # text has twenty
        self.assertNotIn("knockoffs", said)

    def test_lists_knockoffs_beside_it(self):
        said = self.json("stability", self.table(), "--target", "y", "--refits", "4", "--fdr", "0.5", "--list", "30")
        self.assertEqual(said["knockoffs"]["construction"], "gaussian")
        self.assertEqual(said["discovered"], sum(feature["discovered"] for feature in said["features"]))
        best = max(said["features"], key=lambda feature: feature["knockoff"])
        self.assertIn(best["name"], ("a", "b"))
        first = sorted(said["features"], key=lambda feature: -feature["probability"])
        self.assertEqual({feature["name"] for feature in first[:2]}, {"a", "b"})
        self.assertTrue(all(0 <= feature["probability"] <= 1 for feature in first))
        self.assertEqual(said["knockoffs"]["draws"], 5)

    def test_selected_are_those_whose_errors_are_bounded(self):
        data, model = self.table(), self.path("m.json")
        plain = self.json("stability", data, "--target", "y", "--refits", "4", "-o", model, "--list", "30")
        self.assertEqual((plain["selected_by"], plain["selected"]), ("stability", plain["stable"]))
        self.assertEqual([f["selected"] for f in plain["features"]], [f["stable"] for f in plain["features"]])
        self.assertIn("keeps none", self.refusal("features", model, "--sort", "probability"))
        found = self.json("stability", data, "--target", "y", "--refits", "4", "--fdr", "0.5", "-o", model, "--list", "30")
        self.assertEqual((found["selected_by"], found["selected"]), ("knockoffs", found["discovered"]))
        shown = self.json("features", model, "--sort", "probability")
        self.assertEqual((shown["selected_by"], shown["selected"]), ("knockoffs", found["discovered"]))
        sizes = [feature["probability"] for feature in shown["features"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertIn("probability", self.medlar("features", model))
        own = self.json("stability", data, "--target", "y", "--refits", "4", "--fdr", "0.5", "--p0", "0.001")
        self.assertNotEqual(own["knockoffs"]["threshold"], found["knockoffs"]["threshold"])
        trained = self.json("features", self.trained("--target", "y", data=data))
        self.assertEqual(trained["selected_by"], "evidence")

    def test_says_how_many_discoveries_a_rate_needs(self):
        data = self.table()
        text = self.medlar("stability", data, "--target", "y", "--refits", "2", "--fdr", "0.15")  # of two true features
        self.assertIn("0 features\n  (at this rate there are at least 7 or none", text)
        some = self.medlar("stability", data, "--target", "y", "--refits", "2", "--fdr", "0.5")
        self.assertNotIn("or none", some)

    def test_counts_what_varies_and_differs(self):
        lines = self.table().read_text().splitlines()
        wide = [f"{lines[0]},flat,copy"] + [f"{line},7,{1 - float(line.split(',')[1])}" for line in lines[1:]]
        data = self.path("wide.csv", "\n".join(wide) + "\n")
        said = self.json("stability", data, "--target", "y", "--refits", "4", "--fdr", "0.5")
        self.assertEqual((said["total"], said["different"], said["knockoffs"]["units"]), (32, 30, 30))
        flat, copy, b = ([f for f in said["features"] if f["name"] == name][0] for name in ("flat", "copy", "b"))
        self.assertEqual((flat["stability"], flat["probability"], flat["knockoff"]), (0, 0, 0))
        self.assertEqual((copy["stability"], copy["probability"]), (b["stability"], b["probability"]))
        self.assertAlmostEqual(said["knockoffs"]["expected"], sum(f["probability"] for f in said["features"]) - copy["probability"])
        text = self.medlar("stability", data, "--target", "y", "--refits", "4", "--fdr", "0.5")
        self.assertIn("of 32 features, of which 30 vary and differ", text)
        self.assertIn("of 30 are expected to", text)
        self.assertIn("only 30 of 32 features vary", self.refusal("stability", data, "--target", "y", "--top", "31"))

    def test_tells_of_a_table_in_which_nothing_varies(self):
        data = self.path("flat.csv", "a,b,y\n" + "".join(f"1,2,{'yes' if k % 2 else 'no'}\n" for k in range(20)))
        text = self.medlar("stability", data, "--target", "y", "--refits", "2", "--fdr", "0.5")
        self.assertIn("0 of 2 features, of which 0 vary and differ\n", text)
        self.assertIn("0.0 of 0 are expected to", text)

    def test_few_rows_of_numbers_are_no_letters(self):
        def construction(levels):
            lines = ["a,b,y"] + [f"{k % levels},{(k * 7 + k // 5) % levels},{'yes' if k % 3 else 'no'}" for k in range(10)]
            data = self.path(f"few{levels}.csv", "\n".join(lines) + "\n")
            said = self.json("stability", data, "--target", "y", "--refits", "2", "--fdr", "0.5")
            return said["knockoffs"]["construction"]

        self.assertEqual((construction(5), construction(6)), ("markov", "gaussian"))

    def test_keeps_groups_together(self):
        lines = self.table().read_text().splitlines()
        data = self.path("grouped.csv", "\n".join([f"patient,{lines[0]}"] + [f"p{k // 4},{x}" for k, x in enumerate(lines[1:])]))
        plain = self.json("stability", data, "--target", "y", "--refits", "4", "--ignore", "patient")
        kept = self.json("stability", data, "--target", "y", "--refits", "4", "--fold-group", "patient")
        self.assertEqual(kept["total"], plain["total"])
        self.assertNotEqual([(f["name"], f["stability"]) for f in kept["features"]],
                            [(f["name"], f["stability"]) for f in plain["features"]])
        both = self.refusal("stability", data, "--target", "y", "--fold-group", "patient", "--fdr", "0.2")
        self.assertIn("takes examples for independent", both)

    def test_letters_get_copies_along_a_chain(self):
        data = self.table(examples=80, columns=8, letters=True)
        said = self.json("stability", data, "--target", "y", "--refits", "4", "--fdr", "0.9", "--list", "99")
        self.assertEqual(said["knockoffs"]["construction"], "markov")
        of_a = {feature["knockoff"] for feature in said["features"] if feature["name"].startswith("a=")}
        self.assertEqual(len(of_a), 1)

    def test_depends_on_the_seed_and_not_on_threads(self):
        data = self.table()

        def fractions(*more):
            said = self.json("stability", data, "--target", "y", "--refits", "6", "--share", "0.63", "--list", "30", *more)
            self.assertIsNone(said["false_bound"])
            return {feature["name"]: feature["stability"] for feature in said["features"]}

        self.assertEqual(fractions("--threads", "1"), fractions("--threads", "2"))
        self.assertNotEqual(fractions("--seed", "1"), fractions("--seed", "2"))

    def test_prints_a_table(self):
        text = self.medlar("stability", self.table(), "--target", "y", "--refits", "4")
        self.assertIn("expected to be there by chance", text)
        self.assertIn("... and 10 more", text)

    def test_the_model_keeps_what_was_measured(self):
        lines = self.table().read_text().splitlines()
        twins = [lines[0].replace("a,b", "a,twin of a,b", 1)]
        for line in lines[1:]:
            a, rest = line.split(",", 1)
            twins.append(f"{a},{-2 * float(a) + 1:.4f},{rest}")
        data, model = self.path("twins.csv", "\n".join(twins) + "\n"), self.path("m.json")
        said = self.json("stability", data, "--target", "y", "--refits", "10", "--fdr", "0.5", "-o", model, "--list", "31")
        shown = self.json("features", model, "--sort", "stability")
        self.assertEqual(shown["features"], said["features"])
        self.assertEqual((shown["stable"], shown["discovered"]), (said["stable"], said["discovered"]))
        cluster = shown["clusters"]["list"][0]
        self.assertEqual(set(cluster["members"]), {"a", "twin of a"})
        inclusion = {feature["name"]: feature["inclusion"] for feature in shown["features"]}
        self.assertAlmostEqual(cluster["inclusion"], 1 - (1 - inclusion["a"]) * (1 - inclusion["twin of a"]), delta=1e-12)
        text = self.medlar("features", model, "--top", "4")
        for word in ("stability", "knockoff", "cluster", "correlate by 0.95 or more", "twin of a"):
            self.assertIn(word, text)
        self.json("predict", model, data)
        alone = self.json("stability", data, "--target", "y", "--refits", "2", "--cluster", "off")
        self.assertNotIn("clusters", alone)
        plain = self.trained("--target", "y", data=data)
        self.assertIn("keeps none", self.refusal("features", plain, "--sort", "stability"))
        self.assertIn("cluster = '2', but must be", self.refusal("stability", data, "--cluster", "2"))

    def test_one_label_is_told(self):
        data = self.path("one.csv", "a,b,y\n" + "".join(f"{k},{k * k % 7},x\n" for k in range(9)))
        self.assertIn("every example has the label 'x'", self.refusal("stability", data, "--target", "y", "--task", "classify"))

    def test_refusals(self):
        data = self.table(examples=20, columns=4)
        refuse = lambda *more: self.refusal("stability", data, "--target", "y", *more)
        self.assertIn("refits = 3, but halves come in pairs", refuse("--refits", "3"))
        self.assertIn("share = 1.5, but must lie in (0, 1)", refuse("--share", "1.5"))
        self.assertIn("top = 0, but must be >= 1", refuse("--top", "0"))
        self.assertIn("threshold = 0.4, but must lie in (0.5, 1]", refuse("--threshold", "0.4"))
        self.assertIn("fdr = 2, but must lie in (0, 1)", refuse("--fdr", "2"))
        self.assertIn("stability is for linear models", refuse("--model", "kernel"))



class CutShort(CommandTest):
    """What was done by the end of the time, or by Ctrl-C, is told."""

    def test_refits_so_far(self):
        out = self.path("m.json")
        said = self.json("stability", self.classes(), "--refits", "200000", "--max-seconds", "2", "-o", out,
                         code=NOT_CONVERGED)
        self.assertEqual(said["status"], "limit")
        self.assertTrue(2 <= said["refits"] < 200000)
        self.assertIn(f"those of {said['refits']} of 200000 refits", said["message"])
        self.assertEqual(json.loads(out.read_text())["stability"]["refits"], said["refits"])

    def test_ctrl_c(self):
        process = subprocess.Popen([MEDLAR, "stability", self.classes(), "--refits", "1000000", "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        said = json.loads(process.communicate(timeout=60)[0])
        self.assertEqual((process.returncode, said["status"]), (INTERRUPTED, "interrupted"))
        self.assertTrue(2 <= said["refits"] < 1000000)

    def test_long_names_of_a_cluster_stay_apart(self):
        draw = random.Random(2)
        names = ["probe " + "of the same long family of genes " * 3 + end for end in ("one", "two")]
        lines = [",".join(names) + ",noise,y"]
        for t in range(60):
            x = draw.gauss(0, 1)
            lines.append(f"{x:.5f},{x + draw.gauss(0, 0.01):.5f},{draw.gauss(0, 1):.5f},{'yes' if x > 0 else 'no'}")
        text = self.medlar("stability", self.path("long.csv", "\n".join(lines) + "\n"), "--refits", "4")
        for end in ("genes one", "genes two"):
            self.assertGreaterEqual(text.count(end), 2, text)  # in the table, and in the list of clusters


if __name__ == "__main__":
    unittest.main()
