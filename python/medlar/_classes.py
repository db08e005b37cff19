"""What all classifiers share: labels, scores, probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from . import _data
from ._base import BaseMED
from ._labels import classes_of, label_text
from ._native import Dataset, Model
from ._options import class_weight_text
from ._sklearn import _check_sample_weight, check_classification_targets, check_is_fitted


class ClassifierMED(ClassifierMixin, BaseMED):
    """A classifier of two or more classes, ``classes_``."""

    _task = "classify"
    class_weight: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits the model to examples X with their classes y; sample_weight 2 equals the same row twice."""
        target_name = getattr(y, "name", None)
        y, unlabelled = self._without_label(y)
        x, y = _data.first_look(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        labelled = np.ones(len(codes), dtype=bool) if unlabelled is None else ~unlabelled
        self._check_classes()
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, x, dtype=np.float64)
            counted = np.unique(codes[labelled & (sample_weight > 0)])
            if len(counted) < len(self.classes_):
                raise ValueError("the examples with a positive sample_weight are all of one class, but a classifier needs "
                                 "examples of two classes" if len(counted) < 2 else
                                 f"no example of the class {np.delete(self.classes_, counted).tolist()[0]!r} has a positive "
                                 "sample_weight; leave the class out, or give it one")
        labels = [label_text(label) for label in self.classes_.tolist()]
        class_weight = class_weight_text(self.class_weight, labels, self.classes_.tolist())
        return self._fit_examples(x, sample_weight, {"class_weight": class_weight}, labels=labels, target_name=target_name,
                                  codes=np.where(labelled, codes, _data.MISSING))

    def _without_label(self, y: Any) -> tuple[Any, np.ndarray | None]:
        """The labels, and which of them are missing; None where all must be there."""
        return y, None

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {self.classes_.tolist()[0]!r}, but a classifier needs examples of two classes")

    def _keep_labels(self, model: Model) -> None:
        self.classes_ = classes_of(model.labels)

    def _compared(self, X: Any, y: Any) -> Dataset:
        known = {label: code for code, label in enumerate(self.classes_.tolist())}
        codes = [known.get(label, _data.MISSING) for label in np.asarray(y).tolist()]
        return _data.dataset(self, _data.another_look(self, X), codes=codes,
                             labels=[label_text(label) for label in self.classes_.tolist()])

    def decision_function(self, X: Any) -> np.ndarray:
        """The expected discriminant of each example, above 0 for the second of two classes; of more, one for each."""
        check_is_fitted(self)
        another = _data.another_look(self, X)
        return self.model_.scores(another) if len(self.classes_) > 2 else self.model_.predict(another)["score"] - self.model_.score_threshold

    def predict(self, X: Any) -> np.ndarray:
        """The class of each example."""
        labels = self._predictions(X)["label"]
        return self.classes_[labels]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, as ``medlar predict`` gives it."""
        predictions = self._predictions(X)
        if len(self.classes_) > 2:
            return predictions["probabilities"]
        return np.column_stack([1 - predictions["probability"], predictions["probability"]])

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
