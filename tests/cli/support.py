"""What the tests of the command line share: running the binary, small data sets, and their folder."""

import fcntl
import json
import os
import pathlib
import pty
import random
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEDLAR = os.environ.get("MEDLAR", str(ROOT / "build" / "release" / "bin" / "medlar"))

OK, REFUSED, NOT_CONVERGED, INTERRUPTED = 0, 1, 2, 130


def run(*arguments, stdin=None, timeout=120):
    """Runs medlar; standard input is bytes or nothing."""
    return subprocess.run([MEDLAR, *map(str, arguments)], input=stdin, capture_output=True, timeout=timeout)


class CommandTest(unittest.TestCase):
    """A test with a folder of its own, in self.folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="medlar-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name, content=None):
        file = self.folder / name
        if content is not None:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def medlar(self, *arguments, code=OK, stdin=None):
        """Runs medlar, expects an exit code, and returns what it printed."""
        done = run(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout.decode()}\n{done.stderr.decode()}")
        return done.stdout.decode()

    def json(self, *arguments, code=OK, stdin=None):
        """Runs medlar --json; the whole of standard output must be one object."""
        return json.loads(self.medlar(*arguments, "--json", code=code, stdin=stdin))

    def terminal(self):
        """Both ends of one; a system that gives none, such as a bare chroot, skips the test."""
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest(f"this system gives no terminal: {error}")

    def on_a_terminal(self, *arguments, **environment):
        """What medlar prints on a terminal of 100 columns."""
        master, slave = self.terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        unset = ("NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE")
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        done = subprocess.run([MEDLAR, *map(str, arguments)], stdout=slave, stderr=subprocess.PIPE, timeout=120,
                              env={**kept, "LANG": "C.UTF-8", "TERM": "xterm", **environment})
        os.close(slave)
        self.assertEqual(done.returncode, 0, done.stderr)
        written = b""
        try:
            while piece := os.read(master, 1 << 16):  # a terminal may hand over what was printed in several pieces
                written += piece
        except OSError:  # Linux's way to say that the other side is closed and all is read
            pass
        os.close(master)
        return written.decode().replace("\r\n", "\n")

    def refusal(self, *arguments, stdin=None):
        """The sentence of a refusal: one line on standard error, nothing on standard output, exit code 1."""
        done = run(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, REFUSED, f"{arguments}\n{done.stdout.decode()}\n{done.stderr.decode()}")
        self.assertEqual(done.stdout, b"")
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("medlar: "), lines[0])
        spoken = json.loads(run(*arguments, "--json", stdin=stdin).stdout)
        self.assertEqual(spoken, {"status": "refused", "message": lines[0].removeprefix("medlar: ")})
        return spoken["message"]

    def classes(self, name="classes.csv", examples=200, seed=1):
        """Two classes that the first of four features tells apart, nearly."""
        draw = random.Random(seed)
        lines = ["signal,noise a,noise b,noise c,kind"]
        for _ in range(examples):
            kind = draw.choice(("ripe", "raw"))
            signal = draw.gauss(1.5 if kind == "ripe" else -1.5, 1)
            noise = ",".join(f"{draw.gauss(0, 1):.6f}" for _ in range(3))
            lines.append(f"{signal:.6f},{noise},{kind}")
        return self.path(name, "\n".join(lines) + "\n")

    def values(self, name="values.csv", examples=150, seed=2):
        """y = 3 a - 2 b + 1 + noise, and a feature c that does not matter."""
        draw = random.Random(seed)
        lines = ["a,b,c,y"]
        for _ in range(examples):
            a, b, c = (draw.gauss(0, 1) for _ in range(3))
            lines.append(f"{a:.6f},{b:.6f},{c:.6f},{3 * a - 2 * b + 1 + draw.gauss(0, 0.3):.6f}")
        return self.path(name, "\n".join(lines) + "\n")

    def trained(self, *arguments, data=None):
        """A model of the classes; its file."""
        model = self.folder / "model.json"
        self.medlar("train", data or self.classes(), "-o", model, "--quiet", *arguments)
        return model
