"""Draws whose truth is known: straight lines, numbers with little noise or with outliers, and ten features among a thousand."""

import itertools

import numpy as np

from selecting.sets import Problem, draw

TEST = 1000
LINES = {f"line of {rows}": rows for rows in (50, 150, 500)}
PLAIN = "500 x 20, noise 0.1"
OUTLIERS = {f"outliers, {share:.0%}": share for share in (0.05, 0.1)}
SPARSE = {f"{task}, {examples} x 1000, rho {rho:g}, snr {snr:g}": (task, examples, rho, snr)
          for task, examples, rho, snr in itertools.product(("classify", "regress"), (100, 300), (0, 0.5, 0.9), (0.25, 1, 6))}
GROUPS = {"line": list(LINES), "plain": [PLAIN], "outliers": list(OUTLIERS), "sparse": list(SPARSE)}
NAMES = [name for group in GROUPS.values() for name in group]
QUICK = [*LINES, PLAIN, *OUTLIERS]


def linear(name, seed, rows, sizes, noise, outliers=0.0):
    """Normal features. A share of the fitted targets is moved by ten times the noise, either way; the tested ones never are."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows + TEST, len(sizes)))
    mean = 1 + x @ sizes
    y = mean + noise * random.standard_normal(rows + TEST)
    moved = random.choice(rows, round(outliers * rows), replace=False)
    y[moved] += 10 * noise * random.choice([-1.0, 1.0], len(moved))
    true = set(np.flatnonzero(sizes).tolist())
    return Problem(name, seed, "regress", x[:rows], y[:rows], x[rows:], y[rows:], true, mean[rows:])


def problem(name, seed):
    if name in LINES:
        return linear(name, seed, LINES[name], np.array([2.0]), 0)
    if name == PLAIN:
        return linear(name, seed, 500, np.ones(20), 0.1)
    if name in OUTLIERS:
        return linear(name, seed, 300, np.repeat([1.0, 0.0], 10), 1, OUTLIERS[name])
    task, examples, rho, snr = SPARSE[name]
    drawn = draw(task, examples, 1000, rho, seed, TEST, snr)
    drawn.name = name
    return drawn
