// What is said about the features: by which rule they are selected, what their numbers and the stars in the table mean.
import type { Page } from "./data";
import { count, h, num, whole } from "./dom";

// Whether some features are selected and others are not: by switches, or by what was measured about them.
export const chooses = (page: Page): boolean => page.selects || page.selected_by !== "inclusion";

const some: Record<Page["selected_by"], string> = {
  knockoffs: "they beat their forged copies, and the share of false ones among them is bounded",
  stability: "fits to parts of the examples chose them again and again",
  list: "they are the fewest that predict nearly as well as any list does, by examples that were left out",
  evidence: "they are related to the target beyond chance, each by itself, and their coefficients are large among the others. Features that matter only beside others are not found so",
  inclusion: "their inclusion, the probability of taking part, is above one half. This describes the model, and bounds no error",
};
const none: Record<Page["selected_by"], string> = {
  knockoffs: "none is so far ahead of its forged copy that the share of false ones among such would be bounded",
  stability: "fits to parts of the examples chose none of them often enough",
  list: "nothing that was tried predicts better than knowing nothing. Add examples or other features",
  evidence: "none is related to the target beyond chance by itself. To learn which ones predict together, use medlar tune",
  inclusion: "none has an inclusion, the probability of taking part, above one half. This describes the model, and bounds no error",
};

export function selection(page: Page): (Node | string)[] {
  const all = whole(page.total);
  if (!chooses(page)) return [`All ${all} features take part; this model was fitted without selection. `];
  const rule = (page.selected === 0 ? none : some)[page.selected_by];
  return [count(page.selected), ` of ${all} features are selected: ${rule}. `];
}

// What the coefficient and the sd of a feature are.
export function meaning(page: Page): string {
  if (page.task === "anomaly")
    return "A coefficient is the expected natural parameter of the feature in its family, and sd its standard deviation under the fitted distribution.";
  if (page.labels.length > 2)
    return "A coefficient is the length of the feature’s expected weights over the classes.";
  if (page.kind === "generative")
    return "A coefficient is the difference between the classes in the expected weight of the feature in log p(x), and sd its standard deviation under the fitted distribution.";
  return page.features.listed
    ? "A coefficient is the weight of the (scaled) feature: in the list, which has coefficients of its own, and in the predictor, which may use every feature a little."
    : "A coefficient is the expected weight of the (scaled) feature.";
}

// The columns that carry stars, and from which value on; null where no value is large enough.
export const starred = (page: Page) => ({
  stability: page.trust?.stability?.threshold ?? null,
  knockoff: page.trust?.discoveries?.threshold ?? null,
});

export function legend(page: Page): HTMLElement | null {
  const lines: (Node | string)[][] = [];
  const { stability: stable, discoveries: found } = page.trust ?? {};
  if (stable)
    lines.push([
      "* in the column stability: stable, chosen in a share of at least ",
      num(stable.threshold),
      ` of the fits to parts of the examples: ${whole(stable.stable)} of ${whole(page.total)} features.`,
    ]);
  if (found)
    lines.push(
      found.threshold == null
        ? ["No star in the column ahead of copy: no feature is discovered."]
        : [
            "* in the column ahead of copy: discovered, ahead by at least ",
            num(found.threshold),
            `: ${whole(found.discovered)} of ${whole(page.total)} features.`,
          ],
    );
  if (lines.length === 0) return null;
  return h("p", { class: "faint legend" }, ...lines.flatMap((line, k) => (k > 0 ? [h("br"), ...line] : line)));
}
