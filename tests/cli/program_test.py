"""The program as a whole: help, version, list, convert, signals, pipes and full disks."""

import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from support import INTERRUPTED, MEDLAR, REFUSED, ROOT, CommandTest, run

COMMANDS = ("train", "predict", "evaluate", "features", "tune", "stability", "report", "convert", "list")


class Program(CommandTest):
    def test_help_everywhere(self):
        self.assertTrue(all(command in self.medlar("--help") for command in COMMANDS))
        for command in COMMANDS:
            self.assertIn("--help", self.medlar(command, "--help"))
        self.assertIn("--prior-variance", self.medlar("train", "--help"))

    def test_version_is_that_of_the_build(self):
        version = [line for line in (ROOT / "CMakeLists.txt").read_text().splitlines() if line.startswith("project(")]
        self.assertIn(self.medlar("--version").split()[1], version[0].split())

    def test_no_command(self):
        done = run()
        self.assertEqual((done.returncode, done.stdout), (REFUSED, b""))
        self.assertIn(b"train", done.stderr)
        self.assertIn(b"no command was given", done.stderr)


class List(CommandTest):
    def test_lists_every_option_of_train(self):
        said = self.json("list")
        help_text = self.medlar("train", "--help")
        self.assertGreater(len(said["options"]), 20)
        for option in said["options"]:
            self.assertIn(f"--{option['name']}", help_text + self.medlar("--help"))
            self.assertTrue(option["values"] and option["default"] and option["meaning"])
        self.assertIn("hinge", [word["name"] for word in said["margins"]])
        self.assertIn("switches", [word["name"] for word in said["priors"]])
        self.assertIn("auto", [word["name"] for word in said["solvers"]])

    def test_every_listed_word_is_in_the_human_form(self):
        text = self.medlar("list")
        for word in self.json("list")["margins"]:
            self.assertIn(word["meaning"], text)

    def test_the_page_of_options_is_up_to_date(self):
        page = (ROOT / "docs" / "options.md").read_text()
        self.assertEqual(self.medlar("list", "--markdown"), page, "run: medlar list --markdown > docs/options.md")


class Convert(CommandTest):
    def test_there_and_back(self):
        data = self.values()
        svm, back = self.path("values.svm"), self.path("back.csv")
        self.medlar("convert", data, svm, "--target", "y")
        self.assertEqual(self.json("convert", svm, back)["examples"], 150)
        fits = [self.json("train", file, "--task", "regress", "--scale", "none", *target)["objective"]
                for file, target in ((data, ("--target", "y")), (svm, ()), (back, ()))]
        self.assertAlmostEqual(fits[0], fits[1], delta=1e-6 * fits[0])
        self.assertAlmostEqual(fits[0], fits[2], delta=1e-6 * fits[0])

    def test_unknown_endings_are_refused(self):
        self.assertIn("out.xyz", self.refusal("convert", self.values(), self.path("out.xyz")))
        self.assertFalse(self.path("out.xyz").exists())


class Interruptions(CommandTest):
    def long_fit(self):
        """Data on which a tight tolerance takes many seconds."""
        draw = random.Random(11)
        lines = []
        for _ in range(4000):
            label = draw.choice((-1, 1))
            entries = " ".join(f"{i}:{draw.gauss(0.02 * label, 1):.4f}" for i in range(1, 301))
            lines.append(f"{label} {entries}")
        return self.path("long.svm", "\n".join(lines) + "\n")

    def interrupted(self, number):
        model = self.path("m.json")
        process = subprocess.Popen(
            [MEDLAR, "train", self.long_fit(), "-o", model, "--p0", "1e-3", "--margin", "exponential", "--c", "100", "--tolerance", "1e-14",
             "--threads", "1", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_until_caught(process, signal.SIGTERM)  # which it is from the start of the fit on
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED, out)
        self.assertEqual(json.loads(out)["status"], "interrupted")
        self.assertEqual(json.loads(model.read_text())["report"]["status"], "interrupted")
        self.assertEqual(len(self.json("features", model)["features"]), 300)

    def wait_until_caught(self, process, number):
        """Waits until the program catches the signal."""
        bit = 1 << (number - 1)
        for _ in range(3000):
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            caught = int(status.split("SigCgt:")[1].split()[0], 16)
            if caught & bit:
                return
            self.assertIsNone(process.poll(), "the fit ended before it could be interrupted")
            time.sleep(0.01)
        self.fail("the fit never began")

    def test_ctrl_c_before_the_fit_is_told(self):
        for more in ([], ["--json"]):
            process = subprocess.Popen([MEDLAR, "train", "-", "--format", "csv", *more], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.wait_until_caught(process, signal.SIGINT)
            process.send_signal(signal.SIGINT)
            out, talk = process.communicate(timeout=60)
            self.assertEqual(process.returncode, INTERRUPTED)
            if more:
                self.assertEqual((json.loads(out)["status"], talk), ("interrupted", b""))
            else:
                self.assertEqual((out, talk), (b"", b"medlar: interrupted; nothing was fitted\n"))

    def test_ctrl_c_keeps_the_best_model(self):
        self.interrupted(signal.SIGINT)

    def test_a_request_to_end_keeps_the_best_model(self):
        self.interrupted(signal.SIGTERM)

    def test_progress_is_drawn_on_a_terminal_and_wiped(self):
        ours, theirs = self.terminal()
        process = subprocess.Popen([MEDLAR, "train", self.long_fit(), "--tolerance", "1e-14", "--max-seconds", "1", "--json"],
                                   stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # the terminal is gone once the program is
            pass
        os.close(ours)
        process.wait(timeout=60)
        self.assertIn(b"relative gap", seen)
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])

    def test_max_seconds(self):
        model = self.path("m.json")
        began = time.monotonic()
        said = self.json("train", self.long_fit(), "-o", model, "--p0", "1e-3", "--margin", "exponential", "--c", "100", "--tolerance", "1e-14",
                         "--threads", "1", "--max-seconds", "0.05", code=2)
        self.assertEqual(said["status"], "limit")
        self.assertIn("seconds", said["message"])
        self.assertLess(said["seconds"]["fit"], 10)
        self.assertLess(time.monotonic() - began, 60)
        self.assertEqual(json.loads(model.read_text())["report"]["status"], "limit")


class Streams(CommandTest):
    def test_a_reader_that_goes_away_is_no_crash(self):
        model = self.trained()
        data = self.classes("many.csv", examples=20000)
        process = subprocess.Popen([MEDLAR, "predict", model, data], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 0)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        model = self.trained()
        with open("/dev/full", "wb") as full:
            done = subprocess.run([MEDLAR, "features", model], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn(b"cannot write to standard output", done.stderr)

    def test_no_control_characters_reach_the_terminal(self):
        text = self.classes().read_text().replace("noise a", "noise\x1b[31m")
        model = self.trained(data=self.path("coloured.csv", text))
        self.assertNotIn("\x1b", self.medlar("features", model))
        self.assertIn("noise\x1b[31m", [f["name"] for f in self.json("features", model)["features"]])

    def test_names_that_are_no_utf8_are_refused_with_the_remedy(self):
        content = self.classes().read_bytes().replace(b"noise a", b"caf\xe9")
        self.assertIn("iconv", self.refusal("train", self.path("latin.csv", content)))


if __name__ == "__main__":
    unittest.main()
