"""medlar predict, evaluate, features and report on a trained model."""

import csv
import io
import json
import math
import re
import unittest

from support import REFUSED, CommandTest, run


class Predict(CommandTest):
    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def test_classes_have_score_label_probability_and_sd(self):
        model = self.trained()
        rows = self.rows(self.medlar("predict", model, self.classes()))
        self.assertEqual(list(rows[0]), ["score", "label", "probability", "sd"])
        self.assertEqual(len(rows), 200)
        for row in rows:
            score, probability, sd = (float(row[name]) for name in ("score", "probability", "sd"))
            self.assertEqual(row["label"], "ripe" if score > 0 else "raw")
            self.assertAlmostEqual(probability, 1 / (1 + math.exp(-score)), delta=1e-12)  # its score is the log odds
        other = self.trained("--margin", "exponential")
        for row in self.rows(self.medlar("predict", other, self.classes())):
            score, probability, sd = (float(row[name]) for name in ("score", "probability", "sd"))
            self.assertAlmostEqual(probability, 0.5 * math.erfc(-score / sd / math.sqrt(2)), delta=1e-12)

    def test_values_have_value_and_sd(self):
        data = self.values()
        model = self.trained("--target", "y", data=data)
        rows = self.rows(self.medlar("predict", model, data))
        self.assertEqual(list(rows[0]), ["value", "sd"])
        self.assertEqual(len(rows), 150)

    def test_needs_no_target_and_no_particular_order(self):
        model = self.trained()
        data = self.classes()
        rows = [line.split(",") for line in data.read_text().splitlines()]
        turned = "\n".join(",".join(reversed(row[:-1])) for row in rows) + "\n"
        self.assertEqual(self.medlar("predict", model, self.path("turned.csv", turned)),
                         self.medlar("predict", model, data))

    def test_writes_a_file_or_standard_output_alike(self):
        model, data, out = self.trained(), self.classes(), self.path("out.csv")
        self.assertEqual(self.medlar("predict", model, data, "-o", out), "")
        self.assertEqual(out.read_text(), self.medlar("predict", model, "-", "--format", "csv", stdin=data.read_bytes()))
        said = self.json("predict", model, data, "-o", out)
        self.assertEqual((said["examples"], sum(said["labels"].values()), said["output"]), (200, 200, str(out)))

    def test_refuses_other_columns(self):
        other = self.path("other.csv", "signal,kind\n1,ripe\n")
        self.assertIn("noise a", self.refusal("predict", self.trained(), other))

    def test_refuses_what_is_no_model(self):
        data = self.classes()
        self.assertIn("not JSON", self.refusal("predict", data, data))
        self.assertIn("cannot open", self.refusal("predict", self.path("none.json"), data))
        newer = self.path("newer.json", '{"format": "medlar-model", "version": 99}')
        self.assertIn("use a newer medlar", self.refusal("predict", newer, data))


