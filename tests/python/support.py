"""What the tests of the Python package share: small data sets with a known answer."""

import numpy as np


def classes(examples=120, features=12, seed=1, dtype=np.float64):
    """Two classes that the first two of the features tell apart, nearly."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(examples, features))
    y = (x[:, 0] - 0.8 * x[:, 1] + 0.3 * draw.normal(size=examples) > 0).astype(int)
    return x.astype(dtype), y


def values(examples=120, features=8, seed=2):
    """y = 3 x0 - 2 x1 + 1 + noise."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(examples, features))
    return x, 3 * x[:, 0] - 2 * x[:, 1] + 1 + 0.3 * draw.normal(size=examples)


def several(examples=150, features=10, seed=3):
    """Three classes around three corners of the first two features."""
    draw = np.random.default_rng(seed)
    y = np.arange(examples) % 3
    x = draw.normal(size=(examples, features))
    x[:, :2] += 2.2 * np.array([[1.0, 0.0], [-1.0, 1.0], [-0.5, -1.0]])[y]
    return x, y
