// What cross-validation tried before this fit, and which setting was chosen.
import type { Candidate, Page, Tuning } from "./data";
import { count, h, num, scroller, section, setting, table, whole } from "./dom";
import { columnOf, droppedAfter, facetOf, picture, rankings, rowsOf } from "./tuning_picture";

const metrics: Record<string, string> = {
  auc: "the area under the ROC curve",
  "log-loss": "the log loss",
  "margin-loss": "the margin loss",
  accuracy: "the accuracy",
  brier: "the Brier score",
  rmse: "the root mean square error",
  mae: "the mean absolute error",
  "eps-loss": "the mean error beyond ε",
};

const number = (value: number | null, digits = 4): Node | string => (value == null ? "as set" : num(value, digits));

export function tuning(page: Page): HTMLElement | null {
  const tuned = page.tuning;
  if (!tuned) return null;
  const chosen = tuned.candidates[tuned.chosen];
  const best = tuned.candidates[tuned.best];
  const rowOf = rowsOf(tuned.candidates);
  const dropped = tuned.candidates.filter((each) => each.dropped).length;
  const those = dropped === 0 ? "them" : "those that were not dropped";
  const times = tuned.repeats > 1 ? `, ${whole(tuned.repeats)} times` : "";
  return section(
    "tuning",
    "How the settings were chosen",
    [
      `${whole(tuned.folds)}-fold cross-validation${times} compared `,
      count(tuned.candidates.length),
      ` settings by ${metrics[tuned.metric] ?? tuned.metric} on the examples left out; ${tuned.higher_is_better ? "more" : "less"} is better. `,
      ...(dropped === 0
        ? []
        : [
            "In the race ",
            count(dropped),
            ` of them ${dropped === 1 ? "was" : "were"} dropped after some folds, being too far behind to win; a mean over those folds alone does not compare with the others. `,
          ]),
      `Chosen: ${rowOf(chosen)}, ${columnOf(chosen)}, ${facetOf(chosen)} with `,
      num(chosen.mean),
      " ± ",
      num(chosen.standard_error, 2),
      tuned.chosen === tuned.best
        ? `, the best of ${those}.`
        : `, the fewest features within one standard error of the best of ${those}, which has `,
      ...(tuned.chosen === tuned.best ? [] : [num(best.mean), "."]),
    ],
    picture(tuned),
    h("details", {}, h("summary", {}, "All that was tried"), scroller(results(tuned), "Tuning")),
  );
}

function results(tuned: Tuning): HTMLElement {
  const remark = (k: number, each: Candidate): string =>
    [
      k === tuned.chosen ? "chosen" : "",
      k === tuned.best ? "best" : "",
      each.competes ? "" : "for the list",
      each.margin ?? "",
      each.dropped ? droppedAfter(each) : "",
      each.converged ? "" : "not converged",
    ]
      .filter((word) => word !== "")
      .join(", ");
  const ranking = rankings(tuned.candidates);
  const ranked = tuned.candidates.some((each) => each.ranking);
  const rankedBy = (each: Candidate): string =>
    each.ranking
      ? `${ranking(each)}: p0 = ${setting(each.ranking.p0)}${each.ranking.prior_variance == null ? "" : `, variance ${setting(each.ranking.prior_variance)}`}`
      : "";
  const rows = table(
    [
      ...["p0", "c", "prior variance", "kept", tuned.metric, "standard error", "selected"],
      ...(ranked ? ["ranking"] : []),
      "remark",
    ],
    tuned.candidates.map((each, k) => [
      num(each.p0),
      number(each.c),
      number(each.prior_variance),
      each.kept == null ? "" : count(each.kept),
      num(each.mean),
      num(each.standard_error, 2),
      num(each.selected, 3),
      ...(ranked ? [rankedBy(each)] : []),
      remark(k, each),
    ]),
    "Every candidate of the cross-validation",
    "tuning",
  );
  rows.querySelectorAll("tbody tr").forEach((row, k) => row.classList.toggle("dropped", tuned.candidates[k].dropped));
  return rows;
}
