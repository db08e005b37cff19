"""Part c: images shifted by up to two pixels either way; 40 to train, the rest to test."""

import numpy as np

from . import sets
from .command import accuracy, folds, scores, table

NAMES = ["digits 3 v 8", "digits 4 v 9"]
ROWS = ["plain", "copies", "literal shifts", "latent shifts", "never shifted"]
WIDTHS = (0.1, 1, 10)
SIDE = 8


def moved(image, down, right):
    """The image shifted inside a larger empty one, of which the same window is seen."""
    room = np.zeros((SIDE + 4, SIDE + 4))
    room[2 + down:2 + down + SIDE, 2 + right:2 + right + SIDE] = image.reshape(SIDE, SIDE)
    return room.ravel()


def tuned(x, y, options, seed):
    fold = folds(y, 5, seed)
    unit = 3 / np.mean(np.sum((x - x.mean(0))**2, axis=1))
    best, chosen = -1, None
    for width in WIDTHS:
        right = np.mean([accuracy(scores(x[fold != k], y[fold != k], x[fold == k], *options, "--prior-variance", width * unit),
                                  y[fold == k]) for k in range(5)])
        if right > best:
            best, chosen = right, width * unit
    return ["--prior-variance", chosen]


def run(folder, seeds):
    results = {}
    plain = ["--p0", "1", "--scale", "none"]
    shape = ["--model", "latent", "--latent", "shifts:2", "--image", f"{SIDE + 4}x{SIDE + 4}"]
    for name, x, y, _ in sets.read(folder, NAMES):
        found = results[name] = {row: [] for row in ROWS}
        for seed in range(seeds):
            draw = np.random.default_rng(seed)
            order = draw.permutation(len(y))
            train, rest = order[:40], order[40:]
            steps = draw.integers(-2, 3, size=(len(y), 2))
            still = np.array([moved(row, 0, 0) for row in x]) / 16
            away = np.array([moved(row, *step) for row, step in zip(x, steps)]) / 16
            for row, rows, options in (("plain", away, plain), ("latent shifts", away, plain + shape),
                                       ("never shifted", still, plain)):
                width = tuned(rows[train], y[train], options, seed)
                found[row].append(accuracy(scores(rows[train], y[train], rows[rest], *options, *width), y[rest]))
            width = ["--prior-variance", 3 / np.mean(np.sum((away[train] - away[train].mean(0))**2, axis=1))]
            found["literal shifts"].append(accuracy(
                scores(away[train], y[train], away[rest], *plain, *shape, "--latent-mode", "literal", "--tolerance", "1e-4", *width), y[rest]))
            square = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
            copies = np.array([np.roll(away[t].reshape(SIDE + 4, SIDE + 4), step, (0, 1)).ravel() for t in train for step in square])
            weight = [("weight", [1 / len(square)] * len(copies))]
            found["copies"].append(accuracy(
                scores(copies, np.repeat(y[train], len(square)), away[rest], *plain, *width, "--weights", "weight", more=weight), y[rest]))
    table(f"images shifted by up to 2 pixels, 40 to train; {seeds} draws", ROWS, results)
