// Elements and numbers. Text always becomes a text node, so that no name can turn into markup.

type Child = Node | string | number | null | undefined;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | EventListener> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  for (const child of children) if (child != null) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

// Four significant digits, as people read them; a true minus sign.
export function brief(value: number | null | undefined, digits = 4): string {
  if (value == null) return "undefined";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-4 && size < 1e6 ? plain(value.toPrecision(digits)) : value.toExponential(2);
  return text.replace("-", "−").replace("e−", "e−").replace("e-", "e−").replace("e+", "e");
}

function plain(text: string): string {
  const number = Number(text);
  return Number.isInteger(number) && Math.abs(number) >= 1000 ? String(number) : text;
}

// A setting as its user would write it: no digits that say nothing, and 1e−5 rather than 0.00001.
export function setting(value: number, digits = 4): string {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const text = size >= 1e-3 && size < 1e6 ? String(rounded) : rounded.toExponential();
  return (size === 0 ? "0" : text).replaceAll("-", "−").replace("e+", "e");
}

export const whole = (value: number): string => value.toLocaleString("en-GB").replaceAll(",", "\u202f");

// A number in a table or a sentence; its exact value stands in the title and for programs in data-value.
export function num(value: number | null | undefined, digits = 4): HTMLElement {
  const exact = value == null ? "undefined" : String(value);
  return h("span", { class: "num", title: exact, "data-value": exact }, brief(value, digits));
}

export const count = (value: number): HTMLElement => h("span", { class: "num", "data-value": value }, whole(value));

// A name from a file, of any length and direction.
export const name = (text: string): HTMLElement =>
  h("bdi", { class: "name", title: upright(text.slice(0, 300)) }, upright(text));

// Signs that turn what follows around are shown as a mark: they could make a name look like another.
const upright = (text: string): string => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

// A name cut to fit a picture, in its middle: names of one kind often differ at their ends.
export function cut(text: string, most = 22): string {
  const letters = Array.from(upright(text).replace(/\s+/g, " "));
  if (letters.length <= most) return letters.join("");
  const end = Math.floor((most - 1) / 2);
  return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(letters.length - end).join("");
}

export function table(head: Child[], rows: Child[][], caption: string, className = ""): HTMLTableElement {
  return h(
    "table",
    { class: className },
    h("caption", { class: "hidden" }, caption),
    h("thead", {}, h("tr", {}, ...head.map((cell) => h("th", { scope: "col" }, cell)))),
    h(
      "tbody",
      {},
      ...rows.map((row) =>
        h("tr", {}, ...row.map((cell, j) => (j === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))),
      ),
    ),
  );
}

// What may be wider than a phone scrolls by itself, also by keyboard.
export const scroller = (content: HTMLElement, label: string): HTMLElement =>
  h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": `${label}, a table` }, content);

export function section(id: string, title: string, words: Child[], ...content: Child[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    h("p", { class: "words" }, ...words),
    ...content,
  );
}
