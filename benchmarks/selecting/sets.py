"""Data: draws whose true features are known, and real sets with many more features than examples."""

import lzma
import pathlib
from dataclasses import dataclass

import numpy as np

TRUE = 10


@dataclass
class Problem:
    """Examples to fit and others to predict; the true features where they are known."""

    name: str
    number: int  # seed of the draw, or repetition
    task: str
    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    true: set | None = None


def draw(task, examples, features, rho, seed, test=1000):
    """Rows of an autoregressive chain of normals; the target by ten features of size 1 and normal noise."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((examples + test, features))
    for i in range(1, features):
        x[:, i] = rho * x[:, i - 1] + np.sqrt(1 - rho * rho) * x[:, i]
    true = random.choice(features, TRUE, replace=False)
    score = x[:, true] @ random.choice([-1.0, 1.0], TRUE) + random.standard_normal(examples + test)
    y = (score > 0).astype(float) if task == "classify" else score
    return Problem(f"{task}, {examples} x {features}, rho = {rho:g}", seed, task, x[:examples], y[:examples], x[examples:],
                   y[examples:], set(true.tolist()))


def table(path, positive, logarithm=False, ignore=()):
    """A CSV of numbers with the column class: features, and 1 where the class is positive."""
    import pandas

    frame = pandas.read_csv(path)
    y = (frame["class"].astype(str) == positive).to_numpy(float)
    x = frame.drop(columns=["class", *ignore]).to_numpy(float)
    return np.log10(np.clip(x, 100, 16000)) if logarithm == "clip" else np.log(x) if logarithm else x, y


def nips(folder, part):
    with lzma.open(folder / f"arcene_{part}.data.xz", "rt") as file:
        x = np.loadtxt(file)
    return x, (np.loadtxt(folder / f"arcene_{part}.labels") > 0).astype(float)


def svmlight(path):
    from sklearn.datasets import load_svmlight_file

    with lzma.open(path) as file:
        x, y = load_svmlight_file(file)
    return x.toarray(), (y > 0).astype(float)


def halves(name, x, y, repeats):
    """Train and test parts of two thirds and one third, drawn anew."""
    from sklearn.model_selection import StratifiedShuffleSplit

    split = StratifiedShuffleSplit(repeats, test_size=1 / 3, random_state=1)
    return (Problem(name, k, "classify", x[fit], y[fit], x[test], y[test])
            for k, (fit, test) in enumerate(split.split(x, y)))


def real(folder, names, repeats):
    """Problems one by one, by the name of the set. Features that never vary, or in very few examples, stay."""
    folder = pathlib.Path(folder)
    for name in names:
        if name == "golub":
            x, y = table(folder / "golub_leukemia_train_38x7129.csv.gz", "AML", "clip", ["sample"])
            u, v = table(folder / "golub_leukemia_test_34x7129.csv.gz", "AML", "clip", ["sample"])
            yield name, halves(name, np.vstack([x, u]), np.concatenate([y, v]), repeats)
        elif name == "colon":
            yield name, halves(name, *table(folder / "colon_alon_62x2000.csv.gz", "tumor", True), repeats)
        elif name == "srbct":
            yield name, halves("srbct, EWS against the rest", *table(folder / "srbct_khan_train_63x2308.csv.gz", "2"), repeats)
        elif name == "nci60":
            yield name, halves("nci60, renal against the rest", *table(folder / "nci60_64x6830.csv.gz", "RENAL"), repeats)
        elif name == "arcene":
            x, y = nips(folder, "train")
            u, v = nips(folder, "valid")
            yield name, halves(name, np.vstack([x, u]), np.concatenate([y, v]), repeats)
        elif name == "dorothea":
            x, y = svmlight(folder / "dorothea_train_800x88119.libsvm.xz")
            yield name, halves("dorothea, features of 8 or more", x[:, x.sum(axis=0) >= 8], y, repeats)
        else:
            raise SystemExit(f"the set {name} is unknown; known are golub, colon, srbct, nci60, arcene, dorothea")
