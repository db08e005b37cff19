"""The data sets of the latent benchmarks, as arrays: x, and y of +1 and -1."""

import csv
import lzma

import numpy as np
from scipy.sparse import csr_matrix


def _csv(path, target, positive, negative, skip=()):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    names = [n for n in rows[0] if n != target and n not in skip]
    rows = [r for r in rows if r[target] in (positive, negative)]
    return (np.array([[float(r[n]) for n in names] for r in rows]),
            np.array([1 if r[target] == positive else -1 for r in rows]))


def _spam(path):
    """Frequencies of words and lengths of runs have long tails: their logarithms are used."""
    x, y = _csv(path, "type", "spam", "nonspam")
    return np.log1p(x), y


def _usps(path, positive, negative):
    """Grey values from 0 to 1 of both files; the digit comes first and there is no header."""
    rows = []
    for part in (path, path.with_name("usps_test_2007x256.csv.xz")):
        with lzma.open(part, "rt") as file:
            rows += [line.split(",") for line in file]
    rows = [r for r in rows if float(r[0]) in (positive, negative)]
    return ((np.array([r[1:] for r in rows], float) + 1) / 2,
            np.array([1 if float(r[0]) == positive else -1 for r in rows]))


def _svmlight(path, positive, negative):
    data, columns, starts, y = [], [], [0], []
    with lzma.open(path, "rt") as file:
        for line in file:
            words = line.split()
            if words[0] not in (positive, negative):
                continue
            y.append(1 if words[0] == positive else -1)
            for word in words[1:]:
                index, value = word.split(":")
                columns.append(int(index) - 1)
                data.append(float(value))
            starts.append(len(data))
    return csr_matrix((data, columns, starts)), np.array(y)


def _text(path, positive, negative, words=1000):
    """tf-idf of the words that most documents hold, each document of length 1: as dense rows of few hundred words."""
    x, y = _svmlight(path, positive, negative)
    count = np.asarray((x > 0).sum(0)).ravel()
    kept = np.argsort(-count)[:words]
    x = np.log1p(x[:, kept].toarray()) * np.log(x.shape[0] / (1 + count[kept]))
    norm = np.linalg.norm(x, axis=1)
    return x[norm > 0] / norm[norm > 0, None], y[norm > 0]


def tables(folder):
    """name -> how to read it; text is not to be standardised."""
    return {
        "spambase": (folder / "spambase.csv", _spam, False),
        "digits 3 v 8": (folder / "sklearn_digits.csv", lambda p: _csv(p, "target", "8", "3"), False),
        "digits 4 v 9": (folder / "sklearn_digits.csv", lambda p: _csv(p, "target", "9", "4"), False),
        "USPS 3 v 8": (folder / "usps_train_7291x256.csv.xz", lambda p: _usps(p, 8, 3), False),
        "USPS 4 v 9": (folder / "usps_train_7291x256.csv.xz", lambda p: _usps(p, 9, 4), False),
        "wdbc": (folder / "sklearn_wdbc.csv", lambda p: _csv(p, "target", "1", "0"), False),
        "20news 10 v 11": (folder / "20news_w1000_train_11256x1000.libsvm.xz", lambda p: _text(p, "10", "11"), True),
        "20news 2 v 4": (folder / "20news_w1000_train_11256x1000.libsvm.xz", lambda p: _text(p, "2", "4"), True),
    }


def read(folder, names):
    """(name, x, y, is text) of the sets that are there."""
    for name in names:
        path, reader, text = tables(folder)[name]
        if not path.exists():
            print(f"{name}: {path.name} is not there; left out")
            continue
        x, y = reader(path)
        yield name, x, y, text
