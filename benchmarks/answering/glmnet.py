"""cv.glmnet in one process of R, which fits problem after problem."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading

import numpy as np
from scipy.sparse import issparse

from .apart import PATIENCE, Stopped, TooLong, end_after
from .measures import Answer

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "peers" / "cv_glmnet.R"


def export(x, y, folder):
    """As benchmarks/peers/exported.R reads it."""
    folder.mkdir()
    folder.joinpath("sizes.txt").write_text(f"{x.shape[0]} {x.shape[1]} {int(issparse(x))}\n", encoding="ascii")
    np.asarray(y, dtype=np.float64).tofile(folder / "target.f64")
    if issparse(x):
        columns = x.tocsc()
        columns.sort_indices()
        for name, values, kind in (("starts.i32", columns.indptr, np.int32), ("rows.i32", columns.indices, np.int32),
                                   ("values.f64", columns.data, np.float64)):
            values.astype(kind).tofile(folder / name)
    else:
        np.asarray(x, dtype=np.float64).ravel(order="F").tofile(folder / "values.f64")


class Glmnet:
    """The process is started when it is first needed, and anew after one that came to no end."""

    def __init__(self):
        self.process = None

    @staticmethod
    def there():
        if shutil.which("Rscript") is None:
            return False
        return subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True).returncode == 0

    def start(self):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(["Rscript", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env=environment)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit(f"{SCRIPT} does not start; try: Rscript {SCRIPT}")

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def said(self, order, limit):
        """The lines of one answer, up to done or failed."""
        if self.process is None:
            self.start()
        end_after(self.process.pid, limit)
        timer = threading.Timer(PATIENCE * limit, lambda: self.process.send_signal(signal.SIGXCPU))
        timer.start()
        try:
            self.process.stdin.write(order + "\n")
            self.process.stdin.flush()
            lines = []
            while not lines or not lines[-1].startswith(("done", "failed")):
                line = self.process.stdout.readline()
                if not line:
                    late = self.process.wait() == -signal.SIGXCPU
                    self.end()
                    raise TooLong(limit) if late else Stopped("R ended")
                lines.append(line.strip())
        finally:
            timer.cancel()
        if lines[-1].startswith("failed"):
            raise Stopped(lines[-1].removeprefix("failed "))
        return lines

    def answers(self, problem, relax, limit):
        classes = int(problem.y.max()) + 1 if problem.task == "classify" else 0
        family = "gaussian" if classes == 0 else "binomial" if classes == 2 else "multinomial"
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            export(problem.x, problem.y, folder / "fit")
            export(problem.x_test, problem.y_test, folder / "test")
            lines = self.said(f"{'relax' if relax else 'plain'} {family} {problem.number + 1} {folder}", limit)
            wall, processor = map(float, lines[-1].split()[1:])
            answers = []
            for line, s in zip(lines, ("lambda.min", "lambda.1se")):
                values = np.fromfile(folder / f"{s}.f64")
                probability = values.reshape((len(problem.y_test), classes), order="F") if classes else None
                predicted = values if probability is None else probability.argmax(axis=1)
                answers.append(Answer(f"{'relaxed' if relax else 'glmnet'} {s}", predicted, probability,
                                      list(map(int, line.split()[1:])), wall=wall, processor=processor))
        return answers
