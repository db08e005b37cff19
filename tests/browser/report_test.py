"""The report page in a real browser: it draws, sorts, searches, slides, and fetches nothing.

Needs Debian's chromium; without it the test says so and is skipped. Where axe-core is installed (npm ci in web/) the
page is also searched for faults of accessibility. Screenshots are kept under MEDLAR_SHOTS.
"""

import json
import os
import pathlib
import random
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.path.insert(0, str(HERE))

from browser import CHROMIUM, Browser  # noqa: E402
from support import CommandTest  # noqa: E402

AXE = HERE.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
SHOTS = os.environ.get("MEDLAR_SHOTS")
HOSTILE = ["</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>", "x" * 10000,
           "שלום עולם", "🐿️ & \"quoted\" 'name'"]
SKIPPED = 77

# Options of a fit, its data, and sections that its page must have. tests/report/kinds_test.cpp has the numbers.
KINDS = [
    (["--p0", "1"], "classes", ["features", "weights", "curves", "confusion", "calibration", "why", "hard", "certificate"]),
    (["--target", "y", "--expand", "quadratic"], "values", ["features", "weights", "residuals", "why", "hard"]),
    (["--model", "kernel"], "classes", ["curves", "confusion", "calibration", "hard", "certificate"]),
    (["--model", "kernel", "--target", "y"], "values", ["residuals", "hard", "certificate"]),
    (["--model", "generative"], "classes", ["features", "curves", "confusion", "calibration", "why", "hard", "certificate"]),
    (["--model", "generative", "--family", "tree"], "letters", ["trees", "curves", "hard", "certificate"]),
    (["--model", "generative", "--task", "anomaly"], "normal", ["features", "anomaly", "why", "certificate"]),
    (["--model", "latent", "--latent", "labels", "--p0", "1"], "classes", ["features", "curves", "why"]),
    (["--model", "latent", "--latent", "shifts:1", "--p0", "1"], "classes", ["template", "features", "curves", "why"]),
    (["--model", "latent", "--latent", "alignment:2", "--p0", "1"], "classes", ["alignment", "features", "curves", "why"]),
]


