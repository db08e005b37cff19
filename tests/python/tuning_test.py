"""Estimators that choose p0 and c by cross-validation."""

import unittest
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from support import classes, values

from medlar import MEDClassifier, MEDClassifierCV, MEDRegressor, MEDRegressorCV
from medlar._folds import fingerprints, folds_of


class Folds(unittest.TestCase):
    def test_every_fold_has_its_share_of_each_class(self):
        x, y = classes(103, 4)
        fold_of = folds_of(x, y, 5, True, 1)
        counts = np.array([[np.sum((fold_of == k) & (y == label)) for label in (0, 1)] for k in range(5)])
        self.assertLessEqual(np.ptp(counts, axis=0).max(), 1)
        self.assertFalse(np.array_equal(fold_of, folds_of(x, y, 5, True, 2)))

    def test_neither_order_nor_repetition_matters(self):
        x, y = classes(60, 4)
        fold_of = folds_of(x, y, 5, True, 1)
        order = np.random.default_rng(1).permutation(60)
        np.testing.assert_array_equal(folds_of(x[order], y[order], 5, True, 1), fold_of[order])
        twice = folds_of(np.repeat(x, 2, axis=0), np.repeat(y, 2), 5, True, 1)
        np.testing.assert_array_equal(twice, np.repeat(fold_of, 2))
        wide = sp.csr_matrix(x)
        wide.indices = wide.indices.astype(np.int64)
        np.testing.assert_array_equal(folds_of(wide, y, 5, True, 1), folds_of(sp.csr_matrix(x), y, 5, True, 1))

    def test_equal_examples_of_a_kernel_are_one(self):
        x, y = values(40, 3)
        counts = np.arange(40) % 3
        twice = np.repeat(x, counts, axis=0), np.repeat(y, counts)
        part = np.arange(40) % 4
        for make, given in ((MEDRegressor, [{}, {}]), (MEDRegressorCV, [{}, {}]),
                            (MEDRegressorCV, [{"cv": [(np.flatnonzero(of != k), np.flatnonzero(of == k)) for k in range(4)]}
                                              for of in (part, np.repeat(part, counts))])):
            ours = make(kernel="rbf", **given[0]).fit(x, y, sample_weight=counts)
            theirs = make(kernel="rbf", **given[1]).fit(twice[0], twice[1])
            np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))
            self.assertLess(ours.support_.max(), 40)
            self.assertTrue((counts[ours.support_] > 0).all())
            np.testing.assert_array_equal(twice[0][theirs.support_], x[ours.support_])

    def test_rows_that_differ_have_other_fingerprints(self):
        bits = (np.arange(4096)[:, None] >> np.arange(12)) & 1  # every row of twelve zeros and ones
        for x in (bits.astype(float), bits.astype(np.float32), -1e300 * bits, sp.csr_matrix(bits.astype(float)),
                  np.random.default_rng(1).normal(size=(4096, 3)), np.arange(4096.0)[:, None]):
            self.assertEqual(len(np.unique(fingerprints(x))), 4096)
        self.assertEqual(fingerprints(np.zeros((0, 3))).shape, (0,))

    def test_refusals(self):
        x, y = classes(60, 4)
        for folds in (1, 2.5, "five"):
            with self.assertRaisesRegex(ValueError, "folds = "):
                MEDClassifierCV(folds=folds).fit(x, y)
        with self.assertWarnsRegex(UserWarning, "only 3 different examples of the smallest class"):
            MEDClassifierCV(p0_grid=(1.0, 0.1)).fit(x[:20], np.arange(20) < 3)
        with self.assertRaisesRegex(ValueError, "a class with one sample"):
            MEDClassifierCV().fit(x[:20], np.arange(20) < 1)


