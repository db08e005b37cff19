// How far the selection can be trusted: what chance alone would choose, and which features stand for each other.
import type { Page, Trust } from "./data";
import { brief, count, h, name, num, scroller, section, table, whole } from "./dom";

export function trust(page: Page): HTMLElement | null {
  const said = page.trust;
  if (!said) return null;
  return section(
    "trust",
    "How sure is the selection?",
    [...stability(said, page), ...discoveries(said), ...clusterWords(said)],
    said.clusters ? clusters(said.clusters) : null,
  );
}

function stability({ stability: s }: Trust, page: Page): (Node | string)[] {
  if (!s) return [];
  const bound =
    s.false_bound == null || s.stable === 0 ? "" : ` At most ${brief(s.false_bound, 2)}${s.different < page.total ? " different one" : ""} of these is expected to be there by chance.`;
  return [
    `The model was fitted to parts of the examples ${whole(s.refits)} times. `,
    ...(s.stable === 0 ? ["No feature was"] : [count(s.stable), ` feature${s.stable === 1 ? " was" : "s were"}`]),
    ` among the first ${whole(s.top)}, by the size of their coefficients, in at least `,
    num(s.threshold),
    ` of the fits (the column stability).${bound} `,
    s.different < page.total ? `Of all features ${whole(s.different)} vary and differ from each other. ` : "",
  ];
}

function discoveries({ discoveries: d }: Trust): (Node | string)[] {
  if (!d) return [];
  const ahead =
    d.threshold == null ? [". "] : ["; those are ahead of their copies by ", num(d.threshold), " or more. "];
  return [
    "Every feature was fitted beside a forged copy that knows nothing of the target. ",
    ...(d.discovered === 0
      ? [
          "None beat its copy by so much that at most a share of ",
          num(d.fdr),
          " of such is expected to be false. At this rate there are at least ",
          count(d.fewest),
          " such features or none. ",
        ]
      : [
          count(d.discovered),
          " features beat their copies by so much that at most a share of ",
          num(d.fdr),
          " of them is expected to be false",
          ...ahead,
        ]),
    ...(d.expected == null || d.draws == null || d.units == null
      ? []
      : [
          `The column probability tells how many of the features that did as well matter, by ${whole(d.draws)} draws of copies; `,
          num(d.expected, 3),
          ` of ${whole(d.units)} different features are expected to matter. `,
        ]),
  ];
}

function clusterWords({ clusters: c }: Trust): (Node | string)[] {
  if (!c) return [];
  return [
    "Features that correlate by ",
    num(c.correlation),
    " or more, either way, stand for each other and share their evidence: ",
    count(c.total),
    ` cluster${c.total === 1 ? "" : "s"}. The joint inclusion is the probability that at least one member takes part.`,
  ];
}

function clusters(c: NonNullable<Trust["clusters"]>): HTMLElement {
  const rows = c.list.map((each) => {
    const members = h("span", {});
    each.members.forEach((member, k) => members.append(k > 0 ? ", " : "", name(member)));
    if (each.size > each.members.length) members.append(` and ${whole(each.size - each.members.length)} more`);
    const inclusion = h("span", { class: "bar", style: `--part:${each.inclusion}` }, num(each.inclusion));
    return [members, count(each.size), inclusion, num(each.coefficient)];
  });
  const cutOff =
    c.list.length < c.total ? h("p", { class: "faint" }, `The first ${whole(c.list.length)} are listed.`) : null;
  return h(
    "div",
    {},
    scroller(
      table(["members", "how many", "joint inclusion", "joint coefficient"], rows, "Clusters of features"),
      "Clusters",
    ),
    cutOff,
  );
}
