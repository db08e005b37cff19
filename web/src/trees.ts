// The most probable tree of each class: every column below the one it hangs on.
import * as Plot from "@observablehq/plot";
import { chart, accent, faint } from "./chart";
import type { Page, Trees } from "./data";
import { brief, cut, h, name, num, scroller, section, table, whole } from "./dom";

const mostRows = 120;

interface Placed {
  variable: number;
  depth: number;
  row: number;
  parent: number; // row of the parent; -1 for the root
  probability: number;
}

export function trees(page: Page): HTMLElement | null {
  const all = page.trees;
  if (!all) return null;
  const root = busiest(all);
  const figures = all.edges.map((edges, k) => {
    const nodes = laidOut(edges, root);
    const { figure, redraw } = chart(
      page.labels[k],
      nodes.length > mostRows ? `The first ${mostRows} of ${whole(nodes.length)} columns are drawn.` : "",
      `Most probable tree of ${page.labels[k]} over ${all.variables.length} columns`,
      (width) => drawing(all.variables, nodes.slice(0, mostRows), width),
    );
    figure.querySelector("h3")?.replaceChildren(name(page.labels[k]));
    redraw();
    return figure;
  });
  return section(
    "trees",
    "The most probable trees",
    [
      `In each class the ${whole(all.variables.length)} columns depend on each other along a tree, and every tree has a probability. Drawn is the most probable one, from `,
      name(all.variables[root]),
      " downwards; the number beside a column, and the width of its line, is the probability of that edge over all trees.",
    ],
    h("div", { class: "columns" }, ...figures),
    h("details", {}, h("summary", {}, "All edges"), scroller(edgeTable(page, all), "Edges")),
  );
}

function edgeTable(page: Page, all: Trees): HTMLElement {
  const rows = all.edges.flatMap((edges, k) =>
    edges.map(([from, to, probability]) => [
      name(page.labels[k]),
      name(all.variables[from]),
      name(all.variables[to]),
      num(probability),
    ]),
  );
  return table(["label", "column", "column", "probability"], rows, "Edges of the most probable trees", "edges");
}

// The column with most edges in all classes together, so that the classes can be compared.
function busiest(all: Trees): number {
  const degree = all.variables.map(() => 0);
  for (const edges of all.edges) for (const [from, to] of edges) (degree[from]++, degree[to]++);
  return degree.indexOf(Math.max(...degree));
}

// Each column in a row of its own below its parent, the most probable branch first.
function laidOut(edges: [number, number, number][], root: number): Placed[] {
  const near = new Map<number, [number, number][]>();
  for (const [from, to, probability] of edges) {
    near.set(from, [...(near.get(from) ?? []), [to, probability]]);
    near.set(to, [...(near.get(to) ?? []), [from, probability]]);
  }
  const nodes: Placed[] = [];
  const waiting: Omit<Placed, "row">[] = [{ variable: root, depth: 0, parent: -1, probability: 1 }];
  const seen = new Set<number>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { variable, depth } = next;
    if (seen.has(variable)) continue;
    seen.add(variable);
    const row = nodes.length;
    nodes.push({ ...next, row });
    const children = (near.get(variable) ?? []).filter(([child]) => !seen.has(child));
    for (const [child, probability] of children.sort((a, b) => a[1] - b[1]))
      waiting.push({ variable: child, depth: depth + 1, parent: row, probability });
  }
  return nodes;
}

function drawing(variables: string[], nodes: Placed[], width: number): Plot.PlotOptions {
  const deepest = Math.max(1, ...nodes.map((node) => node.depth));
  const indent = Math.min(22, (width - 170) / deepest);
  const x = (depth: number): number => depth * indent;
  const children = nodes.filter((node) => node.parent >= 0);
  return {
    height: 20 * nodes.length + 24,
    margin: 10,
    marginLeft: 12,
    x: { axis: null, domain: [0, width - 22] },
    y: { axis: null, domain: [-0.5, nodes.length - 0.5], reverse: true },
    marks: [
      Plot.link(children, {
        x1: (node: Placed) => x(node.depth - 1),
        x2: (node: Placed) => x(node.depth - 1),
        y1: "parent",
        y2: "row",
        stroke: faint,
        strokeOpacity: 0.6,
      }),
      Plot.link(children, {
        x1: (node: Placed) => x(node.depth - 1),
        x2: (node: Placed) => x(node.depth),
        y1: "row",
        y2: "row",
        stroke: accent,
        strokeWidth: (node: Placed) => 0.5 + 4 * node.probability,
        strokeOpacity: 0.75,
      }),
      Plot.dot(nodes, { x: (node: Placed) => x(node.depth), y: "row", fill: accent, r: 4 }),
      Plot.text(nodes, {
        x: (node: Placed) => x(node.depth),
        y: "row",
        text: (node: Placed) =>
          node.parent < 0
            ? cut(variables[node.variable], 24)
            : `${cut(variables[node.variable], 24)}  ${brief(node.probability, 2)}`,
        textAnchor: "start",
        dx: 9,
        fill: "var(--ink)",
      }),
    ],
  };
}
