"""The summary of benchmarks/answers on made-up runs, and what its figures are made of."""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

import numpy as np

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from answering import draws, ways  # noqa: E402
from answering.apart import Stopped, TooLong, within  # noqa: E402
from answering.measures import Answer, row_of  # noqa: E402
from answering.runs import Runs, overlap  # noqa: E402
from selecting.sets import Problem  # noqa: E402

SHAPES = {"golub": ("classify", 48, 7129), "wdbc": ("classify", 379, 30), "boston": ("regress", 337, 13)}
WAYS = {"null": ["null"], "l1": ["L1"], "l2": ["L2"], "abess": ["abess"], "glmnet": ["glmnet lambda.min", "glmnet lambda.1se"],
        "relax": ["relaxed lambda.min", "relaxed lambda.1se"], "medlar": ["predictor", "list"]}


def made_up(splits=3):
    """Runs in which Medlar meets every target: each peer errs more by 0.1, and a little more from split to split."""
    lines = []
    for name, (task, fitted, features) in SHAPES.items():
        for split in range(splits):
            for way, answers in WAYS.items():
                rows = []
                for answer in answers:
                    ours = way == "medlar"
                    row = {"answer": answer, "task": task, "fitted": fitted, "tested": 100, "features": features,
                           "error": 0.1 + 0.01 * split + (0 if ours else 0.1), "chosen": [1, 2] if ours else [1, 2 + split, 9],
                           "size": 2 if ours else 3, "wall": 1.0, "processor": 1.0 if ours else 2.0}
                    if task == "classify":
                        row["log_loss"] = 0.2 if ours else 0.7 if way == "null" else 0.3
                    elif ours:
                        row |= {"coverage": 0.89 + 0.01 * split, "width": 2.0}
                    rows.append(row)
                lines.append({"key": [name, split, 1000, way, *(["new"] if way == "medlar" else [])], "rows": rows})
    return lines


def command(*arguments):
    return subprocess.run([sys.executable, str(BENCHMARKS / "answers"), *arguments], capture_output=True, text=True)


