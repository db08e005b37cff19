// What cross-validation tried before this fit: a heat map of p0 and c for each prior variance, the chosen cell marked.
import * as Plot from "@observablehq/plot";
import { chart, accent, grid, second } from "./chart";
import type { Candidate, Page, Tuning } from "./data";
import { brief, count, h, num, scroller, section, setting, table, whole } from "./dom";

const metrics: Record<string, string> = {
  auc: "the area under the ROC curve",
  "log-loss": "the log loss",
  "margin-loss": "the margin loss",
  accuracy: "the accuracy",
  brier: "the Brier score",
  rmse: "the root mean square error",
  mae: "the mean absolute error",
  "eps-loss": "the mean error beyond ε",
};

const rowOf = (each: Candidate): string =>
  each.kept == null ? `p0 = ${setting(each.p0)}` : `keep ${whole(each.kept)}`;
const columnOf = (each: Candidate): string => (each.c == null ? "c as set" : `c = ${setting(each.c)}`);
const facetOf = (each: Candidate): string =>
  each.prior_variance == null ? "variance as set" : `variance ${setting(each.prior_variance)}`;
const distinct = (texts: string[]): string[] => [...new Set(texts)];
const number = (value: number | null, digits = 4): Node | string => (value == null ? "as set" : num(value, digits));

export function tuning(page: Page): HTMLElement | null {
  const tuned = page.tuning;
  if (!tuned) return null;
  const chosen = tuned.candidates[tuned.chosen];
  const best = tuned.candidates[tuned.best];
  const times = tuned.repeats > 1 ? `, ${whole(tuned.repeats)} times` : "";
  return section(
    "tuning",
    "How the settings were chosen",
    [
      `${whole(tuned.folds)}-fold cross-validation${times} compared `,
      count(tuned.candidates.length),
      ` settings by ${metrics[tuned.metric] ?? tuned.metric} on the examples left out; ${tuned.higher_is_better ? "more" : "less"} is better. Chosen: ${rowOf(chosen)}, ${columnOf(chosen)}, ${facetOf(chosen)} with `,
      num(chosen.mean),
      " ± ",
      num(chosen.standard_error, 2),
      tuned.chosen === tuned.best
        ? ", the best of them."
        : ", the fewest features within one standard error of the best, which has ",
      ...(tuned.chosen === tuned.best ? [] : [num(best.mean), "."]),
    ],
    picture(tuned),
    h("details", {}, h("summary", {}, "All that was tried"), scroller(results(tuned), "Tuning")),
  );
}

function results(tuned: Tuning): HTMLElement {
  const remark = (k: number, each: Candidate): string =>
    [k === tuned.chosen ? "chosen" : "", k === tuned.best ? "best" : "", each.converged ? "" : "not converged"]
      .filter((word) => word !== "")
      .join(", ");
  return table(
    ["p0", "c", "prior variance", "kept", tuned.metric, "standard error", "selected", "remark"],
    tuned.candidates.map((each, k) => [
      num(each.p0),
      number(each.c),
      number(each.prior_variance),
      each.kept == null ? "" : count(each.kept),
      num(each.mean),
      num(each.standard_error, 2),
      num(each.selected, 3),
      remark(k, each),
    ]),
    "Every candidate of the cross-validation",
    "tuning",
  );
}

function picture(tuned: Tuning): HTMLElement {
  const all = tuned.candidates;
  const rows = distinct(
    [...all].sort((a, b) => (a.kept ?? 0) - (b.kept ?? 0) || b.p0 - a.p0).map(rowOf),
  );
  const columns = distinct([...all].sort((a, b) => (a.c ?? 0) - (b.c ?? 0)).map(columnOf));
  const facets = distinct([...all].sort((a, b) => (a.prior_variance ?? 0) - (b.prior_variance ?? 0)).map(facetOf));
  const label = `${tuned.metric} of ${all.length} candidates; the chosen one has ${brief(all[tuned.chosen].mean)}`;
  const drawn =
    columns.length * facets.length > 1
      ? chart(
          "Cross-validated score of each setting",
          "The fuller a cell, the better; the framed one was chosen. A star marks a fit that did not converge.",
          label,
          (width) => heatMap(tuned, rows, columns, facets, width),
        )
      : chart(
          "Cross-validated score of each setting",
          "Each whisker is one standard error to either side; the filled dot was chosen.",
          label,
          () => dots(tuned, rows),
        );
  drawn.redraw();
  return drawn.figure;
}

