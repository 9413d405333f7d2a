// A web page as it was filed, in a tree of its own: no script, no address, no form and no style that could leave its frame.
import DOMPurify from "../vendor/dompurify/purify.es.mjs";
import { get } from "./api.js";
import { el } from "./dom.js";
import { draw, find, rectangles, streamOf } from "./marks.js";
import { pager } from "./pager.js";

const TAGS = ["a", "abbr", "b", "big", "blockquote", "br", "center", "cite", "code", "dd", "del", "div", "dl", "dt", "em", "font",
  "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "li", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup",
  "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "caption", "col", "colgroup"];
const ATTRIBUTES = ["colspan", "rowspan", "align", "valign", "start", "type"];
const STYLES = /^(?:display|text-(?:align|indent|decoration)|font-(?:weight|style|size)|vertical-align|white-space|width|(?:padding|border)(?:-[a-z]+)*|margin(?:-[a-z]+)?|background-color)$/;
const SET_ASIDE = "data-set-aside"; // under this name a style waits until what is left is known
const FIRST_LINES = 20; // of a page, by which its beginning is found
const BLOCKS = "tr,p,div,li,h1,h2,h3,h4,h5,h6,dt,dd,pre,blockquote";

export async function htmlView(found, data, body, tools) {
  const content = sanitised(decoded(data));
  const host = el("div", { class: "sheet html" });
  const root = host.attachShadow({ mode: "open" });
  const layer = el("div", { class: "marks" });
  const paper = el("div", { class: "paper" }, content);
  const sheet = el("link", { rel: "stylesheet", href: new URL("paper.css", import.meta.url) });
  const styled = new Promise((resolve) => { sheet.onload = sheet.onerror = resolve; });
  root.append(sheet, layer, paper);
  body.replaceChildren(host);
  await styled; // what is measured before moves
  const stream = streamOf(blocks(paper));
  let pieces = [];
  const marked = () => draw(layer, pieces.flatMap((each) => rectangles(each, host)));
  const watch = new ResizeObserver(marked);
  watch.observe(paper);
  const pages = pager(tools, found.pages, (page) => show(page, []));

  async function show(page, marks) {
    pages.at(page);
    pieces = marks.map((mark) => find([stream], mark)).filter(Boolean);
    const first = marked();
    if (first) first.scrollIntoView({ block: "center", inline: "start" });
    else await toPage(page);
    return layer.childElementCount;
  }

  /** Scrolls to where a page begins: to the first of its lines that stands in one place. */
  async function toPage(page) {
    const lines = page === 1 ? [] : (await get(`/api/documents/${found.document}/pages/${page}`)).lines.filter((line) => line.trim());
    const line = lines.slice(0, FIRST_LINES).findIndex((words, n) => begins(words, lines.slice(n + 1, n + 4).join(" ")));
    if (line < 0) body.scrollTop = 0;
  }

  function begins(words, after) {
    const [first] = rectangles(find([stream], { words, before: "", after, row: true }) ?? [], host);
    if (first) body.scrollTop = first.top + host.offsetTop - body.offsetTop;
    return Boolean(first);
  }

  return { document: found.document, show, end() { watch.disconnect(); } };
}

function decoded(data) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("windows-1252").decode(data);
  }
}

/** The page's content without whatever could act; of its styles those that set type and tables. */
function sanitised(html) {
  const kept = [];
  const keep = (node, attribute) => {
    if (attribute.attrName === SET_ASIDE) kept.push([node, attribute.attrValue]);
  };
  DOMPurify.addHook("uponSanitizeAttribute", keep);
  try {
    const fragment = DOMPurify.sanitize(quiet(html), {
      ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_DOM_FRAGMENT: true,
      FORBID_CONTENTS: ["script", "style", "title", "template", "noscript", "iframe", "svg", "math", "select", "textarea"],
    });
    for (const [node, style] of kept) styled(node, style);
    return fragment;
  } finally {
    DOMPurify.removeHook("uponSanitizeAttribute", keep);
  }
}

/** The same without what the page's policy would refuse and report one by one as it is parsed; nothing rests on it. */
function quiet(html) {
  const renamed = (tag) => tag.replace(/\sstyle\s*=/i, ` ${SET_ASIDE}=`).replace(/\son\w+\s*=/gi, " data-refused=");
  return html.replace(/<style\b[^]*?<\/style\s*>/gi, "").replace(/<[a-z][^>]*>/gi, renamed);
}

function styled(node, style) {
  for (const declaration of style.split(";")) {
    const [name, value] = [declaration.slice(0, declaration.indexOf(":")).trim().toLowerCase(), declaration.slice(declaration.indexOf(":") + 1).trim()];
    if (STYLES.test(name) && !/url|expression|var|\\/i.test(value)) node.style.setProperty(name, value);
  }
}

/** The text nodes of each row and paragraph, in the order of the page; what is not shown is left out. */
function blocks(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === Node.ELEMENT_NODE && node.style.display === "none" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const found = [];
  let last = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
    const block = node.parentElement.closest("tr") ?? node.parentElement.closest(BLOCKS);
    if (block !== last) found.push([]);
    last = block;
    found.at(-1).push(node);
  }
  return found;
}