class Summary(unittest.TestCase):
    def said(self, lines, *more, code=0):
        """What the command says of these runs; its file must say the same."""
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "runs.jsonl"
            out.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
            done = command("--summary", "--out", str(out), "--label", "new", "--sets", *SHAPES, *more)
            self.assertEqual(done.returncode, code, done.stderr)
            if code:
                return done.stderr
            self.assertEqual(out.with_suffix(".md").read_text().strip(), done.stdout.strip())
            return done.stdout

    def verdicts(self, lines):
        """The last cell of each target, by its number."""
        rows = [line.strip("| ").split(" | ") for line in self.said(lines).splitlines() if line[:3].strip("| ")[:1].isdigit()]
        return {row[0].split(".")[0]: row[-1] for row in rows if len(row) == 3}

    @staticmethod
    def those(found, verdict):
        return {target for target, said in found.items() if said == verdict}

    def changed(self, answer, change, name=None):
        lines = made_up()
        for line in lines:
            for row in line["rows"]:
                if row["answer"] == answer and name in (None, line["key"][0]):
                    change(row)
        return lines

    def test_runs_that_meet_all_targets(self):
        found = self.verdicts(made_up())
        self.assertEqual(sorted(found), ["1", "2a", "2b", "2c", "2d", "3a", "3b", "3c", "4", "5"])
        self.assertEqual(set(found.values()), {"yes"})

    def test_each_target_is_missed_where_its_runs_are_worse(self):
        def worse(field, value):
            return lambda row: row.update({field: value} if field in row else {})

        for answer, field, value, missed in (
                ("predictor", "error", 0.9, {"1"}), ("list", "error", 0.9, {"2a"}), ("predictor", "log_loss", 0.5, {"3a"}),
                ("list", "log_loss", 0.8, {"3b", "3c"}), ("predictor", "coverage", 0.95, {"4"}),
                ("predictor", "processor", 3.0, {"5"}), ("relaxed lambda.min", "error", 0.05, {"2a", "1"}),
                ("abess", "error", 0.05, {"1"})):
            with self.subTest(answer=answer, field=field):
                found = self.verdicts(self.changed(answer, worse(field, value)))
                self.assertEqual(self.those(found, "**no**"), missed)

    def test_sizes_and_overlaps_of_lists(self):
        found = self.verdicts(self.changed("list", lambda row: row.update(size=21, chosen=list(range(21))), "golub"))
        self.assertEqual(found["2b"], "**no**")
        found = self.verdicts(self.changed("list", lambda row: row.update(size=4), "wdbc"))
        self.assertEqual(found["2c"], "**no**")
        found = self.verdicts(self.changed("list", lambda row: row.update(chosen=[int(1000 * row["error"])])))
        self.assertEqual(found["2d"], "**no**")

    def test_a_standard_error_of_the_difference_is_granted(self):
        """Differences -0.02, 0 and 0.04 have the mean 0.0067 and the standard error 0.0176."""
        def nearly(row):
            split = round((row["error"] - 0.1) / 0.01)
            row["error"] = 0.2 + 0.01 * split + (-0.02, 0.0, 0.04)[split]
        text = self.said(self.changed("predictor", nearly))
        self.assertIn("+0.007 ± 0.018", text)
        self.assertEqual(self.verdicts(self.changed("predictor", nearly))["1"], "yes")

    def test_missing_runs_leave_a_target_open(self):
        without = [line for line in made_up() if line["key"][3] != "abess"]
        self.assertEqual(self.verdicts(without)["1"], "cannot be decided")
        self.assertEqual(self.verdicts(without)["2a"], "yes")
        fewer = [line for line in made_up() if line["key"][:2] != ["boston", 2] or line["key"][3] != "relax"]
        self.assertEqual(self.verdicts(fewer)["2a"], "cannot be decided")
        once = self.verdicts(made_up(splits=1))
        self.assertEqual(once["1"], "cannot be decided")
        found = self.verdicts(self.changed("list", lambda row: [row.pop(name, None) for name in ("error", "log_loss")]))
        self.assertEqual(self.those(found, "cannot be decided"), {"2a", "2b", "2c", "2d", "3b", "3c"})

    def test_a_fit_without_an_answer_misses_and_is_told(self):
        lines = made_up()
        for line in lines:
            if line["key"][3] == "medlar" and line["key"][:2] == ["golub", 0]:
                line["rows"] = [{"answer": "medlar", "failed": "longer than 9 s"}]
        self.assertEqual(self.those(self.verdicts(lines), "**no**"), {"1", "2a", "5"})
        self.assertIn("| golub | medlar | 1 | longer than 9 s |", self.said(lines))

    def test_refusals(self):
        self.assertIn("has no runs of --label other; it has new", self.said(made_up(), "--label", "other", code=1))
        self.assertIn("runs.jsonl:2: this is no run", self.said([made_up()[0], "{"], code=1))
        self.assertIn("runs of another command", self.said([{"key": ["golub", 0, "tune"], "rows": []}], code=1))
        self.assertIn("--splits 0, but must be at least 1", self.said(made_up(), "--splits", "0", code=2))
        self.assertIn("need --data DIR", command("--out", "x.jsonl", "--sets", "golub").stderr)


class Fitted:
    """An estimator whose answers are known: class 1, at nine tenths."""

    def __init__(self, threads):
        assert threads == 1

    def fit(self, x, y):
        self.features = x.shape[1]
        return self

    def predict(self, x):
        return np.ones(len(x))

    def predict_proba(self, x):
        return np.tile([0.1, 0.9], (len(x), 1))

    def get_support(self):
        return np.arange(self.features) < self.features - 1


class WithList(Fitted):
    @property
    def list_(self):
        return Fitted(threads=1).fit(np.zeros((1, 2)), None)

    def predict_interval(self, x, alpha):
        return np.column_stack([np.full(len(x), -alpha), np.full(len(x), alpha)])


