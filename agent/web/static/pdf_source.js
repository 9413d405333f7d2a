// A PDF: one page at a time, drawn by pdf.js, with its text above it to be marked and copied.
import * as pdfjs from "../vendor/pdfjs-dist/pdf.min.mjs";
import { button, el, notice } from "./dom.js";
import { draw, find, rectangles, streamOf } from "./marks.js";
import { pager } from "./pager.js";

pdfjs.GlobalWorkerOptions.workerSrc = `${new URL("../vendor/pdfjs-dist/pdf.worker.min.mjs", import.meta.url)}`;
const MARGINS = 24; // on both sides of a page, in pixels
const LINE_SHARE = 0.5; // of a text's height by which it may lie below its line's first: a raised note is small, its row is not

export async function pdfView(found, data, body, tools) {
  const loading = pdfjs.getDocument({ data, isEvalSupported: false, enableXfa: false, stopAtErrors: false });
  const pdf = await loading.promise;
  let zoom = 1;
  let state = null; // {number, marks} that is to be shown
  let width = 0; // of the pane, as it was drawn for
  let latest = 0;
  let ended = false;
  let drawing = Promise.resolve(0);

  /** Draws one after another; what was asked for meanwhile takes the place of what waits. */
  function show(number, marks) {
    const mine = ++latest;
    state = { number, marks };
    drawing = drawing.catch(() => 0).then(() => (mine === latest ? drawn().catch(unlessEnded) : 0));
    return drawing;
  }

  /** A drawing that is cut off by the pane's closing has not failed. */
  function unlessEnded(error) {
    if (!ended) throw error;
    return 0;
  }

  async function drawn() {
    const { number, marks } = state;
    width = body.clientWidth;
    const page = await pdf.getPage(number);
    const scale = ((width - MARGINS) / page.getViewport({ scale: 1 }).width) * zoom;
    const viewport = page.getViewport({ scale });
    const sharp = window.devicePixelRatio || 1;
    const canvas = el("canvas", { "aria-hidden": "true", width: Math.floor(viewport.width * sharp), height: Math.floor(viewport.height * sharp) });
    const text = el("div", { class: "textLayer" });
    const layer = el("div", { class: "marks" });
    const sheet = el("div", { class: "sheet" }, canvas, layer, text);
    sheet.style.setProperty("--total-scale-factor", `${scale}`);
    sheet.style.width = canvas.style.width = `${viewport.width}px`;
    sheet.style.height = canvas.style.height = `${viewport.height}px`;
    const content = await page.getTextContent();
    const words = new pdfjs.TextLayer({ textContentSource: content, container: text, viewport });
    await words.render();
    body.replaceChildren(sheet);
    pages.at(number);
    const places = placesOf(content.items.filter((item) => item.str !== undefined), words.textDivs, viewport, marks, number, sheet);
    const first = draw(layer, places);
    if (first) first.scrollIntoView({ block: "center", inline: "start" });
    else body.scrollTop = 0;
    await page.render({ canvas, viewport, transform: sharp === 1 ? null : [sharp, 0, 0, sharp, 0, 0] }).promise;
    return places.length;
  }

  const again = () => { if (state && !ended) show(state.number, state.marks).catch((error) => notice(error.message)); };
  const pages = pager(tools, pdf.numPages, (page) => show(page, state?.marks ?? []));
  const zoomed = (by) => { zoom = Math.min(4, Math.max(0.5, zoom * by)); again(); };
  tools.append(button("−", () => zoomed(1 / 1.25), { class: "plain", "aria-label": "Smaller" }),
    button("+", () => zoomed(1.25), { class: "plain", "aria-label": "Larger" }));
  const watch = new ResizeObserver(debounced(() => body.clientWidth !== width && again()));
  watch.observe(body);
  return { document: found.document, show, end() { ended = true; watch.disconnect(); loading.destroy(); } };
}

function debounced(act) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, 200);
  };
}

/** Where the marks of page `number` are printed, in pixels of the sheet. */
function placesOf(items, divs, viewport, marks, number, sheet) {
  const own = marks.filter((mark) => mark.page === number);
  if (!own.length) return [];
  const drawn = items.map((item, n) => ({ item, node: divs[n]?.firstChild })).filter((each) => each.node);
  const streams = [streamOf(visualLines(drawn, viewport)), streamOf([drawn.map((each) => each.node)])];
  return own.flatMap((mark) => rectangles(find(streams, mark) ?? [], sheet));
}

/** The text nodes of each printed line, from the left, lines from above. */
export function visualLines(drawn, viewport) {
  const placed = drawn.map(({ item, node }) => {
    const [, , , , x, y] = pdfjs.Util.transform(viewport.transform, item.transform);
    return { node, x, y, height: (item.height || 10) * viewport.scale };
  }).sort((a, b) => a.y - b.y);
  const lines = [];
  for (const each of placed) {
    const line = lines.at(-1);
    if (line && each.y - line.y < LINE_SHARE * each.height) line.parts.push(each);
    else lines.push({ y: each.y, parts: [each] });
  }
  return lines.map((line) => line.parts.sort((a, b) => a.x - b.x).map((each) => each.node));
}
