"""Keywords to the library's settings: each keyword is an option of the command line, with underscores.

The library reads and checks the text of an option itself, so that Python and the command line refuse alike.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _native

# Options that a constructor does not take: the class of the estimator decides them.
DECIDED_BY_CLASS = ("task", "positive", "model", "latent")
# Options of latent transformations and alignments, for which there is no estimator; the command line has them.
OF_OTHER_KINDS = ("image", "rotation", "state_path", "state_statistics")
# Options that the command line reads from a file of names and values, and Python from a mapping or an array.
BY_FEATURE = ("feature_prior_variance", "feature_priors", "groups", "prior_mean")


def text_of(keyword: str, value: Any) -> str:
    """The text of an option's value, as on the command line."""
    if isinstance(value, str):
        return value
    if type(value) in (int, float):
        return repr(value)
    if isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        return repr(float(value))
    raise TypeError(f"{keyword} = {value!r} is a {type(value).__name__}, but must be a number or a word")


def by_feature(keyword: str, given: Any, names: Sequence[str], kind: type) -> list[tuple[str, Any]]:
    """Pairs of name and value from a mapping of names (or numbers of features) or from one value per feature."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        pairs = [(_feature_name(keyword, key, names), value) for key, value in given.items()]
    else:
        values = np.asarray(given, dtype=object).ravel()
        if len(values) != len(names):
            raise ValueError(f"{keyword} has {len(values)} values, but there are {len(names)} features; give one value "
                             "for each, or a mapping from names of features")
        pairs = list(zip(names, values))
    try:
        return [(name, kind(value)) for name, value in pairs]
    except (TypeError, ValueError):
        raise TypeError(f"{keyword} must hold values of type {kind.__name__}") from None


def keep_text(given: Any, names: Sequence[str]) -> str | None:
    """Features that stay in, as the library reads them: names separated by commas, or a list of names or numbers."""
    if given is None or isinstance(given, str):
        return given
    kept = [_feature_name("keep", key, names) for key in ([given] if isinstance(given, numbers.Integral) else given)]
    return ",".join('"' + name.replace('"', '""') + '"' for name in kept)


def _feature_name(keyword: str, key: Any, names: Sequence[str]) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, numbers.Integral) and 0 <= int(key) < len(names):
        return names[int(key)]
    raise ValueError(f"{keyword} names the feature {key!r}, but features have the names of their columns, or numbers "
                     f"from 0 to {len(names) - 1}")


def keep_keywords(estimator: Any, given: Mapping[str, Any]) -> None:
    """The body of a constructor, ``keep_keywords(self, locals())``: each keyword as it is, as scikit-learn wants it."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


def family_text(given: Any) -> Any:
    """A family for all columns, or a mapping from columns to families, as the library reads it."""
    if not isinstance(given, Mapping):
        return given
    return ",".join(f"{column}:{text_of('family', family)}" for column, family in given.items()) or None


def class_weight_text(given: Any, labels: Sequence[str], classes: Sequence[Any]) -> str:
    """None, 'balanced' or a mapping from classes to weights, as the library reads it."""
    if given is None:
        return "none"
    if not isinstance(given, Mapping):
        return text_of("class_weight", given)
    parts = []
    for key, weight in given.items():
        found = [label for label, known in zip(labels, classes) if known == key]
        if not found:
            raise ValueError(f"class_weight names the class {key!r}, but the classes are {list(classes)}")
        if "," in found[0]:
            raise ValueError(f"class_weight names the class {key!r}, which has a comma in it; use sample_weight instead")
        parts.append(f"{found[0]}:{text_of('class_weight', weight)}")
    return ",".join(parts) or "none"


def settings_of(keywords: Mapping[str, Any], names: Sequence[str], **decided: str) -> _native.Settings:
    """Settings from keywords (name to value, None for the default) and from what the estimator has decided."""
    keywords = {**keywords, "keep": keep_text(keywords.get("keep"), names)}
    texts = [(name.replace("_", "-"), text) for name, text in decided.items()]
    for keyword, value in keywords.items():
        if value is not None and (keyword not in BY_FEATURE or (keyword == "groups" and isinstance(value, str))):
            texts.append((keyword.replace("_", "-"), text_of(keyword, value)))
    groups = keywords.get("groups")
    numbers_of = {name: by_feature(name, keywords.get(name), names, float)
                  for name in ("feature_priors", "feature_prior_variance", "prior_mean")}
    return _native.Settings(texts, feature_p0=numbers_of["feature_priors"],
                            feature_prior_variance=numbers_of["feature_prior_variance"], prior_mean=numbers_of["prior_mean"],
                            feature_group=[] if isinstance(groups, str) else by_feature("groups", groups, names, str))
