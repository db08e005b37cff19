"""Part a: few labels and 300 unlabelled examples; accuracy on the unlabelled ones."""

import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from . import sets
from .command import accuracy, scores, standardised, table

NAMES = ["spambase", "digits 3 v 8", "digits 4 v 9", "wdbc", "20news 10 v 11", "20news 2 v 4"]
ROWS = ["supervised MED", "latent labels", "latent labels, true share", "literal alternation", "self-training", "label spreading"]


def drawn(x, y, labelled, seed, unlabelled=300):
    """Some examples with labels, at least two of each class, and others without."""
    draw = np.random.default_rng(seed)
    while True:
        order = draw.permutation(len(y))[:labelled + unlabelled]
        known = y[order[:labelled]]
        if min(np.sum(known > 0), np.sum(known < 0)) >= 2:
            return x[order], y[order]


def run(folder, seeds):
    for labelled in (10, 40):
        results = {}
        for name, x, y, text in sets.read(folder, NAMES):
            found = results[name] = {row: [] for row in ROWS}
            for seed in range(seeds):
                rows, truth = drawn(x, y, labelled, seed)
                if not text:
                    rows = standardised(rows)[0]
                hidden = truth.copy()
                hidden[labelled:] = 0
                test, answer = rows[labelled:], truth[labelled:]
                plain = ["--p0", "1", "--scale", "none"]
                variance = 3 / np.mean(np.sum(rows**2, axis=1))
                found["supervised MED"].append(accuracy(
                    scores(rows[:labelled], truth[:labelled], test, *plain, "--prior-variance", variance), answer))
                latent = [*plain, "--model", "latent", "--latent", "labels"]
                found["latent labels"].append(accuracy(scores(rows, hidden, test, *latent), answer))
                share = np.mean(answer > 0)
                found["latent labels, true share"].append(
                    accuracy(scores(rows, hidden, test, *latent, "--balance", share), answer))
                found["literal alternation"].append(
                    accuracy(scores(rows, hidden, test, *latent, "--latent-mode", "literal", "--tolerance", "1e-4"), answer))
                marked = np.where(hidden == 0, -1, (hidden > 0).astype(int))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    peer = SelfTrainingClassifier(LogisticRegression(max_iter=1000)).fit(rows, marked)
                    found["self-training"].append(accuracy(peer.predict(test) - 0.5, answer))
                    peer = LabelSpreading(kernel="knn", n_neighbors=7).fit(rows, marked)
                    found["label spreading"].append(accuracy(peer.transduction_[labelled:] - 0.5, answer))
        table(f"{labelled} labelled, 300 not; {seeds} draws", ROWS, results)