class Evaluate(CommandTest):
    def test_metrics_agree_with_the_predictions(self):
        model, data = self.trained(), self.classes("new.csv", seed=7)
        said = self.json("evaluate", model, data)
        rows = list(csv.DictReader(io.StringIO(self.medlar("predict", model, data))))
        truth = [line.rsplit(",", 1)[1] for line in data.read_text().splitlines()[1:]]
        right = [row["label"] == kind for row, kind in zip(rows, truth)]
        self.assertAlmostEqual(said["accuracy"], sum(right) / len(right), delta=1e-12)
        pairs = [(float(p["score"]), float(n["score"])) for p, a in zip(rows, truth) if a == "ripe"
                 for n, b in zip(rows, truth) if b == "raw"]
        self.assertAlmostEqual(said["auc"], sum((p > n) + 0.5 * (p == n) for p, n in pairs) / len(pairs), delta=1e-12)
        self.assertEqual(sum(said["confusion"].values()), 200)
        for name in ("log_loss", "brier", "balanced_accuracy", "precision", "recall", "f1"):
            self.assertIsInstance(said[name], float, name)
        self.assertGreater(said["auc"], 0.9)

    def test_regression(self):
        data = self.values()
        model = self.trained("--target", "y", data=data)
        said = self.json("evaluate", model, self.values("new.csv", seed=9))
        self.assertLess(said["rmse"], 0.5)
        self.assertGreater(said["r2"], 0.9)
        self.assertLessEqual(said["mae"], said["rmse"])
        self.assertLessEqual(said["eps_loss"], said["mae"])

    def test_human_form_has_the_confusion_table(self):
        text = self.medlar("evaluate", self.trained(), self.classes())
        self.assertIn("accuracy", text)
        self.assertIn("truth \\ predicted", text)

    def test_what_is_undefined_is_null(self):
        one = self.path("one.csv", "signal,noise a,noise b,noise c,kind\n2,0,0,0,ripe\n")
        self.assertIsNone(self.json("evaluate", self.trained(), one)["auc"])

    def test_unknown_labels_are_left_out_or_refused(self):
        header = "signal,noise a,noise b,noise c,kind\n"
        model = self.trained()
        mixed = self.path("mixed.csv", header + "2,0,0,0,ripe\n2,0,0,0,rotten\n")
        self.assertEqual(self.json("evaluate", model, mixed)["left_out"], 1)
        strange = self.path("strange.csv", header + "2,0,0,0,rotten\n")
        self.assertIn("'raw' and 'ripe'", self.refusal("evaluate", model, strange))


