// How well more than two classes are told apart.
import type { ManyClasses, Page } from "./data";
import { count, h, name, num, scroller, section, table } from "./dom";

const titles: Record<string, string> = {
  accuracy: "accuracy",
  auc: "AUC, each class against the rest, averaged",
  balanced_accuracy: "balanced accuracy",
  f1: "F1, averaged over classes",
  log_loss: "log loss",
  brier: "Brier score",
};

export function manyClasses(page: Page, said: ManyClasses): HTMLElement {
  const measures = table(
    ["measure", "value"],
    Object.entries(said.metrics).map(([measure, value]) => [titles[measure] ?? measure, num(value)]),
    "How well the classes are told apart",
    "pairs",
  );
  return section(
    "confusion",
    "Telling the classes apart",
    ["Rows are the truth, columns the prediction; what stands off the diagonal is mistaken for another class."],
    scroller(measures, "Measures"),
    scroller(confusion(page.labels, said.confusion), "Confusion"),
  );
}

// The fuller a cell, the larger its share of the examples of that class.
function confusion(labels: string[], counts: number[][]): HTMLElement {
  const rows = counts.map((row, k) => {
    const total = row.reduce((sum, each) => sum + each, 0) || 1;
    const cells = row.map((each) => h("span", { class: "share", style: `--part:${each / total}` }, count(each)));
    return [name(labels[k]), ...cells];
  });
  return table(["truth \\ predicted", ...labels.map(name)], rows, "Confusion table", "many");
}
