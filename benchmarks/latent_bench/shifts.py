"""Part c: images shifted by up to two pixels either way; 40 to train, the rest (up to 1,000) to test."""

import numpy as np

from . import sets
from .command import accuracy, folds, scores, table

NAMES = ["digits 3 v 8", "digits 4 v 9", "USPS 3 v 8", "USPS 4 v 9"]
ROWS = ["plain", "copies", "literal shifts", "latent shifts", "never shifted"]
WIDTHS = (0.1, 1, 10)
REACH = 2
SQUARE = [(down, right) for down in range(-REACH, REACH + 1) for right in range(-REACH, REACH + 1)]


def moved(image, down, right, room=0):
    """The image shifted, with `room` empty pixels about it; what leaves is lost, and what comes in is empty."""
    side = int(np.sqrt(len(image))) + 2 * room
    about = np.zeros((side + 2 * REACH, side + 2 * REACH))
    top, left = REACH + room + down, REACH + room + right
    about[top:top + side - 2 * room, left:left + side - 2 * room] = image.reshape(side - 2 * room, -1)
    return about[REACH:-REACH, REACH:-REACH].ravel()


def answer(x, y, test, options, copied):
    """Scores of test; `copied` trains on all shifts of each image, each of which counts for its part of one."""
    if not copied:
        return scores(x, y, test, *options)
    copies = np.array([moved(row, *step) for row in x for step in SQUARE])
    weight = [("weight", [1 / len(SQUARE)] * len(copies))]
    return scores(copies, np.repeat(y, len(SQUARE)), test, *options, "--weights", "weight", more=weight)


def tuned(x, y, test, options, copied, seed):
    """Scores of test, the prior variance chosen by 5 folds of the images."""
    fold = folds(y, 5, seed)
    unit = 3 / np.mean(np.sum((x - x.mean(0))**2, axis=1))
    best, chosen = -1, None
    for width in WIDTHS:
        tried = [*options, "--prior-variance", width * unit]
        right = np.mean([accuracy(answer(x[fold != k], y[fold != k], x[fold == k], tried, copied), y[fold == k])
                         for k in range(5)])
        if right > best:
            best, chosen = right, tried
    return answer(x, y, test, chosen, copied)


def run(folder, seeds):
    results = {}
    for name, x, y, _ in sets.read(folder, NAMES):
        x = x / x.max()
        side = int(np.sqrt(x.shape[1])) + 2 * REACH
        plain = ["--p0", "1", "--scale", "none"]
        latent = [*plain, "--model", "latent", "--latent", f"shifts:{REACH}", "--image", f"{side}x{side}"]
        literal = [*latent, "--latent-mode", "literal", "--tolerance", "1e-4"]
        found = results[name] = {row: [] for row in ROWS}
        for seed in range(seeds):
            draw = np.random.default_rng(seed)
            order = draw.permutation(len(y))
            train, rest = order[:40], order[40:1040]
            steps = draw.integers(-REACH, REACH + 1, size=(len(y), 2))
            still = np.array([moved(row, 0, 0, REACH) for row in x])
            away = np.array([moved(row, *step, REACH) for row, step in zip(x, steps)])
            for row, images, options in (("plain", away, plain), ("copies", away, plain), ("literal shifts", away, literal),
                                         ("latent shifts", away, latent), ("never shifted", still, plain)):
                said = tuned(images[train], y[train], images[rest], options, row == "copies", seed)
                found[row].append(accuracy(said, y[rest]))
            print(name, seed, {row: round(found[row][-1], 3) for row in ROWS}, flush=True)
    table(f"images shifted by up to 2 pixels, 40 to train; {seeds} draws", ROWS, results)
