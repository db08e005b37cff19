"""A problem as the commands read it, and the commands."""

import json
import os
import pathlib
import shutil
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEDLAR = os.environ.get("MEDLAR", str(ROOT / "build" / "release" / "bin" / "medlar"))


class Files:
    """The problem in a folder of its own."""

    def __init__(self, problem, folder, threads=0):
        self.problem, self.folder, self.threads = problem, folder, threads
        both = {"fit": (problem.x, problem.y), "test": (problem.x_test, problem.y_test)}
        for name, (x, y) in both.items():
            rows = np.column_stack([x, y])
            rows.tofile(self.path(f"{name}.bin"))
            np.save(self.path(f"{name}.npy"), rows)

    def path(self, name):
        return os.path.join(self.folder, name)

    def medlar(self, command, *more):
        threads = ["--threads", str(self.threads)] if self.threads else []
        done = subprocess.run([MEDLAR, command, *map(str, more), "--json", "--quiet", *threads], capture_output=True)
        if done.returncode not in (0, 2):
            raise SystemExit(f"medlar {command}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def fitting(self):
        n = self.problem.x.shape[1]
        return (self.path("fit.npy"), "--target", f"{n + 1}", "--task", self.problem.task)

    def rscript(self, script, *more):
        if shutil.which("Rscript") is None:
            return []
        family = "binomial" if self.problem.task == "classify" else "gaussian"
        done = subprocess.run(["Rscript", "-e", script, self.path("fit.bin"), self.path("test.bin"), family,
                               str(self.problem.x.shape[1]), *more], capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 else []
