// Page numbers of a document: one back, one on, or any by its number.
import { button, el, notice } from "./dom.js";

export function pager(tools, count, go) {
  tools.replaceChildren();
  if (count === 1) return { at() {} };
  let now = 1;
  const to = (page) => { if (Number.isInteger(page) && page >= 1 && page <= count) go(page).catch((error) => notice(error.message)); };
  const number = el("input", { type: "number", min: "1", max: `${count}`, "aria-label": "Page", onchange: () => to(Number(number.value)) });
  tools.append(
    button("‹", () => to(now - 1), { class: "plain", "aria-label": "Page before" }), number, ` of ${count} `,
    button("›", () => to(now + 1), { class: "plain", "aria-label": "Page after" }));
  return { at(page) { now = page; number.value = page; } };
}