class Medlar(unittest.TestCase):
    def answers(self, kind, task):
        """Of a package whose estimators are of this kind."""
        package = types.ModuleType("medlar")
        package.MEDClassifierCV = package.MEDRegressorCV = kind
        y = np.array([0.0, 1, 1, 0])
        with unittest.mock.patch.dict(sys.modules, medlar=package):
            return ways.medlar(Problem("", 0, task, np.zeros((4, 3)), y, np.zeros((2, 3)), y[:2]), 1)

    def test_the_predictor_and_its_list(self):
        predictor, short = self.answers(WithList, "classify")
        self.assertEqual((predictor.name, predictor.chosen, predictor.interval), ("predictor", [0, 1], None))
        self.assertEqual((short.name, short.chosen, short.lacks), ("list", [0], ""))
        np.testing.assert_array_equal(short.probability, [[0.1, 0.9], [0.1, 0.9]])
        lower, upper = self.answers(WithList, "regress")[0].interval
        np.testing.assert_array_equal([lower, upper], [[-0.1, -0.1], [0.1, 0.1]])

    def test_an_estimator_without_a_list_says_so(self):
        predictor, short = self.answers(Fitted, "regress")
        self.assertIsNone(predictor.interval)
        self.assertEqual((short.predicted, short.chosen, short.lacks), (None, [0, 1], "list_"))


def endless():
    while True:
        pass


class Figures(unittest.TestCase):
    def test_overlap(self):
        self.assertEqual(overlap([1, 2, 3], [2, 3, 4], 9), 0.5)
        self.assertEqual(overlap(None, [2, 3, 4], 9), 1 / 3)
        self.assertEqual([overlap(None, None, 9), overlap([], [], 9), overlap([], [1], 9)], [1, 1, 0])

    def test_a_row_of_classes(self):
        problem = Problem("", 0, "classify", np.zeros((4, 3)), np.array([0.0, 1, 2, 2]), np.zeros((2, 3)), np.array([0.0, 2]),
                          {1, 2})
        row = row_of(problem, Answer("a", np.array([0, 1]), np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]]), [0, 1]))
        self.assertEqual([row[name] for name in ("error", "size", "recall", "precision")], [0.5, 2, 0.5, 0.5])
        self.assertAlmostEqual(row["log_loss"], (math.log(2) + 15 * math.log(10)) / 2)
        self.assertIn("failed", row_of(problem, Answer("a", np.array([0, np.nan]))))
        self.assertEqual(row_of(problem, Answer("a", None, np.full((2, 3), np.nan)))["lacks"], "finite probabilities")

    def test_a_row_of_numbers_is_in_units_of_the_target(self):
        y = np.array([0.0, 20.0])
        problem = Problem("", 0, "regress", np.zeros((2, 1)), y, np.zeros((2, 1)), y, None, y + 5)
        row = row_of(problem, Answer("a", y + 10, interval=(y - 20, y + np.array([10, -1]))))
        self.assertEqual([row[name] for name in ("error", "distance", "coverage", "width", "chosen")], [1, 0.5, 0.5, 2.45, None])

    def test_draws_have_the_strength_that_they_name(self):
        for rho in (0, 0.9):
            shares = [np.var(draws.problem(f"regress, 100 x 1000, rho {rho:g}, snr 6", seed).mean_test) / 6 for seed in range(3)]
            self.assertAlmostEqual(np.mean(shares), 1, delta=0.1)  # the standard error is 0.026
        moved = draws.problem("outliers, 10%", 1)
        still = moved.y - 1 - moved.x @ np.repeat([1.0, 0.0], 10)
        self.assertAlmostEqual(np.mean(np.abs(still) > 5), 0.1)

    def test_runs_with_other_rows_are_not_mixed_in(self):
        records = {("golub", 0, rows, "null"): [{"answer": "null", "error": error}] for rows, error in ((1000, 0.1), (50, 0.9))}
        runs = Runs(records, "new", 1000)
        self.assertEqual(runs.mean("golub", "null", "error"), 0.1)

    def test_work_ends_at_its_limit(self):
        self.assertEqual(within(60, lambda: 3), 3)
        with self.assertRaisesRegex(TooLong, "longer than 0.01 s"):
            within(0.01, lambda: time.sleep(60))
        with self.assertRaisesRegex(TooLong, "longer than 0.2 s"):
            within(0.2, endless)
        with self.assertRaisesRegex(Stopped, "ZeroDivisionError: division by zero"):
            within(60, lambda: 1 / 0)


if __name__ == "__main__":
    unittest.main()
