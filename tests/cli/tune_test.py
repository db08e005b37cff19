"""medlar tune: cross-validation over p0 and c."""

import csv
import io
import json
import math
import random
import signal
import subprocess
import time
import unittest

from support import INTERRUPTED, MEDLAR, NOT_CONVERGED, CommandTest


class Tune(CommandTest):
    def test_picks_the_best_mean_and_refits_on_all_data(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "-o", model, "--p0-grid", "1,0.1,1e-3", "--c-grid", "1.5,3", "--folds", "4",
                         "--exhaustive")
        tuning = said["tuning"]
        self.assertEqual((tuning["metric"], tuning["folds"], len(tuning["candidates"])), ("margin-loss", 4, 6))
        for candidate in tuning["candidates"]:
            self.assertEqual(len(candidate["folds"]), 4)
            self.assertAlmostEqual(candidate["mean"], sum(candidate["folds"]) / 4, delta=1e-12)
        best = tuning["candidates"][tuning["best"]]
        self.assertEqual(best["mean"], min(c["mean"] for c in tuning["candidates"]))
        self.assertEqual((said["p0"], said["c"], said["examples"]), (best["p0"], best["c"], 200))
        alone = self.json("train", data, "--p0", best["p0"], "--c", best["c"])
        self.assertEqual(said["objective"], alone["objective"])
        kept = json.loads(model.read_text())
        self.assertEqual(kept["settings"]["p0"], best["p0"])
        told = [{key: value for key, value in each.items() if value is not None} for each in tuning["candidates"]]
        in_model = [{key: value for key, value in each.items() if value is not None} for each in kept["tuning"]["candidates"]]
        self.assertEqual(in_model, told, "the model keeps the table of all results")
        self.assertEqual(kept["tuning"]["chosen"], tuning["chosen"])

    def test_regression_goes_by_rmse(self):
        tuning = self.json("tune", self.values(), "--target", "y", "--p0-grid", "1,1e-3")["tuning"]
        self.assertEqual(tuning["metric"], "rmse")
        best = tuning["candidates"][tuning["best"]]
        self.assertEqual(best["mean"], min(c["mean"] for c in tuning["candidates"]))

    def test_refuses_targets_that_single_values_decide_or_that_have_no_room(self):
        lines = self.values().read_text().splitlines()
        place = lines[0].split(",").index("y")

        def with_targets(change):
            rows = [line.split(",") for line in lines[1:]]
            for k, row in enumerate(rows):
                row[place] = repr(change(k, float(row[place])))
            return self.path("changed.csv", "\n".join([lines[0], *(",".join(row) for row in rows)]) + "\n")

        far = self.refusal("tune", with_targets(lambda k, y: 1e12 if k == 6 else y), "--target", "y")
        self.assertIn("changed.csv:8: the target 1e+12 is so far from the others", far)
        stamps = self.refusal("tune", with_targets(lambda k, y: 0 if k == 6 else 1.7e9 + y / 1e3), "--target", "y")
        self.assertIn("changed.csv:8: the target 0 is so far from the others", stamps)
        small = self.refusal("tune", with_targets(lambda k, y: y * 1e-120), "--target", "y")
        self.assertIn("beyond what variances in double precision hold; multiply the target", small)

    def test_refits_are_either_tried_or_not(self):
        self.assertIn("excludes", self.refusal("tune", self.classes(), "--relax", "--no-relax"))

    def test_folds_depend_on_the_seed_alone(self):
        data = self.classes()

        def folds(seed):
            said = self.json("tune", data, "--p0-grid", "0.1", "--seed", seed)
            return said["tuning"]["candidates"][0]["folds"]

        self.assertEqual(folds(4), folds(4))
        self.assertNotEqual(folds(4), folds(5))

    def test_the_list_beside_the_predictor(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "-o", model)
        self.assertEqual((said["selected_by"], said["left_out"]["list"]["features"][0]), ("list", "signal"))
        self.assertEqual(said["selected"], len(said["left_out"]["list"]["features"]))
        self.assertIn("Of examples that were left out", said["verdict"][0])
        self.assertEqual(said["recalibration"]["kind"], "folds")
        self.assertLess(said["left_out"]["predictor"]["loss"], said["left_out"]["nothing"]["loss"])
        listed = self.json("features", model)["features"]
        self.assertEqual([f["name"] for f in listed if f["in_list"]], said["left_out"]["list"]["features"])
        both = [self.medlar("predict", model, data, "--use", use) for use in ("predictor", "list")]
        self.assertNotEqual(*both)
        for text in both:
            for row in csv.DictReader(io.StringIO(text)):
                self.assertEqual(row["label"], "ripe" if float(row["probability"]) > 0.5 else "raw")
        self.assertGreater(self.json("evaluate", model, data, "--use", "list")["accuracy"], 0.8)
        self.assertIn("the list", self.medlar("tune", data))
        plain = self.path("plain.json")
        self.medlar("train", data, "-o", plain)
        self.assertIn("keeps no list", self.refusal("predict", plain, data, "--use", "list"))

    def test_intervals_of_numbers(self):
        data, model = self.values(), self.path("m.json")
        self.medlar("tune", data, "--target", "y", "-o", model)
        rows = list(csv.DictReader(io.StringIO(self.medlar("predict", model, data, "--interval", "0.9"))))
        inside = 0
        for row, true in zip(rows, csv.DictReader(io.StringIO(data.read_text())), strict=True):
            self.assertLess(float(row["low"]), float(row["value"]))
            inside += float(row["low"]) <= float(true["y"]) <= float(row["high"])
        self.assertGreater(inside / len(rows), 0.85)
        self.assertIn("between 0 and 1", self.refusal("predict", model, data, "--interval", "1"))
        self.assertIn("too few", self.refusal("predict", model, data, "--interval", "0.9999"))
        plain = self.path("plain.json")
        self.medlar("train", data, "--target", "y", "-o", plain)
        self.assertIn("fit it by medlar tune", self.refusal("predict", plain, data, "--interval", "0.9"))

    def test_grids_of_c_multiply_the_usual_candidates(self):
        data = self.classes()
        usual = self.json("tune", data, "--exhaustive")["tuning"]
        both = self.json("tune", data, "--exhaustive", "--c-grid", "1,5")["tuning"]  # 1 is the default
        alone = [each for each in usual["candidates"] if "margin" not in each]  # these have their own c
        of_one = [each for each in both["candidates"] if each["c"] == 1]
        self.assertEqual([(each["p0"], each["mean"]) for each in of_one], [(each["p0"], each["mean"]) for each in alone])
        self.assertEqual({each["c"] for each in both["candidates"]}, {1, 5})

    def test_repeats_are_bounded(self):
        self.assertIn("repeats = 1000000000, but must lie in", self.refusal("tune", self.classes(), "--repeats", "1000000000"))

    def test_prints_the_table(self):
        text = self.medlar("tune", self.classes(), "--p0-grid", "1,0.1")
        self.assertIn("2 settings were tried by 5-fold cross-validation", text)
        self.assertNotIn("margin-loss", text)
        self.assertIn("best", self.medlar("tune", self.classes(), "--p0-grid", "1,0.1", "--verbose"))

    def test_one_se_takes_fewer_features(self):
        data = self.classes()
        common = ("tune", data, "--p0-grid", "1,0.1,1e-3", "--repeats", "2", "--folds", "4")
        best, simple = self.json(*common), self.json(*common, "--rule", "one-se")
        self.assertEqual(best["tuning"]["candidates"], simple["tuning"]["candidates"])
        self.assertEqual(len(best["tuning"]["candidates"][0]["folds"]), 8)
        scores, chosen = simple["tuning"]["candidates"], simple["tuning"]["chosen"]
        top = scores[simple["tuning"]["best"]]
        near = [score for score in scores
                if not score["dropped"] and score["mean"] <= top["mean"] + top["standard_error"]]  # a loss
        self.assertEqual(scores[chosen]["selected"], min(score["selected"] for score in near))
        self.assertEqual(simple["p0"], scores[chosen]["p0"])

    def test_relaxed_refits_and_prior_variances(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "-o", model, "--p0-grid", "1", "--relax", "--keep-grid", "1,2",
                         "--prior-variance-grid", "0.1,1", "--metric", "log-loss")
        tuning = said["tuning"]
        self.assertEqual((tuning["metric"], len(tuning["candidates"])), ("log-loss", 10))  # of two rankings
        self.assertEqual([score["kept"] for score in tuning["candidates"]], [None, None] + 2 * [1, 1, 2, 2])
        self.assertGreater(len({score["ranking_p0"] for score in tuning["candidates"][2:]}), 1)
        chosen = tuning["candidates"][tuning["chosen"]]
        self.assertEqual(chosen["mean"], min(score["mean"] for score in tuning["candidates"] if not score["dropped"]))
        self.assertEqual(said["prior_variance"], chosen["prior_variance"])
        if chosen["kept"]:
            self.assertEqual(said["selected"], chosen["kept"])
        self.json("evaluate", model, data)

    def test_more_features_than_examples_are_relaxed_unless_told(self):
        draw = random.Random(6)
        rows = [",".join(f"x{k}" for k in range(40)) + ",amount,kind"]
        for t in range(30):
            x = [draw.gauss(0, 1) for _ in range(40)]
            y = x[3] + 0.3 * draw.gauss(0, 1)
            rows.append(",".join(f"{each:.5f}" for each in x) + f",{y:.5f}" + (",a" if y > 0 else ",b"))
        wide = self.path("wide.csv", "\n".join(rows) + "\n")
        def kept(*options, target=("--target", "amount", "--ignore", "kind")):
            return {each["kept"] for each in self.json("tune", wide, *target, *options)["tuning"]["candidates"]}
        labels = ("--target", "kind", "--ignore", "amount")
        self.assertIn(1, kept())
        self.assertEqual(kept(), kept("--relax"))
        self.assertEqual(kept("--no-relax"), {None})
        self.assertEqual(kept("--p0-grid", "1,0.1"), {None}, "who lists candidates has those alone")
        self.assertEqual(kept(target=labels), {None}, "of two labels at least 200 examples are wanted")
        self.assertIn(1, kept("--relax", target=labels))
        narrow = self.json("tune", self.classes())["tuning"]["candidates"]
        self.assertEqual({each["kept"] for each in narrow}, {None})
        rare = "x,y\n" + "".join(f"{t * 5 % 7},{'a' if t == 4 else 'b'}\n" for t in range(20))
        self.assertIn("all examples with the label 'a' are left out together",
                      self.refusal("tune", self.path("rare.csv", rare)))
        self.assertIn("relax refits linear models", self.refusal("tune", wide, "--model", "kernel", "--relax"))

    def test_usual_candidates_have_no_switches_among_them(self):
        model = self.path("m.json")
        said = self.json("tune", self.classes(), "-o", model, "--exhaustive")
        candidates = said["tuning"]["candidates"]
        without = {candidate["prior_variance"] for candidate in candidates if candidate["p0"] == 1}
        self.assertEqual(without, {None, 0.01, 0.1})
        self.assertGreater(len(candidates), 10)
        kept = json.loads(model.read_text())["tuning"]  # the model keeps the table
        self.assertEqual((len(kept["candidates"]), kept["chosen"]), (len(candidates), said["tuning"]["chosen"]))
        self.assertEqual(kept["candidates"][3]["folds"], candidates[3]["folds"])
        fixed = self.json("tune", self.classes(), "--prior-variance", "0.5")["tuning"]["candidates"]
        self.assertEqual({candidate["prior_variance"] for candidate in fixed}, {0.5})

    def test_the_race_drops_what_cannot_win(self):
        data = self.classes()
        common = ("tune", data, "--p0-grid", "1,0.1,1e-60", "--prior-variance-grid", "1e-6,1", "--repeats", "2")
        raced, whole = self.json(*common)["tuning"], self.json(*common, "--exhaustive")["tuning"]
        self.assertEqual(raced["chosen"], whole["chosen"])
        dropped = [candidate for candidate in raced["candidates"] if candidate["dropped"]]
        self.assertTrue(dropped)
        self.assertTrue(all(len(candidate["folds"]) < 10 for candidate in dropped))
        self.assertFalse(any(candidate["dropped"] for candidate in whole["candidates"]))
        self.assertIn("dropped after", self.medlar(*common, "--verbose"))

    def test_groups_are_not_parted(self):
        # Every example is there three times under one group; a column that tells the groups apart predicts the label of
        # its twins, and nothing else does.
        draw = random.Random(6)
        labels = [draw.choice("ab") for _ in range(40)]
        rows = ["x,patient,y"] + [f"{g},p{g},{labels[g]}" for g in range(40) for _ in range(3)]
        data = self.path("groups.csv", "\n".join(rows) + "\n")
        common = ("tune", data, "--target", "y", "--expand", "fourier:60", "--p0-grid", "1", "--gamma", "500", "--metric", "auc")
        parted = self.json(*common, "--ignore", "patient")["tuning"]["candidates"][0]["mean"]
        kept = self.json(*common, "--fold-group", "patient")["tuning"]["candidates"][0]["mean"]
        self.assertGreater(parted, 0.9)
        self.assertLess(kept, 0.85)
        self.assertIn("fold-group = nobody", self.refusal("tune", data, "--target", "y", "--fold-group", "nobody"))
        self.assertIn("from 2 to the 40 groups", self.refusal("tune", data, "--target", "y", "--fold-group", "patient",
                                                              "--folds", "41"))

    def test_an_interrupted_tune_goes_on(self):
        data, checkpoint = self.classes(), self.path("tune.part")
        common = ("tune", data, "--p0-grid", "1,0.1,1e-2", "--checkpoint", checkpoint)
        first = self.json(*common)["tuning"]
        part = json.loads(checkpoint.read_text())
        part["cells"] = part["cells"][:3]  # as if it had ended after the first path
        part["cells"][0][2] = 0.123456789  # and what is in the file is not measured again
        checkpoint.write_text(json.dumps(part))
        again = self.json(*common)["tuning"]
        self.assertEqual(again["candidates"][0]["folds"][0], 0.123456789)
        self.assertEqual(again["candidates"][0]["folds"][1:], first["candidates"][0]["folds"][1:])
        self.assertEqual(again["candidates"][2]["folds"], first["candidates"][2]["folds"])
        self.assertIn("other data, options or candidates", self.refusal(*common, "--c", "2"))
        self.assertIn("other data, options or candidates", self.refusal(*common, "--metric", "brier"))
        checkpoint.write_text("{}")
        self.assertIn("which is no checkpoint", self.refusal(*common))

    def test_an_interrupted_tune_says_so_though_its_last_fit_converged(self):
        data, checkpoint, model = self.classes(), self.path("tune.part"), self.path("m.json")
        command = [MEDLAR, "tune", data, "--p0-grid", "0.1,1e-2", "--repeats", "5000", "--checkpoint", checkpoint, "-o", model,
                   "--json"]

        def past_the_first_stage():
            return checkpoint.exists() and any(cell[0] >= 3 for cell in json.loads(checkpoint.read_text())["cells"])

        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not past_the_first_stage():
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said = json.loads(process.communicate()[0])
        self.assertEqual((process.returncode, said["status"]), (INTERRUPTED, "interrupted"))
        self.assertIn("goes on from", said["message"])
        self.assertLessEqual(said["relative_gap"], said["tolerance"])
        self.assertTrue(json.loads(model.read_text())["tuning"]["interrupted"])

    def test_recalibrated_probabilities(self):
        data, model = self.classes(), self.path("m.json")
        said = self.json("tune", data, "--p0-grid", "0.1", "--recalibrate", "platt", "-o", model)
        self.assertEqual(said["recalibration"]["kind"], "platt")
        self.assertEqual(sum(bin["examples"] for bin in said["recalibration"]["after"]["bins"]), 200)
        curve = json.loads(model.read_text())["recalibration"]
        lines = self.medlar("predict", model, data).splitlines()
        column = {name: k for k, name in enumerate(lines[0].split(","))}
        for line in lines[1:20]:
            cells = line.split(",")
            odds = curve["slope"] * float(cells[column["score"]]) + curve["intercept"]
            self.assertAlmostEqual(float(cells[column["probability"]]), 1 / (1 + math.exp(-odds)), delta=1e-6)
        self.assertIn("Brier", self.medlar("train", data, "--recalibrate", "isotonic"))
        self.assertIn("linear, kernel and generative models of labels", self.refusal("train", self.values(), "--target", "y",
                                                                  "--recalibrate", "platt"))

    def test_refusals(self):
        data = self.classes()
        self.assertIn("add --relax", self.refusal("tune", data, "--keep-grid", "3"))
        self.assertIn("keep-grid has 'x'", self.refusal("tune", data, "--relax", "--keep-grid", "x"))
        self.assertIn("rule = 'worst' is unknown", self.refusal("tune", data, "--rule", "worst"))
        self.assertIn("metric = 'f9' is unknown", self.refusal("tune", data, "--metric", "f9"))
        self.assertIn("metric = rmse is none of task = classify", self.refusal("tune", data, "--metric", "rmse"))
        self.assertIn("repeats = 0, but must lie in 1 .. 10000", self.refusal("tune", data, "--repeats", "0"))
        self.assertIn("p0 = 2, but must lie in (0, 1]", self.refusal("tune", data, "--p0-grid", "1,2"))
        self.assertIn("folds = 1, but must be", self.refusal("tune", data, "--folds", "1"))
        self.assertIn("folds = 201, but must be", self.refusal("tune", data, "--folds", "201"))