const room = (rows: string[]): number => 18 + 7 * Math.max(...rows.map((row) => row.length));

function heatMap(tuned: Tuning, rows: string[], columns: string[], facets: string[], width: number): Plot.PlotOptions {
  const means = tuned.candidates.map((each) => each.mean ?? NaN);
  const low = Math.min(...means.filter(Number.isFinite));
  const high = Math.max(...means.filter(Number.isFinite));
  const quality = (each: Candidate): number => {
    const part = high > low ? ((each.mean ?? low) - low) / (high - low) : 1;
    return tuned.higher_is_better ? part : 1 - part;
  };
  const marginLeft = room(rows);
  const cell = (width - marginLeft - 20) / (columns.length * facets.length);
  const place = { x: columnOf, y: rowOf, fx: facetOf };
  const facet = cell * columns.length; // width of one
  const last = (text: string): string => text.split(" ").pop() ?? text; // the number alone
  const longest = Math.max(...facets.map((text) => last(text).length));
  const turned = facet < 7 * longest + 8;
  return {
    height: 30 * rows.length + (turned ? 84 + 6 * longest : 84),
    marginLeft,
    marginTop: turned ? 34 + 6 * longest : 34,
    marginBottom: 40,
    padding: 0.04,
    x: {
      domain: columns,
      label: null,
      tickSize: 0,
      tickFormat: (text: string) => (cell > 44 ? text : text.slice(4)),
      tickRotate: cell < 20 ? -90 : 0,
    },
    y: { domain: rows, label: null, tickSize: 0 },
    fx: {
      domain: facets,
      label: null,
      tickFormat: (text: string) => (facet > 7 * text.length + 8 ? text : last(text)),
      tickRotate: turned ? -60 : 0,
    },
    marks: [
      Plot.cell(tuned.candidates, {
        ...place,
        fill: accent,
        fillOpacity: (each: Candidate) => 0.04 + 0.56 * quality(each),
        title: (each: Candidate) =>
          `${rowOf(each)}, ${columnOf(each)}, ${facetOf(each)}\n${brief(each.mean)} ± ${brief(each.standard_error, 2)}\n${brief(each.selected, 3)} selected`,
        tip: { fill: "var(--card)", stroke: "var(--faint)" },
      }),
      Plot.cell([tuned.candidates[tuned.chosen]], { ...place, fill: "none", stroke: "var(--ink)", strokeWidth: 3 }),
      Plot.text(tuned.candidates, {
        ...place,
        text: (each: Candidate) =>
          (cell > 44 ? brief(each.mean, cell > 56 ? 4 : 3) : "") + (each.converged ? "" : "★"),
        fill: "var(--ink)",
      }),
    ],
  };
}

function dots(tuned: Tuning, rows: string[]): Plot.PlotOptions {
  const at = (each: Candidate, errors: number): number => (each.mean ?? NaN) + errors * (each.standard_error ?? 0);
  return {
    height: 26 * rows.length + 60,
    marginLeft: room(rows),
    marginBottom: 40,
    x: { label: tuned.metric, labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { domain: rows, label: null, tickSize: 0 },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.ruleY(tuned.candidates, {
        x1: (each: Candidate) => at(each, -1),
        x2: (each: Candidate) => at(each, 1),
        y: rowOf,
        stroke: second,
        strokeWidth: 2,
      }),
      Plot.dot(tuned.candidates, {
        x: "mean",
        y: rowOf,
        stroke: accent,
        strokeWidth: 2,
        fill: (_: Candidate, k: number) => (k === tuned.chosen ? "chosen" : "other"),
        r: 5,
      }),
    ],
    color: { domain: ["chosen", "other"], range: [accent, "var(--card)"] },
  };
}
