// Figures of an answer on which documents disagree: the values side by side, each with the pages that print it.
import { BASE, get } from "./api.js";
import { el } from "./dom.js";

const KINDS = {
  restatement: "A later document prints another value.",
  contradiction: "Documents on one period, or tags of one document, say different values.",
};

/** A place that fills itself; it stays empty where documents agree. */
export function conflictsView(thread, turn) {
  const place = el("div", { class: "conflicts" });
  get(`/api/threads/${thread}/turns/${turn}/conflicts`).then(
    (found) => found.length && place.append(el("h3", {}, "Documents disagree"), ...found.map(conflict)),
    (error) => place.append(el("p", { class: "reason" }, `Whether documents disagree could not be looked up: ${error.message}`)));
  return place;
}

function conflict(found) {
  return el("div", { class: "conflict" }, el("p", {}, el("bdi", {}, found.about), `, ${found.period}. `, el("span", { class: "small" }, KINDS[found.kind])),
    el("ul", { class: "values" }, ...found.values.map(value)));
}

function value(one) {
  const places = one.sources.map((each) =>
    el("li", {}, el("a", { class: "place", href: `${BASE}/d/${each.document}/${each.page}` }, el("bdi", {}, each.name), `, p. ${each.page}`)));
  const told = [one.newest ? "newest" : "", one.cited ? "in this answer" : ""].filter(Boolean).join(", ");
  return el("li", { class: one.newest ? "newest" : "" }, el("strong", {}, one.printed),
    told ? el("span", { class: "small" }, ` ${told}`) : null, el("ul", {}, ...places));
}
