"""Ways to select features. Each gives the features that it chose, scores of the test examples or None where it does not
predict, and perhaps how probably each feature is a true one."""

import numpy as np

from selecting import peers

FDR = 0.2


def index(name):
    return int(name[1:]) - 1


def tuned(*options):
    """Of one set of candidates both rules: the second goes on from the checkpoint of the first, which is complete."""
    def run(files):
        for rule in ("best", "one-se"):
            model, out = files.path("m.json"), files.path("p.csv")
            kept = files.path("checkpoint" + "".join(options).replace("/", "-"))
            files.medlar("tune", *files.fitting(), "-o", model, "--checkpoint", kept, "--rule", rule, *options)
            features = files.medlar("features", model)["features"]
            size = max(abs(feature["coefficient"]) for feature in features)
            chosen = {index(f["name"]) for f in features if abs(f["coefficient"]) > 1e-3 * size} if size > 0 else set()
            files.medlar("predict", model, files.path("test.npy"), "-o", out)
            scores = np.genfromtxt(out, delimiter=",", names=True, dtype=None, encoding="utf-8")
            yield ("" if rule == "best" else "--rule one-se", chosen,
                   np.asarray(scores["score" if files.problem.task == "classify" else "value"], dtype=float))
    return run


def trust(files):
    said = files.medlar("stability", *files.fitting(), "--fdr", FDR, "--list", 10**9, "--cluster", "off")
    features = said["features"]
    yield "inclusion > 1/2", {index(feature["name"]) for feature in features if feature["inclusion"] > 0.5}, None
    for way, key in (("stable", "stable"), (f"discovered, Q = {FDR}", "discovered")):
        yield way, {index(feature["name"]) for feature in features if feature[key]}, None
    probability = {index(feature["name"]): feature["probability"] for feature in features}
    yield "probability > 1/2", {i for i, p in probability.items() if p > 0.5}, None, probability


WAYS = {
    "tune": ("MED tune", tuned()),
    "relax": ("MED tune --relax", tuned("--relax")),
    "no-relax": ("MED tune --no-relax", tuned("--no-relax")),
    "trust": ("MED", trust),
    "glmnet": ("glmnet", peers.glmnet(False)),
    "glmnet-relax": ("glmnet relaxed", peers.glmnet(True)),
    "susie": ("susieR", peers.susie),
    "l1": ("scikit-learn", peers.scikit_l1),
    "svm": ("scikit-learn", peers.scikit_svm),
    "abess": ("abess", peers.best_subset),
    "skglm": ("skglm", peers.minimax_concave),
}
