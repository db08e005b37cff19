"""Part d: signals. Training sets are redrawn: as many as the archive's own, from both of its files. The archives' files are
in the Python packages sktime and aeon (datasets/data/NAME/NAME_TRAIN.ts)."""

import csv
import io
import pathlib
import tempfile

import numpy as np

from .command import folds, medlar, table
from .hmm import ClassHmm

SETS = ["GunPoint", "ItalyPowerDemand", "BasicMotions", "JapaneseVowels", "ArrowHead"]
ROWS = ["plain, resampled", "1-NN, DTW", "HMM per class", "latent alignment", "literal alignment"]
WIDTHS = (0.1, 1, 10)


def read(path):
    """Sequences (length x channels) and labels, as text."""
    signals, labels, seen = [], [], False
    for line in path.read_text(errors="replace").splitlines():
        if not seen or line.startswith(("@", "#")) or not line.strip():
            seen = seen or line.lower().startswith("@data")
            continue
        *channels, label = line.split(":")
        signals.append(np.array([[float(v) for v in c.split(",")] for c in channels]).T)
        labels.append("c" + label.strip().lower())
    return signals, np.array(labels)


def resampled(signals, length):
    rows = []
    for signal in signals:
        at = np.linspace(0, len(signal) - 1, length)
        rows.append(np.concatenate([np.interp(at, np.arange(len(signal)), c) for c in signal.T]))
    return np.array(rows)


def write_table(path, x, y):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([f"f{i}" for i in range(x.shape[1])] + ["y"])
        out.writerows([repr(float(v)) for v in row] + [label] for row, label in zip(x, y))


def write_ts(path, signals, y):
    with open(path, "w") as file:
        file.write("@classLabel true " + " ".join(sorted(set(y))) + "\n@data\n")
        for signal, label in zip(signals, y):
            file.write(":".join(",".join(repr(float(v)) for v in c) for c in signal.T) + f":{label}\n")


def predicted(write, ending, train, y, test, *options):
    """Labels by the command."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write(folder / f"train.{ending}", train, y)
        write(folder / f"test.{ending}", test, [y[0]] * len(test))
        target = ["--target", "y"] if ending == "csv" else []
        medlar("train", folder / f"train.{ending}", *target, "--p0", "1", "-o", folder / "m.json", "--quiet", *options)
        said = medlar("predict", folder / "m.json", folder / f"test.{ending}")
    return np.array([row["label"] for row in csv.DictReader(io.StringIO(said))])


def plain(train, y, test, seed):
    length = int(np.median([len(s) for s in train]))
    x, new = resampled(train, length), resampled(test, length)
    mean, sd = x.mean(0), x.std(0)
    sd[sd == 0] = 1
    x, new = (x - mean) / sd, (new - mean) / sd
    fold, best, chosen = folds(y, 5, seed), -1, None
    for width in WIDTHS:
        options = ["--scale", "none", "--prior-variance", width * 3 / x.shape[1]]
        right = np.mean([np.mean(predicted(write_table, "csv", x[fold != k], y[fold != k], x[fold == k], *options) == y[fold == k])
                         for k in range(5)])
        if right > best:
            best, chosen = right, options
    return predicted(write_table, "csv", x, y, new, *chosen)


def dtw_to_all(signal, train, lengths, band):
    """Distances of dynamic time warping within a band from one signal to all of train (padded), side by side."""
    n, most = len(signal), train.shape[1]
    band = max(band, int(np.max(np.abs(lengths - n))))
    apart = ((signal[None, :, None, :] - train[:, None, :, :])**2).sum(3)
    above = np.full((len(train), most + 1), np.inf)
    above[:, 0] = 0
    for i in range(1, n + 1):
        row = np.full((len(train), most + 1), np.inf)
        for j in range(max(1, i - band), min(most, i + band) + 1):
            row[:, j] = apart[:, i - 1, j - 1] + np.minimum(np.minimum(above[:, j], row[:, j - 1]), above[:, j - 1])
        above = row
    return above[np.arange(len(train)), lengths]


def nearest(train, y, test):
    """The band, a tenth of the length, is what the archive's authors advise when it is not tuned."""
    lengths = np.array([len(s) for s in train])
    padded = np.zeros((len(train), lengths.max(), train[0].shape[1]))
    for k, signal in enumerate(train):
        padded[k, :len(signal)] = signal
    band = max(1, int(np.median(lengths)) // 10)
    return np.array([y[int(np.argmin(dtw_to_all(s, padded, lengths, band)))] for s in test])


def generative(train, y, test, seed):
    """One HMM per class; the number of states by 3 folds."""
    def answer(inside, labels, outside, states):
        names = sorted(set(labels))
        models = [ClassHmm([s for s, label in zip(inside, labels) if label == name], states) for name in names]
        return np.array(names)[np.argmax([model.likelihoods(outside) for model in models], axis=0)]

    def pick(mask):
        return [s for s, inside in zip(train, mask) if inside]

    fold = folds(y, 3, seed)
    right = {states: np.mean([np.mean(answer(pick(fold != k), y[fold != k], pick(fold == k), states) == y[fold == k]) for k in range(3)])
             for states in (4, 8)}
    return answer(train, y, test, max(right, key=right.get))


def run(folder, seeds, only=None):
    results = {}
    for name in SETS:
        files = [folder / f"{name}_{part}.ts" for part in ("TRAIN", "TEST")]
        if only and name not in only:
            continue
        if not all(file.exists() for file in files):
            print(f"{name}: {files[0].name} is not there; left out")
            continue
        parts = [read(file) for file in files]
        size = len(parts[0][1])
        signals, y = parts[0][0] + parts[1][0], np.concatenate([part[1] for part in parts])
        found = results[name] = {row: [] for row in ROWS}
        for seed in range(seeds):
            draw = np.random.default_rng(seed)
            order = draw.permutation(len(y)) if seed > 0 else np.arange(len(y))  # the archive's own split first
            train, rest = order[:size], order[size:size + 200]
            inside, outside = [signals[t] for t in train], [signals[t] for t in rest]
            latent = ["--model", "latent", "--latent"]
            answers = {"plain, resampled": plain(inside, y[train], outside, seed),
                       "1-NN, DTW": nearest(inside, y[train], outside),
                       "HMM per class": generative(inside, y[train], outside, seed),
                       "latent alignment": predicted(write_ts, "ts", inside, y[train], outside, *latent, "alignment:auto"),
                       "literal alignment": predicted(write_ts, "ts", inside, y[train], outside, *latent, "alignment:6",
                                                      "--latent-mode", "literal", "--tolerance", "1e-3")}
            for row, answer in answers.items():
                found[row].append(np.mean(answer == y[rest]))
            print(name, seed, {row: round(float(found[row][-1]), 3) for row in answers}, flush=True)
    table(f"signals; {seeds} draws", ROWS, results)
