// How well two classes are told apart, and what another threshold would do.
import * as Plot from "@observablehq/plot";
import { chart, rates, accent, second, faint, grid, type Chart } from "./chart";
import type { Page, Thresholds, TwoClasses } from "./data";
import { brief, count, h, name, num, scroller, section, table } from "./dom";

export function classes(page: Page, said: TwoClasses): HTMLElement[] {
  const { metrics, thresholds } = said;
  const state = { at: thresholds.own };
  const charts = [roc(thresholds, metrics.auc, state), precisionRecall(thresholds, metrics.average_precision, state)];
  const both = metrics.auc != null;
  const quality = table(
    ["measure", "value"],
    [
      ["area under the ROC curve (AUC)", num(metrics.auc)],
      ["average precision", num(metrics.average_precision)],
      ["accuracy", num(metrics.accuracy)],
      ["balanced accuracy", num(metrics.balanced_accuracy)],
      ["precision", num(metrics.precision)],
      ["recall", num(metrics.recall)],
      ["F1", num(metrics.f1)],
      ["log loss", num(metrics.log_loss)],
      ["Brier score", num(metrics.brier)],
    ],
    "How well the classes are told apart",
    "pairs",
  );
  const curves = section(
    "curves",
    "Telling the classes apart",
    [
      "The ROC curve shows the share of ",
      name(page.labels[1]),
      " that is found against the share of ",
      name(page.labels[0]),
      " that is taken for it, for every threshold on the score. The dot marks the threshold chosen below.",
      both ? "" : " There is one class only in these data, hence no curve.",
    ],
    h("div", { class: "columns" }, scroller(quality, "Measures"), scores(page, said, state, charts)),
    both ? h("div", { class: "columns" }, ...charts.slice(0, 2).map((each) => each.figure)) : null,
  );
  return [curves, confusion(page, said, state, charts)];
}

function roc(all: Thresholds, auc: number | null, state: { at: number }): Chart {
  const points = all.threshold.map((_, k) => ({ x: all.false_positive_rate[k], y: all.true_positive_rate[k] }));
  return chart(
    "ROC curve",
    "Up and to the left is better; the diagonal is guessing.",
    () => `ROC curve with area ${brief(auc)}`,
    (width) =>
      rates(width, "false positive rate", "true positive rate", [
        Plot.line(
          [
            [0, 0],
            [1, 1],
          ],
          { stroke: faint, strokeDasharray: "4,4" },
        ),
        Plot.areaY(points, { x: "x", y1: 0, y2: "y", fill: accent, fillOpacity: 0.08 }),
        Plot.line(points, { x: "x", y: "y", stroke: accent, strokeWidth: 2.2 }),
        Plot.dot([points[state.at]], { x: "x", y: "y", fill: second, stroke: "var(--card)", strokeWidth: 1.5, r: 6 }),
        Plot.text([`AUC ${brief(auc)}`], {
          frameAnchor: "bottom-right",
          dx: -8,
          dy: -8,
          fill: "var(--ink)",
          fontSize: 14,
          fontWeight: 600,
        }),
      ]),
  );
}

function precisionRecall(all: Thresholds, area: number | null, state: { at: number }): Chart {
  const points = all.threshold.map((_, k) => ({ x: all.true_positive_rate[k], y: all.precision[k] }));
  const drawn = points.filter((point) => point.y != null);
  return chart(
    "Precision and recall",
    "Up and to the right is better; it tells more than ROC when one class is rare.",
    () => `Precision against recall with average precision ${brief(area)}`,
    (width) =>
      rates(width, "recall", "precision", [
        Plot.line(drawn, { x: "x", y: "y", stroke: accent, strokeWidth: 2.2, curve: "step-before" }),
        points[state.at].y == null
          ? null
          : Plot.dot([points[state.at]], {
              x: "x",
              y: "y",
              fill: second,
              stroke: "var(--card)",
              strokeWidth: 1.5,
              r: 6,
            }),
        Plot.text([`AP ${brief(area)}`], {
          frameAnchor: "bottom-left",
          dx: 8,
          dy: -8,
          fill: "var(--ink)",
          fontSize: 14,
          fontWeight: 600,
        }),
      ]),
  );
}

