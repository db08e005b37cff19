"""Whether probabilities of features mean what they say: of those near p, is a share p true?"""

import numpy as np

BINS = 10


def error(probability, true):
    """Mean distance between predicted and observed shares over bins of a tenth, weighted by their features."""
    place = np.minimum((probability * BINS).astype(int), BINS - 1)
    total = sum(abs(probability[place == k].mean() - true[place == k].mean()) * np.sum(place == k)
                for k in np.unique(place))
    return total / len(probability) if len(probability) else float("nan")


def by_luck(probability, draws=200):
    """What the error would be if every probability were right."""
    random = np.random.default_rng(1)
    return float(np.mean([error(probability, random.random(len(probability)) < probability) for _ in range(draws)]))


def kept(probability, true, count=50):
    """The most probable features of one problem: (probability, whether it is true), enough for what is told."""
    order = sorted(probability, key=lambda i: -probability[i])
    few = [i for k, i in enumerate(order) if k < count or probability[i] > 0.1]
    return [[probability[i], i in true] for i in few]


def told(problems, count=50):
    """A line about the problems, each as kept() keeps it."""
    top = np.array([pair for problem in problems for pair in problem[:count]])
    likely = np.array([pair for problem in problems for pair in problem if pair[0] > 0.1]).reshape(-1, 2)
    line = f"reliability error of the probabilities: {error(*top.T):.3f} of the {count} most probable features of each draw"
    if len(likely) > 0:
        line += (f"; {error(*likely.T):.3f} of the {len(likely)} above 0.1 (mean {likely[:, 0].mean():.2f}, "
                 f"{likely[:, 1].mean():.2f} of them true; right ones would err by {by_luck(likely[:, 0]):.3f})")
    return line