class Tubes(CommandTest):
    """Of numbers: epsilon, and units of the target."""

    def test_epsilon_and_units(self):
        data = self.values()
        said = self.json("tune", data, "--task", "regress", "--margin", "tube", "--p0-grid", "1,0.1", "--c-grid", "3/sd,10/sd", "--epsilon-grid",
                         "0.05sd,2", "--exhaustive", "-o", self.path("m.json"))
        tried = said["tuning"]["candidates"]
        self.assertEqual(len(tried), 8)
        rows = list(csv.DictReader(io.StringIO(data.read_text())))
        y = [float(row[list(row)[-1]]) for row in rows]
        sd = math.sqrt(sum((each - sum(y) / len(y)) ** 2 for each in y) / len(y))
        self.assertEqual({round(each["c"] * sd, 9) for each in tried}, {3, 10})
        self.assertEqual({round(each["epsilon"] / sd, 9) for each in tried}, {0.05, round(2 / sd, 9)})
        best = tried[said["tuning"]["best"]]
        self.assertEqual(said["settings"]["epsilon"] if "settings" in said else best["epsilon"], best["epsilon"])
        cold = self.json("tune", data, "--task", "regress", "--p0-grid", str(best["p0"]), "--c-grid", repr(best["c"]),
                         "--epsilon", repr(best["epsilon"]))["tuning"]["candidates"][0]
        self.assertAlmostEqual(cold["mean"], best["mean"], delta=1e-3 * best["mean"])
        self.assertIn("the widest would win", self.refusal("tune", data, "--epsilon-grid", "0.1", "--metric", "eps-loss"))
        self.assertIn("leave --epsilon out", self.refusal("tune", data, "--epsilon-grid", "0.1", "--epsilon", "1"))
        self.assertIn("must be a number", self.refusal("tune", data, "--epsilon-grid", "widesd"))
        self.assertIn("linear models of numbers", self.refusal("tune", self.classes(), "--c-grid", "3/sd"))


