// A picture with its title and its words, drawn anew when its width changes.
import * as Plot from "@observablehq/plot";
import { h } from "./dom";

// The colours of style.css, which follow light, dark and print.
export const accent = "var(--accent)";
export const second = "var(--second)";
export const faint = "var(--faint)";
export const grid = "var(--line)";

export interface Chart {
  figure: HTMLElement;
  redraw: () => void;
}

type Draw = (width: number) => Plot.PlotOptions;

// `label` says for those who cannot see it what the picture shows.
export function chart(title: string, words: string, label: string | (() => string), draw: Draw): Chart {
  const frame = h("div", { class: "plot" });
  const figure = h("figure", {}, h("h3", {}, title), frame, h("figcaption", {}, words));
  let drawn = 0;
  const redraw = (): void => {
    const width = Math.max(240, Math.floor(frame.clientWidth || 480));
    drawn = width;
    const plot = Plot.plot({
      width,
      style: { fontFamily: "inherit", fontSize: "12px", background: "none", color: "var(--ink)" },
      ...draw(width),
    });
    for (const part of plot.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // the whole speaks
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", typeof label === "string" ? label : label());
    frame.replaceChildren(plot);
  };
  new ResizeObserver(() => {
    if (Math.abs(frame.clientWidth - drawn) > 1) redraw();
  }).observe(frame);
  return { figure, redraw };
}

// A square of rates with its diagonal.
export function rates(width: number, x: string, y: string, marks: Plot.Markish[]): Plot.PlotOptions {
  const side = Math.min(width, 420);
  return {
    width: side,
    height: side,
    marginLeft: 48,
    marginBottom: 42,
    x: { domain: [0, 1], label: x, labelAnchor: "center", labelArrow: "none", ticks: 5 },
    y: { domain: [0, 1], label: y, labelAnchor: "center", labelArrow: "none", ticks: 5 },
    marks: [
      Plot.gridX({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      Plot.gridY({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      ...marks,
    ],
  };
}
