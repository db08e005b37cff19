// How the coefficients of all features are spread [MED figs 7 and 9].
import * as Plot from "@observablehq/plot";
import { chart, accent, faint, grid } from "./chart";
import type { Page } from "./data";
import { section, whole } from "./dom";

export function weights(page: Page): HTMLElement | null {
  const { value, share } = page.coefficients;
  if (value.length < 2) return null;
  const points = value.map((v, k) => ({ v, share: share[k] }));
  const { figure, redraw } = chart(
    "Cumulative distribution of the coefficients",
    "The height at w is the share of features whose coefficient is at most w. A steep step at 0 means that most features hardly count.",
    `Cumulative distribution of ${whole(page.total)} coefficients`,
    () => ({
      height: 300,
      marginLeft: 48,
      marginBottom: 40,
      x: { label: "coefficient w", labelAnchor: "center", labelArrow: "none" },
      y: { domain: [0, 1], label: "share of features", labelAnchor: "center", labelArrow: "none", ticks: 5 },
      marks: [
        Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
        Plot.ruleX([0], { stroke: faint }),
        Plot.lineY(points, { x: "v", y: "share", stroke: accent, strokeWidth: 2, curve: "step-after" }),
      ],
    }),
  );
  redraw();
  const small = shareBelow(points.map((p) => Math.abs(p.v)));
  return section(
    "weights",
    "Distribution of the coefficients",
    [`About ${Math.round(100 * small)} % of the coefficients are smaller than a hundredth of the largest.`],
    figure,
  );
}

function shareBelow(sizes: number[]): number {
  const limit = Math.max(...sizes) / 100;
  return sizes.filter((size) => size < limit).length / sizes.length;
}
