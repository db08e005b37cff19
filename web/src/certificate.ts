// How far the fit is from the best one, and how it got there.
import * as Plot from "@observablehq/plot";
import { chart, accent, second, faint, grid } from "./chart";
import type { Page } from "./data";
import { brief, count, h, num, scroller, section, table } from "./dom";

const trusted: Record<string, string> = {
  converged: "The fit is as close to the best one as was asked.",
  almost: "The fit is close to the best one, though not as close as was asked.",
  limit: "The solver ran out of its allowance; the gap below is what is still missing at most.",
  stalled: "The solver made no further progress; the gap below is what is still missing at most.",
  interrupted: "The solver was interrupted; the gap below is what is still missing at most.",
};

export function certificate(page: Page): HTMLElement {
  const fit = page.certificate;
  const rows = table(
    ["quantity", "value"],
    [
      ["objective J (a lower bound)", num(fit.objective, 10)],
      ["primal F (an upper bound)", num(fit.primal, 10)],
      ["gap F − J", num(fit.gap, 3)],
      ["relative gap", num(fit.relative_gap, 3)],
      ["tolerance asked for", num(fit.tolerance, 3)],
      ["passes over the data", count(fit.passes)],
      ["seconds", num(fit.seconds, 3)],
      ["solver", fit.solver],
      ["why this solver", fit.why],
    ],
    "The certificate of the fit",
    "pairs",
  );
  return section(
    "certificate",
    "Certificate",
    [
      trusted[fit.status] ?? "",
      " The best possible value lies between J and F, so their difference bounds what a perfect optimiser could still gain.",
    ],
    h("div", { class: "columns" }, scroller(rows, "Certificate"), gapPlot(page)),
  );
}

function gapPlot(page: Page): HTMLElement | null {
  const { trace, tolerance } = page.certificate;
  const points = trace.seconds
    .map((seconds, k) => ({ seconds, gap: trace.relative_gap[k] }))
    .filter((point) => point.seconds != null && point.gap != null && point.gap > 0);
  if (points.length < 2) return null;
  const { figure, redraw } = chart(
    "Relative gap over time",
    "Each dot is a certificate that the solver computed on its way; the dashed line is the tolerance.",
    `Relative gap against seconds, ending at ${brief(page.certificate.relative_gap, 3)}`,
    () => ({
      height: 280,
      marginLeft: 56,
      marginBottom: 40,
      x: { label: "seconds", labelAnchor: "center", labelArrow: "none", ticks: 5 },
      y: {
        type: "log",
        label: null,
        tickFormat: (y: number) => (Number.isInteger(Math.log10(y)) ? y.toExponential(0) : ""),
        ticks: 6,
      },
      marks: [
        Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 6 }),
        tolerance ? Plot.ruleY([tolerance], { stroke: second, strokeDasharray: "5,4", strokeWidth: 1.5 }) : null,
        Plot.lineY(points, { x: "seconds", y: "gap", stroke: accent, strokeWidth: 2 }),
        Plot.dot(points, { x: "seconds", y: "gap", fill: accent, r: 2.5 }),
        Plot.tip(points, Plot.pointerX({ x: "seconds", y: "gap", fill: "var(--card)", stroke: faint })),
      ],
    }),
  );
  redraw();
  return figure;
}
