"""Whatever is handed to the bindings and the estimators, the answer is a model or a Python error; never a crash.

Random dtypes, shapes, strides, byte orders, read-only, empty, masked and object arrays, NaN and infinity, huge integers,
and CSR matrices whose parts do not fit together. The seed is printed with what went wrong.
"""

import os
import unittest
import warnings

import numpy as np
import scipy.sparse as sp

from medlar import (GenerativeMEDClassifier, MEDAnomalyDetector, MEDClassifier, MEDClassifierCV, MEDRegressor, MEDRegressorCV,
                    TransductiveMEDClassifier, _native)

ROUNDS = int(os.environ.get("MEDLAR_FUZZ", "400"))
DTYPES = ("f8", "f4", "f2", ">f8", ">f4", "i1", "u2", "i4", "i8", ">i8", "u8", "?", "c16", "O", "U3", "M8[s]", "f16")
MAKERS = (MEDClassifier, MEDRegressor, GenerativeMEDClassifier, MEDAnomalyDetector, TransductiveMEDClassifier, MEDClassifierCV,
          MEDRegressorCV)
KEYWORDS = {MEDClassifierCV: ({"p0_grid": (1.0, 0.1), "folds": 2},), MEDRegressorCV: ({"p0_grid": (1.0, 0.1), "folds": 2},),
            MEDClassifier: ({}, {}, {"kernel": "rbf"}, {"kernel": "precomputed"}), MEDRegressor: ({}, {}, {"kernel": "poly"})}
ALLOWED = (ValueError, TypeError, OverflowError)


