"""Tables of examples for the library: arrays and CSR matrices as they are, frames with their names and categories."""

from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _native
from ._sklearn import MAY_MISS, check_names, check_X_y, validate_data

MISSING = -1
BYTES_OF_A_NAME = 100


def is_frame(X: Any) -> bool:
    """A pandas or polars frame, or one that speaks like them."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and not isinstance(X, np.ndarray)


def _is_missing(value: Any) -> bool:
    """None, NaN and pandas.NA, which is like nothing, itself included."""
    return value is None or type(value).__name__ == "NAType" or value != value


def _plain(X: Any) -> Any:
    """A frame whose nullable numbers and bits (pandas Int64, Float64, boolean) are floats, NaN where one is missing."""
    if not is_frame(X) or not hasattr(X, "astype") or not hasattr(X, "iloc"):
        return X
    nullable = [k for k, dtype in enumerate(X.dtypes)
                if hasattr(dtype, "na_value") and str(dtype).startswith(("Int", "UInt", "Float", "boolean"))]
    gaps = [k for k in nullable if X.iloc[:, k].isna().any()]
    return X.astype({X.columns[k]: "float64" for k in gaps}) if gaps else X


def _column(X: Any, name: str) -> np.ndarray:
    column = X[name]
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


def _is_category(X: Any, name: str) -> bool:
    dtype = str(X[name].dtype).lower()
    if dtype.startswith(("cat", "enum", "string", "str", "utf8")):
        return True
    if dtype != "object":
        return False
    return not all(isinstance(value, numbers.Real) or _is_missing(value) for value in _column(X, name))


def category_columns(X: Any) -> list[str]:
    """The names of the columns that hold words; empty unless X is a frame whose columns have names."""
    if hasattr(X, "collect") and hasattr(X, "lazy"):
        raise TypeError("X is a frame that is yet to be computed; give X.collect()")
    if not is_frame(X) or not all(isinstance(name, str) for name in X.columns):
        return []
    seen: set[str] = set()
    for name in X.columns:
        if name in seen:
            raise ValueError(f"X has two columns of the name {name!r}; give each a name of its own")
        seen.add(name)
    return [name for name in X.columns if _is_category(X, name)]


def _texts(values: Iterable[Any]) -> list[str | None]:
    """Words as texts, None where one is missing."""
    return [None if _is_missing(value) else str(value) for value in values]


def _other_than(levels: Sequence[str]) -> str:
    """A name that no level has, as the command gives it."""
    name = "(other)"
    while name in levels:
        name = f"({name})"
    return name


class Columns:
    """How a frame with categories becomes features: recorded at fit, replayed afterwards.

    A category becomes one 0/1 feature per level, named ``column=level``; its levels share one switch. A schema has the name,
    the levels, and whether the last of these stands for every word that was not seen at fit: then none of the others
    is like it, which a detector takes as odd.
    """

    def __init__(self, schema: Iterable[tuple[str, Sequence[str], bool]]) -> None:
        self.schema = [(name, list(levels), other) for name, levels, other in schema]

    @classmethod
    def of(cls, X: Any, categories: Sequence[str], other: bool) -> Columns:
        levels = {name: sorted({text for text in _texts(_column(X, name)) if text is not None}) for name in categories}
        for name in categories:
            if not levels[name]:
                raise ValueError(f"column {name!r} holds no word at all; leave it out")
            if other:
                levels[name].append(_other_than(levels[name]))
        return cls([(name, levels.get(name, []), other and name in levels) for name in X.columns])

    def encode(self, X: Any, may_miss: bool) -> Any:
        """The features of a frame as an array, or as CSR where under a third of them is not 0 (from 8 features on)."""
        blocks, filled = [], 0
        for name, levels, other in self.schema:
            block = self._one_hot(X, name, levels, other) if levels else self._numbers(X, name, may_miss)
            blocks.append(block)
            filled += np.count_nonzero(block)
        x = np.ascontiguousarray(np.hstack(blocks))
        return sp.csr_matrix(x) if x.shape[1] >= 8 and filled < x.size / 3 else x

    @staticmethod
    def _numbers(X: Any, name: str, may_miss: bool) -> np.ndarray:
        try:
            values = np.asarray(_column(X, name), dtype=np.float64).reshape(-1, 1)
        except (TypeError, ValueError) as error:
            raise ValueError(f"column {name!r} held numbers when the model was fitted, but not now: {error}") from None
        if not (np.isfinite(values) | (may_miss & np.isnan(values))).all():
            raise ValueError(f"Input X contains NaN or infinity in column {name!r}; fill the gaps or leave the rows out")
        return values

    @staticmethod
    def _one_hot(X: Any, name: str, levels: Sequence[str], other: bool) -> np.ndarray:
        place = {level: k for k, level in enumerate(levels)}
        texts = _texts(_column(X, name))
        codes = np.array([MISSING if text is None else place.get(text, MISSING - 1) for text in texts])
        unseen = codes < MISSING
        if unseen.any():
            warnings.warn(f"column {name!r}: {unseen.sum()} values such as {texts[int(unseen.argmax())]!r} were not seen "
                          f"in training and count as {levels[-1] if other else 'none of its levels'}", UserWarning,
                          stacklevel=2)
        if other:
            codes[unseen] = len(levels) - 1
        block = np.zeros((len(codes), len(levels)))
        known = np.flatnonzero(codes >= 0)
        block[known, codes[known]] = 1
        return block


def _checks(estimator: Any) -> dict[str, Any]:
    return {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"} | \
        (MAY_MISS if estimator._may_miss else {})


def _whole(X: Any) -> Any:
    """A sparse matrix whose rows and columns fit together: SciPy's own loops do not look, and would read beyond them.

    Its columns must also have room in memory: the name of each alone takes a hundred bytes.
    """
    if sp.issparse(X) and hasattr(X, "check_format"):
        X.check_format(full_check=True)  # a ValueError
    if sp.issparse(X) and X.shape[1] * BYTES_OF_A_NAME > os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2:
        raise ValueError(f"X has {X.shape[1]} columns, whose names alone would take more than half of the memory; keep "
                         "those that occur: X[:, np.unique(X.indices)]")
    return X


def first_look(estimator: Any, X: Any, y: Any = "no_validation", **checks: Any) -> Any:
    """X for a fit as an array, CSR matrix or frame with categories; y checked beside it. Records names and counts."""
    X = _plain(X)
    categories = category_columns(X)
    if not categories:
        estimator._columns = None
        return validate_data(estimator, _whole(X), y, **_checks(estimator), **checks)
    check_names(estimator, X, reset=True)
    estimator._columns = Columns.of(X, categories, estimator._other_level)
    x = estimator._columns.encode(X, estimator._may_miss)
    if isinstance(y, str):
        return x
    _, y = check_X_y(np.zeros((x.shape[0], 1)), y, **checks)
    return x, y


def another_look(estimator: Any, X: Any) -> Any:
    """X for a prediction, as the model's features."""
    X = _plain(X)
    if getattr(estimator, "_columns", None) is None:
        return canonical(validate_data(estimator, _whole(X), **_checks(estimator), reset=False))
    if not is_frame(X):
        raise ValueError("the model was fitted on a frame with categories; give a frame with the columns "
                         f"{[name for name, *_ in estimator._columns.schema]}")
    check_names(estimator, X, reset=False)
    return estimator._columns.encode(X, estimator._may_miss)


def canonical(x: Any) -> Any:
    """CSR with its columns in order and no twins, as the library wants it; arrays stay as they are."""
    if sp.issparse(x) and not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    return x


def dataset(estimator: Any, x: Any, **target: Any) -> _native.Dataset:
    """The library's dataset; x has been looked at."""
    if estimator._columns is not None:
        columns = estimator._columns.schema
    elif hasattr(estimator, "feature_names_in_"):
        columns = [(name, [], False) for name in estimator.feature_names_in_]
    else:
        columns = None
    return _native.Dataset(canonical(x), columns=columns, open=estimator._may_miss, **target)
