"""Who takes part: our fits and peers' by id, as the program bench-fits reads them, and what strength makes them comparable.

The L1 penalty that a switch with prior probability p0 amounts to near 0 is its transition tau = sqrt(2 log((1 - p0) / p0))
(prior variance 1), so our problem over tau is a lasso. A peer's C is then such that its loss pulls as hard on an example
at margin 0 as ours does: (c - 1) / tau. That is C / 2 for the logistic loss and 2 C for the squared hinge.
"""

import json
import math
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(os.path.dirname(HERE), "peers")
C = 5
BIASES = [1, 0.1, 0.01, "data"]  # of LIBLINEAR; data: the root mean square length of a row
EPSILON = 0.1                    # of regressions, whose target has standard deviation 1


def pull(p0):
    return (C - 1) / math.sqrt(2 * math.log((1 - p0) / p0))


def medlar(name, **settings):
    words = {key.replace("_", "-"): str(value) for key, value in settings.items()}
    return {"id": name, "kind": "medlar", "settings": words}


def liblinear(name, solver, cost, **more):
    return {"id": name, "kind": "liblinear", "solver": solver, "c": cost, "biases": BIASES, **more}


def program(name, command, tolerances, **more):
    return {"id": name, "kind": "program", "name": name, "command": command, "c": 2 * pull(1e-5),
            "tolerances": [10.0 ** -k for k in tolerances], **more}


OURS = {
    "p0=1": {"p0": 1, "c": C},
    "p0=0.1": {"p0": 0.1, "c": C},
    "p0=1e-3": {"p0": 1e-3, "c": C},
    "p0=1e-5": {"p0": 1e-5, "c": C},
    "p0=1 c=50": {"p0": 1, "c": 50},
    "p0=1 c=500": {"p0": 1, "c": 500},
    "p0=1e-3 c=50": {"p0": 1e-3, "c": 50},
    "p0=1e-3 c=500": {"p0": 1e-3, "c": 500},
    # the same problems as LIBLINEAR's -s 1 and -s 3 at -B 1, and LIBSVM's
    "squared hinge B=1": {"p0": 1, "margin": "gaussian", "c": math.sqrt(2 * C), "bias": 1},
    "hinge B=1": {"p0": 1, "margin": "hinge", "c": C, "bias": 1},
    "hinge": {"p0": 1, "margin": "hinge", "c": C},
    "tube p0=1": {"p0": 1, "c": C, "epsilon": EPSILON},
    "tube p0=1e-3": {"p0": 1e-3, "c": C, "epsilon": EPSILON},
    "svr B=1": {"p0": 1, "margin": "svr", "c": C, "epsilon": EPSILON, "bias": 1},
}


class Peers:
    """The contestants of other makers that this machine has; what is missing is said once."""

    def __init__(self, folder, download):
        self.folder, self.download, self.found = folder, download, {}

    def spec(self, name):
        """The contestant of this id, or None where it cannot take part."""
        if name in OURS:
            return medlar(name, **OURS[name])
        if name in ("s1", "s3"):
            return liblinear(name, int(name[1:]), C)
        if name == "s5":
            return liblinear(name, 5, pull(1e-3) / 2)
        if name == "s6":
            return liblinear(name, 6, 2 * pull(1e-3))
        if name in ("s11", "s13"):
            return liblinear(name, int(name[1:]), C, epsilon=EPSILON)
        if name == "libsvm":
            return {"id": name, "kind": "libsvm", "c": C}
        if name not in self.found:
            self.found[name] = getattr(self, name.replace("-", "_"))()
        return self.found[name]

    def glmnet(self):
        if not succeeds(["Rscript", "-e", "library(glmnet)"]):
            return absent("glmnet", "install r-cran-glmnet")
        return program("glmnet", ["Rscript", os.path.join(PEERS, "glmnet.R")], range(5, 15))

    def scikit_learn(self):
        if not succeeds(["/usr/bin/python3", "-c", "import sklearn"]):
            return absent("scikit-learn", "install python3-sklearn")
        return program("scikit-learn", ["/usr/bin/python3", os.path.join(PEERS, "python_peer.py"), "scikit-learn"], range(2, 9))

    def skglm(self):
        return self.from_pypi("skglm", range(3, 12))

    def celer(self):
        return self.from_pypi("celer", range(3, 12), bias="none")

    def from_pypi(self, name, tolerances, **more):
        python = os.path.join(self.folder, "venv", "bin", "python")
        if not succeeds([python, "-c", f"import {name}"]):
            if not self.download or not succeeds([sys.executable, "-m", "venv", os.path.join(self.folder, "venv")]) or \
                    not succeeds([python, "-m", "pip", "install", "--quiet", "--timeout", "10", "--retries", "1", name]):
                return absent(name, "PyPI could not be reached" if self.download else "--offline")
        return program(name, [python, os.path.join(PEERS, "python_peer.py"), name], tolerances, **more)


def absent(name, why):
    print(f"{name} does not take part: {why}", file=sys.stderr)
    return None


def succeeds(command):
    if not (shutil.which(command[0])):
        return False
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def hold(binary, spec):
    """Runs bench-fits on one set; its progress goes to standard error."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    result = subprocess.run([binary], input=json.dumps(spec), stdout=subprocess.PIPE, text=True, env=environment)
    if result.returncode != 0:
        return None
    return json.loads(result.stdout)
