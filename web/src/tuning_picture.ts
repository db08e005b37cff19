// The settings that cross-validation tried: a heat map of p0 and c for each prior variance, or dots where only one of
// them varies. Those that the race dropped have no place on the scale.
import * as Plot from "@observablehq/plot";
import { chart, accent, faint, grid, second } from "./chart";
import type { Candidate, Tuning } from "./data";
import { brief, setting, whole } from "./dom";

interface Layout {
  rowOf: (each: Candidate) => string;
  rows: string[];
  columns: string[];
  facets: string[];
}

// The fits that ranked features for refits, numbered as they come; 0 without one.
export const rankings = (all: Candidate[]): ((each: Candidate) => number) => {
  const known = distinct(all.flatMap((each) => (each.ranking ? [JSON.stringify(each.ranking)] : [])));
  return (each) => (each.ranking ? known.indexOf(JSON.stringify(each.ranking)) + 1 : 0);
};

// Refits are named by how many features they keep; where several fits ranked these, also by its number.
export const rowsOf = (all: Candidate[]): ((each: Candidate) => string) => {
  const ranking = rankings(all);
  const several = all.some((each) => ranking(each) > 1);
  return (each) =>
    each.kept == null
      ? `p0 = ${setting(each.p0)}`
      : `keep ${whole(each.kept)}${several ? `, ranking ${ranking(each)}` : ""}`;
};
export const columnOf = (each: Candidate): string =>
  `${each.c == null ? "c as set" : `c = ${setting(each.c)}`}${each.margin ? `, ${each.margin}` : ""}`;
export const facetOf = (each: Candidate): string =>
  each.prior_variance == null ? "variance as set" : `variance ${setting(each.prior_variance)}`;
const distinct = (texts: string[]): string[] => [...new Set(texts)];
export const droppedAfter = (each: Candidate): string =>
  `dropped after ${whole(each.measured)} fold${each.measured === 1 ? "" : "s"}`;

export function picture(tuned: Tuning): HTMLElement {
  const all = tuned.candidates;
  const rowOf = rowsOf(all);
  const ranking = rankings(all);
  const byRow = (a: Candidate, b: Candidate): number =>
    (a.kept ?? 0) - (b.kept ?? 0) || ranking(a) - ranking(b) || b.p0 - a.p0;
  const layout: Layout = {
    rowOf,
    rows: distinct([...all].sort(byRow).map(rowOf)),
    columns: distinct([...all].sort((a, b) => (a.c ?? 0) - (b.c ?? 0)).map(columnOf)),
    facets: distinct([...all].sort((a, b) => (a.prior_variance ?? 0) - (b.prior_variance ?? 0)).map(facetOf)),
  };
  const dropped = all.filter((each) => each.dropped).length;
  const without = dropped > 0 ? `, ${dropped} of them dropped in the race` : "";
  const label = `${tuned.metric} of ${all.length} candidates${without}; the chosen one has ${brief(all[tuned.chosen].mean)}`;
  const title = "Cross-validated score of each setting";
  const drawn =
    layout.columns.length * layout.facets.length > 1
      ? chart(
          title,
          "The fuller a cell, the better; the framed one was chosen. A star marks a fit that did not converge." +
            (dropped > 0 ? " An empty cell with a dash was dropped in the race and is not compared." : ""),
          label,
          (width) => heatMap(tuned, layout, width),
        )
      : chart(
          title,
          "Each whisker is one standard error to either side; the filled dot was chosen." +
            (dropped > 0 ? " Those dropped in the race are not compared and have no dot." : ""),
          label,
          () => dots(tuned, layout),
        );
  drawn.redraw();
  return drawn.figure;
}

const room = (rows: string[]): number => 18 + 7 * Math.max(...rows.map((row) => row.length));

function heatMap(tuned: Tuning, { rowOf, rows, columns, facets }: Layout, width: number): Plot.PlotOptions {
  const compared = tuned.candidates.filter((each) => !each.dropped);
  const dropped = tuned.candidates.filter((each) => each.dropped);
  const means = compared.map((each) => each.mean ?? NaN);
  const low = Math.min(...means.filter(Number.isFinite));
  const high = Math.max(...means.filter(Number.isFinite));
  const quality = (each: Candidate): number => {
    const part = high > low ? ((each.mean ?? low) - low) / (high - low) : 1;
    return tuned.higher_is_better ? part : 1 - part;
  };
  const marginLeft = room(rows);
  const cell = (width - marginLeft - 20) / (columns.length * facets.length);
  const place = { x: columnOf, y: rowOf, fx: facetOf };
  const named = (each: Candidate): string => `${rowOf(each)}, ${columnOf(each)}, ${facetOf(each)}`;
  const tip = { fill: "var(--card)", stroke: faint };
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
      Plot.cell(compared, {
        ...place,
        fill: accent,
        fillOpacity: (each: Candidate) => 0.04 + 0.56 * quality(each),
        title: (each: Candidate) =>
          `${named(each)}\n${brief(each.mean)} ± ${brief(each.standard_error, 2)}\n${brief(each.selected, 3)} selected`,
        tip,
      }),
      Plot.cell(dropped, {
        ...place,
        fill: "none",
        stroke: faint,
        strokeDasharray: "2,3",
        inset: 1,
        title: (each: Candidate) => `${named(each)}\n${droppedAfter(each)}`,
        tip,
      }),
      Plot.cell([tuned.candidates[tuned.chosen]], { ...place, fill: "none", stroke: "var(--ink)", strokeWidth: 3 }),
      Plot.text(tuned.candidates, {
        ...place,
        text: (each: Candidate) =>
          (each.dropped ? "–" : cell > 44 ? brief(each.mean, cell > 56 ? 4 : 3) : "") + (each.converged ? "" : "★"),
        fill: "var(--ink)",
      }),
    ],
  };
}

function dots(tuned: Tuning, { rowOf, rows }: Layout): Plot.PlotOptions {
  const compared = tuned.candidates.filter((each) => !each.dropped);
  const dropped = tuned.candidates.filter((each) => each.dropped);
  const at = (each: Candidate, errors: number): number => (each.mean ?? NaN) + errors * (each.standard_error ?? 0);
  return {
    height: 26 * rows.length + 60,
    marginLeft: room(rows),
    marginBottom: 40,
    x: { label: tuned.metric, labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { domain: rows, label: null, tickSize: 0 },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.ruleY(compared, {
        x1: (each: Candidate) => at(each, -1),
        x2: (each: Candidate) => at(each, 1),
        y: rowOf,
        stroke: second,
        strokeWidth: 2,
      }),
      Plot.dot(compared, {
        x: "mean",
        y: rowOf,
        stroke: accent,
        strokeWidth: 2,
        fill: (each: Candidate) => (each === tuned.candidates[tuned.chosen] ? "chosen" : "other"),
        r: 5,
      }),
      Plot.text(dropped, {
        y: rowOf,
        text: (each: Candidate) => `– ${droppedAfter(each)}`,
        frameAnchor: "left",
        dx: 6,
        fill: faint,
      }),
    ],
    color: { domain: ["chosen", "other"], range: [accent, "var(--card)"] },
  };
}
