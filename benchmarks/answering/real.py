"""Real sets by name: those with many more features than examples, and ordinary ones."""

import pathlib
from dataclasses import dataclass
from typing import Callable

import numpy as np

from comparison.real_sets import path_of
from selecting import sets
from selecting.sets import Problem

WIDE, ORDINARY = "more features than examples", "ordinary"


@dataclass
class Set:
    """read(folder) gives the features, and the labels or numbers to predict."""

    kind: str
    task: str
    read: Callable
    quick: bool = False  # small enough for --quick


def file(name, folder):
    return pathlib.Path(path_of(name, str(folder)))


def beside(path, old, new):
    return path.with_name(path.name.replace(old, new))


def stacked(*parts):
    return np.vstack([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def golub(folder):
    train = file("golub", folder)
    test = beside(train, "train_38", "test_34")
    return stacked(*(sets.columns(path, "class", "clip", ["sample"]) for path in (train, test)))


def srbct(folder):
    train = file("srbct", folder)
    return stacked(*(sets.columns(path) for path in (train, beside(train, "train_63", "test_20"))))


def nci60(folder):
    """The classes of five cell lines or more."""
    x, y = sets.columns(file("nci60", folder))
    names, counts = np.unique(y, return_counts=True)
    rows = np.isin(y, names[counts >= 5])
    return x[rows], y[rows]


def one(read, label):
    """A class against the rest."""
    def against(folder):
        x, y = read(folder)
        return x, y == label
    return against


def arcene(folder):
    return stacked(*(sets.nips(pathlib.Path(folder), part) for part in ("train", "valid")))


def dorothea(folder):
    x, y = sets.svmlight(file("dorothea", folder))
    return sets.frequent(x, 8), y


def texts(name):
    def read(folder):
        x, y = sets.svmlight(file(name, folder))
        return sets.frequent(x, 1), y
    return read


def dense(name):
    def read(folder):
        x, y = sets.svmlight(file(name, folder))
        return x.toarray(), y
    return read


def csv(name, target, *ignore, **more):
    return lambda folder: sets.columns(file(name, folder), target, ignore=ignore, **more)


def splice(folder):
    """Different sequences, each letter as four bits; a letter that is not known has none."""
    rows = {}
    for line in (pathlib.Path(folder) / "splice.data").read_text(encoding="ascii").splitlines():
        label, _, letters = (word.strip() for word in line.split(","))
        rows.setdefault(letters, label)
    x = np.array([[float(letter == base) for letter in letters for base in "ACGT"] for letters in rows])
    return x, np.array(list(rows.values()))


CLASSIFY, REGRESS = "classify", "regress"
SETS = {
    "golub": Set(WIDE, CLASSIFY, golub),
    "colon": Set(WIDE, CLASSIFY, csv("colon", "class", logarithm=True), True),
    "srbct": Set(WIDE, CLASSIFY, srbct),
    "srbct_ews": Set(WIDE, CLASSIFY, one(srbct, 2), True),
    "nci60": Set(WIDE, CLASSIFY, nci60),
    "nci60_renal": Set(WIDE, CLASSIFY, one(lambda folder: sets.columns(file("nci60", folder)), "RENAL")),
    "arcene": Set(WIDE, CLASSIFY, arcene),
    "dorothea": Set(WIDE, CLASSIFY, dorothea),
    "wdbc": Set(ORDINARY, CLASSIFY, csv("wdbc", "target"), True),
    "digits": Set(ORDINARY, CLASSIFY, csv("digits", "target")),
    "spambase": Set(ORDINARY, CLASSIFY, csv("spambase", "type")),
    "sonar": Set(ORDINARY, CLASSIFY, csv("sonar", "Class"), True),
    "ionosphere": Set(ORDINARY, CLASSIFY, csv("ionosphere", "Class"), True),
    "german": Set(ORDINARY, CLASSIFY, dense("german")),
    "splice": Set(ORDINARY, CLASSIFY, splice),
    "rcv1": Set(ORDINARY, CLASSIFY, texts("rcv1")),
    "basehock": Set(ORDINARY, CLASSIFY, texts("basehock")),
    "boston": Set(ORDINARY, REGRESS, csv("boston", "medv"), True),
    "california": Set(ORDINARY, REGRESS, csv("california", "medianHouseValue")),
    "diabetes": Set(ORDINARY, REGRESS, csv("diabetes", "target"), True),
}


def parts(y, task, split, most):
    """The rows to fit, at most so many, and the third to predict; the same for everybody."""
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    third = round(len(y) / 3)
    cut = StratifiedShuffleSplit if task == CLASSIFY else ShuffleSplit
    drawn = cut(1, train_size=min(most, len(y) - third), test_size=third, random_state=split)
    return next(drawn.split(np.zeros(len(y)), y))


def problems(name, folder, splits, most):
    """The problems of a set, one by one; labels become 0, 1, ... in their order."""
    chosen = SETS[name]
    x, y = chosen.read(folder)
    y = np.unique(y, return_inverse=True)[1].astype(float) if chosen.task == CLASSIFY else np.asarray(y, dtype=float)
    for split in range(splits):
        fit, test = parts(y, chosen.task, split, most)
        yield Problem(name, split, chosen.task, x[fit], y[fit], x[test], y[test])
