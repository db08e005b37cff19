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
    mean_test: np.ndarray | None = None  # of a draw: the score of each test example before its noise


def draw(task, examples, features, rho, seed, test=1000, snr=None):
    """Rows of an autoregressive chain of normals; the target by ten features of one size and normal noise of variance 1. The
    size is 1, or with snr such that the variance of the score before its noise is snr."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((examples + test, features))
    for i in range(1, features):
        x[:, i] = rho * x[:, i - 1] + np.sqrt(1 - rho * rho) * x[:, i]
    true = random.choice(features, TRUE, replace=False)
    sizes = random.choice([-1.0, 1.0], TRUE)
    if snr is not None:
        together = np.power(float(rho), np.abs(np.subtract.outer(true, true)))
        sizes = sizes * np.sqrt(snr / (sizes @ together @ sizes))
    mean = x[:, true] @ sizes
    score = mean + random.standard_normal(examples + test)
    y = (score > 0).astype(float) if task == "classify" else score
    name = f"{task}, {examples} x {features}, rho = {rho:g}" + ("" if snr is None else f", snr = {snr:g}")
    return Problem(name, seed, task, x[:examples], y[:examples], x[examples:], y[examples:], set(true.tolist()),
                   mean[examples:])


def columns(path, target="class", logarithm=False, ignore=()):
    """A CSV of numbers: features, and the column of the target as it stands there."""
    import pandas

    frame = pandas.read_csv(path)
    x = frame.drop(columns=[target, *ignore]).to_numpy(float)
    x = np.log10(np.clip(x, 100, 16000)) if logarithm == "clip" else np.log(x) if logarithm else x
    return x, frame[target].to_numpy()


def table(path, positive, logarithm=False, ignore=()):
    """Features, and 1 where the class is positive."""
    x, labels = columns(path, "class", logarithm, ignore)
    return x, (labels.astype(str) == positive).astype(float)


def nips(folder, part):
    with lzma.open(folder / f"arcene_{part}.data.xz", "rt") as file:
        x = np.loadtxt(file)
    return x, (np.loadtxt(folder / f"arcene_{part}.labels") > 0).astype(float)


def svmlight(path):
    """A sparse matrix, and the target as it stands there."""
    from sklearn.datasets import load_svmlight_file

    with (lzma.open if path.suffix == ".xz" else open)(path, "rb") as file:
        return load_svmlight_file(file)


def frequent(x, least):
    """The columns that are not 0 in as many examples at least."""
    return x[:, np.diff(x.tocsc().indptr) >= least]


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
            x = frequent(x, 8).toarray()
            yield name, halves("dorothea, features of 8 or more", x, (y > 0).astype(float), repeats)
        else:
            raise SystemExit(f"the set {name} is unknown; known are golub, colon, srbct, nci60, arcene, dorothea")
