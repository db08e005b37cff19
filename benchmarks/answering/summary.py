"""The summary of all runs, in Markdown: the targets, and a table for each question."""

from . import draws
from .real import SETS
from .runs import Runs
from .targets import GLMNET, LOG_LOSS, PEER_WAYS, PEERS, RELAXED, likelihood, middle_ratio, relaxed, targets, times_slower, within

SAID = {True: "yes", False: "**no**", None: "cannot be decided"}
SHORT = {True: "yes", False: "**no**", None: ""}


def number(value, digits=3, mark=""):
    return "" if value is None else f"{value:.{digits}f}{mark}"


def difference(apart, digits=3):
    return "" if apart is None else f"{apart[0]:+.{digits}f} ± {apart[1]:.{digits}f}"


def table(title, note, head, lines):
    """Nothing where there are no lines."""
    if not lines:
        return []
    rows = [f"| {' | '.join(map(str, line))} |" for line in lines]
    return [f"## {title}", "", note, "", f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows, ""]


def opening(runs, name):
    examples, features = runs.shape(name)
    return [name, f"{examples} x {features:,}"]


def predictors(runs, sets):
    lines = []
    for name in sets:
        errors = [number(runs.mean(name, answer, "error")) for answer in ["null", "predictor", *PEERS]]
        hardest = runs.hardest(name, "predictor", PEERS)
        lines.append([*opening(runs, name), len(runs.of(name, "predictor", "error")), *errors,
                      f"{hardest[0]}: {difference(hardest[1:])}" if hardest else "",
                      SHORT[within(runs, name, "predictor", PEERS, PEER_WAYS)]])
    return table("1. Errors of the predictor", "Share of errors; of numbers the RMSE over sd(y). The last columns name the peer "
                 "that is ahead by most, Medlar's error less its, the standard error of the difference over splits, and whether "
                 "that is within one of them.",
                 ["set", "fitted", "splits", "null", "predictor", *PEERS, "best peer", "within"], lines)


def lists(runs, sets):
    lines = []
    for name in sets:
        peer = relaxed(runs, name)
        mark = "" if runs.of(name, "list", "error") else "*"
        lines.append([*opening(runs, name), number(runs.mean(name, "list", "error")), number(runs.mean(name, peer, "error")),
                      difference(runs.difference(name, "list", peer)), SHORT[within(runs, name, "list", [peer], ["relax"])],
                      number(runs.mean(name, "list", "size"), 1, mark),
                      *(number(runs.mean(name, answer, "size"), 1) for answer in (peer, RELAXED[1], *GLMNET, "abess")),
                      number(runs.jaccard(name, "list"), 2, mark),
                      *(number(runs.jaccard(name, answer), 2) for answer in (peer, GLMNET[0], "abess"))])
    head = ["set", "fitted", "list", "relaxed", "difference", "within", "features of the list", "of relaxed", "of relaxed 1se",
            "of lambda.min", "of lambda.1se", "of abess", "Jaccard of the list", "of relaxed", "of lambda.min", "of abess"]
    return table("2. The list", "Relaxed is the one of relaxed glmnet's two answers that errs less on the set. *: there is no "
                 "list yet; these are the features of get_support().", head, lines)


def losses(runs, sets):
    lines = []
    answers = ["null", "predictor", "list", "L2", *RELAXED, "L1", *GLMNET, "abess"]
    for name in (name for name in sets if runs.task(name) == "classify"):
        judged = [likelihood(runs, name, answer) for answer in ("predictor", "list")]
        lines.append([name, *(number(runs.mean(name, answer, "log_loss")) for answer in answers),
                      *(f"{number(ratio, 2)} {SHORT[good]}".strip() for ratio, good in judged)])
    return table("3. Log loss", f"The last columns: over the best of L2 and both relaxed, and whether that is at most {LOG_LOSS} "
                 "and the loss not above the null's.", ["set", *answers, "predictor / best", "list / best"], lines)


def intervals(runs, sets):
    names = [name for name in sets if runs.of(name, "predictor", "coverage")]
    lines = [[name, *(number(runs.mean(name, "predictor", field)) for field in ("coverage", "width"))] for name in names]
    return table("4. Intervals of 90 %", "Share of the numbers that they cover, and their width over sd(y).",
                 ["set", "coverage", "width"], lines)


