// What an empty conversation shows: what can be asked, and questions to begin with.
import { get } from "./api.js";
import { button, by, el } from "./dom.js";
import { pinned } from "./filters.js";

let state = { missing: "", documents: [], companies: [] };
let examples = new Map(); // questions to begin with, by the filters that they keep to
let ask = () => {};

/** What there is to ask, anew: the documents may be others than before. */
export function know(given) {
  state = given;
  examples = new Map();
  offer();
}

/** `asked(question)`: what a click on an example does. */
export function welcomeView(asked) {
  ask = asked;
  return el("div", { class: "welcome" }, el("p", {}, words()), el("div", { class: "examples" }));
}

function words() {
  const { documents, companies, missing } = state;
  if (missing || !documents.length) return "Every answer is checked against your documents and cites the page it stands on.";
  return `${documents.length} documents of ${companies.length} companies can be asked. Ask for a figure, a comparison or a reason: every answer is checked against them and cites the page it stands on.`;
}

/** Offers examples within what is pinned, once the page can be used; each was tried, and is answered. */
export async function offer() {
  const place = by("talk").querySelector(".welcome .examples");
  if (!place || !document.body.dataset.begun) return;
  place.previousElementSibling.textContent = words();
  const [within, known] = [query(), examples];
  if (!known.has(within)) {
    place.replaceChildren(); // those of another choice
    let found = [];
    try {
      found = await get(`/api/examples?${within}`);
    } catch { /* the first question says why */ }
    if (found.length) known.set(within, found);
  }
  if (within !== query() || known !== examples || !known.has(within)) return; // none, or others are on their way
  const found = known.get(within).map((question) => el("li", {}, button(question, () => ask(question))));
  place.replaceChildren(el("h2", {}, "For example"), el("ul", { class: "chips" }, ...found));
}

/** What is pinned, as an address has it. */
export const query = () => `${new URLSearchParams(Object.entries(pinned()).filter(([, value]) => value !== null))}`;
