// Pinned filters: a company, a fiscal year, a quarter, a type of document, one document. Kept with the thread.
import { send } from "./api.js";
import { button, by, el, notice } from "./dom.js";

const FIELDS = {
  company: { label: "Company", all: "All companies" },
  year: { label: "Fiscal year", all: "All years" },
  quarter: { label: "Quarter", all: "All quarters" },
  doc_type: { label: "Type of document", all: "All types" },
  document: { label: "Document", all: "All documents" },
};
const NUMBERS = ["year", "quarter"];
let state = { companies: [], documents: [] };
let thread = null;
let told = () => {}; // after a choice

const field = (name) => by("filters").querySelector(`[name=${name}]`);
const distinct = (values) => [...new Set(values)];

/** What `name` can be, as [value, words], within what else is chosen. */
function choices(name) {
  const company = field("company").value;
  const type = field("doc_type").value;
  const own = state.documents.filter((each) => !company || each.company === company);
  if (name === "company") return state.companies.map((each) => [each.key, each.name]);
  if (name === "quarter") return [1, 2, 3, 4].map((each) => [each, `Q${each}`]);
  if (name === "doc_type") return distinct(own.map((each) => each.type)).sort().map((each) => [each, each]);
  if (name === "document") {
    const year = Number(field("year").value);
    const left = own.filter((each) => (!type || each.type === type) && !(year && each.last_year && each.last_year < year)); // written before it
    const whose = new Map(state.companies.map((each) => [each.key, each.name]));
    return left.map((each) => [each.id, [each.name, whose.get(each.company), each.type, each.period].filter(Boolean).join(" · ")]).sort((a, b) => a[1].localeCompare(b[1], undefined, { numeric: true }));
  }
  const years = state.companies.filter((each) => !company || each.key === company).flatMap((each) => each.years);
  return distinct(years).sort((a, b) => b - a).map((each) => [each, `${each}`]);
}

/** `chosen()`: after a choice. On a narrow page the fields stand behind a button. */
export function listen(chosen) {
  told = chosen;
  by("open-filters").addEventListener("click", () => {
    const open = by("composer").classList.toggle("limiting");
    by("open-filters").setAttribute("aria-expanded", `${open}`);
  });
}

/** Draws the choices that the index has. */
export function offer(given) {
  state = given;
  const fields = Object.entries(FIELDS).map(([name, { label, all }]) =>
    el("label", { class: name }, el("span", {}, label), el("select", { name, onchange: changed }, el("option", { value: "" }, all))));
  by("filters").replaceChildren(by("filters").firstElementChild, ...fields, button("Clear limits", clear, { id: "clear-filters", class: "plain" }));
  narrow();
  mark();
}

function clear() {
  for (const name of Object.keys(FIELDS)) field(name).value = "";
  field("company").focus(); // the button goes
  changed();
}

/** Offers in each field what the others leave; what is chosen stays where it still can be. */
function narrow() {
  for (const [name, { all }] of Object.entries(FIELDS)) {
    const kept = field(name).value;
    const options = choices(name).map(([value, words]) => el("option", { value }, words));
    field(name).replaceChildren(el("option", { value: "" }, all), ...options);
    choose(name, kept);
  }
}

/** Says whether there is such a choice; where there is none, all are asked. */
function choose(name, value) {
  field(name).value = value;
  const there = field(name).selectedIndex >= 0;
  if (!there) field(name).value = "";
  return there;
}

/** What is pinned, as a question takes it. */
export function pinned() {
  const value = (name) => field(name)?.value || null;
  return Object.fromEntries(Object.keys(FIELDS).map((name) =>
    [name, NUMBERS.includes(name) && value(name) ? Number(value(name)) : value(name)]));
}

/** Shows what is pinned in a thread; `keep`: a new thread takes over what is chosen. */
export function restore(opened, keep = false) {
  thread = opened;
  if (keep) {
    changed();
    return;
  }
  if (!field("company")) return;
  const gone = [];
  for (const name of Object.keys(FIELDS)) field(name).value = "";
  narrow();
  for (const name of Object.keys(FIELDS)) {
    if (!choose(name, opened?.filters?.[name] ?? "")) gone.push(FIELDS[name].label.toLowerCase());
    narrow();
  }
  if (gone.length) notice(`What was pinned here is not in the index any more and does not hold: ${gone.join(", ")}.`, "hint");
  mark();
}

function mark() {
  const set = Object.keys(FIELDS).filter((name) => field(name).classList.toggle("set", Boolean(field(name).value))).length;
  by("clear-filters").hidden = !set;
  by("open-filters").textContent = set ? `Limits: ${set} set` : "Limits: none";
}

async function changed() {
  if (!field("company")) return; // the index could not be read
  narrow();
  mark();
  told();
  if (!thread) return;
  thread.filters = pinned();
  await send("PUT", `/api/threads/${thread.id}/filters`, pinned()).catch((why) => notice(why.message));
}
