// What a latent model believes of examples: states along a sequence, shifts of an image or a signal.
import * as Plot from "@observablehq/plot";
import { chart, accent, second, faint, grid, type Chart } from "./chart";
import type { Aligned, Alignment, Page, Shift, Template } from "./data";
import { brief, cut, h, name, num, section, whole } from "./dom";

const between = (part: number): string =>
  `color-mix(in srgb, var(--accent) ${Math.round(100 * part)}%, var(--second))`;
const time = { label: "time", labelAnchor: "center", labelArrow: "none", ticks: 6 } as const;

// One sequence at a time: its signal, the state it is in, and what counts there.
export function alignment(page: Page, said: Alignment): HTMLElement | null {
  if (said.sequences.length === 0) return null;
  const select = h(
    "select",
    { id: "sequence" },
    ...said.sequences.map((each, k) => h("option", { value: k }, summary(page, each))),
  );
  const at = (): Aligned => said.sequences[Number(select.value)];
  const colours = said.channels.map((_, c) => between(said.channels.length > 1 ? c / (said.channels.length - 1) : 1));
  const charts: Chart[] = [
    chart(
      "The signal",
      "As it stands in the file.",
      () => `Signal of sequence ${at().row}`,
      () => lines(at().time, at().signal, colours, "value"),
    ),
    chart(
      "Its states",
      "At each time the heights are the probabilities of the states, the first at the bottom; they add up to 1.",
      () => `Probability of ${said.states} states over time in sequence ${at().row}`,
      () => areas(at(), said.states),
    ),
  ];
  if (said.sequences.every((each) => each.weight))
    charts.push(
      chart(
        "What counts when",
        "Where the line is above 0, a larger value of the channel raises the score; below 0 it lowers it.",
        () => `Weight over time in sequence ${at().row}`,
        () => lines(at().time, at().weight ?? [], colours, "weight"),
      ),
    );
  const redraw = (): void => charts.forEach((each) => each.redraw());
  select.addEventListener("change", redraw);
  redraw();
  const key =
    said.channels.length > 1
      ? h(
          "p",
          { class: "faint" },
          ...said.channels
            .slice(0, 12)
            .flatMap((channel, c) => [
              h("span", { class: "key", style: `background:${colours[c]}` }),
              name(cut(channel, 30)),
              " ",
            ]),
        )
      : null;
  return section(
    "alignment",
    "Sequences and their states",
    [
      `Every sequence passes through ${whole(said.states)} states, `,
      said.path === "segments" ? "which are equal parts of its time" : "which were learnt from the signals without their labels",
      ". What is measured in a state is a feature of the model. The page has ",
      `${whole(said.sequences.length)} sequences, evenly taken.`,
    ],
    h("div", { class: "controls" }, h("label", { for: "sequence" }, "Sequence"), select),
    key,
    ...charts.map((each) => each.figure),
  );
}

const summary = (page: Page, each: Aligned): string =>
  page.task === "classify"
    ? `${each.row}: predicted ${cut(page.labels[each.label] ?? "", 24)}`
    : `${each.row}: predicted ${brief(each.score)}`;

function lines(times: number[], values: number[][], colours: string[], label: string): Plot.PlotOptions {
  return {
    height: 200,
    marginLeft: 52,
    marginBottom: 38,
    x: time,
    y: { label, labelAnchor: "center", labelArrow: "none", ticks: 4 },
    marks: [
      Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 4 }),
      Plot.ruleY([0], { stroke: faint }),
      ...values.map((course, c) => Plot.line(course, { x: times, y: course, stroke: colours[c], strokeWidth: 2 })),
    ],
  };
}

function areas(each: Aligned, states: number): Plot.PlotOptions {
  const below = each.time.map(() => 0);
  const marks = each.state.map((course, s) => {
    const low = [...below];
    course.forEach((probability, k) => (below[k] += probability));
    return Plot.areaY(course, {
      x: each.time,
      y1: low,
      y2: [...below],
      fill: between(states > 1 ? s / (states - 1) : 1),
      fillOpacity: s % 2 ? 0.55 : 0.8,
    });
  });
  return {
    height: 180,
    marginLeft: 52,
    marginBottom: 38,
    x: time,
    y: { domain: [0, 1], label: "probability", labelAnchor: "center", labelArrow: "none", ticks: 4 },
    marks,
  };
}

