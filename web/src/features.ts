// The features: a table to sort and to search, and a picture that follows it.
import * as Plot from "@observablehq/plot";
import { chart, accent, second, faint, grid, type Chart } from "./chart";
import type { Features, Page } from "./data";
import { brief, cut, h, name, num, scroller, section, whole } from "./dom";
import { chooses, legend, meaning, selection, starred } from "./feature_words";

type Column = "name" | "given" | "inclusion" | "listed" | "coefficient" | "sd" | "group" | "favours" | "stability" | "knockoff" | "probability";
const rowsAtOnce = 20;
const pictured = 16;

interface State {
  order: number[]; // of the features that pass the search
  sort: Column;
  descending: boolean;
  shown: number;
}

export function features(page: Page): HTMLElement {
  const all = page.features;
  const state: State = { order: [], sort: "given", descending: true, shown: rowsAtOnce };
  const lollipop = lollipops(all, page, () => state.order.slice(0, pictured));
  const body = h("tbody");
  const status = h("p", { class: "faint", role: "status" });
  const more = h("button", { type: "button" }, `Show ${rowsAtOnce} more`);
  const search = h("input", { type: "search", id: "feature-search", autocomplete: "off", spellcheck: "false" });
  const selectedOnly = h("input", { type: "checkbox", id: "selected-only" });

  const columns: [Column, string][] = [
    ["name", "feature"],
    ...(all.listed ? [["listed", "in the list"] as [Column, string]] : []),
    ["coefficient", all.listed ? "in the predictor" : "coefficient"],
    ["inclusion", "inclusion"],
  ];
  if (showsSd(page)) columns.push(["sd", "sd"]);
  if (all.favours) columns.push(["favours", "speaks for"]);
  if (all.stability) columns.push(["stability", "stability"]);
  if (all.knockoff) columns.push(["knockoff", "ahead of copy"]);
  if (all.probability) columns.push(["probability", "probability"]);
  if (all.group) columns.push(["group", "group"]);
  const heads = columns.map(([column, title]) => {
    const button = h("button", { type: "button", class: "sort" }, title);
    const cell = h("th", { scope: "col", "data-column": column }, button);
    button.addEventListener("click", () => {
      state.descending = state.sort === column ? !state.descending : column !== "name" && column !== "group" && column !== "favours";
      state.sort = column;
      arrange();
    });
    return cell;
  });

  function arrange(): void {
    const wanted = search.value.trim().toLocaleLowerCase();
    const passes = (i: number): boolean =>
      (!selectedOnly.checked || all.selected[i]) &&
      (wanted === "" ||
        all.name[i].toLocaleLowerCase().includes(wanted) ||
        (all.group?.[i] ?? "").toLocaleLowerCase().includes(wanted));
    state.order = all.name.map((_, i) => i).filter(passes);
    if (state.sort !== "given")
      state.order.sort(comparison(all, state.sort, state.descending));
    state.shown = rowsAtOnce;
    for (const cell of heads) {
      const mine = cell.dataset.column === state.sort;
      if (mine) cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    fill();
    lollipop.redraw();
  }

  function fill(): void {
    const shown = state.order.slice(0, state.shown);
    body.replaceChildren(...shown.map((i) => row(page, i)));
    status.textContent = `${whole(shown.length)} of ${whole(state.order.length)} features that match are listed.`;
    more.hidden = shown.length === state.order.length;
  }

  search.addEventListener("input", arrange);
  selectedOnly.addEventListener("change", arrange);
  more.addEventListener("click", () => {
    state.shown += rowsAtOnce;
    fill();
  });
  arrange();

  const cutOff =
    all.name.length < page.total
      ? [
          ` The page has the ${whole(all.name.length)} selected ones and those of largest coefficient out of ${whole(page.total)}; `,
          h("code", {}, "medlar features"),
          " lists all.",
        ]
      : [];
  return section(
    "features",
    "Features",
    [
      ...selection(page),
      meaning(page),
      all.group && page.selects ? " Features of one group share one switch, hence one inclusion." : "",
      all.kept ? " Kept features stay in: they have no switch, and their coefficients have no prior." : "",
      ...cutOff,
    ],
    h(
      "div",
      { class: "controls" },
      h("label", { for: "feature-search" }, "Search"),
      search,
      chooses(page)
        ? h("span", { class: "check" }, selectedOnly, h("label", { for: "selected-only" }, "selected only"))
        : null,
    ),
    lollipop.figure,
    scroller(
      h(
        "table",
        { class: "features" },
        h("caption", { class: "hidden" }, "Features with coefficient and inclusion"),
        h("thead", {}, h("tr", {}, ...heads)),
        body,
      ),
      "Features",
    ),
    legend(page),
    status,
    more,
  );
}

function comparison(all: Features, column: Column, descending: boolean): (i: number, j: number) => number {
  const sign = descending ? -1 : 1;
  if (column === "name" || column === "group" || column === "favours") {
    const texts = all[column] ?? all.name;
    const collator = new Intl.Collator("en", { numeric: true });
    return (i, j) => sign * collator.compare(texts[i], texts[j]);
  }
  const numbers = (column === "given" ? undefined : all[column]) ?? all.inclusion;
  const signed = column === "coefficient" || column === "listed";
  const key = (i: number): number => (signed ? Math.abs(numbers[i] ?? 0) : (numbers[i] ?? 0));
  return (i, j) => sign * (key(i) - key(j));
}

// The sd of a linear model's coefficient is that of its prior, which says nothing of the data.
const showsSd = (page: Page): boolean => page.kind === "generative";

const sided = (value: number): string => (value < 0 ? "negative" : "positive");

// As wide without a star as with one, so that the digits stay below each other.
const star = (value: number, from: number | null, word: string): HTMLElement =>
  from != null && value >= from ? h("span", { class: "star", title: word }, "*") : h("span", { class: "star" });

function row(page: Page, i: number): HTMLElement {
  const all = page.features;
  const from = starred(page);
  const bar = (part: number): HTMLElement => h("span", { class: "bar", style: `--part:${part}` }, num(part));
  return h(
    "tr",
    { class: chooses(page) && all.selected[i] ? "selected" : "" },
    h("th", { scope: "row" }, name(all.name[i]), all.kept?.[i] ? h("span", { class: "faint" }, " kept") : null),
    all.listed ? h("td", { class: sided(all.listed[i] ?? 0) }, all.listed[i] == null ? "" : num(all.listed[i])) : null,
    h("td", { class: sided(all.coefficient[i]) }, num(all.coefficient[i])),
    h("td", {}, bar(all.inclusion[i])),
    showsSd(page) ? h("td", {}, num(all.sd[i])) : null,
    all.favours ? h("td", {}, name(all.favours[i])) : null,
    all.stability ? h("td", {}, num(all.stability[i]), star(all.stability[i], from.stability, "stable")) : null,
    all.knockoff ? h("td", {}, num(all.knockoff[i]), star(all.knockoff[i], from.knockoff, "discovered")) : null,
    all.probability ? h("td", {}, bar(all.probability[i])) : null,
    all.group ? h("td", {}, name(all.group[i])) : null,
  );
}

// Coefficients of the first rows of the table: those of the list where there is one. Where inclusion is what selects, it
// stands to the left.
function lollipops(all: Features, page: Page, rows: () => number[]): Chart {
  const selects = page.selects && page.selected_by === "inclusion";
  const sds = showsSd(page);
  const right = chart(
    "",
    "",
    () => `Coefficients of the first ${rows().length} features of the table`,
    (width) => coefficientPlot(all, rows(), !selects || width < 360, sds),
  );
  const left = chart(
    "",
    "",
    () => `Inclusion of the first ${rows().length} features of the table`,
    (width) => inclusionPlot(all, rows(), width),
  );
  const charts = selects ? [left, right] : [right];
  const figure = h(
    "figure",
    { class: "lollipops" },
    h("h3", {}, `The first ${Math.min(pictured, all.name.length)} rows of the table`),
    h(
      "div",
      { class: selects ? "pair" : "" },
      ...charts.map((each) => h("div", {}, each.figure.querySelector(".plot") as HTMLElement)),
    ),
    h(
      "figcaption",
      {},
      selects ? "Left, the inclusion; the dashed line is one half. Right, the" : "The",
      all.listed ? " coefficient in the list, and in the predictor as a ring" : " coefficient",
      sds ? " with one standard deviation to each side" : "",
      ". The picture follows the order and the search of the table.",
    ),
  );
  return { figure, redraw: () => charts.forEach((each) => each.redraw()) };
}

const rowHeight = 20;
const rank = (rows: number[]) => ({ domain: rows.map((_, k) => k), label: null, tickSize: 0 });

function inclusionPlot(all: Features, rows: number[], width: number): Plot.PlotOptions {
  const labels = rows.map((i) => cut(all.name[i], width < 360 ? 14 : 22));
  const longest = Math.max(4, ...labels.map((label) => Array.from(label).length));
  return {
    height: rowHeight * Math.max(1, rows.length) + 56,
    marginLeft: 16 + 7.2 * longest,
    marginBottom: 40,
    x: { domain: [0, 1], label: "inclusion", labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { ...rank(rows), tickFormat: (k: number) => labels[k] },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.ruleX([0.5], { stroke: second, strokeDasharray: "5,4", strokeWidth: 1.5 }),
      Plot.ruleY(rows, {
        x1: 0,
        x2: (i: number) => all.inclusion[i],
        y: (_: number, k: number) => k,
        stroke: accent,
        strokeWidth: 2,
      }),
      Plot.dot(rows, {
        x: (i: number) => all.inclusion[i],
        y: (_: number, k: number) => k,
        fill: accent,
        r: 4.5,
        title: (i: number) => `${cut(all.name[i], 60)}\n${brief(all.inclusion[i])}`,
        tip: { fill: "var(--card)", stroke: faint },
      }),
    ],
  };
}

function coefficientPlot(all: Features, rows: number[], labelled: boolean, sds: boolean): Plot.PlotOptions {
  const labels = rows.map((i) => cut(all.name[i], 14));
  const longest = Math.max(4, ...labels.map((label) => Array.from(label).length));
  const own = (i: number): number => (all.listed ? (all.listed[i] ?? NaN) : all.coefficient[i]); // NaN is not drawn
  const from = (i: number): number => (sds ? all.coefficient[i] - all.sd[i] : Math.min(0, own(i)));
  const to = (i: number): number => (sds ? all.coefficient[i] + all.sd[i] : Math.max(0, own(i)));
  return {
    height: rowHeight * Math.max(1, rows.length) + 56,
    marginLeft: labelled ? 16 + 7.2 * longest : 12,
    marginBottom: 40,
    x: { label: sds ? "coefficient ± sd" : "coefficient", labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { ...rank(rows), tickFormat: (k: number) => (labelled ? labels[k] : "") },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.ruleX([0], { stroke: faint }),
      Plot.ruleY(rows, {
        x1: from,
        x2: to,
        y: (_: number, k: number) => k,
        stroke: second,
        strokeWidth: 2,
      }),
      ...(all.listed
        ? [
            Plot.dot(rows, {
              x: (i: number) => all.coefficient[i],
              y: (_: number, k: number) => k,
              stroke: faint,
              r: 4.5,
            }),
          ]
        : []),
      Plot.dot(rows, {
        x: own,
        y: (_: number, k: number) => k,
        fill: accent,
        r: 4.5,
        title: (i: number) =>
          `${cut(all.name[i], 60)}\n${brief(own(i))}${sds ? ` ± ${brief(all.sd[i])}` : all.listed ? `, in the predictor ${brief(all.coefficient[i])}` : ""}`,
        tip: { fill: "var(--card)", stroke: faint },
      }),
    ],
  };
}
