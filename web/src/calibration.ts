// Whether the probabilities are frequencies: on the data given, and of a recalibrated model on examples left out.
import * as Plot from "@observablehq/plot";
import { chart, rates, accent, second, faint } from "./chart";
import type { CalibrationBin, Page, Recalibration } from "./data";
import { brief, count, h, num, scroller, section, table, whole } from "./dom";

export function calibration(page: Page): HTMLElement | null {
  const bins = page.data?.two_classes?.calibration;
  const curve = page.recalibration;
  if (!bins && !curve) return null;
  return section(
    "calibration",
    "Calibration",
    [
      "If the probabilities were frequencies, the dots would lie on the diagonal. ",
      curve ? curveWords(curve) : (meaning[page.task === "anomaly" ? "anomaly" : page.kind] ?? ""),
      curve && bins
        ? " The picture of the data given is of the rows of this report, which may be those that were fitted."
        : "",
    ],
    curve ? leftOut(curve) : null,
    bins ? given(bins, curve != null) : null,
  );
}

// What a probability of each kind of model is.
const bySign =
  "Here the probability is that of the score’s sign under the fitted distribution: it ranks, but it is not the frequency of the class.";
const meaning: Record<string, string> = {
  linear: bySign,
  kernel: bySign,
  generative: "Here the probability is a logistic curve of the score, fitted to examples left out.",
  latent: "Here the probability is a logistic curve of the score, as the margins imply it.",
  anomaly: "Here it is the share of normal examples that score higher, which ranks but is no frequency.",
};

const curves: Record<string, string> = {
  platt: "a logistic curve of the score (Platt)",
  isotonic: "a curve of the score that never falls (isotonic)",
};

const curveWords = (curve: Recalibration): string =>
  `Here the probability is ${curves[curve.kind] ?? curve.kind}, fitted to the scores of examples left out in ${whole(curve.folds)} folds. ` +
  "‘Before’ are the model’s own probabilities of the examples left out; ‘after’ is measured by curves that never saw the example.";

// The reliability that the model keeps.
function leftOut(curve: Recalibration): HTMLElement {
  const { before, after } = curve;
  const drawn = chart(
    "On examples left out",
    "Each dot is a tenth of the scale of probabilities; its whisker is one standard error.",
    `Observed share against predicted probability of examples left out, before and after the ${curve.kind} curve`,
    (width) =>
      rates(width, "predicted probability", "observed share", [
        diagonal(),
        ...dots(before.bins, second, second),
        ...dots(after.bins, accent, accent),
      ]),
  );
  drawn.figure
    .querySelector("figcaption")
    ?.prepend(h("span", { class: "key second" }), "before ", h("span", { class: "key accent" }), "after", h("br"));
  drawn.redraw();
  const measures = table(
    ["on examples left out", "before", "after"],
    [
      ["Brier score", num(before.brier), num(after.brier)],
      ["log loss", num(before.log_loss), num(after.log_loss)],
      ["calibration error (ECE)", num(before.error), num(after.error)],
    ],
    "Reliability of the probabilities before and after the curve",
    "reliability",
  );
  const bins = table(
    ["probability", "curve", "examples", "mean predicted", "observed", "standard error"],
    [...before.bins.map((b) => ["before", b] as const), ...after.bins.map((b) => ["after", b] as const)].map(
      ([when, b]) => [range(b), when, count(b.examples), num(b.predicted), num(b.observed), num(b.standard_error, 2)],
    ),
    "Reliability in tenths of the scale of probabilities",
    "left-out",
  );
  const less = "Less is better in each row; ECE is the mean distance of the dots from the diagonal, weighted by their examples.";
  return h(
    "div",
    {},
    h("div", { class: "columns" }, drawn.figure, h("div", {}, scroller(measures, "Reliability"), h("p", { class: "faint" }, less))),
    h("details", {}, h("summary", {}, "The dots as numbers"), scroller(bins, "Tenths of the scale")),
  );
}

function given(bins: CalibrationBin[], recalibrated: boolean): HTMLElement {
  const drawn = chart(
    recalibrated ? "On the data given" : "Calibration",
    "Each dot is a tenth of the scale of probabilities; its whisker is one standard error.",
    `Observed share against predicted probability in ${bins.length} bins`,
    (width) =>
      rates(width, "predicted probability", "observed share", [diagonal(), ...dots(bins, accent, recalibrated ? accent : second)]),
  );
  drawn.redraw();
  const rows = table(
    ["probability", "examples", "mean predicted", "observed"],
    bins.map((b) => [range(b), count(b.examples), num(b.predicted), num(b.observed)]),
    "Calibration",
  );
  return h("div", { class: "columns" }, drawn.figure, scroller(rows, "Calibration"));
}

const range = (b: CalibrationBin): string => `${brief(b.low, 1)} to ${brief(b.high, 1)}`;

const diagonal = (): Plot.Markish =>
  Plot.line(
    [
      [0, 0],
      [1, 1],
    ],
    { stroke: faint, strokeDasharray: "4,4" },
  );

const dots = (bins: CalibrationBin[], colour: string, whisker: string): Plot.Markish[] => [
  Plot.ruleX(bins, {
    x: "predicted",
    y1: (b) => Math.max(0, b.observed - b.standard_error),
    y2: (b) => Math.min(1, b.observed + b.standard_error),
    stroke: whisker,
    strokeWidth: 1.5,
  }),
  Plot.line(bins, { x: "predicted", y: "observed", stroke: colour, strokeWidth: 2 }),
  Plot.dot(bins, { x: "predicted", y: "observed", fill: colour, r: 4.5 }),
];
