// The report page: reads the numbers that Medlar put beside this script, and builds the sections that they allow.
import { anomaly } from "./anomaly";
import { calibration } from "./calibration";
import { certificate } from "./certificate";
import { classes } from "./classes";
import type { Page } from "./data";
import { hardExamples, whyThisRow } from "./examples";
import { manyClasses } from "./many_classes";
import { chooses } from "./feature_words";
import { features } from "./features";
import { brief, cut, h, name, scroller, section, table, whole } from "./dom";
import { alignment, transformations } from "./latent";
import { path } from "./path";
import { regression } from "./regression";
import { trees } from "./trees";
import { trust } from "./trust";
import { tuning } from "./tuning";
import { weights } from "./weights";

const page = JSON.parse(document.getElementById("medlar-data")?.textContent ?? "null") as Page;

// A kernel model has support vectors instead of features, and trees have tables instead of coefficients.
const listed = page.total > 0 && !page.trees;

function tile(value: string, words: string, exact: number | null | undefined): HTMLElement {
  return h("li", {}, h("strong", { "data-value": exact == null ? "undefined" : exact }, value), h("span", {}, words));
}

function tiles(): HTMLElement {
  const { data } = page;
  const list = [
    listed
      ? chooses(page)
        ? tile(whole(page.selected), `selected of ${whole(page.total)} features`, page.selected)
        : tile(whole(page.total), "features, without selection", page.total)
      : tile(whole(page.hard.total), `support of ${whole(page.examples)} examples`, page.hard.total),
    tile(brief(page.certificate.relative_gap, 2), "relative gap", page.certificate.relative_gap),
  ];
  const quality = data?.two_classes?.metrics ?? data?.many_classes?.metrics ?? data?.regression?.metrics;
  if (data?.anomaly)
    list.push(tile(whole(data.anomaly.odd), `odd of ${whole(data.examples)} examples`, data.anomaly.odd));
  if (data?.two_classes) list.push(tile(brief(quality?.auc), "AUC on the data given", quality?.auc));
  if (data?.two_classes || data?.many_classes)
    list.push(tile(brief(quality?.accuracy), "accuracy on the data given", quality?.accuracy));
  if (data?.regression) list.push(tile(brief(quality?.rmse), "RMSE on the data given", quality?.rmse));
  if (data?.regression) list.push(tile(brief(quality?.r2), "R² on the data given", quality?.r2));
  if (!data) list.push(tile(whole(page.examples), "training examples", page.examples));
  return h("ul", { class: "tiles" }, ...list);
}

function aboutData(): HTMLElement | null {
  const { data } = page;
  if (!data) return null;
  const left = data.left_out > 0 ? ` ${whole(data.left_out)} without a known target are left out.` : "";
  return h(
    "p",
    { class: "faint" },
    "Predictions below are of ",
    h("bdi", {}, cut(data.source, 120)),
    `: ${whole(data.examples)} examples.${left}`,
  );
}

function settings(): HTMLElement {
  const rows = table(
    ["option", "value", "meaning"],
    page.settings.map(([option, value, meaning]) => [h("code", {}, option), name(value), meaning]),
    "Settings of the fit",
  );
  return section(
    "settings",
    "Settings",
    ["Every choice behind this fit, with defaults resolved."],
    h("details", {}, h("summary", {}, "All settings"), scroller(rows, "Settings")),
  );
}

// What the sections are called in the list of links.
const short: Record<string, string> = {
  features: "Features",
  trust: "How sure",
  weights: "Coefficients",
  tuning: "Tuning",
  path: "Path",
  trees: "Trees",
  alignment: "States",
  template: "Template",
  anomaly: "Odd examples",
  curves: "Curves",
  confusion: page.data?.many_classes ? "Classes" : "Threshold",
  calibration: "Calibration",
  residuals: "Residuals",
  why: "Why this row?",
  hard: page.kind === "kernel" ? "Support" : "Hard examples",
  certificate: "Certificate",
  settings: "Settings",
};

// The message of the solve, without the status that already stands before it.
function message(): string {
  const { status, message: text } = page.certificate;
  return text.startsWith(`${status}: `) ? text.slice(status.length + 2) : text;
}

function build(): void {
  const { data } = page;
  const sections = [
    listed ? features(page) : null,
    trust(page),
    path(page),
    trees(page),
    page.template ? transformations(page, page.template, data?.latent?.shifts) : null,
    listed && page.kind !== "generative" ? weights(page) : null,
    data?.anomaly ? anomaly(page, data.anomaly) : null,
    data?.latent?.alignment ? alignment(page, data.latent.alignment) : null,
    ...(data?.two_classes ? classes(page, data.two_classes) : []),
    calibration(page),
    data?.many_classes ? manyClasses(page, data.many_classes) : null,
    data?.regression ? regression(page, data.regression) : null,
    data ? whyThisRow(page, data) : null,
    hardExamples(page),
    tuning(page),
    certificate(page),
    settings(),
  ].filter((each): each is HTMLElement => each !== null);
  const links = sections.map((each) => h("li", {}, h("a", { href: `#${each.id}` }, short[each.id] ?? each.id)));
  document.body.prepend(
    h(
      "header",
      {},
      h("p", { class: "brand" }, "Medlar report"),
      h("h1", {}, title()),
      ...(page.verdict.length > 0
        ? [h("p", { class: "lead verdict" }, page.verdict.join(" ")), h("p", { class: "faint" }, page.sentence)]
        : [h("p", { class: "lead" }, page.sentence)]),
      h("p", {}, h("span", { class: `badge ${page.certificate.status}` }, page.certificate.status), " ", message()),
      tiles(),
      aboutData(),
    ),
    h("nav", { "aria-label": "Sections" }, h("ul", {}, ...links)),
    h("main", {}, ...sections),
    h(
      "footer",
      {},
      h("p", {}, `Written by medlar ${page.version}. This file holds everything it shows and fetches nothing.`),
    ),
  );
}

function title(): HTMLElement {
  if (page.task === "classify" && page.labels.length === 2)
    return h("span", {}, name(page.labels[1]), " against ", name(page.labels[0]));
  if (page.task === "anomaly") return h("span", {}, "The unusual among the usual");
  if (page.target) return h("span", {}, "Predicting ", name(page.target));
  return h("span", {}, page.task === "classify" ? `${page.labels.length} classes` : "A fitted model");
}

build();
