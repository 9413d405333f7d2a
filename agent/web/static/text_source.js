// A document as it was read: the lines of one page, those of a citation marked by their number.
import { get } from "./api.js";
import { el } from "./dom.js";
import { pager } from "./pager.js";

export async function textView(found, body, tools) {
  const pages = pager(tools, found.pages, (page) => show(page, []));

  async function show(page, marks) {
    const read = await get(`/api/documents/${found.document}/pages/${page}`);
    pages.at(page);
    const marked = (n) => marks.some((mark) => mark.page === page && mark.first <= n && n < mark.last);
    const lines = read.lines.map((line, n) => el("span", { class: marked(n) ? "line marked" : "line" }, `${line}\n`));
    body.replaceChildren(read.label ? el("h3", {}, read.label) : "", el("pre", { class: read.laid_out ? "text-page columns" : "text-page" }, ...lines));
    const first = body.querySelector(".marked");
    if (first) first.scrollIntoView({ block: "center" });
    else body.scrollTop = 0;
    return body.querySelectorAll(".marked").length;
  }

  return { document: found.document, show, end() {} };
}
