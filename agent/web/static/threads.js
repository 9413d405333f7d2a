// The list of conversations: found by their words, renamed, deleted, exported.
import { BASE, get, send } from "./api.js";
import { button, by, el, notice, question } from "./dom.js";

let searching = 0;

/** Fetches the list anew and marks the open thread. */
export async function list(open) {
  const mine = ++searching;
  const words = by("search").value.trim();
  const found = await get(`/api/threads?${new URLSearchParams(words ? { q: words } : {})}`);
  if (mine !== searching) return;
  const rows = found.filter((each) => each.turns || each.id === open?.id || words).map((each) => row(each, each.id === open?.id));
  const held = by("threads").contains(document.activeElement) && document.activeElement.getAttribute("href");
  by("threads").replaceChildren(...(rows.length ? rows : [el("li", { class: "small" }, words ? "None holds these words." : "None yet.")]));
  if (held) by("threads").querySelector(`[href="${held}"]`)?.focus();
}

function row(thread, open) {
  return el("li", {}, el("a", { href: `${BASE}/t/${thread.id}`, "data-open": "thread", "aria-current": open ? "page" : null },
    el("span", { class: "name", title: thread.name }, thread.name),
    el("span", { class: "small" }, `${when(new Date(thread.used))} · ${count(thread.turns)}`)));
}

const count = (turns) => (turns ? `${turns} question${turns === 1 ? "" : "s"}` : "no answer yet");

/** The time of today, else the day, of other years with the year. */
function when(time) {
  const now = new Date();
  if (time.toDateString() === now.toDateString()) return time.toLocaleTimeString(undefined, { timeStyle: "short" });
  return time.toLocaleDateString(undefined, { day: "numeric", month: "short", year: time.getFullYear() === now.getFullYear() ? undefined : "numeric" });
}

/** What can be done with the open thread; `gone()` after it was deleted, `renamed(thread)`. */
export function actions(thread, { gone, renamed }) {
  by("more").hidden = !thread;
  by("thread-actions").replaceChildren(...(thread ? [
    button("Rename", () => guarded(() => rename(thread, renamed)), { class: "plain" }),
    el("a", { class: "button plain", href: `${BASE}/api/threads/${thread.id}/export?as=md`, download: "" }, "Export"),
    button("Delete", () => guarded(() => remove(thread, gone)), { class: "plain" }),
  ] : []));
}

async function guarded(act) {
  if (by("thread-actions").matches(":popover-open")) by("thread-actions").hidePopover();
  try {
    await act();
  } catch (error) {
    notice(error.message);
  }
}

async function rename(thread, renamed) {
  const name = await question("Rename the conversation", "", thread.name, "Rename");
  if (name !== null) renamed(await send("PATCH", `/api/threads/${thread.id}`, { text: name }));
}

async function remove(thread, gone) {
  const sure = await question("Delete the conversation", `'${thread.name}' with all its answers is deleted for good.`, null, "Delete");
  if (!sure) return;
  await send("DELETE", `/api/threads/${thread.id}`);
  gone();
}
