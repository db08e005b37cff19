"""Fits and predictions by the medlar command, on arrays; and tables of what came out."""

import csv
import io
import os
import pathlib
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEDLAR = os.environ.get("MEDLAR", str(ROOT / "build" / "release" / "bin" / "medlar"))


def medlar(*arguments, ok=(0, 2)):
    done = subprocess.run([MEDLAR, *map(str, arguments), "--threads", "1"], capture_output=True)
    if done.returncode not in ok:
        raise RuntimeError(f"{arguments}: {done.stderr.decode()}")
    return done.stdout.decode()


def write_csv(path, x, y, more=()):
    """Rows of x; labels +1, -1 and 0, which is written as none; further columns as (name, values)."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([f"f{i}" for i in range(x.shape[1])] + [name for name, _ in more] + ["y"])
        for t in range(len(x)):
            label = {1: "1", -1: "-1", 0: ""}[int(y[t])]
            out.writerow([repr(float(v)) for v in x[t]] + [values[t] for _, values in more] + [label])


def scores(x, y, test, *options, more=()):
    """Trains on (x, y), and gives the scores of the rows of test."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_csv(folder / "train.csv", x, y, more)
        write_csv(folder / "test.csv", test, np.zeros(len(test)))
        medlar("train", folder / "train.csv", "--target", "y", "--task", "classify", "-o", folder / "m.json", "--quiet", *options)
        said = medlar("predict", folder / "m.json", folder / "test.csv")
    return np.array([float(row["score"]) for row in csv.DictReader(io.StringIO(said))])


def accuracy(score, y):
    return float(np.mean((score > 0) == (y > 0)))


def standardised(train, *others):
    mean, sd = train.mean(0), train.std(0)
    sd[sd == 0] = 1
    return [(each - mean) / sd for each in (train, *others)]


def folds(y, count, seed):
    """A fold for each example, each with its share of both classes."""
    draw = np.random.default_rng(seed)
    fold = np.zeros(len(y), int)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        draw.shuffle(rows)
        fold[rows] = np.arange(len(rows)) % count
    return fold


def table(title, rows, results):
    """results[column][row] is a list of numbers, one per seed; printed as mean and standard error."""
    print(f"\n{title}\n")
    columns = list(results)
    print("| | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for row in rows:
        cells = []
        for column in columns:
            numbers = np.array(results[column].get(row, []))
            if len(numbers) == 0:
                cells.append("–")
            elif len(numbers) == 1:
                cells.append(f"{numbers[0]:.3f}")
            else:
                cells.append(f"{numbers.mean():.3f} ± {numbers.std(ddof=1) / np.sqrt(len(numbers)):.3f}")
        print(f"| {row} | " + " | ".join(cells) + " |", flush=True)
