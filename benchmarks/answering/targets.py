"""The targets: what is wanted of Medlar on real sets, and what the runs say. True is met, False missed, None undecided."""

from dataclasses import dataclass

import numpy as np

from .apart import TOO_LONG
from .real import SETS, WIDE
from .runs import mean_of

GLMNET = ["glmnet lambda.min", "glmnet lambda.1se"]
RELAXED = ["relaxed lambda.min", "relaxed lambda.1se"]
PEERS = ["L1", "L2", "abess", *GLMNET, *RELAXED]
PEER_WAYS = ["l1", "l2", "abess", "glmnet", "relax"]
SHARE = 0.9  # of the sets
FEATURES = 20  # of a list, on sets with more features than examples
LOG_LOSS = 1.1  # of the best peer's
COVERAGE = (0.88, 0.92)  # of intervals that are to cover 0.9


@dataclass
class Target:
    name: str
    found: str
    met: bool | None


def within(runs, name, answer, peers, ways):
    """Whether the error is at most the hardest peer's and one standard error of the difference. Where Medlar has no answer to a
    split, it is not."""
    if runs.ended_without(name, "medlar"):
        return False
    if not runs.complete(name, ways):
        return None
    hardest = runs.hardest(name, answer, peers)
    return None if hardest is None else hardest[1] <= hardest[2]


def relaxed(runs, name):
    """Of the two relaxed answers the one with the smaller error on this set; of equal ones lambda.1se, the smaller model."""
    errors = [(runs.mean(name, answer, "error"), answer) for answer in reversed(RELAXED)]
    return min((each for each in errors if each[0] is not None), key=lambda each: each[0], default=(None, None))[1]


def likelihood(runs, name, answer):
    """Log loss of an answer over that of the best of L2 logistic regression and relaxed glmnet, and whether it suffices: at most
    LOG_LOSS times that, and never above the null's."""
    ours, null = runs.mean(name, answer, "log_loss"), runs.mean(name, "null", "log_loss")
    best = min((loss for peer in ["L2", *RELAXED] if (loss := runs.mean(name, peer, "log_loss")) is not None), default=None)
    if ours is None or null is None or best is None or not runs.complete(name, ["null", "l2", "relax"]):
        return None, None
    return ours / best if best > 0 else float("inf"), bool(ours <= LOG_LOSS * best and ours <= null)


def times_slower(runs, name):
    """Processor time over that of cv.glmnet(relax = TRUE)."""
    ours, theirs = runs.mean(name, "predictor", "processor"), runs.mean(name, RELAXED[0], "processor")
    return None if ours is None or theirs is None else ours / theirs


def as_fast(runs, name):
    """A program that came to no end within the limit is slower than one that did."""
    if runs.ended_without(name, "medlar"):
        return False
    if runs.of(name, "predictor", "processor") and not runs.of(name, RELAXED[0], "processor"):
        return True if runs.ended_without(name, "relax", TOO_LONG) else None
    return compared(times_slower(runs, name), 1, lambda a, b: a <= b)


def by_share(name, verdicts, share=SHARE):
    """Of verdicts by set. Met where the share of the sets is reached whatever the undecided ones will say, missed where it cannot
    be any more."""
    missed = [each for each, verdict in verdicts.items() if verdict is False]
    count, yes = len(verdicts), list(verdicts.values()).count(True)
    met = None if count == 0 else True if yes >= share * count else False if count - len(missed) < share * count else None
    found = f"{yes} of {count} sets" + (f", not {', '.join(missed)}" if missed else "")
    return Target(name, found + (f"; {count - yes - len(missed)} undecided" if yes + len(missed) < count else ""), met)


def about_mean(name, values, good, shown):
    """Met or missed by the mean over the sets, where every set has a value."""
    if not values or None in values:
        return Target(name, f"{sum(value is not None for value in values)} of {len(values)} sets have a value", None)
    return Target(name, f"mean {np.mean(values):{shown}}", bool(good(np.mean(values))))


def list_size(runs, name):
    return runs.mean(name, "list", "size") if runs.of(name, "list", "error") else None


def compared(ours, theirs, good):
    return None if ours is None or theirs is None else bool(good(ours, theirs))


def below_null(runs, name):
    """Whether the log losses of both answers are at most the null's."""
    losses = [runs.mean(name, answer, "log_loss") for answer in ("predictor", "list")]
    return compared(None if None in losses else max(losses), runs.mean(name, "null", "log_loss"), lambda a, b: a <= b)


def steadiness(runs, sets):
    """Of the overlaps of lists, beside those of relaxed glmnet."""
    name = "2d. lists of two splits overlap (Jaccard) no less than those of relaxed glmnet, in the mean over sets"
    both = [(runs.jaccard(each, "list"), runs.jaccard(each, relaxed(runs, each))) for each in sets
            if list_size(runs, each) is not None]
    both = [pair for pair in both if None not in pair]
    if not both:
        return Target(name, "no set has both", None)
    ours, theirs = np.mean(both, axis=0)
    return Target(name, f"{ours:.2f} against {theirs:.2f} on {len(both)} of {len(sets)} sets",
                  bool(ours >= theirs) if len(both) == len(sets) else None)


def targets(runs, sets):
    """Of the real sets that are asked for."""
    sets = [name for name in sets if name in SETS]
    classes = [name for name in sets if SETS[name].task == "classify"]
    numbers = [name for name in sets if SETS[name].task == "regress"]
    wide = [name for name in sets if SETS[name].kind == WIDE]

    def each(names, verdict):
        return {name: verdict(name) for name in names}

    return [
        by_share("1. the predictor errs at most as the best peer and one s.e. of the difference, on 90 % of the sets",
                 each(sets, lambda name: within(runs, name, "predictor", PEERS, PEER_WAYS))),
        by_share("2a. the list errs at most as relaxed glmnet and one s.e. of the difference, on 90 % of the sets",
                 each(sets, lambda name: within(runs, name, "list", [relaxed(runs, name)], ["relax"]))),
        about_mean(f"2b. the list has {FEATURES} features at most, in the mean over sets with more features than examples",
                   [list_size(runs, name) for name in wide], lambda size: size <= FEATURES, ".1f"),
        by_share("2c. elsewhere the list has no more features than glmnet's lambda.min, on every set",
                 each([name for name in sets if name not in wide],
                      lambda name: compared(list_size(runs, name), runs.mean(name, GLMNET[0], "size"), lambda a, b: a <= b)), 1),
        steadiness(runs, sets),
        *(by_share(f"3{letter}. the {answer}'s log loss is at most {LOG_LOSS} times the best of L2 logistic regression and "
                   "relaxed glmnet, and not above the null's, on 90 % of the sets of classes",
                   each(classes, lambda name: likelihood(runs, name, answer)[1]))  # noqa: B023
          for letter, answer in (("a", "predictor"), ("b", "list"))),
        by_share("3c. neither log loss is ever above the null's", each(classes, lambda name: below_null(runs, name)), 1),
        about_mean("4. intervals of 90 % cover 88 to 92 % of the numbers, in the mean over sets",
                   [runs.mean(name, "predictor", "coverage") for name in numbers],
                   lambda share: COVERAGE[0] <= share <= COVERAGE[1], ".1%"),
        by_share("5. Medlar takes at most the processor time of cv.glmnet(relax = TRUE), on every set",
                 each(sets, lambda name: as_fast(runs, name)), 1),
    ]


def middle_ratio(runs, sets):
    """The geometric mean of the times."""
    ratios = [ratio for name in sets if (ratio := times_slower(runs, name)) is not None]
    return float(np.exp(mean_of(np.log(ratios)))) if ratios else None