class Tuning(unittest.TestCase):
    def test_the_chosen_model_is_that_of_its_p0(self):
        for tuned, plain, (x, y) in ((MEDClassifierCV(repeats=1), MEDClassifier, classes(100, 6)),
                                     (MEDRegressorCV(repeats=1), MEDRegressor, values(100, 6))):
            tuned.fit(x, y)
            self.assertIn(tuned.p0_, tuned.cv_results_["p0"])
            variance = {} if tuned.prior_variance_ is None else {"prior_variance": tuned.prior_variance_}
            np.testing.assert_array_equal(plain(p0=tuned.p0_, **variance).fit(x, y).coef_, tuned.coef_)
            means = tuned.cv_results_["mean"][~tuned.cv_results_["dropped"]]
            best = means.max() if tuned.metric_ == "auc" else means.min()
            self.assertEqual(tuned.cv_results_["mean"][tuned.best_index_], best)
            self.assertEqual(tuned.cv_results_["folds"].shape, (len(tuned.cv_results_["p0"]), 5))
            self.assertIn('"tuning"', tuned.model_.to_json())
            self.assertGreaterEqual(np.sum(tuned.cv_results_["p0"] == 1), 3)  # without switches, several variances

    def test_the_list_is_an_estimator_of_its_own(self):
        x, y = classes(120, 8)
        model = MEDClassifierCV().fit(x, y)
        self.assertTrue(model.verdict_ and model.left_out_)
        support = model.get_support(indices=True)
        self.assertGreater(len(support), 0)
        np.testing.assert_array_equal(support, model.list_.get_support(indices=True))
        np.testing.assert_array_equal(np.flatnonzero(model.list_.coef_[0]), support)
        self.assertEqual(model.transform(x).shape, (120, len(support)))
        for each in (model, model.list_):
            np.testing.assert_allclose(each.decision_function(x), x @ each.coef_[0] + each.intercept_[0], rtol=1e-9, atol=1e-9)
            np.testing.assert_array_equal(each.predict(x) == each.classes_[1], each.predict_proba(x)[:, 1] > 0.5)
            np.testing.assert_array_equal(each.predict(x) == each.classes_[1], each.decision_function(x) > 0)
        self.assertEqual(MEDClassifierCV(recalibrate=None).fit(x, y).model_.recalibrated, False)

    def test_intervals_are_as_wide_as_errors_left_out(self):
        x, y = values(100, 5)
        model = MEDRegressorCV().fit(x, y)
        low, high = model.predict_interval(x, alpha=0.2).T
        np.testing.assert_allclose((low + high) / 2, model.predict(x))
        self.assertLess((high - low)[0], np.ptp(model.predict_interval(x[:1], alpha=0.05)))
        for alpha in (0, 1, 1e-9):
            with self.assertRaises(ValueError):
                model.predict_interval(x, alpha=alpha)
        self.assertGreater(model.get_support().sum(), 0)

    def test_scores_are_those_of_folds_left_out(self):
        x, y = values(60, 4)
        tuned = MEDRegressorCV(p0_grid=[0.1], folds=3, repeats=1).fit(x, y)
        fold_of = folds_of(x, y, 3, False, 1)
        errors = []
        for k in range(3):
            model = MEDRegressor(p0=0.1).fit(x[fold_of != k], y[fold_of != k])
            errors.append(np.sqrt(np.mean((model.predict(x[fold_of == k]) - y[fold_of == k]) ** 2)))
        np.testing.assert_allclose(tuned.cv_results_["folds"][0], errors, rtol=1e-9)

    def test_grid_of_c_and_the_rule_of_one_standard_error(self):
        x, y = classes(100, 6)
        tuned = MEDClassifierCV(margin="exponential", p0_grid=(1.0, 0.1), c_grid=(1.5, 3.0), one_standard_error=True).fit(x, y)
        self.assertEqual(len(tuned.cv_results_["mean"]), 4)
        self.assertIn(tuned.c_, (1.5, 3.0))
        self.assertEqual(tuned.p0_, 0.1)
        kernel = MEDClassifierCV(kernel="rbf", c_grid=(1.5, 2.0)).fit(x, y)
        self.assertEqual((kernel.p0_, len(kernel.cv_results_["mean"])), (1.0, 2))

    def test_relaxed_refits_keep_few_features(self):
        x, y = values(100, 30)
        tuned = MEDRegressorCV(relax=True, keep_grid=(1, 2, 30), p0_grid=(1.0,)).fit(x, y)
        self.assertIn(tuned.kept_, (None, 1, 2, 30))
        kept = [each for each in tuned.cv_results_["kept"] if each is not None]
        self.assertEqual(sorted(set(kept)), [1, 2, 30])
        with self.assertRaisesRegex(ValueError, "add relax=True"):
            MEDRegressorCV(keep_grid=(1, 2)).fit(x, y)

    def test_refits_are_tried_where_features_outnumber_examples(self):
        x, y = values(25, 30)
        kept = lambda relax, rows: {each for each in MEDRegressorCV(relax=relax, folds=3).fit(x[:, :rows], y).cv_results_["kept"]}  # noqa: E731
        self.assertIn(1, kept(None, 30))
        self.assertEqual(kept(None, 30), kept(True, 30))
        self.assertEqual(kept(False, 30), {None})
        self.assertEqual(kept(None, 20), {None})

    def test_metric_repeats_and_all_folds(self):
        x, y = classes(80, 5)
        tuned = MEDClassifierCV(p0_grid=(1.0, 1e-3, 1e-9), metric="log_loss", repeats=2, folds=3, exhaustive=True).fit(x, y)
        self.assertEqual(tuned.metric_, "log-loss")
        self.assertEqual(tuned.cv_results_["folds"].shape, (3, 6))
        self.assertFalse(tuned.cv_results_["dropped"].any() or np.isnan(tuned.cv_results_["folds"]).any())
        with self.assertRaisesRegex(ValueError, "metric = 'f9' is unknown"):
            MEDClassifierCV(metric="f9").fit(x, y)
        with self.assertRaisesRegex(ValueError, "repeats = 0"):
            MEDClassifierCV(repeats=0).fit(x, y)

    def test_folds_of_a_splitter(self):
        x, y = classes(60, 4)
        groups = np.arange(60) // 3
        pairs = list(GroupKFold(4).split(x, y, groups))
        tuned = MEDClassifierCV(p0_grid=(1.0, 0.1), cv=pairs, exhaustive=True, metric="auc").fit(x, y)
        self.assertEqual(tuned.cv_results_["folds"].shape, (2, 4))
        model = MEDClassifier(p0=0.1).fit(x[pairs[1][0]], y[pairs[1][0]])
        auc = roc_auc_score(y[pairs[1][1]], model.decision_function(x[pairs[1][1]]))
        self.assertAlmostEqual(tuned.cv_results_["folds"][1][1], auc, delta=0.02)
        weights = np.ones(60)
        weights[pairs[0][1]] = 0  # the whole fold: nothing is left to measure on
        with self.assertRaisesRegex(ValueError, "nothing to measure on"):
            MEDClassifierCV(p0_grid=(1.0,), cv=pairs).fit(x, y, sample_weight=weights)
        MEDClassifierCV(p0_grid=(1.0,), cv=KFold(3, shuffle=True, random_state=0)).fit(x, y)
        for few in ([], pairs[:1]):
            with self.assertRaisesRegex(ValueError, "must give at least 2"):
                MEDClassifierCV(cv=few).fit(x, y)
        by_number = MEDClassifierCV(p0_grid=(1.0, 0.1), cv=3).fit(x, y)
        np.testing.assert_array_equal(by_number.cv_results_["folds"],
                                      MEDClassifierCV(p0_grid=(1.0, 0.1), folds=3).fit(x, y).cv_results_["folds"])
        with self.assertRaisesRegex(ValueError, "n_splits=80"):  # the splitter's own sentence
            MEDClassifierCV(cv=KFold(80)).fit(x, y)
        for odd in (1, "five", [([0.5, 1.5], [1.0])], [([0, 1, 2, 30, 31], [60])], [([0, 1, 30, 31], [-1])]):
            with self.assertRaisesRegex(ValueError, "cv |folds = 1"):
                MEDClassifierCV(cv=odd).fit(x, y)

    def test_a_kernel_that_was_computed_before_is_for_grid_search(self):
        x, y = classes(60, 4)
        with self.assertRaisesRegex(ValueError, "use GridSearchCV"):
            MEDClassifierCV(kernel="precomputed").fit(x @ x.T, y)
        search = GridSearchCV(MEDClassifier(kernel="precomputed"), {"c": [1.5, 3.0]}, cv=3).fit(x @ x.T, y)
        self.assertGreater(search.best_score_, 0.7)

    def test_weights_are_repetitions_here_too(self):
        x, y = values(40, 3)
        counts = np.arange(40) % 3
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            weighted = MEDRegressorCV(p0_grid=(1.0, 0.1)).fit(x, y, sample_weight=counts)
            repeated = MEDRegressorCV(p0_grid=(1.0, 0.1)).fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
        np.testing.assert_allclose(weighted.cv_results_["mean"], repeated.cv_results_["mean"], rtol=1e-3)


if __name__ == "__main__":
    unittest.main()