// The template, the coefficients in its shape, and how the data lie about it.
export function transformations(page: Page, about: Template, shifts: Shift[] | undefined): HTMLElement | null {
  const figures: HTMLElement[] = [];
  const add = (drawn: Chart): void => {
    drawn.redraw();
    figures.push(drawn.figure);
  };
  if (about.kind !== "matrices" && about.mean.length === about.height * about.width)
    add(
      chart(
        "The template",
        "The mean that the examples were moved to, found without their labels.",
        `Template of ${about.height} by ${about.width} values`,
        (width) => shaped(about, about.mean, width, "value"),
      ),
    );
  if (about.coefficients)
    add(
      chart(
        "The coefficients in its shape",
        `What a (scaled) value there adds to the score${about.height > 1 ? "; the two colours are the two signs" : ""}.`,
        `Coefficients of ${about.height} by ${about.width} values`,
        (width) => shaped(about, about.coefficients ?? [], width, "coefficient"),
      ),
    );
  if (shifts && shifts.length > 1)
    add(
      chart(
        "How the examples are shifted",
        "How far the examples lie from the template: the probability of each shift, averaged over the data.",
        `Probability of ${shifts.length} shifts`,
        (width) => shiftPlot(about, shifts, width),
      ),
    );
  if (figures.length === 0) return null;
  return section(
    "template",
    "The template and its shifts",
    [
      about.mean.length > 0
        ? "Before it is judged, an example is moved to where it resembles the template most: each transformation counts by its probability given the example alone. The variance about the template is "
        : "Every transformation is as likely as another before the labels are seen.",
      ...(about.mean.length > 0 ? [num(about.variance), "."] : []),
    ],
    h("div", { class: "columns" }, ...figures),
  );
}

// An image as cells, a signal as a line.
function shaped(about: Template, values: (number | null)[], width: number, label: string): Plot.PlotOptions {
  const known = values.map((value) => value ?? 0);
  if (about.height === 1) {
    const places = known.map((_, i) => i + 1);
    return { ...lines(places, [known], [accent], label), x: { ...time, label: "place" } };
  }
  const reach = Math.max(...known.map(Math.abs), 1e-300);
  const side = Math.min(width, 320) - 20;
  return {
    width: side + 20,
    height: (side * about.height) / about.width + 20,
    margin: 10,
    padding: 0,
    x: { axis: null, domain: Array.from({ length: about.width }, (_, c) => c) },
    y: { axis: null, domain: Array.from({ length: about.height }, (_, r) => r) },
    color: { domain: ["lower", "higher"], range: [second, accent] },
    marks: [
      Plot.cell(known, {
        x: (_: number, i: number) => i % about.width,
        y: (_: number, i: number) => Math.floor(i / about.width),
        fill: (value: number) => (value < 0 ? "lower" : "higher"),
        fillOpacity: (value: number) => Math.abs(value) / reach,
        title: (value: number) => brief(value),
        tip: { fill: "var(--card)", stroke: faint },
      }),
    ],
  };
}

function shiftPlot(about: Template, shifts: Shift[], width: number): Plot.PlotOptions {
  if (about.height === 1)
    return {
      height: 220,
      marginLeft: 52,
      marginBottom: 40,
      x: { label: "shift to the right", labelAnchor: "center", labelArrow: "none", ticks: 7 },
      y: { label: "probability", labelAnchor: "center", labelArrow: "none", ticks: 4 },
      marks: [
        Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 4 }),
        Plot.rectY(shifts, {
          x1: (each: Shift) => each.right - 0.4,
          x2: (each: Shift) => each.right + 0.4,
          y: "probability",
          fill: accent,
        }),
      ],
    };
  const most = Math.max(...shifts.map((each) => each.probability));
  const across = [...new Set(shifts.map((each) => each.right))].sort((a, b) => a - b);
  const turns = [...new Set(shifts.map((each) => each.turn))].sort((a, b) => a - b);
  const cell = Math.min(44, (Math.min(width, 420) - 60) / (across.length * turns.length));
  return {
    width: cell * across.length * turns.length + 60,
    height: cell * across.length + 76,
    marginLeft: 46,
    marginBottom: 40,
    marginTop: turns.length > 1 ? 30 : 10,
    padding: 0.04,
    x: { domain: across, label: "to the right", labelAnchor: "center", labelArrow: "none", tickSize: 0 },
    y: { domain: across, label: "down", labelAnchor: "center", labelArrow: "none", tickSize: 0 },
    fx: { domain: turns, label: null, tickFormat: (turn: number) => `turned by ${turn}°` },
    marks: [
      Plot.cell(shifts, {
        x: "right",
        y: "down",
        fx: turns.length > 1 ? "turn" : undefined,
        fill: accent,
        fillOpacity: (each: Shift) => each.probability / most,
        title: (each: Shift) => `${each.right} to the right, ${each.down} down: ${brief(each.probability)}`,
        tip: { fill: "var(--card)", stroke: faint },
      }),
    ],
  };
}
