// The page: what its address shows, the panes, and the keys.
import { BASE, get } from "./api.js";
import * as chat from "./chat.js";
import { by, notice, passed, ready, stands } from "./dom.js";
import * as documents from "./documents.js";
import * as filters from "./filters.js";
import * as reports from "./reports.js";
import * as source from "./source.js";
import * as threads from "./threads.js";
import * as welcome from "./welcome.js";

/** {thread, turn, marker} or {document, page} of an address. */
function place(path) {
  const own = path.slice(BASE.length);
  const cited = own.match(/^\/t\/([0-9a-f-]+)(?:\/(\d+)\/(\d+))?$/);
  if (cited) return { thread: cited[1], turn: cited[2], marker: cited[3] };
  const read = own.match(/^\/d\/([0-9a-f]+)(?:\/(\d+))?$/);
  return read ? { document: read[1], page: Number(read[2] ?? 1) } : {};
}

async function show() {
  const at = place(location.pathname);
  document.body.classList.remove("side");
  passed();
  try {
    if (at.document) {
      if (!document.body.dataset.begun) await chat.open(null);
      await source.openDocument(at.document, at.page);
    } else {
      if (!document.body.dataset.begun || (chat.current()?.id ?? null) !== (at.thread ?? null)) await chat.open(at.thread ?? null);
      if (at.marker) {
        document.querySelector(`[data-turn="${at.turn}"]`)?.scrollIntoView({ block: "nearest" });
        await source.openCitation(at.thread, at.turn, at.marker);
      }
      else source.close();
    }
  } catch (error) {
    if (at.document || at.marker) { // of the one before nothing stays beside the words that this one is gone
      source.close();
      history.replaceState(null, "", threadPath());
    }
    notice(error.message);
  }
  document.body.dataset.begun = "1";
  markOpen();
  refresh();
}

/** The citations that lead to what is open. */
function markOpen() {
  for (const link of document.querySelectorAll("a.cite")) {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function go(path) {
  if (path !== location.pathname) history.pushState(null, "", path);
  return show();
}

function refresh() {
  const thread = chat.current();
  threads.actions(thread, {
    gone: () => go(`${BASE}/`),
    renamed: (renamed) => { chat.title(renamed.name); thread.name = renamed.name; refresh(); },
  });
  threads.list(thread).catch((error) => notice(error.message));
}

/** Companies and counts; says what to do where there is no index, and what is wrong with one. */
async function state() {
  let told;
  try {
    told = await get("/api/state");
  } catch (error) {
    stands(error.message, "bad");
    return;
  }
  filters.offer(told);
  welcome.know(told);
  filters.restore(chat.current());
  by("open-reports").hidden = !told.reports;
  document.body.classList.toggle("empty", Boolean(told.missing));
  if (told.missing) stands("Nothing is indexed yet. Open Documents and drop your files there, or run: hybridrag index FOLDER");
  else stands(told.under_way ? `Indexing goes on: ${told.under_way.ready} of ${told.under_way.of} documents can be asked so far.` : null);
}

function keys(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    if (document.body.classList.contains("side")) side(false);
    else if (!by("source").hidden) closeSource();
  } else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    by("question").focus();
  }
}

let cameFrom = null; // the link by which a source was opened

/** What a link leads to; the keys are then where it is shown. */
async function follow(link) {
  await go(link.getAttribute("href"));
  if (by("source").hidden) return ready();
  if (!by("source").contains(link)) cameFrom = link;
  by("source-body").focus({ preventScroll: true });
}

const threadPath = () => `${BASE}/${chat.current() ? `t/${chat.current().id}` : ""}`;

function closeSource() {
  history.pushState(null, "", threadPath());
  source.close();
  markOpen();
  if (cameFrom?.isConnected && cameFrom.checkVisibility()) cameFrom.focus({ preventScroll: true });
  else ready();
  cameFrom = null;
}

/** The list over a narrow page. */
function side(open) {
  document.body.classList.toggle("side", open);
  by(open ? "close-side" : "open-side").focus();
}

/** A dialog that is opened from the list takes its place. */
function leaveSide(open) {
  if (document.body.classList.contains("side")) side(false);
  return open();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain || link.hasAttribute("download") || link.classList.contains("skip")) return;
  event.preventDefault();
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  follow(link);
});
addEventListener("popstate", show);
addEventListener("keydown", keys);
by("open-side").addEventListener("click", () => side(true));
by("close-side").addEventListener("click", () => side(false));
by("close-source").addEventListener("click", closeSource);
by("open-documents").addEventListener("click", () => leaveSide(documents.open).catch((error) => notice(error.message)));
by("open-reports").addEventListener("click", () => leaveSide(reports.open).catch((error) => notice(error.message)));
by("search").addEventListener("input", () => threads.list(chat.current()).catch((error) => notice(error.message)));
documents.listen({
  changed: state,
  removed: (document) => { if (source.shown() === document) closeSource(); },
});
filters.listen(welcome.offer);
chat.listen({ changed: refresh, filters: filters.pinned, restore: filters.restore });

await state();
await show();
setTimeout(welcome.offer); // the page can be used meanwhile
