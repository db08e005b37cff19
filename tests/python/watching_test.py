"""A fit that is watched: callbacks, progress, Ctrl-C, other threads."""

import _thread
import contextlib
import functools
import io
import itertools
import os
import signal
import sys
import threading
import time
import types
import unittest
import unittest.mock
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from support import classes

from medlar import GenerativeMEDClassifier, MEDClassifier, MEDClassifierCV, MEDRegressorCV, TransductiveMEDClassifier


def slow(**keywords):
    """A fit of some seconds, and its data."""
    draw = np.random.default_rng(5)
    x = draw.normal(size=(1200, 1200))
    y = (x[:, 0] + draw.normal(size=1200) > 0).astype(int)
    return MEDClassifier(solver="newton", tolerance=1e-12, c=1000.0, scale="none", **keywords), x, y


class Watching(unittest.TestCase):
    def test_callback_sees_each_certificate(self):
        x, y = classes()
        points = []
        model = MEDClassifier(solver="newton", callback=points.append).fit(x, y)
        self.assertEqual(len(points), len(model.report_.trace))
        self.assertEqual(points[-1].objective, model.objective_)
        objectives = [point.objective for point in points]
        self.assertEqual(objectives, sorted(objectives))

    def test_callback_may_stop_the_fit(self):
        x, y = classes()
        model = MEDClassifier(solver="newton", callback=lambda point: point.iteration >= 3).fit(x, y)
        self.assertEqual(model.report_.status, "interrupted")
        self.assertGreater(model.report_.relative_gap, 1e-6)

    def test_an_error_of_the_callback_is_raised_and_the_model_kept(self):
        x, y = classes()

        def callback(point):
            raise KeyError("mine")

        model = MEDClassifier(callback=callback)
        with self.assertRaisesRegex(KeyError, "mine"):
            model.fit(x, y)
        self.assertEqual(model.report_.status, "interrupted")
        self.assertEqual(model.predict(x).shape, y.shape)

    def test_lines_of_progress(self):
        x, y = classes()
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            model = MEDClassifier(verbose=1).fit(x, y)
        self.assertIn("relative gap", out.getvalue())
        self.assertTrue(out.getvalue().rstrip().endswith(model.report_.message))

    def test_a_bar_counts_the_digits_of_the_gap(self):
        bars = []

        class Bar:  # what is used of tqdm, which need not be installed
            def __init__(self, total, unit, bar_format):
                self.total, self.n, self.closed = total, 0, False
                bars.append(self)

            def set_postfix_str(self, text):
                self.text = text

            def close(self):
                self.closed = True

        auto = types.ModuleType("tqdm.auto")
        auto.tqdm = Bar
        x, y = classes()
        with unittest.mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": auto}):
            MEDClassifier(verbose="tqdm").fit(x, y)
        self.assertEqual((bars[0].total, bars[0].n, bars[0].closed), (6, 6, True))
        self.assertIn("converged", bars[0].text)

    def interrupted(self, model, x, y, delay=0.3):
        """Seconds from Ctrl-C, so long after the fit began, to its end; None if it was over before."""
        sent = []

        def interrupt():
            time.sleep(delay)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        helper = threading.Thread(target=interrupt)
        helper.start()
        with self.assertRaises(KeyboardInterrupt):
            model.fit(x, y)
            helper.join()  # the fit was over before; the signal comes now
        helper.join()
        waited = time.monotonic() - sent[0]
        return waited if hasattr(model, "model_") and model.report_.status == "interrupted" else None

    def test_control_c_stops_soon_and_leaves_the_best_model(self):
        draw = np.random.default_rng(4)
        wide = draw.normal(size=(1500, 300))
        three = (wide[:, :3] + draw.normal(size=(1500, 3))).argmax(axis=1)
        some = np.where(draw.random(1500) < 0.5, three, -1)
        for model, x, y in (slow(), (MEDClassifier(tolerance=1e-12), wide, three),
                            (GenerativeMEDClassifier(tolerance=1e-12), wide, three),
                            (TransductiveMEDClassifier(p0=1.0, tolerance=1e-12), wide, some)):
            with self.subTest(model=model):
                waited = self.interrupted(model, x, y)
                if waited is not None:
                    self.assertLess(waited, 20)  # far less on a machine of one's own; benchmarks/python/overhead measures it
                    self.assertTrue(np.isfinite(model.gap_))
                    model.predict(x[:5])

    def test_control_c_that_comes_too_late_for_any_question_is_raised_and_the_model_kept(self):
        # With the second certificate of a fit that is over in a moment, when the next question is yet to come. No step is
        # Python's, which would hear the signal itself: it is pending when the fit returns.
        previous = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, previous)
        x, y = classes()
        answers = itertools.chain([None], itertools.starmap(_thread.interrupt_main, [()]), itertools.repeat(None))
        model = MEDClassifier(solver="newton", callback=functools.partial(next, answers))
        with self.assertRaises(KeyboardInterrupt):
            model.fit(x, y)
        self.assertTrue(np.isfinite(model.gap_))
        self.assertEqual(model.predict(x).shape, y.shape)
        self.assertEqual(MEDClassifier().fit(x, y).report_.status, "converged")  # it was heard once

    def test_control_c_before_the_first_certificate_leaves_no_model(self):
        draw = np.random.default_rng(4)
        x = draw.normal(size=(300, 280))
        y = (x[:, 0] + draw.normal(size=300) > 0).astype(int)
        before = MEDClassifier().fit(x[:, :5], y)
        before.set_params(expand="quadratic")  # of 39620 products
        self.interrupted(before, x, y, delay=0.1)
        if hasattr(before, "model_"):  # a fast machine
            self.assertTrue(np.isfinite(before.gap_))
            self.assertEqual(len(before.inclusion_), 39620)
        else:
            with self.assertRaises(NotFittedError):
                before.predict(x)

    def test_control_c_while_settings_are_chosen_leaves_a_model(self):
        draw = np.random.default_rng(4)
        x = draw.normal(size=(600, 400))
        y = (x[:, 0] + draw.normal(size=600) > 0).astype(int)
        for model in (MEDClassifierCV(tolerance=1e-12, c_grid=(10.0, 100.0, 1000.0)), MEDRegressorCV(tolerance=1e-12)):
            waited = self.interrupted(model, x, y)
            if waited is not None:
                self.assertLess(waited, 20)
                self.assertTrue(np.isfinite(model.gap_))
                self.assertEqual(model.model_.examples, 600)
                model.predict(x[:5])

    def test_a_callback_that_ends_the_choice_leaves_a_model(self):
        x, y = classes()
        model = MEDClassifierCV(callback=lambda point: True, p0_grid=(1.0, 0.1))
        with self.assertRaisesRegex(RuntimeError, "the callback stopped the choice after"):
            model.fit(x, y)
        self.assertEqual(model.predict(x).shape, y.shape)

    def test_other_threads_go_on(self):
        model, x, y = slow(max_seconds=1.5)
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.01)

        helper = threading.Thread(target=tick)
        helper.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(x, y)
        done.set()
        helper.join()
        self.assertGreater(len(ticks), 20)

    def test_limits_are_a_warning(self):
        x, y = classes()
        with self.assertWarnsRegex(ConvergenceWarning, "passes"):
            model = MEDClassifier(solver="newton", max_passes=3).fit(x, y)
        self.assertEqual(model.report_.status, "limit")


if __name__ == "__main__":
    unittest.main()
