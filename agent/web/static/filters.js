// Pinned filters: a company, a fiscal year, a quarter. Kept with the thread.
import { send } from "./api.js";
import { by, el, notice } from "./dom.js";

const NAMES = ["company", "year", "quarter"];
let state = { companies: [] };
let thread = null;

const field = (name) => by("filters").querySelector(`[name=${name}]`);

/** Draws the choices that the index has. */
export function offer(given) {
  state = given;
  const options = (values, all) => [el("option", { value: "" }, all), ...values.map(([value, words]) => el("option", { value }, words))];
  const company = el("select", { name: "company", "aria-label": "Company", onchange: changed },
    ...options(state.companies.map((each) => [each.key, each.name]), "All companies"));
  const year = el("select", { name: "year", "aria-label": "Fiscal year", onchange: changed }, ...options([], "All years"));
  const quarter = el("select", { name: "quarter", "aria-label": "Quarter", onchange: changed },
    ...options([1, 2, 3, 4].map((each) => [each, `Q${each}`]), "All quarters"));
  by("filters").replaceChildren(by("filters").firstElementChild, company, year, quarter);
  years();
}

function years() {
  const chosen = field("company").value;
  const own = state.companies.filter((each) => !chosen || each.key === chosen).flatMap((each) => each.years);
  const kept = field("year").value;
  const found = [...new Set(own)].sort((a, b) => b - a);
  field("year").replaceChildren(el("option", { value: "" }, "All years"), ...found.map((each) => el("option", { value: each }, `${each}`)));
  field("year").value = found.includes(Number(kept)) ? kept : "";
}

/** What is pinned, as a question takes it. */
export function pinned() {
  const value = (name) => field(name)?.value || null;
  const number = (name) => (value(name) ? Number(value(name)) : null);
  return { company: value("company"), year: number("year"), quarter: number("quarter") };
}

/** Shows what is pinned in a thread; `keep`: a new thread takes over what is chosen. */
export function restore(opened, keep = false) {
  thread = opened;
  if (keep) {
    changed();
    return;
  }
  for (const name of NAMES) {
    if (!field(name)) return;
    field(name).value = opened?.filters?.[name] ?? "";
    if (name === "company") years();
  }
  mark();
}

function mark() {
  for (const name of NAMES) field(name).classList.toggle("set", Boolean(field(name).value));
}

async function changed(event) {
  if (event?.target.name === "company") years();
  mark();
  if (!thread) return;
  thread.filters = pinned();
  await send("PUT", `/api/threads/${thread.id}/filters`, pinned()).catch((why) => notice(why.message));
}
