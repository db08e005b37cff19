"""What a notebook shows of an estimator: scikit-learn's diagram and, once it is fitted, certificate and features."""

from __future__ import annotations

from html import escape
from typing import Any

from sklearn.base import BaseEstimator

from ._native import Model

ROWS = 10


def diagram(estimator: Any) -> str:
    """scikit-learn's own picture; its repr where the user wants no pictures."""
    try:
        return BaseEstimator._repr_html_.__get__(estimator)()
    except AttributeError:
        return f"<pre>{escape(repr(estimator))}</pre>"


def feature_table(model: Model) -> str:
    """The features with the highest probability of inclusion."""
    names, inclusion, coefficient, sd = model.names, model.inclusion, model.coefficient, model.sd
    order = sorted(range(len(names)), key=lambda i: (-inclusion[i], -abs(coefficient[i])))[:ROWS]
    rows = "".join(f"<tr><td style='text-align:left'>{escape(names[i])}</td><td>{inclusion[i]:.3f}</td>"
                   f"<td>{coefficient[i]:+.4g}</td><td>{sd[i]:.3g}</td></tr>" for i in order)
    more = f"<p>{len(names) - ROWS} more features</p>" if len(names) > ROWS else ""
    return ("<table><thead><tr><th style='text-align:left'>feature</th><th>inclusion</th><th>coefficient (scaled)</th>"
            f"<th>sd</th></tr></thead><tbody>{rows}</tbody></table>{more}")


def summary(estimator: Any) -> str:
    """Diagram, certificate, features."""
    html = diagram(estimator)
    model = getattr(estimator, "model_", None)
    if model is None:
        return html
    report = model.report
    return (f"{html}<div><p><b>{escape(report.status)}</b>: {escape(report.message)}<br>"
            f"{model.examples} examples, {model.features} features, {model.selected} selected, "
            f"relative gap {report.relative_gap:.1e}</p>{feature_table(model)}</div>")
