// The scores of an anomaly detector beside its threshold.
import * as Plot from "@observablehq/plot";
import { chart, accent, second, grid } from "./chart";
import type { Anomaly, Page } from "./data";
import { brief, count, h, num, section, whole } from "./dom";

export function anomaly(page: Page, said: Anomaly): HTMLElement {
  const { low, high, below, normal, odd } = said.scores;
  const width = (high - low) / normal.length;
  const bins = (counts: number[], kind: string) =>
    counts.map((examples, k) => ({ from: low + k * width, to: low + (k + 1) * width, examples, kind }));
  const drawn = chart(
    "Scores",
    "The line is the threshold: what lies to its left is called odd.",
    `Histogram of ${page.data?.examples ?? 0} scores, of which ${said.odd} lie below the threshold ${brief(said.threshold)}`,
    () => ({
      height: 280,
      marginLeft: 58,
      marginBottom: 40,
      x: { label: "score (expected log-likelihood, nats)", labelAnchor: "center", labelArrow: "none" },
      y: { label: "examples", labelAnchor: "center", labelArrow: "none", ticks: 5 },
      color: { domain: ["normal", "odd"], range: [second, accent] },
      marks: [
        Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
        width > 0
          ? Plot.rectY([...bins(normal, "normal"), ...bins(odd, "odd")], {
              x1: "from",
              x2: "to",
              y: "examples",
              fill: "kind",
              fillOpacity: 0.75,
              insetLeft: 0.5,
              insetRight: 0.5,
            })
          : null,
        Plot.ruleX([said.threshold], { stroke: "var(--ink)", strokeWidth: 2 }),
      ],
    }),
  );
  drawn.figure
    .querySelector("figcaption")
    ?.prepend(h("span", { class: "key second" }), "normal ", h("span", { class: "key accent" }), "odd", h("br"));
  drawn.redraw();
  return section(
    "anomaly",
    "Odd examples",
    [
      count(said.odd),
      ` of ${whole(page.data?.examples ?? 0)} examples are odd: their score is below `,
      num(said.threshold),
      ". The score is the expected log-likelihood; of normal examples that the model had not seen, a share of about ",
      num(said.alpha, 2),
      " lies below this threshold.",
      below > 0 ? ` ${whole(below)} examples score below the picture and are counted in its first bar.` : "",
    ],
    drawn.figure,
  );
}
