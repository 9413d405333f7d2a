// The pane beside the conversation: a document on its page, with what a citation rests on marked.
import { bytes, get } from "./api.js";
import { by, el, notice } from "./dom.js";
import { htmlView } from "./html_source.js";
import { pdfView } from "./pdf_source.js";
import { textView } from "./text_source.js";

let view = null; // {document, show(page, marks), end()} of the document that is open
let asked = 0;

/** Id of the document that is open; null: none is. */
export const shown = () => view?.document ?? null;

export function close() {
  asked += 1;
  by("source").hidden = true;
  document.body.classList.remove("reading");
  drop();
}

function drop() {
  view?.end();
  view = null;
  by("source-body").replaceChildren();
  by("source-tools").replaceChildren();
}

/** Opens what citation `marker` of a turn rests on. */
export async function openCitation(thread, turn, marker) {
  const mine = ++asked;
  const found = await get(`/api/threads/${thread}/turns/${turn}/sources/${marker}`);
  if (mine === asked) await show(found, mine, found);
}

/** Opens a document on a page. */
export async function openDocument(id, page) {
  const mine = ++asked;
  const found = await get(`/api/documents/${id}`);
  if (mine === asked) await show({ ...found, page, marks: [] }, mine, null);
}

async function show(found, mine, cited) {
  by("source").hidden = false;
  document.body.classList.add("reading");
  by("source-name").replaceChildren(el("bdi", {}, found.name));
  quote(cited ? `[${cited.number}] ${cited.where}: ${cited.quote}` : "");
  by("source").dataset.marked = "";
  if (view?.document !== found.document) {
    drop();
    const body = by("source-body");
    body.replaceChildren(el("p", { class: "small" }, "Opening …"));
    const opened = await viewOf(found, body, by("source-tools"));
    if (mine !== asked) {
      opened.end();
      return;
    }
    view = opened;
  }
  const marked = await view.show(found.page, found.marks);
  if (mine !== asked) return;
  by("source").dataset.marked = `${marked}`;
  by("source-unsure").hidden = !cited?.cited || Boolean(marked);
}

/** The words that are cited, above the document: a few lines, all of them by a button. */
function quote(words) {
  const [place, more] = [by("source-quote"), by("source-more")];
  place.textContent = words;
  place.classList.remove("whole");
  by("source-unsure").hidden = true;
  more.hidden = place.scrollHeight <= place.clientHeight;
  more.textContent = "Show all of it";
}

by("source-more").addEventListener("click", () => {
  const whole = by("source-quote").classList.toggle("whole");
  by("source-more").textContent = whole ? "Show less" : "Show all of it";
});

/** The view of a document: the file itself, or its text where no copy of the file is left or it can't be drawn. */
async function viewOf(found, body, tools) {
  const asText = () => textView(found, body, tools);
  if (found.kind === "text") return asText();
  try {
    const data = await bytes(`/api/documents/${found.document}/file`);
    return await (found.kind === "pdf" ? pdfView : htmlView)(found, data, body, tools);
  } catch (error) {
    notice(`${error.message} Its text is shown as it was read.`, "hint");
    return asText();
  }
}
