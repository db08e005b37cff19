"""The estimators: what they fit, what they remember, how they select, and how they live among scikit-learn's tools."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from support import classes, several, values

import medlar
from medlar import MEDClassifier, MEDRegressor, _native

ALL = (MEDClassifier, MEDRegressor, medlar.GenerativeMEDClassifier, medlar.MEDAnomalyDetector,
       medlar.TransductiveMEDClassifier)


class Classifier(unittest.TestCase):
    def test_discriminant_is_linear_in_the_units_of_x(self):
        x, y = classes()
        x = 5 * x + 2
        for data in (x, sp.csr_matrix(x)):
            for scale in ("standard", "maxabs", "none"):
                model = MEDClassifier(scale=scale).fit(data, y)
                np.testing.assert_allclose(model.decision_function(data), x @ model.coef_[0] + model.intercept_,
                                           rtol=1e-9, atol=1e-9)

    def test_functions_near_a_kernel_stand_in_the_place_of_features(self):
        x, y = several()
        for expand in ("fourier:40", "nystrom:30"):
            for target in (y, y > 0):
                model = MEDClassifier(p0=1.0, expand=expand).fit(x, target)
                self.assertEqual(model.coef_.shape[1], len(model.model_.names))
                self.assertEqual(model.get_support().shape, (10,))
                self.assertGreater(model.score(x, target), 0.8)
            self.assertEqual(MEDRegressor(p0=1.0, expand=expand).fit(x, x[:, 0]).coef_.shape, model.coef_[0].shape)

    def test_a_negative_weight_is_refused(self):
        x, y = classes()
        weights = np.ones(120)
        weights[7] = -2
        for estimator in (MEDClassifier(), MEDRegressor(), MEDClassifier(kernel="rbf"), medlar.GenerativeMEDClassifier()):
            with self.assertRaisesRegex(ValueError, "sample_weight holds -2"):
                estimator.fit(x, y, sample_weight=weights)

    def test_selects_what_matters(self):
        x, y = classes()
        model = MEDClassifier(p0=0.1).fit(x, y)
        np.testing.assert_array_equal(model.get_support(indices=True), [0, 1])
        np.testing.assert_array_equal(model.transform(x), x[:, :2])
        np.testing.assert_array_equal(model.get_support(), model.inclusion_ > 0.5)
        self.assertGreater(model.score(x, y), 0.9)

    def test_hinge_without_selection_is_the_support_vector_machine(self):
        x, y = classes(80, 5)
        ours = MEDClassifier(p0=1.0, margin="hinge", scale="none", c=1.7, tolerance=1e-9).fit(x, y)
        theirs = SVC(kernel="linear", C=1.7, tol=1e-8).fit(x, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-3, atol=1e-3)
        # w = sum over the support of signed multipliers and rows, as scikit-learn has it
        np.testing.assert_allclose(ours.dual_coef_ @ x[ours.support_], ours.coef_, rtol=1e-3, atol=1e-4)

    def test_labels_of_any_kind(self):
        x, y = classes()
        expected = MEDClassifier().fit(x, y).predict(x)
        for names in (["raw", "ripe"], [False, True], [-1, 1], [1.0, 2.0], ["a,b", "c:d"]):
            model = MEDClassifier().fit(x, np.array(names)[y])
            self.assertEqual(model.classes_.tolist(), names)
            np.testing.assert_array_equal(model.predict(x), np.array(names)[expected])

    def test_probabilities_agree_with_labels_and_scores(self):
        x, y = classes()
        model = MEDClassifier().fit(x, y)
        chance, score = model.predict_proba(x), model.decision_function(x)
        np.testing.assert_allclose(chance.sum(axis=1), 1)
        np.testing.assert_array_equal(chance[:, 1] > 0.5, score > 0)
        np.testing.assert_array_equal(model.predict(x), (score > 0).astype(int))
        np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), chance)

    def test_class_weight_is_a_weight_of_examples(self):
        x, y = classes()
        by_class = MEDClassifier(class_weight={0: 2.0, 1: 0.5}, tolerance=1e-9).fit(x, y)
        by_example = MEDClassifier(tolerance=1e-9).fit(x, y, sample_weight=np.where(y == 0, 2.0, 0.5))
        np.testing.assert_allclose(by_class.coef_, by_example.coef_, rtol=1e-6)
        balanced = MEDClassifier(class_weight="balanced", tolerance=1e-9).fit(x, y)
        counts = np.bincount(y)
        weights = (len(y) / (2 * counts))[y]
        np.testing.assert_allclose(balanced.coef_, MEDClassifier(tolerance=1e-9).fit(x, y, weights).coef_, rtol=1e-6)

    def test_the_certificate_is_kept(self):
        x, y = classes()
        model = MEDClassifier().fit(x, y)
        self.assertEqual(model.report_.status, "converged")
        self.assertLessEqual(model.report_.relative_gap, 1e-6)
        self.assertAlmostEqual(model.report_.primal - model.objective_, model.gap_, places=12)
        self.assertEqual(model.n_iter_, model.report_.iterations)


class Regressor(unittest.TestCase):
    def test_finds_the_line(self):
        x, y = values()
        model = MEDRegressor(p0=0.1, prior_variance=1.0).fit(x, y)
        np.testing.assert_allclose(model.coef_[:2], [3, -2], atol=0.15)
        self.assertAlmostEqual(model.intercept_, 1, delta=0.1)
        np.testing.assert_array_equal(model.get_support(indices=True), [0, 1])
        predicted, sd = model.predict(x, return_std=True)
        np.testing.assert_allclose(predicted, x @ model.coef_ + model.intercept_, rtol=1e-9, atol=1e-9)
        self.assertTrue((sd > 0).all())

    def test_svr_without_selection_is_support_vector_regression(self):
        x, y = values(60, 4)
        ours = MEDRegressor(p0=1.0, margin="svr", scale="none", c=2.0, epsilon=0.2, prior_variance=1.0,
                            tolerance=1e-9).fit(x, y)
        theirs = SVR(kernel="linear", C=2.0, epsilon=0.2, tol=1e-8).fit(x, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_[0], rtol=1e-3, atol=1e-3)

    def test_gaussian_without_selection_is_ridge_regression(self):
        x, y = values(60, 4)
        weights = np.linspace(0.5, 2, 60)
        ours = MEDRegressor(p0=1.0, margin="gaussian", scale="none", c=2.0, prior_variance=0.3, tolerance=1e-12)
        theirs = Ridge(alpha=1 / (0.3 * 2.0**2))
        for sample_weight in (None, weights):
            ours.fit(x, y, sample_weight), theirs.fit(x, y, sample_weight)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-4)
            self.assertAlmostEqual(ours.intercept_, theirs.intercept_, delta=1e-4)
        self.assertEqual(len(ours.support_), 60)


class Probabilities(unittest.TestCase):
    def test_the_logistic_margin_without_selection_is_logistic_regression(self):
        x, y = classes(80, 4)
        ours = MEDClassifier(p0=1.0, margin="logistic", scale="none", c=0.7, prior_variance=2.0, tolerance=1e-11).fit(x, y)
        theirs = LogisticRegression(C=1.4, tol=1e-10, max_iter=10000).fit(x, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose(np.exp(ours.predict_log_proba(x)), ours.predict_proba(x), rtol=1e-12)
        self.assertEqual(len(ours.support_), 80)
        self.assertEqual(MEDClassifier(margin="logistic").fit(x, y).report_.relative_gap <= 1e-6, True)


class Kernels(unittest.TestCase):
    def test_hinge_is_the_support_vector_machine(self):
        x, y = classes(80, 4)
        ours = MEDClassifier(kernel="rbf", gamma=0.3, margin="hinge", scale="none", c=2.0, tolerance=1e-9).fit(x, y)
        theirs = SVC(kernel="rbf", gamma=0.3, C=2.0, tol=1e-8).fit(x, y)
        np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), rtol=1e-3, atol=1e-3)
        given = rbf_kernel(x, gamma=0.3)
        model = MEDClassifier(kernel="precomputed", margin="hinge", c=2.0, tolerance=1e-9).fit(given, y)
        np.testing.assert_allclose(model.decision_function(given), ours.decision_function(x), rtol=1e-3, atol=1e-3)
        self.assertGreater(cross_val_score(MEDClassifier(kernel="precomputed"), given, y, cv=3).mean(), 0.7)

    def test_svr_is_support_vector_regression(self):
        x, y = values(60, 3)
        ours = MEDRegressor(kernel="poly", degree=2, coef0=1.0, gamma=0.5, margin="svr", scale="none", c=2.0, epsilon=0.2,
                            prior_variance=1.0, tolerance=1e-9).fit(x, y)
        theirs = SVR(kernel="poly", degree=2, coef0=1.0, gamma=0.5, C=2.0, epsilon=0.2, tol=1e-8).fit(x, y)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-3, atol=1e-2)

    def test_gaussian_is_kernel_ridge_regression(self):
        x, y = values(60, 3)
        ours = MEDRegressor(kernel="rbf", gamma=0.5, margin="gaussian", scale="none", c=2.0, bias="none",
                            prior_variance=1.5, tolerance=1e-10).fit(x, y)
        theirs = KernelRidge(kernel="rbf", gamma=0.5, alpha=1 / (1.5 * 2.0**2)).fit(x, y)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-3, atol=1e-3)

    def test_a_kernel_model_keeps_all_features_and_no_coefficients(self):
        x, y = classes(60, 4)
        model = MEDClassifier().fit(x, y)
        model.set_params(kernel="rbf").fit(x, y)
        self.assertFalse(hasattr(model, "coef_") or hasattr(model, "inclusion_"))
        self.assertTrue(model.get_support().all())
        back = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(back.predict_proba(x), model.predict_proba(x))
        with self.assertRaisesRegex(ValueError, "selects no features"):
            MEDClassifier(kernel="rbf", p0=0.1).fit(x, y)


class Weights(unittest.TestCase):
    def test_weight_is_repetition_and_zero_is_absence(self):
        for make, (x, y) in ((MEDClassifier, classes(60, 5)), (MEDRegressor, values(60, 5))):
            counts = np.arange(len(y)) % 3
            weighted = make(tolerance=1e-12).fit(x, y, sample_weight=counts)
            repeated = make(tolerance=1e-12).fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
            np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(weighted.intercept_, repeated.intercept_, rtol=1e-5, atol=1e-7)


    def test_of_few_values_neither_order_nor_repetition_changes_a_digit(self):
        draw = np.random.default_rng(4)
        for make, (x, y) in ((MEDClassifier, classes(60, 5)), (MEDClassifier, several(60, 5)), (MEDRegressor, values(60, 5))):
            counts = draw.integers(0, 4, len(y))
            order = draw.permutation(len(y))
            expected = make().fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
            for table in (x, sp.csr_matrix(x)):
                weighted = make(scale="standard").fit(table[order], y[order], sample_weight=counts[order])
                repeated = make(scale="standard").fit(table[np.repeat(order, counts[order])], np.repeat(y[order], counts[order]))
                np.testing.assert_array_equal(weighted.coef_, repeated.coef_)
                np.testing.assert_array_equal(weighted.intercept_, repeated.intercept_)
            np.testing.assert_array_equal(make().fit(x[order], y[order], counts[order]).coef_, expected.coef_)

    def test_support_speaks_of_the_examples_that_were_given(self):
        x, y = classes(60, 5)
        weights = np.arange(60) % 4
        order = np.random.default_rng(4).permutation(60)
        for make in (MEDClassifier, medlar.TransductiveMEDClassifier, medlar.GenerativeMEDClassifier):
            one = make().fit(x, y, sample_weight=weights)
            other = make().fit(x[order], y[order], sample_weight=weights[order])
            np.testing.assert_array_equal(np.sort(order[other.support_]), one.support_)
            self.assertTrue((weights[one.support_] > 0).all())
            self.assertEqual(one.model_.examples, 60)
            np.testing.assert_array_equal(one.model_.support, one.support_)  # so that files say the same
            np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).support_, one.support_)
        model = MEDClassifier(p0=1.0, margin="hinge", scale="none", tolerance=1e-9).fit(x, y, sample_weight=weights)
        np.testing.assert_allclose(model.dual_coef_ @ x[model.support_], model.coef_, rtol=1e-3, atol=1e-4)


class Input(unittest.TestCase):
    @unittest.skipUnless(int(np.__version__.split(".")[0]) < 2, "the module may know NumPy 2")
    def test_an_old_pybind11_refuses_numpy_2(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "numpy.py").write_text("__version__ = '2.1.0'")
            code = (f"import importlib.util; spec = importlib.util.spec_from_file_location('_native', {_native.__file__!r});"
                    "importlib.util.module_from_spec(spec)")
            told = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": folder}, capture_output=True,
                                  text=True, check=False)
        self.assertRegex(told.stderr, r"ImportError: this build of medlar knows NumPy 1 alone .* NumPy 2\.1\.0 is installed; build it")

    def test_arrays_are_seen_and_not_copied(self):
        x, y = classes()
        for array in (x, x.astype(np.float32), sp.csr_matrix(x)):
            data = _native.Dataset(array, codes=y, labels=["0", "1"])
            values_of = array.data if sp.issparse(array) else array
            self.assertEqual(data.address, values_of.__array_interface__["data"][0])

    def test_the_dataset_keeps_its_arrays_alive(self):
        data = _native.Dataset(np.ones((100, 1000)), codes=np.arange(100) % 2, labels=["0", "1"])
        settings = _native.Settings([("bias", "1")])
        model, raised = _native.fit(data, settings)
        self.assertIsNone(raised)
        self.assertEqual(model.features, 1000)

    def test_every_layout_gives_the_same_model(self):
        x, y = classes()
        x[np.abs(x) < 0.5] = 0
        expected = MEDClassifier(scale="maxabs", tolerance=1e-9).fit(x, y).coef_
        wide = sp.csr_matrix(x)
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        unsorted = sp.csr_matrix(x)[:, ::-1][:, ::-1]
        for layout in (np.asfortranarray(x), x[:, ::-1][:, ::-1], x.astype(">f8"), x.tolist(), sp.csr_matrix(x),
                       sp.csc_matrix(x), sp.coo_matrix(x), wide, unsorted, sp.lil_matrix(x)):
            model = MEDClassifier(scale="maxabs", tolerance=1e-9).fit(layout, y)
            np.testing.assert_allclose(model.coef_, expected, rtol=1e-4, atol=1e-6)
            np.testing.assert_allclose(model.decision_function(layout), model.decision_function(x), rtol=1e-9, atol=1e-9)

    def test_columns_that_have_no_room_are_refused_before_they_take_it(self):
        x, y = classes()
        sparse = sp.csr_matrix(np.where(np.abs(x) > 0.5, x, 0))
        for columns in 2 ** 40, 2 ** 62:
            wide = sp.csr_matrix((sparse.data, sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)),
                                 shape=(sparse.shape[0], columns))
            with self.assertRaisesRegex(ValueError, f"X has {columns} columns.*keep those that occur"):
                MEDClassifier().fit(wide, y)
        few = sp.csr_matrix((sparse.data, sparse.indices, sparse.indptr), shape=(sparse.shape[0], 70000))
        expected = MEDClassifier(tolerance=1e-9).fit(sparse, y).coef_
        np.testing.assert_allclose(MEDClassifier(tolerance=1e-9).fit(few, y).coef_[:, :sparse.shape[1]], expected, atol=1e-5)

    def test_single_precision_is_near(self):
        x, y = classes()
        single = MEDClassifier().fit(x.astype(np.float32), y)
        np.testing.assert_allclose(single.coef_, MEDClassifier().fit(x, y).coef_, atol=1e-3)


class Keywords(unittest.TestCase):
    def test_every_option_is_a_keyword_or_decided_by_the_class(self):
        from medlar._options import DECIDED_BY_CLASS, OF_OTHER_KINDS

        options = {row["name"].replace("-", "_") for row in _native.options()} - {*DECIDED_BY_CLASS, *OF_OTHER_KINDS}
        keywords = set().union(*(make().get_params() for make in ALL))
        self.assertEqual(options, keywords - {"verbose", "callback", "recalibrate"} - ({"line_search"} - options))

    def test_defaults_are_those_of_the_library(self):
        library = _native.Settings([]).texts
        for make in ALL:
            estimator = make()
            settings = estimator._settings([]).texts
            for name in settings:
                if name not in ("task", "class-weight", "model", "latent"):
                    self.assertEqual(settings[name], library[name], name)

    def test_refusals_speak_python(self):
        x, y = classes()
        for keywords, error, part in (
            ({"p0": 1.5}, ValueError, "p0 = 1.5, but must lie in (0, 1]"),
            ({"margin_location": -1}, ValueError, "margin_location = -1"),
            ({"c": [1]}, TypeError, "c = [1] is a list"),
            ({"p0": True}, TypeError, "p0 = True is a bool"),
            ({"margin": "tube"}, ValueError, "margin = tube does not go with task = classify"),
            ({"class_weight": {7: 1.0}}, ValueError, "class_weight names the class 7"),
            ({"class_weight": {0: -1.0}}, ValueError, "class_weight"),
            ({"feature_priors": [0.5]}, ValueError, "feature_priors has 1 values, but there are 12 features"),
            ({"feature_priors": {"nobody": 0.5}}, ValueError, "nobody"),
            ({"prior_mean": {0: 1.0}}, ValueError, "p0 = 1"),
            ({"callback": 3}, TypeError, "callback = 3 cannot be called"),
            ({"verbose": "loud"}, ValueError, "verbose = 'loud'"),
        ):
            with self.subTest(keywords=keywords), self.assertRaises(error) as caught:
                MEDClassifier(**keywords).fit(x, y)
            self.assertIn(part, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))

    def test_priors_and_groups_of_single_features(self):
        x, y = classes()
        by_number = MEDClassifier(feature_priors={0: 0.0, 2: 0.9}).fit(x, y)
        self.assertEqual(by_number.inclusion_[0], 0)
        p0 = np.full(12, 1e-3)
        p0[[0, 2]] = 0, 0.9
        np.testing.assert_allclose(MEDClassifier(feature_priors=p0).fit(x, y).coef_, by_number.coef_)
        wide = MEDClassifier(p0=1.0, feature_prior_variance={3: 1e-9}).fit(x, y)
        self.assertLess(abs(wide.coef_[0, 3]), 1e-6)
        variances = np.ones(12)
        variances[3] = 1e-9
        again = MEDClassifier(p0=1.0, feature_prior_variance=variances).fit(x, y)
        np.testing.assert_allclose(again.coef_, wide.coef_, rtol=1e-4, atol=1e-6)
        grouped = MEDClassifier(groups=np.arange(12) // 2).fit(x, y)
        np.testing.assert_array_equal(grouped.inclusion_[::2], grouped.inclusion_[1::2])
        mean = MEDClassifier(p0=1.0, prior_mean={3: 5.0}).fit(x, y).coef_[0, 3]
        self.assertGreater(mean, 2 * abs(MEDClassifier(p0=1.0).fit(x, y).coef_[0, 3]))


class AmongOthers(unittest.TestCase):
    def test_clone_pickle_and_compare(self):
        x, y = classes()
        model = MEDClassifier(p0=0.1).fit(x, y)
        self.assertEqual(clone(model).get_params(), model.get_params())
        back = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(back.decision_function(x), model.decision_function(x))
        self.assertEqual(back.report_.message, model.report_.message)
        self.assertTrue(back.model_ == model.model_)

    def test_searches_and_scores(self):
        x, y = classes(80, 6)
        search = GridSearchCV(MEDClassifier(), {"p0": [1e-3, 1.0], "margin": ["hinge", "exponential"]}, cv=3).fit(x, y)
        self.assertGreater(search.best_score_, 0.8)
        halving = HalvingGridSearchCV(MEDClassifier(), {"p0": [1e-3, 0.1, 1.0]}, cv=3, random_state=1).fit(x, y)
        self.assertGreater(halving.best_score_, 0.7)
        self.assertGreater(cross_val_score(MEDClassifier(), x, y, scoring="roc_auc").mean(), 0.9)
        self.assertGreater(cross_val_score(MEDRegressor(), *values(80, 4)).mean(), 0.9)

    def test_calibration_and_importance(self):
        x, y = classes(100, 6)
        calibrated = CalibratedClassifierCV(MEDClassifier(), cv=3).fit(x, y)
        self.assertGreater(calibrated.score(x, y), 0.85)
        importance = permutation_importance(MEDClassifier().fit(x, y), x, y, random_state=1).importances_mean
        self.assertEqual(set(np.argsort(importance)[-2:]), {0, 1})

    @unittest.skipUnless(hasattr(MEDClassifier(), "set_fit_request"), "scikit-learn has no metadata routing yet")
    def test_weights_are_routed(self):
        x, y = classes(60, 4)
        weights = 1.0 + np.arange(60) % 2
        with sklearn.config_context(enable_metadata_routing=True):
            scaler = StandardScaler().set_fit_request(sample_weight=False)
            steps = make_pipeline(scaler, MEDClassifier(scale="none").set_fit_request(sample_weight=True))
            routed = steps.fit(x, y, sample_weight=weights)[-1]
        z = StandardScaler().fit_transform(x)
        np.testing.assert_allclose(routed.coef_, MEDClassifier(scale="none").fit(z, y, weights).coef_)

    def test_new_estimators_in_searches(self):
        x, y = several(90, 4)
        for estimator in (medlar.GenerativeMEDClassifier(calibration="left-out"), medlar.TransductiveMEDClassifier(p0=1.0)):
            search = HalvingGridSearchCV(estimator, {"c": [1.5, 2.0, 3.0]}, cv=2, random_state=1).fit(x, y)
            self.assertGreater(search.best_score_, 0.7)
            self.assertGreater(permutation_importance(search.best_estimator_, x, y, random_state=1).importances_mean[:2].min(), 0)
        self.assertGreater(CalibratedClassifierCV(MEDClassifier(), cv=2).fit(x, y).score(x, y), 0.8)

    def test_recalibrated_without_a_choice(self):
        x, y = classes()
        for several in (False, True):
            target = y if not several else np.digitize(x[:, 0], [-0.5, 0.5])
            model = MEDClassifier(recalibrate="folds").fit(x, target)
            self.assertTrue(model.model_.recalibrated)
            proba = model.predict_proba(x)
            np.testing.assert_allclose(proba.sum(axis=1), 1)
            np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(x))
        with self.assertRaisesRegex(ValueError, "none of folds"):
            MEDClassifier(recalibrate="often").fit(x, y)

    def test_where_nothing_is_selected_the_best_feature_is_passed_on(self):
        x = classes()[0]
        y = np.random.default_rng(5).integers(0, 2, len(x))
        model = MEDClassifier().fit(x, y)
        self.assertEqual(model.get_support().sum(), 0)
        with self.assertWarnsRegex(UserWarning, "no feature is selected"):
            one = model.transform(x)
        best = np.argmax(np.abs(model.coef_[0]) * x.std(axis=0))
        np.testing.assert_array_equal(one, x[:, [best]])
        back = np.zeros_like(x)
        back[:, best] = x[:, best]
        np.testing.assert_array_equal(model.inverse_transform(one), back)
        self.assertEqual(model.get_feature_names_out().tolist(), [f"x{best}"])
        with self.assertRaisesRegex(ValueError, "3 columns, but no feature is selected"):
            model.inverse_transform(x[:, :3])

    def test_a_step_of_selection(self):
        x, y = classes()
        steps = make_pipeline(MEDClassifier(p0=0.1), LogisticRegression()).fit(x, y)
        self.assertEqual(steps[-1].coef_.shape, (1, 2))
        chosen = SelectFromModel(MEDClassifier(p0=0.1), threshold=0.5, importance_getter="inclusion_").fit(x, y)
        np.testing.assert_array_equal(chosen.get_support(indices=True), [0, 1])


if __name__ == "__main__":
    unittest.main()
