#!/usr/bin/env python3
"""A gallery of the Python package: pictures of what each estimator finds, drawn with matplotlib.

    python3 examples/python/gallery.py [FOLDER]        writes its pictures and one report into FOLDER (gallery unless given)

Its parts are the cells of a notebook: each begins with "# %%" and runs after those above it.
"""

# %% Where the pictures go
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.model_selection import train_test_split

import medlar
from medlar import plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
folder.mkdir(parents=True, exist_ok=True)


def keep(name, axes):
    axes.figure.savefig(folder / f"{name}.svg")
    plt.close(axes.figure)
    print(folder / f"{name}.svg")


# %% Two classes: which measurements tell benign from malignant
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, X_test, y, y_test = train_test_split(X, y, random_state=1)
tumours = medlar.MEDClassifier(p0=0.01, prior_variance=0.1).fit(X, y)
keep("inclusion", plot.inclusion(tumours))
keep("weights", plot.weights(tumours))
keep("roc", plot.roc(tumours, X_test, y_test))
tumours.report(folder / "tumours.html", X_test, y_test)

# %% How features come and go along p0
keep("path", plot.path(medlar.med_path(X, y, prior_variance=0.1)))

# %% A number with its uncertainty
X, y = load_diabetes(return_X_y=True, as_frame=True)
progress = medlar.MEDRegressorCV().fit(X, y)
value, sd = progress.predict(X, return_std=True)
figure, axes = plt.subplots(layout="constrained")
axes.errorbar(value, y, xerr=sd, fmt=".", color="#9c5b2e", ecolor="#cdb9a6")
axes.set(xlabel="predicted, with the sd of the discriminant", ylabel="measured")
keep("regression", axes)

# %% Several classes: one switch for a feature in all of them
X, y = load_iris(return_X_y=True, as_frame=True)
flowers = medlar.MEDClassifier(p0=0.1).fit(X, y)
figure, axes = plt.subplots(layout="constrained")
axes.imshow(flowers.coef_, cmap="PuOr", vmin=-np.abs(flowers.coef_).max(), vmax=np.abs(flowers.coef_).max())
axes.set_xticks(range(4), [f"{name}\n{p:.2f}" for name, p in zip(X.columns, flowers.inclusion_)], fontsize="small")
axes.set_yticks(range(3), load_iris().target_names)
keep("classes", axes)

# %% Missing cells: a generative model does without them
draw = np.random.default_rng(1)
shares = np.linspace(0, 0.6, 7)
right = []
for share in shares:
    holes = X.where(draw.random(X.shape) >= share)
    right.append(medlar.GenerativeMEDClassifier().fit(holes[::2], y[::2]).score(holes[1::2], y[1::2]))
figure, axes = plt.subplots(layout="constrained")
axes.plot(shares, right, marker="o", color="#9c5b2e")
axes.set(xlabel="share of cells that are missing", ylabel="accuracy on the other half", ylim=(0, 1.02))
keep("missing", axes)

# %% What is odd: a 7 among images of 1
X, y = load_digits(return_X_y=True)
ones, sevens = X[y == 1], X[y == 7][:5]
used = ones.std(axis=0) > 0
detector = medlar.MEDAnomalyDetector(family="gaussian-diagonal", alpha=0.02).fit(ones[:, used])
why = np.zeros(64)
why[used] = (detector.contributions(sevens[:1, used]) - detector.typical_)[0]
figure, (axes, beside) = plt.subplots(1, 2, layout="constrained")
axes.imshow(sevens[0].reshape(8, 8), cmap="Greys")
axes.set_title(f"p value {detector.p_values(sevens[:1, used])[0]:.3f}")
beside.imshow(why.reshape(8, 8), cmap="PuOr", vmin=-np.abs(why).max(), vmax=np.abs(why).max())
beside.set_title("what each pixel adds, beyond the typical")
keep("odd", axes)

# %% Few labels and many images
X, y = load_digits(n_class=2, return_X_y=True)
counts, alone, together = (2, 4, 8, 16), [], []
for count in counts:
    known = np.concatenate([draw.choice(np.flatnonzero(y == k), count // 2, replace=False) for k in (0, 1)])
    labels = np.where(np.isin(np.arange(len(y)), known), y, -1).astype(float)
    labels[labels < 0] = np.nan
    shared = {"p0": 1.0, "scale": "none", "prior_variance": 1e-4}
    alone.append(medlar.MEDClassifier(**shared).fit(X[known], y[known]).score(X, y))
    together.append((medlar.TransductiveMEDClassifier(**shared).fit(X, labels).transduction_ == y).mean())
figure, axes = plt.subplots(layout="constrained")
axes.plot(counts, alone, marker="o", color="#cdb9a6", label="labelled images alone")
axes.plot(counts, together, marker="o", color="#9c5b2e", label="with the others")
axes.set(xscale="log", xlabel="images with a label", ylabel="accuracy")
axes.legend()
keep("labels", axes)