class ReportPage(CommandTest):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, html, shot=None, **options):
        page = self.browser.page(html, **options)
        self.addCleanup(page.close)
        self.addCleanup(lambda: self.assertEqual((page.complaints, page.fetched), ([], [])))
        if SHOTS and shot:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(f"{SHOTS}/{shot}.png")
        return page

    def report(self, *arguments):
        self.medlar("report", *arguments, "-o", self.path("report.html"), "--quiet")
        return self.path("report.html")

    def hostile(self):
        """Two classes; the columns have names that try to be markup."""
        draw = random.Random(4)
        names = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
        lines = [names + ",kind"]
        for _ in range(120):
            kind = draw.choice(("<b>ripe</b>", "raw"))
            values = [draw.gauss((1.5 if kind == "raw" else -1.5) if i == 0 else 0, 1) for i in range(5)]
            lines.append(",".join(f"{value:.5f}" for value in values) + "," + kind)
        return self.path("hostile.csv", "\n".join(lines) + "\n")

    def texts(self, page, selector):
        return page.eval(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def values(self, page, selector):
        return page.eval(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => Number(e.dataset.value))")

    def test_numbers_shown_are_the_models(self):
        model, data = self.trained(), self.classes("new.csv", seed=5)
        page = self.open(self.report(model, data), shot="classes-light")
        features = self.json("features", model)["features"]
        self.assertEqual(self.texts(page, "table.features tbody th"), [f["name"] for f in features])
        self.assertEqual(self.values(page, "table.features td:nth-child(2) .num"), [f["coefficient"] for f in features])
        said = self.json("evaluate", model, data)
        self.assertEqual(self.values(page, "#curves .pairs .num")[0], said["auc"])
        counts = [said["confusion"][k] for k in ("true_negative", "false_positive", "false_negative", "true_positive")]
        self.assertEqual(self.values(page, "table.confusion .num"), counts)
        self.assertEqual(page.eval("document.querySelectorAll('.plot svg').length"), 8)
        beyond = page.eval("[...document.querySelectorAll('.plot svg')].filter(s => [...s.querySelectorAll('path, rect')].some(e => "
                           "e.getBoundingClientRect().height > s.getBoundingClientRect().height + 1)).length")
        self.assertEqual(beyond, 0, "a picture reaches beyond its frame")
        gap = json.loads(model.read_text())["report"]["relative_gap"]
        self.assertIn(gap, self.values(page, "#certificate .num"))

    def test_the_table_sorts_and_searches(self):
        page = self.open(self.report(self.trained()))
        page.eval("document.querySelector('th[data-column=name] button').click()")
        names = self.texts(page, "table.features tbody th")
        self.assertEqual(names, ["noise a", "noise b", "noise c", "signal"])
        self.assertEqual(page.eval("document.querySelector('th[data-column=name]').ariaSort"), "ascending")
        page.eval("document.querySelector('th[data-column=name] button').click()")
        self.assertEqual(self.texts(page, "table.features tbody th"), names[::-1])
        page.eval("document.getElementById('feature-search').focus()")
        page.type("NOISE B")
        self.assertEqual(self.texts(page, "table.features tbody th"), ["noise b"])

    def test_the_keyboard_is_enough(self):
        page = self.open(self.report(self.trained(), self.classes()))
        page.eval("document.getElementById('threshold').focus()")
        before = self.values(page, "table.confusion .num")
        page.press("ArrowRight", times=30)
        after = self.values(page, "table.confusion .num")
        self.assertNotEqual(before, after)
        self.assertEqual(sum(before), sum(after))
        self.assertIn("score ≥", page.eval("document.querySelector('output').textContent"))
        page.eval("document.querySelector('th[data-column=coefficient] button').focus()")
        page.press("Enter", text="\r")
        self.assertEqual(page.eval("document.querySelector('th[data-column=coefficient]').ariaSort"), "descending")
        page.eval("document.querySelector('#why button[aria-label=\"next row\"]').focus()")
        row = page.eval("document.getElementById('why-row').value")
        page.press(" ", code="Space", text=" ")
        self.assertNotEqual(page.eval("document.getElementById('why-row').value"), row)

    def test_hostile_names_are_text(self):
        data = self.hostile()
        page = self.open(self.report(self.trained(data=data), data), shot="hostile", width=390, height=844)
        self.assertEqual(set(self.texts(page, "table.features tbody th")), set(HOSTILE))
        self.assertIsNone(page.eval("window.hacked"))
        self.assertIn("<b>ripe</b>", page.eval("document.querySelector('h1').textContent"))
        self.assertEqual(page.eval("document.querySelectorAll('b, img').length"), 0)
        self.assertLessEqual(page.eval("document.documentElement.scrollWidth"), 390)

    def test_a_regression_on_a_dark_phone(self):
        data = self.values_file()
        page = self.open(self.report(self.trained("--target", "y", data=data), data), shot="values-dark-phone",
                         width=390, height=844, dark=True)
        self.assertEqual(page.eval("document.querySelectorAll('#residuals svg').length"), 2)
        self.assertLessEqual(page.eval("document.documentElement.scrollWidth"), 390)
        light = page.eval("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        self.assertLess(sum(light), 200)

    def values_file(self):
        return CommandTest.values(self)

    def letters(self):
        """Two classes over four columns of letters; in one of them neighbours agree."""
        draw = random.Random(7)
        lines = ["one,two,three,four,kind"]
        for t in range(120):
            first = draw.choice("acgt")
            rest = [first if t % 2 and draw.random() < 0.8 else draw.choice("acgt") for _ in range(3)]
            lines.append(",".join([first, *rest, ("apart", "alike")[t % 2]]))
        return self.path("letters.csv", "\n".join(lines) + "\n")

    def noisy(self):
        """Two classes that three of twelve features tell apart, with noise."""
        draw = random.Random(11)
        lines = [",".join([f"g{i}" for i in range(12)] + ["kind"])]
        for _ in range(120):
            x = [draw.gauss(0, 1) for _ in range(12)]
            lines.append(",".join(map(str, x + ["ill" if x[0] + x[1] - x[2] + draw.gauss(0, 1) > 0 else "well"])))
        return self.path("noisy.csv", "\n".join(lines) + "\n")

    def normal(self, name="normal.csv", odd=0):
        """Two columns of numbers; the last rows are odd in the second."""
        draw = random.Random(9)
        rows = [f"{draw.gauss(0, 1):.4f},{draw.gauss(5, 2) + (40 if t >= 100 - odd else 0):.4f}" for t in range(100)]
        return self.path(name, "\n".join(["a,b", *rows]) + "\n")

    def file_of(self, data):
        return {"values": self.values_file, "classes": self.classes, "letters": self.letters, "normal": self.normal}[data]()

    def test_every_kind_of_model_has_a_page(self):
        for arguments, data, wanted in KINDS:
            file = self.file_of(data)
            model = self.trained(*arguments, data=file)
            for report in (self.report(model), self.report(model, file)):
                page = self.open(report)
                shown = page.eval("[...document.querySelectorAll('section')].map(e => e.id)")
                self.assertIn("certificate", shown)
            self.assertTrue(set(wanted) <= set(shown), f"{arguments}: {shown}")

    def test_odd_examples_stand_below_the_threshold_and_are_explained(self):
        model, data = self.trained("--model", "generative", "--task", "anomaly", data=self.normal()), self.normal("new.csv", odd=7)
        page = self.open(self.report(model, data), shot="odd")
        threshold = json.loads(model.read_text())["generative"]["threshold"]
        told = self.json("predict", model, data)["predictions"]
        shown = self.values(page, "#anomaly .words .num")
        self.assertEqual(shown[:2], [sum(each["label"] == "odd" for each in told), threshold])
        self.assertEqual(page.eval("document.querySelectorAll('#anomaly svg').length"), 1)
        page.eval("document.querySelector('#why button[aria-label=\"next row\"]').focus()")
        before = self.values(page, "#why .num")
        page.press(" ", code="Space", text=" ")
        after = self.values(page, "#why .num")
        self.assertNotEqual(before, after)
        row = int(page.eval("document.getElementById('why-row').selectedOptions[0].textContent").split(":")[0])
        self.assertEqual(after[1], told[row - 1]["score"])
        self.assertEqual(after[0], told[row - 1]["probability"])

    def test_the_tuning_is_drawn_with_the_numbers_of_the_model(self):
        model = self.path("tuned.json")
        said = self.json("tune", self.classes(), "-o", model, "--p0-grid", "1,0.1,1e-3", "--c-grid", "1.5,3", "--prior-variance-grid",
                         "0.1,1", "--folds", "3")["tuning"]
        page = self.open(self.report(model), shot="tuning")
        page.eval("document.querySelector('#tuning details').open = true")
        self.assertEqual(self.values(page, "#tuning td:nth-child(5) .num"), [each["mean"] for each in said["candidates"]])
        self.assertEqual(page.eval("document.querySelectorAll('#tuning svg g[stroke-width=\"3\"] rect').length"), 1, "one cell is framed")
        self.assertIn("chosen", self.texts(page, "#tuning tbody tr")[said["chosen"]])

    def test_what_the_race_dropped_is_not_compared(self):
        grids = {"cells": ["--c-grid", "1.5,3", "--prior-variance-grid", "0.001,30"],
                 "dots": ["--c-grid", "3", "--prior-variance-grid", "0.001"]}
        for shape, grid in grids.items():
            model = self.path("raced.json")
            said = self.json("tune", self.noisy(), "-o", model, "--p0-grid", "1,0.1,1e-3,1e-20", "--folds", "10", *grid)["tuning"]
            dropped = [len(each["folds"]) for each in said["candidates"] if each["dropped"]]
            self.assertTrue(dropped and len(dropped) < len(said["candidates"]), said)
            page = self.open(self.report(model), shot=f"race-{shape}")
            page.eval("document.querySelector('#tuning details').open = true")
            rows = self.texts(page, "#tuning tbody tr")
            for row, each in zip(rows, said["candidates"], strict=True):
                self.assertEqual(f"dropped after {len(each['folds'])} folds" in row, each["dropped"], row)
            words = page.eval("document.querySelector('#tuning .words').textContent")
            self.assertIn(f"In the race {len(dropped)} of them", words)
            self.assertIn("the best of those that were not dropped.", words)
            compared = len(rows) - len(dropped)
            written = self.texts(page, "#tuning svg text")
            if shape == "cells":
                self.assertEqual(page.eval("document.querySelectorAll('#tuning svg rect[fill-opacity]').length"), compared)
                self.assertEqual(written.count("–"), len(dropped))
                page.eval("(r => document.querySelector('#tuning svg').dispatchEvent(new PointerEvent('pointermove', {bubbles: true, "
                          "pointerType: 'mouse', clientX: r.x + r.width / 2, clientY: r.y + r.height / 2})))"
                          "(document.querySelector('#tuning svg g[stroke-dasharray] rect').getBoundingClientRect())")
                page.settle()
                self.assertRegex("".join(self.texts(page, "#tuning svg tspan")), "dropped after [0-9]+ folds")
            else:
                self.assertEqual(page.eval("document.querySelectorAll('#tuning svg circle').length"), compared)
                self.assertEqual([text for text in written if "–" in text], [f"– dropped after {n} folds" for n in dropped])

    def test_refits_by_several_rankings_have_rows_of_their_own(self):
        model = self.path("refits.json")
        said = self.json("tune", self.noisy(), "-o", model, "--relax", "--folds", "3", "--exhaustive")["tuning"]
        rankings = {each["ranking_p0"] for each in said["candidates"]} - {None}
        page = self.open(self.report(model), shot="refits")
        boxes = page.eval("[...document.querySelectorAll('#tuning svg rect[fill-opacity]')].map(e => JSON.stringify(e.getBoundingClientRect()))")
        self.assertGreater(len(rankings), 1)
        self.assertEqual(len(boxes), len(said["candidates"]))
        self.assertEqual(len(set(boxes)), len(boxes), "a cell hides another")

    def test_a_recalibrated_model_says_by_which_curve_and_how_reliable(self):
        data, model = self.classes(), self.path("curve.json")
        for kind, word in (("platt", "logistic"), ("isotonic", "never falls")):
            self.medlar("tune", data, "-o", model, "--recalibrate", kind, "--p0-grid", "1,0.01", "--quiet")
            kept = json.loads(model.read_text())["recalibration"]
            for report in (self.report(model), self.report(model, data)):
                page = self.open(report, shot=f"curve-{kind}")
                page.eval("document.querySelector('#calibration details').open = true")
                words = page.eval("document.querySelector('#calibration .words').textContent")
                self.assertIn(word, words)
                self.assertIn("left out in 5 folds", words)
                self.assertIn("curves that never saw the example", words)
                self.assertNotIn("score’s sign", words)
                self.assertEqual(self.values(page, "#calibration table.reliability .num"),
                                 [kept[when][name] for name in ("brier", "log_loss", "error") for when in ("before", "after")])
                bins = [each for when in ("before", "after") for each in kept[when]["bins"]]
                self.assertEqual(self.values(page, "#calibration table.left-out .num"),
                                 [each[key] for each in bins for key in ("examples", "predicted", "observed", "standard_error")])
                self.assertEqual(page.eval("document.querySelector('#calibration svg').querySelectorAll('circle').length"), len(bins))
            self.assertIn("may be those that were fitted", words)
            self.assertEqual(page.eval("document.querySelectorAll('#calibration svg').length"), 2)
        plain = self.open(self.report(self.trained(data=data), data))
        self.assertIn("score’s sign", plain.eval("document.querySelector('#calibration .words').textContent"))

    def test_the_slider_along_the_path_changes_what_is_selected(self):
        data = self.classes()
        model = self.trained("--p0", "0.01", data=data)
        page = self.open(self.report(model, "--path", data, "--steps", "9"), shot="path")
        page.eval("document.getElementById('path-step').focus()")
        page.press("Home")
        page.press("ArrowLeft", times=9)
        selected = {}
        for _ in range(10):
            step = page.eval("document.getElementById('path-step').value")
            selected[int(step)] = self.values(page, "#path .words .num")[0]
            self.assertEqual(len(self.texts(page, "table.path tbody tr")), selected[int(step)])
            page.press("ArrowRight")
        values = sorted({*(10 ** (-k) for k in range(9)), 0.01}, reverse=True)
        told = self.json("path", data, "--values", ",".join(map(repr, values)))["steps"]
        self.assertEqual([selected[k] for k in range(len(values))], [step["selected"] for step in told])
        self.assertEqual(selected[0], 4, "p0 = 1 takes every feature")
        self.assertLess(selected[8], 4)
        page.eval("[...document.querySelectorAll('#path button')].pop().click()")
        page.settle()
        self.assertIn("this model", page.eval("document.querySelector('#path output').textContent"))

    def test_trees_are_those_of_the_model(self):
        data = self.letters()
        model = self.trained("--model", "generative", "--family", "tree", data=data)
        page = self.open(self.report(model, data), shot="trees")
        told = self.json("features", model)["trees"]
        edges = [[label, edge["from"], edge["to"]] for label, tree in told.items() for edge in tree]
        rows = page.eval("[...document.querySelectorAll('table.edges tbody tr')].map(r => [...r.children].map(c => c.textContent))")
        self.assertEqual([row[:3] for row in rows], edges)
        self.assertEqual(self.values(page, "table.edges .num"), [edge["probability"] for tree in told.values() for edge in tree])
        self.assertEqual(page.eval("document.querySelectorAll('#trees svg').length"), 2)

    def test_another_sequence_shows_other_states(self):
        data = self.classes()
        model = self.trained("--model", "latent", "--latent", "alignment:2", "--p0", "1", data=data)
        page = self.open(self.report(model, data), shot="states")
        drawn = "[...document.querySelectorAll('#alignment svg path')].map(e => e.getAttribute('d')).join()"
        before = page.eval(drawn)
        page.eval("document.getElementById('sequence').focus()")
        page.press("ArrowDown", times=2)
        page.settle()
        self.assertNotEqual(page.eval(drawn), before)

    def test_several_classes_have_a_confusion_table(self):
        lines = ["a,b,kind"]
        for k, name in enumerate(("low", "mid", "high")):
            lines += [f"{2 * k + (t % 7) / 7},{(t % 5) / 5 - k},{name}" for t in range(20)]
        data = self.path("three.csv", "\n".join(lines) + "\n")
        model = self.trained("--p0", "0.1", data=data)
        page = self.open(self.report(model, data), shot="three-classes")
        counts = self.json("evaluate", model, data)["confusion"]
        shown = page.eval("[...document.querySelectorAll('#confusion .share')].map(e => Number(e.textContent))")
        self.assertEqual(shown, [each for row in counts for each in row])
        self.assertIn("Classes", page.eval("document.querySelector('nav').textContent"))
        # What is told of each feature is told by the largest of its coefficients.
        by_name = {each["name"]: each["coefficients"] for each in self.json("features", model)["features"]}
        told = page.eval("[...document.querySelectorAll('#features tbody tr')].map(r => [r.children[0].textContent, r.children[3].textContent])")
        self.assertEqual([label for _, label in told], [max(by_name[name], key=by_name[name].get) for name, _ in told])
        self.assertIn("whose score leads that of", page.eval("document.querySelector('#why .words[aria-live]').textContent"))

    def test_signs_that_turn_a_name_around_are_marks(self):
        lines = ["\u202eevil,b,kind"] + [f"{t % 7},{t % 5},{'red' if t % 3 else 'blue'}" for t in range(30)]
        data = self.path("turned.csv", "\n".join(lines) + "\n")
        model = self.trained(data=data)
        page = self.open(self.report(model))
        self.assertIn("\ufffdevil", self.texts(page, "#features tbody th"))
        self.assertIn("?evil", self.on_a_terminal("features", model))

    def test_features_that_stand_for_each_other_are_told(self):
        draw = random.Random(7)
        lines = ["gene,copy,other,kind"]
        for t in range(40):
            gene = draw.gauss(2 * (t % 2), 1)
            lines.append(f"{gene},{-3 * gene + draw.gauss(0, 0.01)},{draw.gauss(0, 1)},{'ill' if t % 2 else 'well'}")
        data = self.path("twins.csv", "\n".join(lines) + "\n")
        model = self.path("twins.json", "")
        said = self.json("stability", data, "--refits", "4", "-o", model)
        page = self.open(self.report(model, data), shot="trust")
        shown = page.eval("[...document.querySelectorAll('#trust tbody .num')].map(e => Number(e.dataset.value))")
        cluster = said["clusters"]["list"][0]
        self.assertEqual(shown, [2, cluster["inclusion"], cluster["coefficient"]])
        self.assertIn("stability", page.eval("document.querySelector('#features thead').textContent"))
        plain = self.open(self.report(self.trained(data=data), data))  # found in the data of the report
        self.assertIn("gene, copy", plain.eval("document.querySelector('#trust tbody').textContent.replace('copy, gene', 'gene, copy')"))

    def test_discovered_features_are_the_selected_ones(self):
        draw = random.Random(11)
        lines = [",".join([f"g{i}" for i in range(12)] + ["kind"])]
        for _ in range(80):
            x = [draw.gauss(0, 1) for _ in range(12)]
            lines.append(",".join(map(str, x + ["ill" if x[0] + x[1] + x[2] - x[3] > 0 else "well"])))
        data, model = self.path("found.csv", "\n".join(lines) + "\n"), self.path("found.json", "")
        said = self.json("stability", data, "--refits", "4", "--fdr", "0.5", "-o", model, "--list", "12")
        page = self.open(self.report(model), shot="discovered")
        self.assertIn("probability", page.eval("document.querySelector('#features thead').textContent"))
        wanted = sorted(feature["name"] for feature in said["features"] if feature["discovered"])
        self.assertTrue(wanted)
        self.assertEqual(sorted(self.texts(page, "#features tr.selected th")), wanted)
        page.eval("document.getElementById('selected-only').click()")
        self.assertEqual(sorted(self.texts(page, "#features tbody th")), wanted)

    def test_nothing_discovered_is_told_and_stars_mark_what_is_stable(self):
        model = self.path("none.json")
        for rate in ("0.05", "0.5"):
            said = self.json("stability", self.noisy(), "--refits", "10", "--fdr", rate, "-o", model, "--list", "12")
            page = self.open(self.report(model), shot=f"stars-{rate}")
            words = page.eval("document.querySelector('#features .words').textContent")
            self.assertTrue(words.startswith(f"{said['discovered']} of 12 features are selected: "), words)
            self.assertEqual("they beat their forged copies" in words, said["discovered"] > 0, words)
            self.assertEqual("none is so far ahead" in words, said["discovered"] == 0, words)
            starred = "[...document.querySelectorAll('#features tbody tr')].filter(r => r.querySelector('.star[title=%s]')).map(r => r.cells[0].textContent)"
            for word in ("stable", "discovered"):
                self.assertEqual(sorted(page.eval(starred % word)), sorted(each["name"] for each in said["features"] if each[word]))
            legend = page.eval("document.querySelector('#features .legend').textContent")
            self.assertIn("in a share of at least " + page.eval(f"({said['threshold']}).toPrecision(4)"), legend)
            self.assertEqual("no feature is discovered" in legend, said["discovered"] == 0, legend)
            self.assertGreater(said["stable"], 0)
            self.assertEqual(rate == "0.05", said["discovered"] == 0, "both are shown")

    def test_print_is_light_and_has_no_controls(self):
        page = self.open(self.report(self.trained()), dark=True, printed=True)
        self.assertEqual(page.eval("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(page.eval("getComputedStyle(document.querySelector('nav')).display"), "none")

    def test_many_features_are_cut_and_the_page_says_so(self):
        rows = 30
        draw = random.Random(6)
        lines = []
        for t in range(rows):
            entries = " ".join(f"{j}:{draw.gauss(t % 2, 1):.3f}" for j in sorted(draw.sample(range(1, 100001), 200)))
            lines.append(f"{t % 2} {entries}")
        lines[0] += " 100001:1"
        data = self.path("wide.svm", "\n".join(lines) + "\n")
        html = self.report(self.trained(data=data), data)
        self.assertLess(html.stat().st_size, 2_000_000)
        page = self.open(html)
        words = page.eval("document.querySelector('#features .words').textContent")
        self.assertIn("has the 5\u202f000 selected ones and those of largest coefficient out of 100\u202f001", words)
        page.eval("document.getElementById('feature-search').focus()")
        page.type("99")
        self.assertLessEqual(len(self.texts(page, "table.features tbody th")), 20)

    @unittest.skipUnless(AXE.exists(), "axe-core is not installed (npm ci in web/)")
    def test_axe_finds_no_fault(self):
        data = self.hostile()
        self.faultless(self.report(self.trained("--p0", "0.1", data=data), data, "--path", data, "--steps", "4"),
                       {}, {"dark": True}, {"width": 390, "height": 844})
        self.medlar("tune", data, "-o", self.path("tuned.json"), "--p0-grid", "1,0.1", "--c-grid", "1.5,3", "--recalibrate", "platt",
                    "--quiet")
        self.faultless(self.report(self.path("tuned.json")), {"dark": True})
        for arguments, name, _ in KINDS[4:]:
            file = self.file_of(name)
            self.faultless(self.report(self.trained(*arguments, data=file), file), {})

    def faultless(self, html, *views):
        for options in views:
            page = self.open(html, **options)
            page.eval("for (const each of document.querySelectorAll('details')) each.open = true")
            page.eval(AXE.read_text() + "; 1")
            found = page.eval("axe.run().then(r => r.violations.map(v => "
                              "`${v.impact} ${v.id}: ${v.help}: ${v.nodes.map(n => n.html).slice(0, 3)}`))")
            self.assertEqual(found, [], options)


if __name__ == "__main__":
    if not CHROMIUM:
        print("skipped: there is no chromium here (apt-get install chromium)")
        sys.exit(SKIPPED)
    if not AXE.exists():
        print("without axe-core: run npm ci in web/ to have accessibility checked")
    unittest.main()