class Features(CommandTest):
    def test_json_lists_every_feature(self):
        said = self.json("features", self.trained())
        self.assertEqual(len(said["features"]), 4)
        self.assertEqual(said["selected"], sum(f["selected"] for f in said["features"]))
        self.assertEqual(said["features"][0]["name"], "signal")
        for feature in said["features"]:
            self.assertEqual(feature["selected"], feature["name"] == "signal")
            self.assertGreaterEqual(feature["sd"], 0)

    def test_top_sort_and_min_inclusion(self):
        model = self.trained()
        self.assertEqual(len(self.json("features", model, "--top", "2")["features"]), 2)
        names = [f["name"] for f in self.json("features", model, "--sort", "name")["features"]]
        self.assertEqual(names, sorted(names))
        sizes = [abs(f["coefficient"]) for f in self.json("features", model, "--sort", "coefficient")["features"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        least = self.json("features", model)["features"][0]["inclusion"]
        kept = self.json("features", model, "--min-inclusion", least)["features"]
        self.assertEqual([f["name"] for f in kept], ["signal"])

    def test_columns_are_aligned(self):
        self.assertEqual(self.medlar("features", self.trained()).splitlines()[0].split(), ["name", "coefficient"])
        lines = self.medlar("features", self.trained(), "--verbose").splitlines()
        self.assertEqual(lines[0].split(), ["name", "coefficient", "inclusion", "sd"])
        ends = {re.match(r".*?\d\.\d{4}(?=\s)", line).end() for line in lines[1:]}
        self.assertEqual(len(ends), 1, lines)

    def test_a_terminal_gets_bars_of_coefficients(self):
        model = self.trained("--p0", "0.3")
        plain = self.medlar("features", model)
        coloured = self.on_a_terminal("features", model)
        self.assertIn("\033[", coloured)
        bare = self.on_a_terminal("features", model, NO_COLOR="1")
        self.assertEqual(re.sub("\033\\[[0-9]*m", "", coloured), bare)
        self.assertEqual("".join(f"{line.rstrip('▏▎▍▌▋▊▉█').rstrip()}\n" for line in bare.splitlines()), plain)
        first = bare.splitlines()[1]
        self.assertEqual(len(re.findall("█", first)), 40)  # the largest
        self.assertLessEqual(max(map(len, bare.splitlines())), 100)
        self.assertIn("####", self.on_a_terminal("features", model, LANG="C"))
        self.assertEqual(self.on_a_terminal("features", model, COLUMNS="25"), plain)

    def test_levels_of_a_category_share_a_group(self):
        lines = ["colour,size,kind"]
        for k in range(90):
            colour = ("red", "green", "blue")[k % 3]
            lines.append(f"{colour},{(k * 37 % 19) - 9},{'ripe' if colour == 'red' else 'raw'}")
        model = self.trained(data=self.path("colours.csv", "\n".join(lines) + "\n"))
        by_name = {f["name"]: f for f in self.json("features", model)["features"]}
        self.assertEqual(by_name["colour=red"]["group"], "colour")
        self.assertEqual(by_name["colour=red"]["inclusion"], by_name["colour=blue"]["inclusion"])
        self.assertIn("group", self.medlar("features", model).splitlines()[0])

    def test_refusals(self):
        model = self.trained()
        self.assertIn("--sort", self.refusal("features", model, "--sort", "size"))
        self.assertIn("--top", self.refusal("features", model, "--top", "0"))


def numbers_of(page):
    """The JSON inside a report page."""
    return json.loads(re.search(r'<script id="medlar-data" type="application/json">(.*?)</script>', page, re.S).group(1))


class Report(CommandTest):
    def page(self, *arguments):
        out = self.path("report.html")
        self.medlar("report", *arguments, "-o", out)
        return numbers_of(out.read_text())

    def test_features_and_certificate_are_those_of_the_model(self):
        model = self.trained()
        page, said = self.page(model), self.json("features", model)
        self.assertEqual(page["selected"], said["selected"])
        for column in ("name", "inclusion", "coefficient", "sd"):
            self.assertEqual(page["features"][column], [feature[column] for feature in said["features"]])
        report = json.loads(model.read_text())["report"]
        for name in ("status", "message", "objective", "primal", "gap", "relative_gap"):
            self.assertEqual(page["certificate"][name], report[name])
        self.assertNotIn("data", page)

    def test_measures_are_those_of_evaluate(self):
        model, data = self.trained(), self.classes("new.csv", seed=5)
        page, said = self.page(model, data)["data"], self.json("evaluate", model, data)
        for name in ("accuracy", "auc", "log_loss", "brier", "balanced_accuracy", "precision", "recall", "f1"):
            self.assertEqual(page["two_classes"]["metrics"][name], said[name])
        self.assertEqual(page["two_classes"]["confusion"], said["confusion"])
        values = self.values()
        model = self.trained("--target", "y", data=values)
        page, said = self.page(model, values)["data"]["regression"], self.json("evaluate", model, values)
        for name in ("rmse", "mae", "eps_loss", "r2"):
            self.assertEqual(page["metrics"][name], said[name])

    def test_explained_rows_have_the_scores_of_predict(self):
        model, data = self.trained(), self.classes()
        scores = [float(row["score"]) for row in csv.DictReader(io.StringIO(self.medlar("predict", model, data)))]
        for row in self.page(model, data)["data"]["explained"]["rows"]:
            self.assertEqual(row["score"], scores[row["row"] - 1])
            self.assertEqual(row["line"], row["row"] + 1)

    def test_the_file_is_whole_or_untouched(self):
        model, out = self.trained(), self.path("report.html", "as it was")
        self.refusal("report", model, self.path("none.csv"), "-o", out)
        self.assertEqual(out.read_text(), "as it was")
        self.assertIn("there is no folder", self.refusal("report", model, "-o", self.folder / "no" / "report.html"))
        self.page(model)
        self.assertEqual([file.name for file in self.folder.glob("report*")], ["report.html"])

    def test_names_are_text_and_not_markup(self):
        text = self.classes().read_text().replace("noise a", "</script><b>&'x'").replace("ripe", "<i>ripe")
        page = self.page(self.trained(data=self.path("markup.csv", text)))
        self.assertIn("</script><b>&'x'", page["features"]["name"])
        self.assertIn("<i>ripe", page["labels"])

    def test_output_is_needed(self):
        self.assertEqual(run("report", self.trained()).returncode, REFUSED)


if __name__ == "__main__":
    unittest.main()
