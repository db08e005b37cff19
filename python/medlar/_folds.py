"""Folds and orders that do not depend on the order of the examples, nor on whether one is there twice or
has the weight 2: equal examples are always in the same fold."""

from __future__ import annotations

import numbers
import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp


class Given(NamedTuple):
    """The examples that the user gave: which of them the data hold, in what order and how often, and how many there are."""

    rows: np.ndarray | None  # None for all as they are
    examples: int


def whole_number(keyword: str, value: Any, least: int) -> int:
    """The value of a keyword that counts something."""
    if not isinstance(value, numbers.Integral) or int(value) < least:
        raise ValueError(f"{keyword} = {value!r}, but must be a whole number of at least {least}")
    return int(value)


ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio
BLOCK = 1 << 18  # values that are mixed at a time


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers of 64 bits whose every bit depends on all of the number (twice a product and a shift)."""
    numbers = (numbers ^ (numbers >> np.uint64(32))) * ODD
    numbers ^= numbers >> np.uint64(29)
    numbers *= ODD
    return numbers


def bits_of(values: np.ndarray) -> np.ndarray:
    """The bits of floats or doubles as whole numbers."""
    return values.view(np.uint64 if values.itemsize == 8 else np.uint32).astype(np.uint64, copy=False)


def fingerprints(x: Any) -> np.ndarray:
    """A number for each row that equal rows share: the sum of its cells, each mixed with the number of its column."""
    if sp.issparse(x):
        if x.shape[1] <= len(x.indices):  # each column is mixed once
            columns = mixed(np.arange(1, x.shape[1] + 1, dtype=np.uint64))[x.indices]
        else:
            columns = mixed(x.indices.astype(np.uint64) + np.uint64(1))
        # An empty row has the sum 0; reduceat would give it the next row's first cell.
        marks = np.zeros(x.shape[0], dtype=np.uint64)
        filled = np.flatnonzero(np.diff(x.indptr))
        if len(filled):
            marks[filled] = np.add.reduceat(mixed(bits_of(x.data) + columns), x.indptr[filled])
        return marks
    columns = mixed(np.arange(1, x.shape[1] + 1, dtype=np.uint64))
    rows = max(1, BLOCK // max(1, x.shape[1]))
    blocks = [mixed(bits_of(x[k:k + rows]) + columns).sum(axis=1, dtype=np.uint64) for k in range(0, x.shape[0], rows)]
    return np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.uint64)


def rows_in_order(x: Any, target: np.ndarray | None, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows in an order that their content gives, and their weights: the library may deal them out to folds as it likes.

    A row of weight 0 is left out, and where all weights are whole numbers a row is there as often as its weight says,
    unless that makes more than ten times as many.
    """
    rows = np.arange(x.shape[0])
    if weights is not None:
        rows = rows[weights > 0]
        if (weights == np.floor(weights)).all() and weights.sum() <= 10 * len(weights):
            rows, weights = np.repeat(rows, weights[rows].astype(np.int64)), None
    keys = [key[rows] for key in (weights, fingerprints(x), target) if key is not None]
    rows = rows[np.lexsort(keys)]
    return rows, None if weights is None else weights[rows]


def distinct_rows(x: Any, target: np.ndarray, weights: np.ndarray | None,
                  kinds: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """One of equal rows with the sum of their weights, in an order that their content gives; none of weight 0.

    Rows of different kinds are not equal.
    """
    rows = np.arange(x.shape[0]) if weights is None else np.flatnonzero(weights > 0)
    marks = np.rec.fromarrays([key[rows] for key in (target, fingerprints(x), kinds) if key is not None])
    _, first, place = np.unique(marks, return_index=True, return_inverse=True)
    place = place.ravel()
    differs = x[rows] != x[rows[first[place]]]
    if differs.sum() > 0:  # rows of one fingerprint that are not equal: as unlikely as it is, none is lost
        return rows, None if weights is None else weights[rows]
    total = np.bincount(place, None if weights is None else weights[rows])
    return rows[first], None if weights is None and len(first) == len(rows) else total.astype(np.float64)


def splits_of(cv: Any, x: Any, target: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Which examples are fitted and which are left out: by a splitter of scikit-learn, or by pairs of indices."""
    given = list(cv.split(x, target)) if hasattr(cv, "split") and not isinstance(cv, str) else cv
    try:
        pairs = [(np.asarray(fitted), np.asarray(left_out)) for fitted, left_out in given]
    except (TypeError, ValueError):
        raise ValueError(f"cv = {cv!r}, but must be a number of folds, a splitter, or pairs of indices to fit and to leave "
                         "out") from None
    if len(pairs) < 2:
        raise ValueError(f"cv gives {len(pairs)} folds, but must give at least 2")
    for part in (part for pair in pairs for part in pair):
        if part.dtype.kind not in "iu" or part.ndim != 1:
            raise ValueError("cv holds indices that are no whole numbers")
        if len(part) and not 0 <= part.min() <= part.max() < x.shape[0]:
            raise ValueError(f"cv holds indices from {part.min()} to {part.max()}, but there are {x.shape[0]} examples, "
                             "numbered from 0")
    return pairs


def kinds_in(pairs: list[tuple[np.ndarray, np.ndarray]], examples: int) -> np.ndarray:
    """A number for each example that those share which are always fitted or left out together."""
    kinds = np.zeros(examples, dtype=np.uint64)
    for k, part in enumerate(part for pair in pairs for part in pair):
        kinds[np.unique(part)] += mixed(np.array([k + 1], dtype=np.uint64))
    return kinds


def splits_in(pairs: list[tuple[np.ndarray, np.ndarray]], rows: np.ndarray | None) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same splits as places in the data, of which rows says what example stands where."""
    if rows is None:
        return pairs
    return [(np.flatnonzero(np.isin(rows, fitted)), np.flatnonzero(np.isin(rows, left_out))) for fitted, left_out in pairs]


def folds_of(x: Any, target: np.ndarray, folds: Any, classify: bool, seed: int) -> np.ndarray:
    """The fold of each example: distinct examples sorted by target, in an order drawn by the seed, dealt out in turn."""
    folds = whole_number("folds", folds, 2)
    order_key = fingerprints(x) * np.uint64(2 * int(seed) + 1)  # another odd factor, another order
    distinct, place = np.unique(np.rec.fromarrays([target, order_key]), return_inverse=True)
    if len(distinct) < 2:
        raise ValueError(f"cross-validation needs two different examples, but n_samples = {len(distinct)}")
    fewest = np.unique(distinct["f0"], return_counts=True)[1].min() if classify else len(distinct)
    if fewest < 2:
        raise ValueError("cross-validation needs two different examples of each class, but there is a class with one sample")
    if fewest < int(folds):
        warnings.warn(f"folds = {folds}, but there are only {fewest} different examples"
                      f"{' of the smallest class' if classify else ''}; as many folds are made", UserWarning, stacklevel=4)
    return np.arange(len(distinct))[place.ravel()] % min(int(folds), int(fewest))
