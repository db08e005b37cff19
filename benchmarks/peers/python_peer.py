"""scikit-learn, skglm or celer as a peer: loads an exported set, says "ready", answers "fit C TOLERANCE" with
"done SECONDS PASSES" or "failed REASON" and leaves its weights and bias in weights.f64.

    python_peer.py {scikit-learn,skglm,celer} FOLDER

All three minimise |w|_1 + C sum_t log(1 + e^{-m_t}); celer has no bias. A first call on a small part of the data lets
skglm and celer compile what they need before the clock runs.
"""

import os
import sys
import time
import warnings

import numpy as np
import scipy.sparse


def load(folder):
    rows, columns, sparse = (int(word) for word in open(os.path.join(folder, "sizes.txt")).read().split())

    def numbers(name, kind):
        return np.fromfile(os.path.join(folder, name), dtype=kind)

    y = numbers("target.f64", np.float64)
    values = numbers("values.f64", np.float64)
    if sparse:
        x = scipy.sparse.csc_matrix((values, numbers("rows.i32", np.int32), numbers("starts.i32", np.int32)), (rows, columns))
    else:
        x = values.reshape((rows, columns), order="F")
    return x, y


def estimator(peer, cost, tolerance, examples):
    if peer == "scikit-learn":
        from sklearn.linear_model import LogisticRegression
        return LogisticRegression(penalty="l1", C=cost, tol=tolerance, solver="saga", max_iter=100000, random_state=1)
    if peer == "skglm":
        from skglm import SparseLogisticRegression
        return SparseLogisticRegression(alpha=1 / (cost * examples), tol=tolerance, max_iter=1000, max_epochs=10000)
    from celer import LogisticRegression
    return LogisticRegression(C=cost, tol=tolerance, max_iter=1000, fit_intercept=False)


def main():
    peer, folder = sys.argv[1:]
    x, y = load(folder)
    if peer == "scikit-learn" and scipy.sparse.issparse(x):
        x = x.tocsr()
    part = np.concatenate([np.flatnonzero(y < 0)[:50], np.flatnonzero(y > 0)[:50]])
    small = x[part].tocsc() if scipy.sparse.issparse(x) and peer != "scikit-learn" else x[part]
    warnings.simplefilter("ignore")
    estimator(peer, 1.0, 1e-2, len(part)).fit(np.asfortranarray(small) if isinstance(small, np.ndarray) else small, y[part])
    print("ready", flush=True)
    for line in sys.stdin:
        _, cost, tolerance = line.split()
        model = estimator(peer, float(cost), float(tolerance), len(y))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            start = time.perf_counter()
            try:
                model.fit(x, y)
            except Exception as error:  # whatever a peer says is told to the comparison
                print("failed", " ".join(str(error).split()), flush=True)
                continue
            seconds = time.perf_counter() - start
        bias = np.ravel(model.intercept_)[0] if peer != "celer" else 0.0
        np.append(np.ravel(model.coef_), bias).astype(np.float64).tofile(os.path.join(folder, "weights.f64"))
        cut = any("Convergence" in warning.category.__name__ for warning in told)
        print("done", seconds, int(np.max(getattr(model, "n_iter_", 0))), *(["exhausted"] if cut else []), flush=True)


if __name__ == "__main__":
    main()
