// An answer's Markdown as nodes. The words come from documents: whatever could act is left out twice, by the parser's
// rules and by DOMPurify.
import MarkdownIt from "../vendor/markdown-it/markdown-it.esm.min.mjs";
import DOMPurify from "../vendor/dompurify/purify.es.mjs";
import { el } from "./dom.js";
import { withTools } from "./tables.js";

const markdown = new MarkdownIt("default", { html: false, linkify: false, breaks: true });
markdown.disable(["link", "image", "autolink", "reference", "html_block", "html_inline"]);
const TAGS = ["p", "br", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "h1", "h2", "h3", "h4",
  "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"];
/** A marker of an answer: "[1]", "[2, 3]". */
export const MARKER = /\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;

/** A fragment; `cite(marker)` makes the link of a citation, or null where there is none; a table is kept as a file named
 after `about`. */
export function rendered(text, cite, about) {
  const fragment = DOMPurify.sanitize(markdown.render(text), {
    ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ["start"], RETURN_DOM_FRAGMENT: true,
  });
  for (const node of texts(fragment)) linkMarkers(node, cite);
  for (const table of fragment.querySelectorAll("table")) withTools(table, about);
  return fragment;
}

function texts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

function linkMarkers(node, cite) {
  const pieces = [];
  let at = 0;
  for (const match of node.data.matchAll(MARKER)) {
    const links = match[1].split(/[,;]/).map((each) => cite(Number(each)));
    if (links.some((link) => link === null)) continue;
    pieces.push(node.data.slice(at, match.index), el("span", { class: "cites" }, ...links));
    at = match.index + match[0].length;
  }
  if (pieces.length) node.replaceWith(...pieces, node.data.slice(at));
}
