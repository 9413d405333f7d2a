// The part of the knowledge graph that an answer used, drawn; beside it the same as a list, each fact with its source.
import { get } from "./api.js";
import { el, notice, opened } from "./dom.js";

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
  const drawing = el("div", { class: "drawing", "aria-hidden": "true" });
  const name = new Map(found.nodes.map((node) => [node.id, node.name.replace("\n", ", ")]));
  const facts = found.edges.map((edge) => el("li", { class: edge.cited ? "held" : "" },
    `${name.get(edge.from)} — ${edge.name} → ${name.get(edge.to)} `, el("span", { class: "small" }, el("bdi", {}, edge.document), `, p. ${edge.page}`),
    edge.cited ? el("a", { class: "cite", href: `/t/${thread}/${turn}/${edge.rank}` }, `${edge.rank}`) : null));
  const gone = found.gone ? el("p", { class: "small" }, `${found.gone} that were used are not in the index any more.`) : null;
  opened("graph", "What the knowledge graph gave", drawing, gone, el("ul", { class: "facts" }, ...facts));
  const { default: cytoscape } = await import("/vendor/cytoscape/cytoscape.esm.min.mjs");
  draw(cytoscape, drawing, found);
}

function draw(cytoscape, container, found) {
  if (!document.getElementById(STYLES)) document.head.append(el("meta", { id: STYLES }));
  const ink = getComputedStyle(container).color;
  cytoscape({
    container,
    elements: [
      ...found.nodes.map((node) => ({ data: { id: node.id, label: node.name, type: node.type } })),
      ...found.edges.map((edge, n) => ({ data: { id: `e${n}`, source: edge.from, target: edge.to, label: edge.name, cited: edge.cited ? 1 : 0 } })),
    ],
    style: [
      { selector: "node", style: { label: "data(label)", "background-color": (node) => COLOURS[node.data("type")] ?? "#888", color: ink,
        "font-size": 10, "text-wrap": "wrap", "text-max-width": 120, "text-valign": "bottom", "text-margin-y": 3, width: 18, height: 18 } },
      { selector: "edge", style: { label: "data(label)", "font-size": 8, color: ink, width: 1, "line-color": "#999", "curve-style": "bezier",
        "target-arrow-shape": "triangle", "target-arrow-color": "#999" } },
      { selector: "edge[cited = 1]", style: { width: 3, "line-color": "#c89b00", "target-arrow-color": "#c89b00" } },
    ],
    layout: { name: "cose", animate: false, padding: 20, nodeRepulsion: 12000, idealEdgeLength: 90 },
    wheelSensitivity: 0.3,
  });
}