// The confusion table under a threshold that the reader may move.
function confusion(page: Page, said: TwoClasses, state: { at: number }, charts: Chart[]): HTMLElement {
  const all = said.thresholds;
  const last = all.threshold.length - 1;
  const positives = all.true_positive[last];
  const negatives = all.false_positive[last];
  const slider = h("input", { type: "range", id: "threshold", min: 0, max: last, step: 1, value: state.at });
  const spoken = h("output", { for: "threshold", "aria-live": "polite" });
  const cells = { tn: h("td"), fp: h("td"), fn: h("td"), tp: h("td") };
  const measures = { precision: h("td"), recall: h("td"), alarms: h("td"), accuracy: h("td") };
  const own = h("button", { type: "button" }, "The model’s own threshold");
  const [negative, positive] = page.labels;

  function show(): void {
    const k = state.at;
    const tp = all.true_positive[k];
    const fp = all.false_positive[k];
    cells.tp.replaceChildren(count(tp));
    cells.fn.replaceChildren(count(positives - tp));
    cells.fp.replaceChildren(count(fp));
    cells.tn.replaceChildren(count(negatives - fp));
    measures.precision.replaceChildren(num(all.precision[k]));
    measures.recall.replaceChildren(num(all.true_positive_rate[k]));
    measures.alarms.replaceChildren(num(all.false_positive_rate[k]));
    measures.accuracy.replaceChildren(num((tp + negatives - fp) / (positives + negatives)));
    const words =
      all.threshold[k] == null
        ? "no example is called positive"
        : k === all.own
          ? `score ≥ ${brief(all.threshold[k])} (the model’s own)`
          : `score ≥ ${brief(all.threshold[k])}`;
    spoken.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    for (const each of charts) each.redraw();
  }
  slider.addEventListener("input", () => {
    state.at = Number(slider.value);
    show();
  });
  own.addEventListener("click", () => {
    state.at = all.own;
    slider.value = String(all.own);
    show();
  });
  show();

  const head = (text: Node | string): HTMLElement => h("th", { scope: "col" }, text);
  const side = (text: Node | string): HTMLElement => h("th", { scope: "row" }, text);
  return section(
    "confusion",
    "Confusion and threshold",
    [
      "Move the threshold to trade one kind of error for the other. Counts are of examples; rates are ",
      page.data?.weighted ? "weighted." : "shares of them.",
    ],
    h("div", { class: "controls" }, h("label", { for: "threshold" }, "Threshold"), slider, spoken, own),
    h(
      "div",
      { class: "columns" },
      scroller(
        h(
          "table",
          { class: "confusion" },
          h("caption", { class: "hidden" }, "Confusion table"),
          h("thead", {}, h("tr", {}, head("truth \\ predicted"), head(name(negative)), head(name(positive)))),
          h(
            "tbody",
            {},
            h("tr", {}, side(name(negative)), cells.tn, cells.fp),
            h("tr", {}, side(name(positive)), cells.fn, cells.tp),
          ),
        ),
        "Confusion table",
      ),
      scroller(
        h(
          "table",
          { class: "pairs" },
          h("caption", { class: "hidden" }, "Rates at this threshold"),
          h("thead", {}, h("tr", {}, head("at this threshold"), head("value"))),
          h(
            "tbody",
            {},
            h("tr", {}, side("precision"), measures.precision),
            h("tr", {}, side("recall"), measures.recall),
            h("tr", {}, side("false positive rate"), measures.alarms),
            h("tr", {}, side("accuracy (of counts)"), measures.accuracy),
          ),
        ),
        "Rates",
      ),
    ),
  );
}

function scores(page: Page, said: TwoClasses, state: { at: number }, charts: Chart[]): HTMLElement {
  const { low, high, negative, positive } = said.scores;
  const width = (high - low) / negative.length;
  const bins = (counts: number[], label: number) =>
    counts.map((examples, k) => ({
      from: low + k * width,
      to: low + (k + 1) * width,
      examples,
      label: label ? "positive" : "negative",
    }));
  const drawn = chart(
    "Scores of both classes",
    "The further apart the two hills, the easier the task. The line is the threshold.",
    `Histogram of scores for ${page.labels.join(" and ")}`,
    () => ({
      height: 260,
      marginLeft: 58,
      marginBottom: 40,
      x: { label: "score", labelAnchor: "center", labelArrow: "none" },
      y: { label: "examples", labelAnchor: "center", labelArrow: "none", ticks: 5 },
      color: { domain: ["negative", "positive"], range: [second, accent] },
      marks: [
        Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
        width > 0
          ? Plot.rect([...bins(negative, 0), ...bins(positive, 1)], {
              x1: "from",
              x2: "to",
              y1: 0,
              y2: "examples",
              fill: "label",
              fillOpacity: 0.55,
            })
          : null,
        said.thresholds.threshold[state.at] == null
          ? null
          : Plot.ruleX([said.thresholds.threshold[state.at]], {
              stroke: "var(--ink)",
              strokeWidth: 1.5,
            }),
      ],
    }),
  );
  drawn.figure
    .querySelector("figcaption")
    ?.prepend(
      h("span", { class: "key second" }),
      name(page.labels[0]),
      " ",
      h("span", { class: "key accent" }),
      name(page.labels[1]),
      h("br"),
    );
  charts.push(drawn);
  return drawn.figure;
}