def times(runs, sets):
    answers = ["predictor", RELAXED[0], GLMNET[0], "L1", "L2", "abess"]
    lines = [[name, *(number(runs.mean(name, answer, "processor"), 2) for answer in answers),
              *(number(runs.mean(name, answer, "wall"), 2) for answer in answers[:2]),
              number(times_slower(runs, name), 2)] for name in sets]
    middle = middle_ratio(runs, sets)
    note = "Processor seconds of a whole choice, predictor and list of Medlar together; one thread."
    return table("5. Time", note + (f" Geometric mean of the ratios: {middle:.2f}." if middle else ""),
                 ["set", "Medlar", "relaxed", "glmnet", "L1", "L2", "abess", "Medlar, wall", "relaxed, wall", "Medlar / relaxed"],
                 lines)


def small_draws(runs, sets):
    answers = ["predictor", "list", "predictor, tube", "predictor, gaussian", "least squares", "L2", "L1", "abess", *GLMNET,
               *RELAXED]
    names = [name for name in sets if name in draws.NAMES and name not in draws.SPARSE]
    lines = [[name, *(short(runs.mean(name, answer, "distance")) for answer in answers)] for name in names]
    far = table("6. Numbers whose truth is known", "Root mean square distance of the predictions from the true means, over "
                "sd(y).", ["draw", *answers], lines)
    ratios = []
    for name in names:
        plain = runs.mean(name, "least squares", "error")
        if plain is not None and name not in draws.LINES:
            shown = [runs.mean(name, answer, "error") for answer in answers]
            ratios.append([name, *(number(value / plain if value is not None else None) for value in shown)])
    return far + table("7. RMSE over that of least squares", "Of examples without outliers, noise included.", ["draw", *answers],
                       ratios)


def short(value):
    return "" if value is None else f"{value:.2e}"


def choice(runs, name, answer):
    """Features, and in brackets precision and recall."""
    size, precision, recall = (runs.mean(name, answer, field) for field in ("size", "precision", "recall"))
    return "" if size is None else f"{number(size, 1)} ({number(precision, 2) or 'none'}, {number(recall, 2)})"


def against_truth(runs, name, answer):
    """Of numbers the RMSE over that of the true means; of classes the share of errors less that of the Bayes rule."""
    truth, value = runs.mean(name, "truth", "error"), runs.mean(name, answer, "error")
    if truth is None or value is None:
        return ""
    return number(value / truth) if runs.task(name) == "regress" else f"{value - truth:+.3f}"


def sparse_draws(runs, sets):
    names = [name for name in sets if name in draws.SPARSE]
    answers = ["predictor", "list", "L1", "L2", "abess", *GLMNET, *RELAXED]
    lines = [[name, len(runs.of(name, "truth", "error")), number(runs.mean(name, "truth", "error")),
              *(against_truth(runs, name, answer) for answer in answers)] for name in names]
    errors = table("8. Ten features among a thousand", "Numbers: RMSE over that of the true means. Classes: share of errors less "
                   "that of the Bayes rule.", ["draw", "draws", "truth", *answers], lines)
    choosers = ["list", "abess", GLMNET[0], *RELAXED]
    lines = [[name, *(choice(runs, name, answer) for answer in choosers)] for name in names]
    return errors + table("9. Features that are chosen", "In brackets precision and recall. Where Medlar has no list yet, these "
                          "are the features of get_support().", ["draw", *choosers], lines)


def missing(runs):
    lines = [[name, way, len(reasons), "; ".join(sorted(set(reasons)))] for (name, way), reasons in sorted(runs.why.items())]
    return table("Runs without an answer", "They count as run, and stand in no table.", ["set", "way", "runs", "why"], lines)


def markdown(records, sets, label, most):
    runs = Runs(records, label, most)
    there = [name for name in sets if runs.shape(name)]
    real = [name for name in there if name in SETS]
    lines = ["# What Medlar answers by default", "",
             f"Medlar is the one labelled {label}; at most {most:,} examples of a real set are fitted.", "",
             "| target | runs say | met |", "|---|---|---|"]
    lines += [f"| {target.name} | {target.found} | {SAID[target.met]} |" for target in targets(runs, sets)] + [""]
    for part in (predictors, lists, losses, intervals, times):
        lines += part(runs, real)
    for part in (small_draws, sparse_draws):
        lines += part(runs, there)
    return "\n".join(lines + missing(runs)).rstrip() + "\n"
