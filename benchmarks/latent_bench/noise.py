"""Part b: 30 % of 200 training labels flipped; accuracy on the true labels of the others."""

import numpy as np

from . import sets
from .command import accuracy, folds, scores, standardised, table

NAMES = ["spambase", "digits 3 v 8", "wdbc"]
ROWS = ["certain labels", "believed, beta and v tuned", "never flipped"]
WIDTHS = (0.01, 0.1, 1, 10)
BELIEFS = (0.7, 0.8, 0.9)


def fitted(x, y, test, belief, variance):
    options = ["--p0", "1", "--scale", "none", "--prior-variance", variance]
    if belief < 1:
        options += ["--model", "latent", "--latent", "labels", "--label-belief", belief, "--tolerance", "1e-4"]
    return scores(x, y, test, *options)


def tuned(x, y, beliefs, seed):
    """The belief and the prior variance that predict the labels, as they are, best in 5 folds."""
    fold, unit = folds(y, 5, seed), 3 / np.mean(np.sum(x**2, axis=1))
    best, chosen = -1, None
    for belief in beliefs:
        for width in WIDTHS:
            right = [accuracy(fitted(x[fold != k], y[fold != k], x[fold == k], belief, width * unit), y[fold == k])
                     for k in range(5)]
            if np.mean(right) > best:
                best, chosen = np.mean(right), (belief, width * unit)
    return chosen


def run(folder, seeds):
    results = {}
    for name, x, y, _ in sets.read(folder, NAMES):
        found = results[name] = {row: [] for row in ROWS}
        for seed in range(seeds):
            draw = np.random.default_rng(seed)
            order = draw.permutation(len(y))
            train, rest = order[:200], order[200:1200]
            rows, test = standardised(x[train], x[rest])
            flipped = np.where(draw.random(200) < 0.3, -y[train], y[train])
            for row, labels, beliefs in (("certain labels", flipped, (1,)), ("believed, beta and v tuned", flipped, (1,) + BELIEFS),
                                         ("never flipped", y[train], (1,))):
                choice = tuned(rows, labels, beliefs, seed)
                found[row].append(accuracy(fitted(rows, labels, test, *choice), y[rest]))
    table(f"30 % of 200 labels flipped; {seeds} draws", ROWS, results)
