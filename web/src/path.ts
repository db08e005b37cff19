// The path over p0: what each prior probability selects, with a slider along it.
import * as Plot from "@observablehq/plot";
import { chart, accent, second } from "./chart";
import type { Page, Path, PathStep } from "./data";
import { brief, count, cut, h, name, num, scroller, section, setting, table, whole } from "./dom";

export function path(page: Page): HTMLElement | null {
  const along = page.path;
  if (!along || along.steps.length === 0) return null;
  const own = ownStep(page, along);
  const state = { at: own };
  const last = along.steps.length - 1;
  const slider = h("input", { type: "range", id: "path-step", min: 0, max: last, step: 1, value: own });
  const spoken = h("output", { for: "path-step", "aria-live": "polite" });
  const back = h("button", { type: "button" }, "This model’s p0");
  const said = h("p", { class: "words" });
  const listed = h("div");
  const lights = chart(
    "Inclusion of the leading features",
    "From left to right p0 falls and the choice becomes stricter. The fuller a cell, the larger the inclusion; the frame is where the slider stands.",
    () => `Inclusion of ${along.drawn.length} features over ${along.steps.length} values of ${along.over}`,
    (width) => heatMap(along, state.at, width),
  );

  lights.figure
    .querySelector("figcaption")
    ?.prepend(h("span", { class: "key accent" }), "selected ", h("span", { class: "key second" }), "below one half", h("br"));

  function show(): void {
    const step = along!.steps[state.at];
    const words = `${along!.over} = ${setting(step.value, 3)}${state.at === own ? " (this model’s)" : ""}`;
    spoken.textContent = words;
    slider.setAttribute("aria-valuetext", `${words}, ${step.selected} selected`);
    said.replaceChildren(...sentence(along!, step));
    listed.replaceChildren(selection(along!, step));
    lights.redraw();
  }
  slider.addEventListener("input", () => {
    state.at = Number(slider.value);
    show();
  });
  back.addEventListener("click", () => {
    state.at = own;
    slider.value = String(own);
    show();
  });
  show();
  return section(
    "path",
    "What another p0 would select",
    [
      `p0 is the probability, before the data speak, that a feature takes part. The same data were fitted with ${whole(along.steps.length)} values of it, each begun from the one before. Features that stay as p0 falls carry the evidence.`,
      along.complete ? "" : " The path ended early.",
    ],
    h("div", { class: "controls" }, h("label", { for: "path-step" }, along.over), slider, spoken, back),
    said,
    h("div", { class: "columns" }, lights.figure, scroller(listed, "Selected features")),
  );
}

// The step with the model's own p0.
function ownStep(page: Page, along: Path): number {
  const p0 = Number(page.settings.find(([option]) => option === along.over)?.[1]);
  const found = along.steps.findIndex((step) => step.value === p0);
  return found < 0 ? 0 : found;
}

function sentence(along: Path, step: PathStep): (Node | string)[] {
  const few = step.largest.length < step.selected ? ` Listed are the ${whole(step.largest.length)} that count most.` : "";
  return [
    count(step.selected),
    ` of ${whole(along.features)} features are selected, and `,
    count(step.support),
    ` examples hold the fit in place (${step.status}, relative gap `,
    num(step.relative_gap, 2),
    `).${few}`,
  ];
}

function selection(along: Path, step: PathStep): HTMLElement {
  if (step.largest.length === 0) return h("p", { class: "faint" }, "No feature has an inclusion above one half here; the picture has those that come nearest.");
  return table(
    ["selected feature", "inclusion", "coefficient"],
    step.largest.map(([feature, inclusion, coefficient]) => [
      name(along.names[feature]),
      num(inclusion),
      h("span", { class: coefficient < 0 ? "negative" : "positive" }, num(coefficient)),
    ]),
    `Features selected at ${along.over} = ${setting(step.value, 3)}`,
    "path",
  );
}

function heatMap(along: Path, at: number, width: number): Plot.PlotOptions {
  const rows = along.drawn.map((_, k) => k);
  const labels = along.drawn.map((each) => cut(along.names[each.name], width < 360 ? 12 : 20));
  const longest = Math.max(4, ...labels.map((label) => Array.from(label).length));
  const cells = along.drawn.flatMap((each, y) => each.inclusion.map((inclusion, x) => ({ x, y, inclusion })));
  const steps = along.steps.map((_, x) => x);
  const tens = steps.filter((x) => Math.abs(Math.log10(along.steps[x].value) % 1) < 1e-6);
  const every = Math.ceil(tens.length / (width < 420 ? 3 : 5));
  return {
    height: 22 * Math.max(1, rows.length) + 54,
    marginLeft: 16 + 7.2 * longest,
    marginTop: 8,
    marginBottom: 44,
    padding: 0.08,
    x: {
      domain: steps,
      label: along.over,
      labelAnchor: "center",
      labelArrow: "none",
      ticks: tens.filter((_, k) => k % every === 0),
      tickFormat: (x: number) => setting(along.steps[x].value, 2),
      tickSize: 3,
    },
    y: { domain: rows, label: null, tickSize: 0, tickFormat: (y: number) => labels[y] },
    color: { domain: ["selected", "not selected"], range: [accent, second] },
    marks: [
      Plot.cell(cells, {
        x: "x",
        y: "y",
        fill: (cell) => (cell.inclusion > 0.5 ? "selected" : "not selected"),
        fillOpacity: (cell) => 0.05 + 0.95 * cell.inclusion,
        title: (cell) =>
          `${cut(along.names[along.drawn[cell.y].name], 60)}\n${along.over} = ${setting(along.steps[cell.x].value, 3)}: inclusion ${brief(cell.inclusion)}`,
        tip: { fill: "var(--card)", stroke: "var(--faint)" },
      }),
      Plot.rect([at], {
        x1: at,
        x2: at,
        y1: rows[0],
        y2: rows[rows.length - 1],
        inset: -2,
        fill: "none",
        stroke: "var(--ink)",
        strokeWidth: 2,
      }),
    ],
  };
}
