"""Ways to answer, each tuned as its users do: Medlar without settings, glmnet, scikit-learn, abess, and what needs no fit."""

import importlib.util
import warnings

import numpy as np
from scipy.special import ndtr

from selecting.peers import behind_scaling

from . import draws
from .apart import Clock, within
from .measures import Answer

FOLDS = 5  # of scikit-learn and abess; cv.glmnet has ten by itself
INTERVALS = 0.1  # the share of examples that an interval may leave out


def by_model(name, problem, model, clock, coefficients=None):
    """The answer of a fitted estimator whose classes are 0, 1, ..."""
    probability = model.predict_proba(problem.x_test) if problem.task == "classify" else None
    used = None if coefficients is None else np.flatnonzero(np.any(np.atleast_2d(coefficients) != 0, axis=0)).tolist()
    return Answer(name, model.predict(problem.x_test), probability, used, wall=clock.wall, processor=clock.processor)


def ends(interval):
    """Lower and upper ends of what predict_interval gives: two vectors, or two columns."""
    return interval if isinstance(interval, tuple) else tuple(np.asarray(interval).T)


def medlar(problem, threads, **settings):
    """Its predictor, and its list: an estimator of its own, or where there is none yet what get_support tells."""
    from medlar import MEDClassifierCV, MEDRegressorCV

    classify = problem.task == "classify"
    with Clock() as clock:
        model = (MEDClassifierCV if classify else MEDRegressorCV)(threads=threads, **settings)
        model.fit(problem.x, problem.y.astype(int) if classify else problem.y)
    predictor = by_model("predictor", problem, model, clock)
    predictor.chosen = np.flatnonzero(model.get_support()).tolist()
    if not classify and hasattr(model, "predict_interval"):
        predictor.interval = ends(model.predict_interval(problem.x_test, INTERVALS))
    if not hasattr(model, "list_"):
        return [predictor, Answer("list", None, chosen=predictor.chosen, wall=clock.wall, processor=clock.processor,
                                  lacks="list_")]
    short = by_model("list", problem, model.list_, clock)
    short.chosen = np.flatnonzero(model.list_.get_support()).tolist()
    return [predictor, short]


def folds(problem):
    """As many folds as the rarest class has examples, and five at most: a log loss needs all classes in each."""
    if problem.task == "regress":
        return FOLDS
    return max(2, min(FOLDS, int(np.bincount(problem.y.astype(int)).min())))


def penalised(problem, penalty):
    """Logistic regression by its log loss on folds; of numbers the Lasso and ridge regression."""
    from sklearn.linear_model import LassoCV, LogisticRegressionCV, RidgeCV

    if problem.task == "classify":
        solver, most = {"l1": ("liblinear", 100), "l2": ("lbfgs", 1000)}[penalty]
        last = LogisticRegressionCV(Cs=10, cv=folds(problem), penalty=penalty, solver=solver, scoring="neg_log_loss",
                                    max_iter=most, random_state=1)
    else:
        last = LassoCV(cv=FOLDS) if penalty == "l1" else RidgeCV(alphas=np.logspace(-3, 4, 29))
    with Clock() as clock:
        model = behind_scaling(problem, last)
    return [by_model(penalty.upper(), problem, model, clock, last.coef_ if penalty == "l1" else None)]


def best_subset(problem):
    """abess, on folds that have all classes. Its own scaling comes first: it refuses some columns."""
    from abess import LinearRegression, LogisticRegression, MultinomialRegression
    from sklearn.model_selection import StratifiedKFold

    several = problem.task == "classify" and problem.y.max() > 1
    kind = LinearRegression if problem.task == "regress" else MultinomialRegression if several else LogisticRegression
    count, more = folds(problem), {}
    if problem.task == "classify":
        fold_of = np.zeros(len(problem.y), dtype=int)
        for fold, (_, left_out) in enumerate(StratifiedKFold(count).split(problem.x, problem.y), 1):
            fold_of[left_out] = fold
        more["cv_fold_id"] = fold_of
    last = kind(cv=count, support_size=range(min(41, problem.x.shape[1] + 1)), thread=1)
    with Clock() as clock:
        try:
            model = behind_scaling(problem, last, **more)
        except OverflowError:
            model = behind_scaling(problem, last, is_normal=False, **more)
    return [by_model("abess", problem, model, clock, last.coef_.T if several else last.coef_)]


def nothing(problem):
    """The shares of the classes, or the mean."""
    count = len(problem.y_test)
    if problem.task == "regress":
        return [Answer("null", np.full(count, problem.y.mean()), chosen=[])]
    shares = np.bincount(problem.y.astype(int)) / len(problem.y)
    return [Answer("null", np.full(count, shares.argmax()), np.tile(shares, (count, 1)), [])]


def least_squares(problem):
    from sklearn.linear_model import LinearRegression

    with Clock() as clock:
        model = LinearRegression().fit(problem.x, problem.y)
    return [by_model("least squares", problem, model, clock)]


def truth(problem):
    """What is best where the draw is known: noise of variance 1 decides the class."""
    mean = problem.mean_test
    if problem.task == "regress":
        return [Answer("truth", mean, chosen=problem.true)]
    return [Answer("truth", mean > 0, np.column_stack([ndtr(-mean), ndtr(mean)]), problem.true)]


def quietly(work):
    def run(*given, **settings):
        warnings.simplefilter("ignore")
        return work(*given, **settings)
    return run


class Ways:
    """The ways that this machine has, by name; answers(name, problem) raises Stopped where there is none."""

    def __init__(self, glmnet, limit, threads):
        self.limit = limit
        self.forked = {
            "medlar": lambda problem: medlar(problem, threads),
            "medlar-tube": lambda problem: medlar(problem, threads, margin="tube"),
            "medlar-gaussian": lambda problem: medlar(problem, threads, margin="gaussian"),
            "l1": lambda problem: penalised(problem, "l1"),
            "l2": lambda problem: penalised(problem, "l2"),
            "abess": best_subset,
            "null": nothing,
            "least-squares": least_squares,
            "truth": truth,
        }
        self.in_r = {"glmnet": lambda problem: glmnet.answers(problem, False, limit),
                     "relax": lambda problem: glmnet.answers(problem, True, limit)}
        self.glmnet = glmnet

    def answers(self, name, problem):
        if name in self.in_r:
            return self.in_r[name](problem)
        return within(self.limit, lambda: quietly(self.forked[name])(problem))

    def absent(self, names):
        """Of these the ones that cannot take part, each with the reason."""
        found = {}
        for package, users in (("medlar", [name for name in names if name.startswith("medlar")]), ("abess", ["abess"])):
            if importlib.util.find_spec(package) is None:
                found |= {name: f"Python has no package {package}" for name in users if name in names}
        if any(name in self.in_r for name in names) and not self.glmnet.there():
            found |= {name: "R has no glmnet; install r-cran-glmnet" for name in names if name in self.in_r}
        return found


NAMES = ["null", "truth", "least-squares", "l1", "l2", "abess", "glmnet", "relax", "medlar", "medlar-tube", "medlar-gaussian"]


def suits(way, name, problem):
    """Whether a way has something to say on a problem of this name."""
    if way == "truth":
        return problem.mean_test is not None
    if way == "least-squares":
        return problem.task == "regress" and problem.x.shape[1] < problem.x.shape[0] / 2
    if way in ("medlar-tube", "medlar-gaussian"):
        return name in draws.OUTLIERS
    return True
