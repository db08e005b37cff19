"""Slips that would lose a model or change a fit in silence: names of files, names of columns, weights of 0, edited models."""

import json
import pathlib
import subprocess
import unittest

from support import MEDLAR, CommandTest, run


class Slips(CommandTest):
    def table(self, name, text):
        return self.path(name, text)

    def test_a_column_that_names_or_counts_the_rows_is_told(self):
        lines = ["who,number,x,y"] + [f"p{t},{t + 3},{t * 7 % 5},{'ab'[t * 7 % 5 > 1]}" for t in range(12)]
        data = self.path("named.csv", "\n".join(lines) + "\n")
        notes = " ".join(self.json("train", data)["notes"])
        self.assertIn("column 'who' has another text in every row, as an identifier has; --ignore who leaves it out", notes)
        self.assertIn("column 'number' counts the rows from 3 on, as an identifier does; --ignore number leaves", notes)
        self.assertNotIn("identifier", " ".join(self.json("train", data, "--ignore", "who,number")["notes"]))
        for command in (("path", "--values", "1,0.1"), ("stability", "--refits", "4")):
            done = run(command[0], data, *command[1:])
            self.assertIn("note: column 'number' counts the rows", done.stderr.decode())

    def test_files_beside_the_data_are_not_written_over(self):
        data = self.classes()
        priors = self.path("priors.txt", "a 0.5\n")
        for flag in ("-o", "--checkpoint"):
            self.assertIn("it is the file that is read", self.refusal("train", data, "--feature-priors", priors, flag, priors))
        self.assertEqual(pathlib.Path(priors).read_text(), "a 0.5\n")

    def test_a_converted_file_has_the_target_that_a_fit_takes(self):
        data = self.path("plain.csv", "a,b,colour\n" + "".join(f"{t % 7},{t % 5},{'red' if t % 3 else 'blue'}\n" for t in range(30)))
        copy = self.path("copy.tsv", "")
        self.medlar("convert", data, copy, "--quiet")
        self.assertEqual(self.json("train", copy)["objective"], self.json("train", data)["objective"])

    def test_a_file_without_names_has_the_columns_of_the_training_file(self):
        rows = [f"{t % 7},{t % 5},{t % 2}" for t in range(30)]
        model = self.path("m.json", "")
        self.medlar("train", self.path("bare.csv", "\n".join(rows) + "\n"), "--header", "no", "--task", "classify", "-o", model, "--quiet")
        wide = self.path("wide.csv", "\n".join(row + ",9" for row in rows) + "\n")
        self.assertIn("it has 4 columns and no names", self.refusal("predict", model, wide, "--header", "no"))

    def test_what_was_never_seen_is_odd(self):
        train = self.path("seen.csv", "a,b\n" + "".join(f"{'x' if t % 4 else 'y'},only\n" for t in range(40)))
        model = self.path("odd.json", "")
        self.medlar("train", train, "--model", "generative", "--task", "anomaly", "-o", model, "--quiet")
        new = self.path("new.csv", "a,b\nx,only\nx,never\n")
        said = self.medlar("predict", model, new, "--quiet").splitlines()[1:]
        scores = [float(line.split(",")[0]) for line in said]
        self.assertGreater(scores[0], scores[1] + 1)
        self.assertIn("b=(other)", said[1])

    def test_the_path_of_a_page_is_fitted_to_the_data_of_its_model(self):
        data = self.classes()
        model = self.path("whole.json", "")
        self.medlar("train", data, "-o", model, "--quiet")
        part = self.path("part.csv", "".join(pathlib.Path(data).read_text().splitlines(True)[:21]))
        self.assertIn("it has 20 examples", self.refusal("report", model, "--path", part, "-o", self.path("page.html")))

    def test_help_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([MEDLAR, "--help"], stdout=full, stderr=subprocess.PIPE).returncode, 1)

    def test_output_names(self):
        data = self.classes()
        self.assertIn("'' is no file name", self.refusal("train", data, "-o", ""))
        self.assertIn(b"'--quiet' is an option and no file name", run("train", data, "-o", "--quiet").stderr)
        link = self.path("link.json")
        link.symlink_to(self.path("nowhere") / "m.json")
        self.assertIn("a link to a file that is not there", self.refusal("train", data, "-o", link))
        self.assertTrue(link.is_symlink())

    def test_values_out_of_their_range(self):
        data = self.classes()
        self.assertIn("--folds: '1' is not 2 or more", self.refusal("path", data, "--folds", "1"))
        self.assertIn("'wat' is none of folds, none, platt, isotonic", self.refusal("train", data, "--recalibrate", "wat"))
        self.assertIn("--top: 'abc' is not 1 or more", self.refusal("features", data, "--top", "abc"))
        self.assertIn("'nan' is not a number from 0 to 1", self.refusal("features", data, "--min-inclusion", "nan"))
        self.assertIn("is none; give at least", self.refusal("stability", data, "--share", "0.001"))

    def test_rows_of_weight_0_are_as_good_as_none(self):
        rows = "a,b,w,y\n1,r,1,u\n,s,1,v\n3,s,2,v\n2,r,1,u\n"
        with_idle = self.table("w0.csv", rows + "1000,t,0,zz\n")
        without, twice = self.table("w1.csv", rows), self.table("w2.csv", rows.replace("3,s,2,v\n", "3,s,1,v\n3,s,1,v\n"))
        said = [self.json("train", data, "--weights", "w", "--missing", "mean") for data in (with_idle, without, twice)]
        self.assertEqual(said[0]["objective"], said[1]["objective"])
        self.assertAlmostEqual(said[1]["objective"], said[2]["objective"], 5)
        self.assertEqual([each["labels"] for each in said], 3 * [["u", "v"]])
        self.assertIn("1 row of weight 0 left out", said[0]["notes"])
        self.assertTrue(any("replaced by the mean 2.25" in note for note in said[2]["notes"]), said[2]["notes"])
        numbers = self.table("n.csv", "a,w,y\n1,1,1.5\n2,1,2.5\n3,1,2.5\n9,0,99\n")
        self.assertEqual(self.json("train", numbers, "--weights", "w")["task"], "classify")

    def test_names_with_commas_can_be_left_out(self):
        data = self.table("c.csv", 'id,"size, cm",y\n1,1.5,a\n2,2,b\n3,1.7,a\n4,2.2,b\n')
        self.assertEqual(self.json("train", data, "--ignore", '"size, cm"')["features"], 1)
        self.assertIn('known are id, "size, cm", y', self.refusal("train", data, "--ignore", "size, cm"))

    def test_features_of_one_name(self):
        data = self.table("d.csv", "a,a=r,y\nr,1,u\nb,2,v\nr,3,v\nb,5,u\n")
        self.assertIn("columns 'a' and 'a=r' both make a feature 'a=r'; rename one", self.refusal("train", data))

    def test_products_of_one_name(self):
        data = self.table("q.csv", "a,b,a*b,y\n1,2,5,p\n2,3,1,n\n4,1,2,p\n")
        self.assertIn("makes a feature 'a*b', which is also the name", self.refusal("train", data, "--expand", "quadratic"))

    def test_options_that_contradict_themselves(self):
        data = self.classes()
        labels = self.json("train", data)["labels"]
        twice = f"{labels[0]}:2,{labels[0]}:3"
        self.assertIn("twice; give it once", self.refusal("train", data, "--class-weight", twice))
        self.assertIn("'' is no name of a column", self.refusal("train", data, "--target", ""))
        self.assertIn("must lie in [1e-14, 1)", self.refusal("train", data, "--tolerance", "1e-16"))
        self.assertIn("bring it nearer to 1", self.refusal("train", data, "--margin-location", "1e-300"))
        self.assertIn("name a file of its own", self.refusal("train", data, "-o", "/dev/stdout"))

    def test_places_have_columns(self):
        self.assertIn(":3:3: 2 cells, but line 1 has 3", self.refusal("train", self.table("s.csv", "a,b,y\n1,2,p\n3,4\n")))
        self.assertIn(":3:9: 4 cells, but line 1 has 3", self.refusal("train", self.table("l.csv", "a,b,y\n1,2,p\n300,4,p,q\n")))
        self.assertIn(":2:3: a zero byte", self.refusal("train", self.table("z.csv", "a,b,y\n1,\0,p\n3,4,q\n")))
        self.assertIn(":3:5: the target is empty", self.refusal("train", self.table("t.csv", "a,b,y\n1,2,p\n3,4,\n5,6,q\n")))
        self.assertIn(":3:1: the target is empty", self.refusal("train", self.table("n.csv", "y,a,b\n1,1,2\n,4,6\n0,5,6\n")))

    def test_targets_from_elsewhere(self):
        features = self.table("f.csv", "a,b\n1,2\n2,1\n3,5\n4,0\n")
        targets, model = self.table("y.txt", "u\nv\nv\nu\n"), self.path("m.json")
        self.medlar("train", features, "--target-file", targets, "-o", model)
        self.assertIn("give theirs with --target-file", self.refusal("evaluate", model, features))

    def test_models_edited_into_nonsense(self):
        data, model = self.classes(), json.loads(self.trained().read_text())

        def refused(change):
            edited = json.loads(json.dumps(model))
            change(edited)
            return self.refusal("predict", self.path("e.json", json.dumps(edited)), data)

        def twice(m):
            m["schema"]["columns"][0]["name"] = m["schema"]["columns"][1]["name"]

        self.assertIn("has two columns", refused(twice))
        self.assertIn("as a feature and in another role",
                      refused(lambda m: m["schema"].update(target=m["schema"]["columns"][0]["name"])))
        self.assertIn("has the same label twice", refused(lambda m: m.update(labels=["a", "a"])))
        self.assertIn("would take a feature away", refused(lambda m: m["transforms"][0]["factor"].__setitem__(0, 0)))

    def test_a_message_speaks_of_the_user_s_limit(self):
        self.assertIn("its seconds were over", self.json("train", self.classes(), "--max-seconds", "1e-9", code=2)["message"])


if __name__ == "__main__":
    unittest.main()
