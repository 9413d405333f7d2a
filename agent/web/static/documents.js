// The documents: what is indexed and what was read of it, upload by drop, removal.
import { BASE, get, send, stream, upload } from "./api.js";
import { button, by, el, notice, opened, question } from "./dom.js";

const hooks = { changed: () => {}, removed: () => {} };
const list = el("div", { class: "list" });
const told = el("div", { class: "told", role: "status" }); // of a run that goes on it is there again when the dialog is opened again
let busy = false;
let unread = false; // what was told when the dialog had been left

/** `changed()`: after documents came or went, `removed(document)` after one was taken out. Files may be
 dropped anywhere: the browser would leave the page for them. */
export function listen(given) {
  Object.assign(hooks, given);
  addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
  addEventListener("drop", dropped);
}

async function dropped(event) {
  const files = [...event.dataTransfer.files];
  if (!files.length) return; // words, for the question
  event.preventDefault();
  if (!by("documents").open) await open();
  await add(files);
}

/** Shows the dialog. */
export async function open() {
  list.replaceChildren(el("p", { class: "small" }, "Reading the list …"));
  if (!busy && !unread) told.replaceChildren();
  unread = false;
  opened("documents", "Documents", dropPlace(), told, list);
  await fill();
}

async function fill() {
  let found = [];
  try {
    found = await get("/api/documents");
  } catch (error) {
    list.replaceChildren(el("p", {}, error.status === 400 ? "Nothing is indexed yet: drop files above." : error.message));
    return;
  }
  const filter = el("input", { type: "search", placeholder: `Filter ${found.length} documents`, "aria-label": "Filter documents" });
  found.sort((a, b) => a.company.localeCompare(b.company) || b.end.localeCompare(a.end));
  const rows = found.map((each) => row(each, () => remove(each)));
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    rows.forEach((each) => { each.hidden = !words.every((word) => each.textContent.toLowerCase().includes(word)); });
  });
  list.replaceChildren(filter, el("ul", {}, ...rows));
}

function row(each, gone) {
  const warnings = each.warnings.map((words) => el("span", { class: "reason" }, words));
  return el("li", {}, el("a", { href: `${BASE}/d/${each.document}` }, el("bdi", {}, each.name)),
    el("span", { class: "small" }, each.head), ...warnings,
    el("details", { class: "small" }, el("summary", {}, "What was read"), el("ul", {}, ...each.found.map((words) => el("li", {}, words)))),
    button("Remove", gone, { class: "plain", "aria-label": `Remove ${each.name}` }));
}

async function remove(each) {
  const sure = await question("Remove the document", `'${each.name}' leaves the index; no copy of it is kept. Your own file stays where it is.`, null, "Remove");
  if (!sure) return;
  if (busy) return void told.append(el("p", { class: "bad" }, "Documents are being read or removed. Remove this one when that is done."));
  busy = true;
  told.replaceChildren(el("progress", { "aria-label": "Progress" }), el("p", {}, `Removing ${each.name}: the index is built again without it, which takes minutes where it is large. You may leave this dialog …`));
  try {
    const done = await send("DELETE", `/api/documents/${each.document}`);
    const server = done.server_threads.length ? ` Threads of the server hold it, and stay until you delete them there (make studio): ${done.server_threads.join(", ")}.` : "";
    const held = done.held ? " A program still has the index open as it was before: that copy is deleted when it lets go." : "";
    told.replaceChildren(el("p", {}, `Removed ${done.removed.join(", ")}.${server}${held}`), ...quoting(done.quoting));
    hooks.removed(each.document);
  } catch (error) {
    told.replaceChildren(el("p", { class: "bad" }, error.message));
  }
  await ended();
}

/** Whoever has left the dialog is told beside the conversation, and finds the whole where they left it. */
async function ended() {
  busy = false;
  await fill();
  await hooks.changed();
  unread = !by("documents").open;
  if (unread) notice(told.querySelector("p").textContent, told.querySelector(".bad") ? "bad" : "hint");
}

/** The conversations that quote what was removed, each a link. */
function quoting(threads) {
  if (!threads.length) return [];
  const rows = threads.map(({ id, name }) => el("li", {}, id ? el("a", { href: `${BASE}/t/${id}` }, name) : name));
  return [el("p", {}, "Conversations still quote it and stay until you delete them:"), el("ul", {}, ...rows)];
}

function dropPlace() {
  const input = el("input", { type: "file", multiple: true, class: "hidden", id: "files", onchange: () => add([...input.files]) });
  const place = el("label", { class: "drop", for: "files" }, input, el("strong", {}, "Drop files here, or choose them"),
    el("span", { class: "small" }, "PDF, HTML, Word (.docx), Excel (.xlsx), .csv, .md, .txt; at most 200 MB each. They are read on this machine."));
  for (const name of ["dragover", "dragleave", "drop"]) place.addEventListener(name, () => place.classList.toggle("over", name === "dragover"));
  return place;
}

async function add(files) {
  if (busy) return void told.append(el("p", { class: "bad" }, "Documents are being read or removed. Add these when that is done."));
  if (!files.length) return;
  busy = true;
  const bar = el("progress", { max: "1", value: "0", "aria-label": "Progress" });
  const words = el("p", {}, "Sending …");
  const outcomes = el("ul", { class: "outcomes" });
  told.replaceChildren(bar, words, outcomes);
  const ids = [];
  for (const file of files) {
    words.textContent = `Sending ${file.name}`;
    try {
      ids.push((await upload(`/api/uploads?${new URLSearchParams({ name: file.name })}`, file, (share) => { bar.value = share; })).id);
    } catch (error) {
      outcomes.append(el("li", { class: "bad" }, error.message));
    }
  }
  try {
    words.textContent = "Reading …";
    if (ids.length) await stream("POST", "/api/index", { files: ids }, (event) => shown(event, bar, words, outcomes));
    else words.textContent = "Nothing was added.";
  } catch (error) {
    outcomes.append(el("li", { class: "bad" }, error.message));
  }
  bar.remove();
  await ended();
}

const STAGES = { reading: "Reading", vectors: "Building the index", knowledge: "Building the knowledge graph",
  publishing: "Waiting for a worker to publish it", done: "Done" };

function shown(event, bar, words, outcomes) {
  if (event.kind === "progress") {
    if (event.stage === "reading") bar.value = event.share ?? 0;
    else bar.removeAttribute("value");
    words.textContent = [STAGES[event.stage] ?? event.stage, event.words].filter(Boolean).join(": ");
  } else if (event.kind === "error") {
    outcomes.append(el("li", { class: "bad" }, event.text));
    words.textContent = "Nothing was added.";
  } else {
    words.textContent = event.lines.at(-1);
    for (const file of event.files) {
      const bad = ["failed", "incomplete", "skipped"].includes(file.state);
      outcomes.append(el("li", { class: bad ? "bad" : "good" }, `${file.state}: `, el("bdi", {}, file.file), file.reason ? ` (${file.reason})` : "", file.words ? `: ${file.words}` : ""));
    }
  }
}
