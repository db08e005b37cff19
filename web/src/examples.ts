// Single examples: the training rows that were hardest to fit, and why a row got its score.
import * as Plot from "@observablehq/plot";
import { chart, accent, second, faint, grid } from "./chart";
import type { Data, Explained, Page } from "./data";
import { brief, count, cut, h, name, num, scroller, section, setting, table, whole } from "./dom";

const rowsAtOnce = 10;

export function hardExamples(page: Page): HTMLElement | null {
  const { hard, labels, c } = page;
  if (hard.row.length === 0) return null;
  const sided = page.task === "regress" || (page.task === "classify" && labels.length === 2);
  const side = (multiplier: number): Node | string =>
    page.task === "regress"
      ? multiplier > 0
        ? "above the fit"
        : "below the fit"
      : name(labels[multiplier > 0 ? 1 : 0]);
  const rows = hard.row.map((row, k) => {
    const multiplier = hard.multiplier[k];
    const cells: (Node | string)[] = [count(row)];
    if (sided) cells.push(h("span", {}, side(multiplier)));
    cells.push(num(Math.abs(multiplier)));
    if (c != null)
      cells.push(
        h(
          "span",
          { class: "bar", style: `--part:${Math.min(1, Math.abs(multiplier) / c)}` },
          num(Math.abs(multiplier) / c),
        ),
      );
    return cells;
  });
  const head = [
    "training row",
    ...(sided ? [page.task === "classify" ? "label" : "side"] : []),
    "multiplier",
    ...(c != null ? ["share of c"] : []),
  ];
  const shown = table(head, rows.slice(0, rowsAtOnce), "Training rows with the largest multipliers");
  const more = h("button", { type: "button" }, `Show all ${whole(rows.length)}`);
  more.hidden = rows.length <= rowsAtOnce;
  const frame = scroller(shown, "Hard examples");
  more.addEventListener("click", () => {
    frame.replaceChildren(table(head, rows, "Training rows with the largest multipliers"));
    more.hidden = true;
  });
  return section(
    "hard",
    page.kind === "kernel" ? "Support examples" : "Hard examples",
    [
      `Of ${whole(page.examples)} training examples, `,
      count(hard.total),
      page.kind === "kernel"
        ? " are kept in the model, which compares new examples with them"
        : " hold the fit in place",
      hard.total < page.examples ? "; the others could be left out without changing it. " : ". ",
      "Those with the largest multipliers were the hardest to fit: look there for wrong labels and odd measurements. Rows count from 1.",
    ],
    frame,
    more,
  );
}

export function whyThisRow(page: Page, data: Data): HTMLElement | null {
  const explained = data.explained?.rows ?? [];
  const names = data.explained?.names ?? [];
  if (explained.length === 0) return null;
  const select = h(
    "select",
    { id: "why-row" },
    ...explained.map((each, k) => h("option", { value: k }, summary(page, each))),
  );
  const previous = h("button", { type: "button", "aria-label": "previous row" }, "‹");
  const next = h("button", { type: "button", "aria-label": "next row" }, "›");
  const sentence = h("p", { class: "words", "aria-live": "polite" });
  const at = (): Explained => explained[Number(select.value)];
  const odd = page.task === "anomaly";
  const bars = chart(
    "What each feature added",
    `${page.labels.length > 2 ? "Bars to the right speak for the class predicted, bars to the left for the next" : "Bars to the right raise the score, bars to the left lower it"}${odd ? ", against what is typical of the feature" : ""}. In brackets, the value of the (scaled) feature.`,
    () => `Contributions of ${at().largest.length} features to the score of row ${at().row}`,
    (width) => contributions(at(), names, width),
  );
  select.value = String(worst(page, explained));

  const show = (): void => {
    sentence.replaceChildren(...verdict(page, at()));
    bars.redraw();
  };
  const step = (by: number) => (): void => {
    select.value = String((Number(select.value) + by + explained.length) % explained.length);
    show();
  };
  select.addEventListener("change", show);
  previous.addEventListener("click", step(-1));
  next.addEventListener("click", step(1));
  show();
  return section(
    "why",
    "Why this row?",
    [
      odd
        ? "The score is the typical score plus what every feature adds to it; a feature far below what is typical of it makes the row odd. The page has the oddest rows, and others evenly taken: "
        : page.labels.length > 2
          ? "Each class has a score, and the largest wins. Its lead over the next is the difference of their biases plus what every feature adds to the one and not to the other. The page has the rows that were predicted worst, and others evenly taken: "
          : "The score is the bias plus what every feature adds. The page has the rows that were predicted worst, and others evenly taken: ",
      `${whole(explained.length)} of ${whole(data.examples)}.`,
    ],
    h("div", { class: "controls" }, h("label", { for: "why-row" }, "Row"), previous, select, next),
    sentence,
    bars.figure,
  );
}