class Seconds(CommandTest):
    """--max-seconds is for the whole command."""

    def test_the_best_of_what_is_finished_is_fitted(self):
        out = self.path("m.json")
        grid = ",".join(f"{3 + k / 1000}" for k in range(4000))
        start = time.monotonic()
        said = self.json("tune", self.classes(), "--p0-grid", "1,0.1,1e-2,1e-3,1e-5", "--c-grid", grid, "--max-seconds", "2", "-o", out,
                         code=NOT_CONVERGED)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(said["status"], "limit")
        self.assertIn("--max-seconds were over", said["message"])
        self.assertLess(len(said["tuning"]["candidates"]), 20000)
        self.assertLessEqual(said["relative_gap"], 1e-6)  # the fit to all examples had its time
        kept = json.loads(out.read_text())
        self.assertTrue(kept["tuning"]["out_of_time"])
        self.medlar("predict", out, self.classes())

    def test_nothing_in_no_time(self):
        out = self.path("m.json")
        said = self.json("tune", self.classes(), "--max-seconds", "1e-9", "-o", out, code=NOT_CONVERGED)
        self.assertIn("no model was written", said["message"])
        self.assertFalse(out.exists())

    def test_a_checkpoint_goes_on_with_more_time(self):
        keep = self.path("t.json")
        grid = ",".join(f"{3 + k / 100}" for k in range(60))
        first = self.json("tune", self.classes(), "--c-grid", grid, "--max-seconds", "1e-9", "--checkpoint", keep,
                          code=NOT_CONVERGED)
        self.assertEqual(first["status"], "limit")
        whole = self.json("tune", self.classes(), "--c-grid", grid, "--checkpoint", keep)
        plain = self.json("tune", self.classes(), "--c-grid", grid)
        self.assertEqual(whole["tuning"]["candidates"], plain["tuning"]["candidates"])


if __name__ == "__main__":
    unittest.main()
