// How well a number is predicted.
import * as Plot from "@observablehq/plot";
import { chart, accent, faint, grid } from "./chart";
import type { Page, Regression } from "./data";
import { brief, h, num, scroller, section, table, whole } from "./dom";

export function regression(page: Page, said: Regression): HTMLElement {
  const { metrics } = said;
  const points = said.truth.map((truth, k) => ({
    truth,
    predicted: said.predicted[k],
    residual: truth - said.predicted[k],
  }));
  const examples = page.data?.examples ?? points.length;
  const dots = { fill: accent, fillOpacity: points.length > 600 ? 0.35 : 0.6, r: points.length > 600 ? 2.2 : 3 };
  const scatter = chart(
    "Predicted against true values",
    "On the diagonal the prediction is right.",
    `${points.length} predictions against the truth`,
    () => ({
      height: 340,
      marginLeft: 52,
      marginBottom: 40,
      grid: false,
      x: { label: "true value", labelAnchor: "center", labelArrow: "none" },
      y: { label: "predicted value", labelAnchor: "center", labelArrow: "none" },
      marks: [
        Plot.gridX({ stroke: grid, strokeOpacity: 1 }),
        Plot.gridY({ stroke: grid, strokeOpacity: 1 }),
        Plot.line(ends(points.flatMap((p) => [p.truth, p.predicted])), { stroke: faint, strokeDasharray: "4,4" }),
        Plot.dot(points, { x: "truth", y: "predicted", ...dots }),
      ],
    }),
  );
  const residuals = chart(
    "Residuals",
    "True minus predicted. The band is the tube within which errors cost little; a bend or a funnel means that something is left to learn.",
    `${points.length} residuals against the predicted value`,
    () => ({
      height: 340,
      marginLeft: 52,
      marginBottom: 40,
      x: { label: "predicted value", labelAnchor: "center", labelArrow: "none" },
      y: { label: "residual", labelAnchor: "center", labelArrow: "none" },
      marks: [
        Plot.gridX({ stroke: grid, strokeOpacity: 1 }),
        Plot.gridY({ stroke: grid, strokeOpacity: 1 }),
        Plot.rect([0], {
          x1: Math.min(...said.predicted),
          x2: Math.max(...said.predicted),
          y1: -said.epsilon,
          y2: said.epsilon,
          fill: faint,
          fillOpacity: 0.18,
        }),
        Plot.ruleY([0], { stroke: faint }),
        Plot.dot(points, { x: "predicted", y: "residual", ...dots }),
      ],
    }),
  );
  scatter.redraw();
  residuals.redraw();
  const rows = table(
    ["measure", "value"],
    [
      ["root mean square error (RMSE)", num(metrics.rmse)],
      ["mean absolute error (MAE)", num(metrics.mae)],
      [`mean error beyond ${brief(said.epsilon)}`, num(metrics.eps_loss)],
      ["R²", num(metrics.r2)],
    ],
    "How well the number is predicted",
    "pairs",
  );
  return section(
    "residuals",
    "Predictions and residuals",
    [
      "R² is the share of the target’s variance that the predictions explain.",
      points.length < examples
        ? ` ${whole(points.length)} of ${whole(examples)} examples, evenly taken, are drawn.`
        : "",
    ],
    scroller(rows, "Measures"),
    h("div", { class: "columns" }, scatter.figure, residuals.figure),
  );
}

function ends(values: number[]): [number, number][] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return [
    [low, low],
    [high, high],
  ];
}