const truthOf = (page: Page, each: Explained): string =>
  page.task === "classify" ? page.labels[each.truth ?? 0] : brief(each.truth);

function summary(page: Page, each: Explained): string {
  if (page.task === "anomaly") return `${each.row}: ${page.labels[each.label ?? 0]} (${brief(each.score)})`;
  const said = page.task === "classify" ? page.labels[each.label ?? 0] : brief(each.score);
  const mark = page.task === "classify" && each.label !== each.truth ? " ✗" : "";
  return `${each.row}: ${cut(truthOf(page, each), 24)} → ${cut(said, 24)}${mark}`;
}

function worst(page: Page, all: Explained[]): number {
  const wrong = (each: Explained): number => {
    if (page.task === "anomaly") return -each.score;
    if (page.task === "regress") return Math.abs((each.truth ?? 0) - each.score);
    if (page.labels.length > 2) return each.label === each.truth ? -each.score : each.score;
    return each.truth === 1 ? -each.score : each.score;
  };
  return all.reduce((best, each, k) => (wrong(each) > wrong(all[best]) ? k : best), 0);
}

function verdict(page: Page, each: Explained): (Node | string)[] {
  const row = `Row ${whole(each.row)}${each.line ? ` (line ${whole(each.line)})` : ""}`;
  const sum = (start: string) => ["score ", num(each.score), " ± ", num(each.sd), ` = ${start} `, num(each.bias), " + the bars."];
  if (each.rival != null)
    return [
      `${row}: the truth is `,
      name(truthOf(page, each)),
      "; predicted ",
      name(page.labels[each.label ?? 0]),
      " (probability ",
      num(each.probability),
      "), whose score leads that of ",
      name(page.labels[each.rival]),
      " by ",
      num(each.score),
      " = difference of the biases ",
      num(each.bias),
      " + the bars.",
    ];
  if (page.task === "anomaly")
    return [
      `${row} is `,
      h("strong", {}, page.labels[each.label ?? 0]),
      "; a share of ",
      num(each.probability, 3),
      " of normal examples scores no higher. Its ",
      ...sum("typical score"),
    ];
  const start = [`${row}: the truth is `, name(truthOf(page, each)), "; "];
  if (page.task !== "classify") return [...start, "predicted ", ...sum("bias")];
  return [
    ...start,
    "predicted ",
    name(page.labels[each.label ?? 0]),
    " (probability of ",
    name(page.labels[1]),
    " ",
    num(each.probability),
    "), ",
    ...sum("bias"),
  ];
}

function contributions(each: Explained, names: string[], width: number): Plot.PlotOptions {
  const bars = each.largest.map(([feature, value, added]) => ({
    label: `${cut(names[feature], width < 480 ? 14 : 28)} (${value == null ? "missing" : setting(value, 3)})`,
    added,
  }));
  if (each.others > 0) bars.push({ label: `${whole(each.others)} others`, added: each.added_by_others });
  const longest = Math.max(6, ...bars.map((bar) => Array.from(bar.label).length));
  const spread = Math.max(0, ...bars.map((b) => b.added)) - Math.min(0, ...bars.map((b) => b.added));
  const room = Math.max(spread, 1e-300) * (width < 480 ? 0.9 : 0.1); // for the numbers beside the bars
  return {
    height: 24 * Math.max(1, bars.length) + 56,
    marginLeft: Math.min(16 + 6.8 * longest, width * 0.55),
    marginRight: 60,
    marginBottom: 40,
    x: {
      label: "added to the score",
      labelAnchor: "center",
      labelArrow: "none",
      ticks: width < 480 ? 3 : 5,
      domain: [
        bars.some((b) => b.added < 0) ? Math.min(...bars.map((b) => b.added)) - room : 0,
        Math.max(0, ...bars.map((b) => b.added)) + room,
      ],
    },
    y: { domain: bars.map((_, k) => k), tickFormat: (k: number) => bars[k].label, label: null, tickSize: 0 },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.barX(bars, {
        x: "added",
        y: (_: unknown, k: number) => k,
        fill: (b) => (b.added < 0 ? "lower" : "higher"),
        insetTop: 3,
        insetBottom: 3,
      }),
      Plot.ruleX([0], { stroke: faint }),
      Plot.text(
        bars.filter((b) => b.added >= 0),
        {
          x: "added",
          y: (b) => bars.indexOf(b),
          text: (b) => brief(b.added, 3),
          textAnchor: "start",
          dx: 4,
          fill: "var(--ink)",
        },
      ),
      Plot.text(
        bars.filter((b) => b.added < 0),
        {
          x: "added",
          y: (b) => bars.indexOf(b),
          text: (b) => brief(b.added, 3),
          textAnchor: "end",
          dx: -4,
          fill: "var(--ink)",
        },
      ),
    ],
    color: { domain: ["lower", "higher"], range: [second, accent] },
  };
}
