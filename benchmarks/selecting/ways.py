"""Ways to select features. Each gives the features that it chose and scores of the test examples, or None where it does
not predict."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEDLAR = os.environ.get("MEDLAR", str(ROOT / "build" / "release" / "bin" / "medlar"))
FDR = 0.2

GLMNET = """
suppressMessages(library(glmnet)); a <- commandArgs(TRUE); n <- as.integer(a[4])
read <- function(f) matrix(readBin(f, "double", file.size(f) / 8), ncol = n + 1, byrow = TRUE)
d <- read(a[1]); t <- read(a[2]); y <- d[, n + 1]; x <- d[, 1:n]
set.seed(1); f <- cv.glmnet(x, y, family = a[3], relax = a[5] == "relax")
for (s in c("lambda.min", "lambda.1se")) {
  cat(which(as.vector(coef(f, s = s))[-1] != 0) - 1, "\\n")
  cat(as.vector(predict(f, t[, 1:n], s = s)), "\\n")
}
"""

SUSIE = """
suppressMessages(library(susieR)); a <- commandArgs(TRUE); n <- as.integer(a[4])
read <- function(f) matrix(readBin(f, "double", file.size(f) / 8), ncol = n + 1, byrow = TRUE)
d <- read(a[1]); t <- read(a[2]); y <- d[, n + 1]; x <- d[, 1:n]
set.seed(1); f <- susie(x, y, L = 20)
cat(which(f$pip > 0.5) - 1, "\\n"); cat(as.vector(predict(f, t[, 1:n])), "\\n")
"""


class Files:
    """The problem as the commands read it."""

    def __init__(self, problem, folder):
        self.problem, self.folder = problem, folder
        both = {"fit": (problem.x, problem.y), "test": (problem.x_test, problem.y_test)}
        for name, (x, y) in both.items():
            rows = np.column_stack([x, y])
            rows.tofile(self.path(f"{name}.bin"))
            np.save(self.path(f"{name}.npy"), rows)

    def path(self, name):
        return os.path.join(self.folder, name)

    def medlar(self, command, *more):
        done = subprocess.run([MEDLAR, command, *map(str, more), "--json", "--quiet"], capture_output=True)
        if done.returncode not in (0, 2):
            raise SystemExit(f"medlar {command}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def fitting(self):
        n = self.problem.x.shape[1]
        return (self.path("fit.npy"), "--target", f"{n + 1}", "--task", self.problem.task)

    def rscript(self, script, *more):
        if shutil.which("Rscript") is None:
            return []
        family = "binomial" if self.problem.task == "classify" else "gaussian"
        done = subprocess.run(["Rscript", "-e", script, self.path("fit.bin"), self.path("test.bin"), family,
                               str(self.problem.x.shape[1]), *more], capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 else []


def index(name):
    return int(name[1:]) - 1


def tuned(*options):
    def run(files):
        model, out = files.path("m.json"), files.path("p.csv")
        files.medlar("tune", *files.fitting(), "-o", model, *options)
        features = files.medlar("features", model)["features"]
        size = max(abs(feature["coefficient"]) for feature in features)
        chosen = {index(f["name"]) for f in features if abs(f["coefficient"]) > 1e-3 * size} if size > 0 else set()
        files.medlar("predict", model, files.path("test.npy"), "-o", out)
        scores = np.genfromtxt(out, delimiter=",", names=True, dtype=None, encoding="utf-8")
        yield "", chosen, np.asarray(scores["score" if files.problem.task == "classify" else "value"], dtype=float)
    return run


def trust(files):
    said = files.medlar("stability", *files.fitting(), "--fdr", FDR, "--list", 10**9, "--cluster", "off")
    for way, key in (("inclusion > 1/2", "selected"), ("stable", "stable"), (f"discovered, Q = {FDR}", "discovered")):
        yield way, {index(feature["name"]) for feature in said["features"] if feature[key]}, None


def glmnet(relax):
    def run(files):
        lines = files.rscript(GLMNET, "relax" if relax else "plain")
        for k, way in enumerate(("lambda.min", "lambda.1se")):
            if len(lines) == 4:
                yield way, set(map(int, lines[2 * k].split())), np.array(lines[2 * k + 1].split(), dtype=float)
    return run


def susie(files):
    lines = files.rscript(SUSIE)
    if len(lines) == 2:
        yield "PIP > 1/2", set(map(int, lines[0].split())), np.array(lines[1].split(), dtype=float)


def scikit_l1(files):
    from sklearn.linear_model import LassoCV, LogisticRegressionCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    problem = files.problem
    classify = problem.task == "classify"
    last = (LogisticRegressionCV(Cs=10, cv=5, penalty="l1", solver="liblinear", scoring="roc_auc") if classify
            else LassoCV(cv=5, n_alphas=50))
    model = make_pipeline(StandardScaler(), last).fit(problem.x, problem.y)
    scores = model.decision_function(problem.x_test) if classify else model.predict(problem.x_test)
    yield "L1 logistic" if classify else "Lasso", set(np.flatnonzero(np.ravel(last.coef_)).tolist()), scores


def scikit_svm(files):
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    problem = files.problem
    if problem.task != "classify":
        return
    pipe = make_pipeline(StandardScaler(), LinearSVC(penalty="l1", dual=False, max_iter=3000))
    grid = GridSearchCV(pipe, {"linearsvc__C": np.logspace(-2, 1, 8)}, cv=5, scoring="roc_auc").fit(problem.x, problem.y)
    best = grid.best_estimator_
    yield "L1 LinearSVC", set(np.flatnonzero(best[-1].coef_[0]).tolist()), best.decision_function(problem.x_test)


WAYS = {
    "tune": ("MED tune", tuned()),
    "relax": ("MED tune --relax", tuned("--relax")),
    "relax-1se": ("MED tune --relax --rule one-se", tuned("--relax", "--rule", "one-se")),
    "trust": ("MED", trust),
    "glmnet": ("glmnet", glmnet(False)),
    "glmnet-relax": ("glmnet relaxed", glmnet(True)),
    "susie": ("susieR", susie),
    "l1": ("scikit-learn", scikit_l1),
    "svm": ("scikit-learn", scikit_svm),
}


def run_ways(problem, names):
    """Yields the way, the features that it chose, its test scores or None, and its seconds."""
    import time
    import warnings

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        files = Files(problem, folder)
        for name in names:
            title, way = WAYS[name]
            start = time.monotonic()
            found = list(way(files))
            for kind, chosen, scores in found:
                yield f"{title} {kind}".strip(), chosen, scores, time.monotonic() - start
