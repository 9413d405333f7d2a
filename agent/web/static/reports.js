// Reports of eval runs: a list, and each in a frame in which it can do nothing but draw.
import { BASE, get } from "./api.js";
import { button, el, opened } from "./dom.js";

const when = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Shows the list. */
export async function open() {
  const found = await get("/api/reports");
  const rows = found.map((each) => el("li", {}, button(each.name, () => show(each), { class: "plain" }), el("span", { class: "small" }, when(each.written))));
  opened("reports", "Evaluation reports", rows.length
    ? el("ul", {}, ...rows)
    : el("p", {}, "None stands in the folder that the server was started with. One is written by: hybridrag eval run"));
}

function show(each) {
  const path = each.path.split("/").map(encodeURIComponent).join("/");
  opened("reports", each.name, button("‹ All reports", () => open(), { class: "plain" }),
    el("iframe", { src: `${BASE}/api/reports/${path}`, sandbox: "allow-scripts", title: `Report ${each.name}` }));
}
