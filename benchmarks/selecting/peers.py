"""Ways of others: glmnet and susieR by R, scikit-learn, abess, skglm. Each yields what kind it is, the features that it chose
and its scores of the test examples; nothing where its package is not there."""

import importlib.util

import numpy as np

GLMNET = """
suppressMessages(library(glmnet)); a <- commandArgs(TRUE); n <- as.integer(a[4])
read <- function(f) matrix(readBin(f, "double", file.size(f) / 8), ncol = n + 1, byrow = TRUE)
d <- read(a[1]); t <- read(a[2]); y <- d[, n + 1]; x <- d[, 1:n]
fit <- function(...) { set.seed(1); cv.glmnet(x, y, family = a[3], relax = a[5] == "relax", ...) }
f <- tryCatch(fit(), error = function(e) fit(path = TRUE))  # relaxed fits of classes that are told apart need the path
for (s in c("lambda.min", "lambda.1se")) {
  cat(which(as.vector(coef(f, s = s))[-1] != 0) - 1, "\\n")
  cat(as.vector(predict(f, t[, 1:n], s = s)), "\\n")
}
"""

SUSIE = """
suppressMessages(library(susieR)); a <- commandArgs(TRUE); n <- as.integer(a[4])
read <- function(f) matrix(readBin(f, "double", file.size(f) / 8), ncol = n + 1, byrow = TRUE)
d <- read(a[1]); t <- read(a[2]); y <- d[, n + 1]; x <- d[, 1:n]
set.seed(1); f <- susie(x, y, L = 20)
middle <- if (a[3] == "binomial") 0.5 else 0  # of the labels 0 and 1, which it takes for numbers
cat(which(f$pip > 0.5) - 1, "\\n"); cat(as.vector(predict(f, t[, 1:n])) - middle, "\\n")
"""


def glmnet(relax):
    def run(files):
        lines = files.rscript(GLMNET, "relax" if relax else "plain")
        for k, way in enumerate(("lambda.min", "lambda.1se")):
            if len(lines) == 4:
                yield way, set(map(int, lines[2 * k].split())), np.array(lines[2 * k + 1].split(), dtype=float)
    return run


def susie(files):
    lines = files.rscript(SUSIE)
    if len(lines) == 2:
        yield "PIP > 1/2", set(map(int, lines[0].split())), np.array(lines[1].split(), dtype=float)


def behind_scaling(problem, last, **more):
    """`last`, fitted behind a scaling, of sparse features to a largest value of 1; `more` are keywords of its fit."""
    from scipy.sparse import issparse
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler

    pipe = make_pipeline(MaxAbsScaler() if issparse(problem.x) else StandardScaler(), last)
    return pipe.fit(problem.x, problem.y, **{f"{pipe.steps[-1][0]}__{name}": value for name, value in more.items()})


def scores_of(problem, last):
    """Scores of `last`, fitted behind a scaling."""
    model = behind_scaling(problem, last)
    if problem.task == "regress":
        return model.predict(problem.x_test)
    if hasattr(last, "decision_function"):
        return model.decision_function(problem.x_test)
    return model.predict_proba(problem.x_test)[:, 1] - 0.5


def chosen_by(coefficients):
    return set(np.flatnonzero(np.ravel(coefficients)).tolist())


def scikit_l1(files):
    from sklearn.linear_model import LassoCV, LogisticRegressionCV

    classify = files.problem.task == "classify"
    last = (LogisticRegressionCV(Cs=10, cv=5, penalty="l1", solver="liblinear", scoring="roc_auc") if classify
            else LassoCV(cv=5))
    scores = scores_of(files.problem, last)
    yield "L1 logistic" if classify else "Lasso", chosen_by(last.coef_), scores


def scikit_svm(files):
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    problem = files.problem
    if problem.task != "classify":
        return
    pipe = make_pipeline(StandardScaler(), LinearSVC(penalty="l1", dual=False, max_iter=3000))
    grid = GridSearchCV(pipe, {"linearsvc__C": np.logspace(-2, 1, 8)}, cv=5, scoring="roc_auc").fit(problem.x, problem.y)
    best = grid.best_estimator_
    yield "L1 LinearSVC", chosen_by(best[-1].coef_), best.decision_function(problem.x_test)


def best_subset(files):
    if importlib.util.find_spec("abess") is None:
        return
    from abess import LinearRegression, LogisticRegression

    kind = LinearRegression if files.problem.task == "regress" else LogisticRegression
    last = kind(cv=5, support_size=range(41), thread=1)
    scores = scores_of(files.problem, last)
    yield "best subset", chosen_by(last.coef_), scores


def minimax_concave(files):
    if importlib.util.find_spec("skglm") is None:
        return
    concave = concave_logistic if files.problem.task == "classify" else concave_regression
    coefficients, scores = concave(files.problem)
    yield "minimax concave penalty", chosen_by(coefficients), scores


def concave_regression(problem):
    from skglm import MCPRegression
    from sklearn.model_selection import GridSearchCV

    largest = np.max(np.abs((problem.y - problem.y.mean()) @ problem.x)) / len(problem.y)
    grid = GridSearchCV(MCPRegression(), {"alpha": largest * np.logspace(0, -2, 15)}, cv=5,
                        scoring="neg_mean_squared_error")
    scores = scores_of(problem, grid)
    return grid.best_estimator_.coef_, scores


def concave_logistic(problem):
    """By the log loss of five folds. Smaller penalties separate few examples, and are slow."""
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic
    from skglm.penalties import MCPenalty
    from skglm.solvers import AndersonCD
    from sklearn.model_selection import StratifiedKFold
    from sklearn.preprocessing import StandardScaler

    scale = StandardScaler().fit(problem.x)
    x, y = scale.transform(problem.x), np.where(problem.y > 0, 1.0, -1.0)
    largest = np.max(np.abs((y - y.mean()) @ x)) / len(y) / 2

    def fitted(x, y, alpha):
        model = GeneralizedLinearEstimator(datafit=Logistic(), penalty=MCPenalty(alpha, 3.0),
                                           solver=AndersonCD(fit_intercept=True)).fit(x, y)
        return lambda other: other @ np.ravel(model.coef_) + model.intercept_, np.ravel(model.coef_)

    def loss(alpha):
        parts = StratifiedKFold(5, shuffle=True, random_state=1).split(x, y)
        return sum(np.mean(np.logaddexp(0, -y[test] * fitted(x[fit], y[fit], alpha)[0](x[test]))) for fit, test in parts)

    score, coefficients = fitted(x, y, min(largest * np.logspace(-0.1, -1, 10), key=loss))
    return coefficients, score(scale.transform(problem.x_test))