def array(draw, shape):
    """An array of that shape, of any kind."""
    values = draw.normal(size=shape) * 10.0 ** draw.integers(-3, 4)
    dtype = draw.choice(DTYPES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = (np.abs(values) * 1e18).astype("u8") if dtype == "u8" else values.astype("i8").astype(dtype) \
            if dtype[0] == "M" else values.astype(dtype)
    made = np.array(made)
    if made.dtype.kind == "f" and made.size and draw.random() < 0.2:
        made.flat[draw.integers(made.size)] = draw.choice([np.nan, np.inf, -np.inf, np.finfo(made.dtype).max / 2])
    if dtype == "O" and made.ndim and made.size and draw.random() < 0.5:
        made.flat[0] = [None, "word", 10**400, {}, np.float32(1)][draw.integers(5)]
    change = draw.integers(6)
    if change == 0 and made.ndim:
        made = made[..., ::-1]
    elif change == 1:
        made = np.asfortranarray(made)
    elif change == 2:
        made = np.repeat(made, 2, axis=-1)[..., ::2] if made.ndim else made
    elif change == 3:
        made.flags.writeable = False
    elif change == 4 and made.dtype.kind in "fiu":
        made = np.ma.masked_array(made, mask=draw.random(made.shape) < 0.1)
    return made


def table(draw, examples):
    """Something that might be a table of that many examples."""
    kind = draw.integers(8)
    features = int(draw.choice([0, 1, 2, 7, 40], p=[0.05, 0.2, 0.25, 0.3, 0.2]))
    if kind == 0:
        shape = [(), (examples,), (examples, 2, 2), (0, 3), (examples + 1, 2)][draw.integers(5)]
        return array(draw, shape)
    if kind <= 2:
        made = sp.random(examples, max(features, 1), density=0.3, format=str(draw.choice(["csr", "csc", "coo", "dok", "bsr"])),
                         random_state=int(draw.integers(1 << 30)), dtype=np.float64)
        made = made.astype(np.float32) if draw.random() < 0.3 else made
        return odd_indices(draw, made) if made.format == "csr" and draw.random() < 0.5 else made
    made = array(draw, (examples, features))
    return lists(draw, made) if draw.random() < 0.1 else made


def odd_indices(draw, made):
    """The CSR matrix with indices of 64 bits, in no order, or with twins."""
    made = made.copy()
    change = draw.integers(4)
    if change == 0:
        made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    elif change == 1:
        for begin, end in zip(made.indptr, made.indptr[1:]):
            made.indices[begin:end] = made.indices[begin:end][::-1]
        made.has_sorted_indices = made.has_canonical_format = False
    elif change == 2 and made.nnz > 1:
        made.indices[1] = made.indices[0]
        made.has_canonical_format = False
    elif made.nnz:
        made.data[draw.integers(made.nnz)] = draw.choice([np.nan, np.inf, -0.0, 1e308])
    return made


def lists(draw, made):
    """The same as lists of lists, sometimes with something else among the numbers."""
    rows = made.tolist()
    if rows and rows[0] and draw.random() < 0.6:
        rows[-1][0] = [10**400, -(2**63) - 1, "word", "1.5", None, [1], b"1", 1j, True][draw.integers(9)]
    if rows and draw.random() < 0.1:
        rows[0] = rows[0][:-1]
    return rows


def csr_parts(draw):
    """A CSR matrix by its parts, often broken."""
    made = sp.random(5, 6, density=0.5, format="csr", random_state=int(draw.integers(1 << 30)))

    class Parts:
        shape, data, indices, indptr = made.shape, made.data, made.indices, made.indptr

    damage = draw.integers(12)
    if damage == 0:
        Parts.indices = made.indices.astype(np.int64) + (1 << 40)
    elif damage == 1:
        Parts.indices = made.indices - 3
    elif damage == 2:
        Parts.indptr = made.indptr[::-1]
    elif damage == 3:
        Parts.indptr = made.indptr[:-1]
    elif damage == 4:
        Parts.shape = (5, 2)
    elif damage == 5:
        Parts.shape = (-1, 6)
    elif damage == 6:
        Parts.shape = "ab"
    elif damage == 7:
        Parts.data = made.data[:-1]
    elif damage == 8:
        Parts.data = made.data.astype("O")
    elif damage == 9:
        Parts.indices = made.indices[::-1]
    elif damage == 10:
        Parts.indptr = np.array([0, 2**62, 3, 4, 5, made.nnz])
    elif damage == 11:
        Parts.indices = made.indices.astype("f8")
    return Parts()


class Fuzz(unittest.TestCase):
    def attempt(self, seed, action):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return action()
            except ALLOWED as error:
                self.assertTrue(str(error), f"seed {seed}: an error without a word")
                return None
            except Exception as error:  # noqa: BLE001
                self.fail(f"seed {seed}: {type(error).__name__}: {error}")

    def test_estimators(self):
        fitted = dict.fromkeys((make.__name__ for make in MAKERS), 0)
        for seed in range(ROUNDS):
            draw = np.random.default_rng(seed)
            examples = int(draw.integers(0, 25))
            x = table(draw, examples)
            y = draw.integers(draw.integers(-1, 1), draw.integers(2, 4), examples) if draw.random() < 0.7 else \
                array(draw, (examples,))
            weights = None if draw.random() < 0.7 else array(draw, (examples,))
            make = MAKERS[draw.integers(len(MAKERS))]
            bias = {} if make is MEDAnomalyDetector else {"bias": str(draw.choice(["flat", "none", "2"]))}
            more = KEYWORDS.get(make, ({},))
            bias |= more[draw.integers(len(more))]
            model = self.attempt(seed, lambda: make(max_passes=50, **bias).fit(x, y, weights))
            if model is None:
                continue
            fitted[make.__name__] += 1
            self.assertTrue(np.isfinite(getattr(model, "coef_", 0.0)).all(), f"seed {seed}")
            self.assertTrue(np.isfinite(model.gap_), f"seed {seed}")
            self.attempt(seed, lambda: model.predict(table(draw, 3)))
        for name, count in fitted.items():
            self.assertGreater(count, ROUNDS // 50, name)

    def test_sparse_matrices_that_do_not_fit_together(self):
        x = np.random.default_rng(0).normal(size=(40, 5))
        y = np.where(x[:, 0] > 0, "b", "a")
        fitted = MEDClassifier().fit(x, y)
        for part, place, value in [("indptr", 3, 1000), ("indptr", -1, 1000), ("indices", 3, 99), ("indices", 3, -7)]:
            for claimed in (False, True):
                broken = sp.csr_matrix(x)
                setattr(broken, part, getattr(broken, part).copy())
                getattr(broken, part)[place] = value
                if claimed:
                    broken.has_sorted_indices = broken.has_canonical_format = True
                with self.assertRaises(ValueError):
                    MEDClassifier().fit(broken, y)
                with self.assertRaises(ValueError):
                    fitted.predict(broken)

    def test_bindings(self):
        for seed in range(ROUNDS):
            draw = np.random.default_rng(10_000 + seed)
            examples = 5
            x = csr_parts(draw) if draw.random() < 0.4 else table(draw, examples)
            target = {"values": array(draw, (examples,))} if draw.random() < 0.4 else \
                {"codes": draw.integers(-2, 4, examples), "labels": ["a", "b"]}

            def action():
                data = _native.Dataset(x, **target, weights=None if draw.random() < 0.7 else array(draw, (examples,)))
                settings = _native.Settings([("max-passes", "20"), ("bias", "1")])
                return _native.fit(data, settings)[0].predict(x)

            self.attempt(10_000 + seed, action)

    def test_model_texts(self):
        x = np.random.default_rng(1).normal(size=(20, 3))
        text = MEDClassifier().fit(x, x[:, 0] > 0).model_.to_json()
        for seed in range(ROUNDS):
            draw = np.random.default_rng(20_000 + seed)
            at = int(draw.integers(len(text)))
            broken = text[:at] + str(draw.choice(["", "9", "-", '"', "}", "[", "null", "1e999"])) + text[at + int(draw.integers(3)):]
            self.attempt(20_000 + seed, lambda: _native.Model.from_json(broken, "fuzz").predict(x))


if __name__ == "__main__":
    unittest.main()
