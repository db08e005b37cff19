"""Classes as Python has them, and their labels as the library and its files write them."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np


def label_text(label: Any) -> str:
    """A class as the library and its files write it: 1.0 and 1 are the same label."""
    if isinstance(label, numbers.Real) and not isinstance(label, (bool, np.bool_)):
        value = float(label)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(label)


def classes_of(labels: Sequence[str]) -> np.ndarray:
    """The classes of labels in a file: whole numbers, numbers, or else texts."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(label) for label in labels])
        except ValueError:
            pass
    return np.array(labels)


def without_label(y: Any) -> tuple[Any, np.ndarray | None]:
    """Labels with those that are missing filled by one that is there, and where they are missing.

    -1 among whole numbers, NaN among other numbers, and None mean "no label". -1 and one other number alone are the two
    classes, since two are needed; a warning says so. What is no list of labels stays as it is.
    """
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) == 0:
        return y, None
    if labels.dtype.kind == "f":
        missing = np.isnan(labels)
    elif labels.dtype.kind == "O":
        missing = np.array([label is None or label is not label or label != label or _is_minus_one(label)
                            for label in labels.tolist()])
    elif labels.dtype.kind == "i":
        missing = labels == -1
        if missing.any() and len(np.unique(labels)) == 2:
            warnings.warn(f"y holds {np.unique(labels)[0]} and {np.unique(labels)[1]} alone, which are taken as the two "
                          "classes: no example is without a label", UserWarning, stacklevel=3)
            return y, None
    else:
        return y, None
    if not missing.any():
        return y, None
    if missing.all():
        raise ValueError("y holds no label at all; give some examples of each class")
    filled = labels.copy()
    filled[missing] = labels[~missing][0]
    return filled, missing


def _is_minus_one(label: Any) -> bool:
    return isinstance(label, numbers.Integral) and not isinstance(label, (bool, np.bool_)) and int(label) == -1
