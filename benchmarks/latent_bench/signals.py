"""Part d: signals. Training sets are redrawn: as many as the archive's own, from both of its files, by class."""

import pathlib
import tempfile

import csv
import io

import numpy as np

from .command import accuracy, folds, medlar, scores, table

SETS = [("GunPoint", "1", "2"), ("ItalyPowerDemand", "1", "2"), ("JapaneseVowels", "1", "2"), ("BasicMotions", "standing", "running")]
ROWS = ["plain, resampled", "1-NN, DTW", "HMM per class", "latent alignment", "literal alignment"]
WIDTHS = (0.1, 1, 10)


def read(path, negative, positive):
    """Sequences (length x channels) and labels."""
    signals, y = [], []
    seen = False
    for line in path.read_text().splitlines():
        seen = seen or line.lower().startswith("@data")
        if not seen or line.startswith(("@", "#")) or not line.strip():
            continue
        *channels, label = line.split(":")
        if label.strip().lower() in (negative, positive):
            signals.append(np.array([[float(v) for v in c.split(",")] for c in channels]).T)
            y.append(1 if label.strip().lower() == positive else -1)
    return signals, np.array(y)


def resampled(signals, length):
    rows = []
    for signal in signals:
        at = np.linspace(0, len(signal) - 1, length)
        rows.append(np.concatenate([np.interp(at, np.arange(len(signal)), c) for c in signal.T]))
    return np.array(rows)


def write_ts(path, signals, y):
    with open(path, "w") as file:
        file.write("@classLabel true -1 1\n@data\n")
        for signal, label in zip(signals, y):
            file.write(":".join(",".join(repr(float(v)) for v in c) for c in signal.T) + f":{label}\n")


def aligned(train, y, test, *options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_ts(folder / "train.ts", train, y)
        write_ts(folder / "test.ts", test, np.zeros(len(test), int))
        medlar("train", folder / "train.ts", "--model", "latent", "--p0", "1", "-o", folder / "m.json", "--quiet", *options)
        said = medlar("predict", folder / "m.json", folder / "test.ts")
    return np.array([float(row["score"]) for row in csv.DictReader(io.StringIO(said))])


def plain(train, y, test, seed):
    length = int(np.median([len(s) for s in train]))
    x, new = resampled(train, length), resampled(test, length)
    mean, sd = x.mean(0), x.std(0)
    sd[sd == 0] = 1
    x, new = (x - mean) / sd, (new - mean) / sd
    fold, best, chosen = folds(y, 5, seed), -1, None
    for width in WIDTHS:
        options = ["--p0", "1", "--scale", "none", "--prior-variance", width * 3 / x.shape[1]]
        right = np.mean([accuracy(scores(x[fold != k], y[fold != k], x[fold == k], *options), y[fold == k]) for k in range(5)])
        if right > best:
            best, chosen = right, options
    return scores(x, y, new, *chosen)


def dtw(a, b, band):
    """The distance of dynamic time warping within a band of the diagonal."""
    n, m = len(a), len(b)
    band = max(band, abs(n - m))
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    apart = ((a[:, None, :] - b[None, :, :])**2).sum(2)
    for i in range(1, n + 1):
        for j in range(max(1, i - band), min(m, i + band) + 1):
            cost[i, j] = apart[i - 1, j - 1] + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


def nearest(train, y, test):
    """The band, a tenth of the length, is what the archive's authors advise when it is not tuned."""
    band = max(1, int(np.median([len(s) for s in train])) // 10)
    return np.array([y[int(np.argmin([dtw(s, t, band) for t in train]))] for s in test], float)


class Generative:
    """A left-to-right HMM of each class with Gaussian emissions; the larger likelihood wins."""

    def __init__(self, signals, states, rounds=20):
        self.states = states
        spread = np.concatenate(signals).var(0) + 1e-9
        gammas = [np.eye(states)[np.arange(len(s)) * states // len(s)] for s in signals]
        self.stay = np.full(states, max(0.5, 1 - states / np.mean([len(s) for s in signals])))
        for _ in range(rounds):
            weight = sum(g.sum(0) for g in gammas)[:, None] + 1e-9
            self.mean = sum(g.T @ s for g, s in zip(gammas, signals)) / weight
            square = sum(g.T @ s**2 for g, s in zip(gammas, signals)) / weight
            self.variance = np.maximum(square - self.mean**2, 1e-3 * spread)
            gammas = [self.posterior(s)[0] for s in signals]

    def posterior(self, signal):
        g = -0.5 * (((signal[:, None, :] - self.mean)**2 / self.variance) + np.log(2 * np.pi * self.variance)).sum(2)
        stay, go = np.log(self.stay), np.log1p(-self.stay)
        forward = np.full(g.shape, -np.inf)
        backward = np.zeros(g.shape)
        forward[0, 0] = g[0, 0]
        stay[-1] = 0
        for t in range(1, len(g)):
            forward[t] = forward[t - 1] + stay
            forward[t, 1:] = np.logaddexp(forward[t, 1:], forward[t - 1, :-1] + go[:-1])
            forward[t] += g[t]
        for t in range(len(g) - 2, -1, -1):
            backward[t] = backward[t + 1] + g[t + 1] + stay
            backward[t, :-1] = np.logaddexp(backward[t, :-1], backward[t + 1, 1:] + g[t + 1, 1:] + go[:-1])
        total = np.logaddexp.reduce(forward[-1])
        return np.exp(forward + backward - total), total


def generative(train, y, test, seed):
    fold = folds(y, 3, seed)

    def score(inside, labels, outside, states):
        models = [Generative([s for s, label in zip(inside, labels) if label == sign], states) for sign in (-1, 1)]
        return np.array([models[1].posterior(s)[1] - models[0].posterior(s)[1] for s in outside])

    def pick(mask):
        return [s for s, inside in zip(train, mask) if inside]

    right = {states: np.mean([accuracy(score(pick(fold != k), y[fold != k], pick(fold == k), states), y[fold == k]) for k in range(3)])
             for states in (4, 8)}
    return score(train, y, test, max(right, key=right.get))


def run(folder, seeds):
    results = {}
    for name, negative, positive in SETS:
        files = [folder / f"{name}_{part}.ts" for part in ("TRAIN", "TEST")]
        if not all(file.exists() for file in files):
            print(f"{name}: {files[0].name} is not there; left out")
            continue
        parts = [read(file, negative, positive) for file in files]
        size = len(parts[0][1])
        signals, y = parts[0][0] + parts[1][0], np.concatenate([part[1] for part in parts])
        found = results[name] = {row: [] for row in ROWS}
        for seed in range(seeds):
            draw = np.random.default_rng(seed)
            order = draw.permutation(len(y)) if seed > 0 else np.arange(len(y))  # the archive's own split first
            train, rest = order[:size], order[size:size + 200]
            inside, outside = [signals[t] for t in train], [signals[t] for t in rest]
            found["plain, resampled"].append(accuracy(plain(inside, y[train], outside, seed), y[rest]))
            found["1-NN, DTW"].append(accuracy(nearest(inside, y[train], outside), y[rest]))
            found["HMM per class"].append(accuracy(generative(inside, y[train], outside, seed), y[rest]))
            found["latent alignment"].append(accuracy(aligned(inside, y[train], outside, "--latent", "alignment:auto"), y[rest]))
            found["literal alignment"].append(accuracy(
                aligned(inside, y[train], outside, "--latent", "alignment:6", "--latent-mode", "literal", "--tolerance", "1e-3"), y[rest]))
    table(f"signals; {seeds} draws", ROWS, results)
