// The part of the knowledge graph that an answer used, drawn; beside it the same as a list, each fact with its source.
import { BASE, get } from "./api.js";
import { el, notice, opened } from "./dom.js";

const ROW = 26; // pixels between the middles of two rows, at least
const COLUMN = 250; // and of two columns: their words stand between
const STYLES = "__________cytoscape_stylesheet"; // where it is there cytoscape adds none, which the page's policy would refuse
const COLOURS = { company: "#1d5b79", metric: "#7a5195", value: "#c25b12", person: "#2f7d4f", period: "#666" };

export async function openGraph(thread, turn) {
  let found;
  try {
    found = await get(`/api/threads/${thread}/turns/${turn}/graph`);
  } catch (error) {
    notice(error.message);
    return;
  }
  if (!found.edges.length) {
    notice("Nothing is left to draw: what the knowledge graph gave is not in the index any more.");
    return;
  }
  const drawing = el("div", { class: "drawing", "aria-hidden": "true" });
  const name = new Map(found.nodes.map((node) => [node.id, node.name.replace("\n", ", ")]));
  const facts = found.edges.filter((edge) => !edge.owner).map((edge) => el("li", { class: edge.cited ? "held" : "" },
    `${edge.company ? `${edge.company}: ` : ""}${name.get(edge.from)} — ${edge.name} → ${name.get(edge.to)} `, el("a", { class: "small", href: `${BASE}/t/${thread}/${turn}/${edge.rank}` }, el("bdi", {}, edge.document), `, p. ${edge.page}`)));
  const gone = found.gone ? el("p", { class: "small" }, `${found.gone} that were used are not in the index any more.`) : null;
  opened("graph", "What the knowledge graph gave", drawing, gone, el("ul", { class: "facts" }, ...facts));
  const { default: cytoscape } = await import("../vendor/cytoscape/cytoscape.esm.min.mjs");
  draw(cytoscape, drawing, found);
}

function draw(cytoscape, container, found) {
  if (!document.getElementById(STYLES)) document.head.append(el("meta", { id: STYLES }));
  const ink = getComputedStyle(container).color;
  const ground = getComputedStyle(container.closest("dialog")).backgroundColor;
  const drawn = cytoscape({
    container,
    elements: [
      ...found.nodes.map((node) => ({ data: { id: node.id, label: node.name.replace("\n", ", "), type: node.type } })),
      ...found.edges.map((edge, n) => ({ data: { id: `e${n}`, source: edge.from, target: edge.to, label: edge.owner || edge.name === "was" ? "" : edge.name, cited: edge.cited ? 1 : 0 } })),
    ],
    style: [
      { selector: "node", style: { label: "data(label)", "background-color": (node) => COLOURS[node.data("type")] ?? "#888", color: ink,
        "font-size": 11, "text-wrap": "wrap", "text-max-width": 215, "text-valign": "center", "text-halign": "right", "text-margin-x": 4, "text-background-color": ground, "text-background-opacity": 0.85, width: 14, height: 14 } },
      { selector: "edge", style: { label: "data(label)", "font-size": 8, color: ink, width: 1, "line-color": "#999", "curve-style": "bezier",
        "target-arrow-shape": "triangle", "target-arrow-color": "#999" } },
      { selector: "edge[cited = 1]", style: { width: 3, "line-color": "#c89b00", "target-arrow-color": "#c89b00" } },
    ],
  });
  spread(drawn);
}

/** From left to right company, line item, figure; rows as near as their words allow, and a place as high as they need. */
function spread(drawn) {
  drawn.layout({ name: "breadthfirst", directed: true, animate: false, transform: (node, at) => ({ x: at.y, y: at.x }) }).run();
  const columns = [...new Set(drawn.nodes().map((node) => node.position("x")))].sort((a, b) => a - b);
  const rows = drawn.nodes().map((node) => [node.position("x"), node.position("y")]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const gaps = rows.slice(1).flatMap(([x, y], n) => (x === rows[n][0] && y > rows[n][1] ? [y - rows[n][1]] : []));
  const row = Math.max(ROW, ...drawn.nodes().map((node) => node.boundingBox().h + 2)); // labels of several lines
  const near = row / Math.min(...gaps, Infinity) || 1;
  drawn.nodes().forEach((node) => { node.position({ x: columns.indexOf(node.position("x")) * COLUMN, y: node.position("y") * near }); });
  const box = drawn.nodes().boundingBox();
  drawn.container().style.height = `${Math.min(box.h + 2 * row, innerHeight * 0.6)}px`;
  drawn.resize();
  drawn.fit(undefined, 12);
}
