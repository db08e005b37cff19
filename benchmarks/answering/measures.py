"""What is kept of an answer: one flat row, from which the summary is made."""

from dataclasses import dataclass

import numpy as np

# Predicted probabilities count as at least this and at most one less this, as in scikit-learn's log_loss.
LEAST = 1e-15


@dataclass
class Answer:
    """What one way says of the examples that it did not see. `chosen` is None where it uses all features; `lacks` names what a
    way is to say and does not."""

    name: str
    predicted: np.ndarray | None
    probability: np.ndarray | None = None  # a column for each class
    chosen: list | None = None
    interval: tuple | None = None  # lower and upper ends, which are to cover nine of ten
    wall: float | None = None
    processor: float | None = None
    lacks: str = ""


def log_loss(probability, y):
    own = np.asarray(probability, dtype=float)[np.arange(len(y)), y.astype(int)]
    return float(-np.mean(np.log(np.clip(own, LEAST, 1 - LEAST))))


def row_of(problem, answer):
    """Errors of numbers are in units of the standard deviation of the fitted targets."""
    y, kept = problem.y_test, {}
    if answer.predicted is not None:
        predicted = np.asarray(answer.predicted, dtype=float)
        if predicted.shape != y.shape or not np.all(np.isfinite(predicted)):
            return failed(problem, answer.name, "its predictions are not numbers, one for each example")
        if problem.task == "classify":
            kept["error"] = float(np.mean(predicted != y))
        else:
            sd = float(np.std(problem.y))
            kept["error"] = float(np.sqrt(np.mean((predicted - y) ** 2))) / sd
            if problem.mean_test is not None:
                kept["distance"] = float(np.sqrt(np.mean((predicted - problem.mean_test) ** 2))) / sd
    lacks = [answer.lacks] if answer.lacks else []
    if answer.probability is not None:
        if np.all(np.isfinite(answer.probability)):
            kept["log_loss"] = log_loss(answer.probability, y)
        else:
            lacks.append("finite probabilities")
    if answer.interval is not None:
        lower, upper = (np.ravel(np.asarray(end, dtype=float)) for end in answer.interval)
        kept["coverage"] = float(np.mean((lower <= y) & (y <= upper)))
        kept["width"] = float(np.mean(upper - lower)) / float(np.std(problem.y))
    chosen = None if answer.chosen is None or len(answer.chosen) == problem.x.shape[1] else sorted(map(int, answer.chosen))
    kept["chosen"] = chosen
    kept["size"] = problem.x.shape[1] if chosen is None else len(chosen)
    if problem.true is not None:
        found = len(problem.true) if chosen is None else len(problem.true.intersection(chosen))
        kept["recall"] = found / len(problem.true)
        kept["precision"] = found / kept["size"] if kept["size"] > 0 else None
    for name in ("wall", "processor"):
        if getattr(answer, name) is not None:
            kept[name] = getattr(answer, name)
    if lacks:
        kept["lacks"] = ", ".join(lacks)
    return about(problem, answer.name) | kept


def about(problem, name):
    return {"answer": name, "task": problem.task, "fitted": problem.x.shape[0], "tested": problem.x_test.shape[0],
            "features": problem.x.shape[1]}


def failed(problem, name, why):
    return about(problem, name) | {"failed": why}
