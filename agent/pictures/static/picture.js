// Draws the picture of the knowledge graph that the page holds: search, filters, and what a click shows.
const STYLES = "__________cytoscape_stylesheet"; // where it is there cytoscape adds none, which the page's policy would refuse
const NAMES = { company: "companies", person: "people", product: "products", location: "places", event: "events", regulation: "regulations",
  metric: "line items", period: "periods", value: "figures", concept: "concepts" };
const MANY = 1500; // edges from which on they are drawn the quick way: straight, without arrows, and not while the picture moves
const MOST_FOUND = 30;
const MOST_LISTED = 60; // facts at once beside the picture
const MOST_NAMES = 160; // written on the picture at once
const LINE = 22; // characters of a name on a line of the picture, which has two

const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, edges, facts } = data;
const id = (name) => document.getElementById(name);
const edgesOf = nodes.map(() => []);
edges.forEach((edge, at) => { edgesOf[edge.from].push(at); if (edge.to !== edge.from) edgesOf[edge.to].push(at); });
const drawn = { nodes: new Set(), edges: new Set() };
const many = edges.length > MANY;
let shown = null; // what the details are about

/** An element with words in it; text is never markup. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function swatch(type) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", type === "concept" ? "rect" : "circle");
  const at = type === "concept" ? { x: 1, y: 1, width: 8, height: 8 } : { cx: 5, cy: 5, r: 5 };
  for (const [name, value] of Object.entries({ ...at, fill: colour(type) })) shape.setAttribute(name, value);
  made.setAttribute("viewBox", "0 0 10 10");
  made.setAttribute("aria-hidden", "true");
  made.append(shape);
  return made;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// --- What is drawn ---------------------------------------------------------------------------------------------------

const types = Object.keys(NAMES).filter((type) => nodes.some((node) => node.type === type));
const switches = new Map(types.map((type) => [type, el("input", { type: "checkbox", checked: type !== "concept" && "", onchange: filter })]));

function count(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

function choices(name, all, found) {
  id(name).append(el("option", { value: "" }, all), ...found.map(([value, words]) => el("option", { value }, words)));
  id(name).addEventListener("change", filter);
}

function begin() {
  document.querySelector("h1").textContent = data.title;
  id("told").textContent = data.told.join("; ");
  for (const [type, amount] of count(nodes.map((node) => node.type))) switches.get(type).amount = amount;
  id("types").append(...types.map((type) => el("label", {}, switches.get(type), swatch(type), NAMES[type], el("span", { class: "soft" }, switches.get(type).amount.toLocaleString("en")))));
  const alphabetic = (found) => [...found].sort(([one], [other]) => one.localeCompare(other));
  choices("company", "all companies", alphabetic(count(facts.flatMap((fact) => fact.companies))).map(([name]) => [name, name]));
  const relations = count(edges.filter((edge) => edge.facts.length).map((edge) => edge.name));
  choices("relation", "all relations", [...relations].sort((one, other) => other[1] - one[1]).map(([name, amount]) => [name, `${name} (${amount.toLocaleString("en")})`]));
  const periods = count(facts.flatMap(periodsOf));
  choices("period", "all periods", [...periods.keys()].sort().reverse().map((period) => [period, period]));
  id("search").addEventListener("input", search);
  id("filters").addEventListener("submit", (event) => { event.preventDefault(); id("found").querySelector("button")?.click(); });
  id("fit").addEventListener("click", () => fit());
}

const periodsOf = (fact) => (fact.year ? [`${fact.year}`, ...(fact.quarter ? [`${fact.year} Q${fact.quarter}`] : [])] : []);

/** Whether the filters admit a fact. */
function admits(fact) {
  const [company, period] = [id("company").value, id("period").value];
  return (!company || fact.companies.includes(company)) && (!period || periodsOf(fact).includes(period));
}

function filter() {
  const relation = id("relation").value;
  const on = nodes.map((node) => switches.get(node.type).checked);
  const free = !relation && facts.every(admits);
  const before = { nodes: drawn.nodes, edges: drawn.edges };
  drawn.nodes = new Set(data.centres.filter((at) => on[at]));
  drawn.edges = new Set();
  edges.forEach((edge, at) => {
    const concept = !edge.facts.length;
    if (!on[edge.from] || !on[edge.to] || !(concept || ((!relation || edge.name === relation) && edge.facts.some((fact) => admits(facts[fact]))))) return;
    drawn.edges.add(at);
    drawn.nodes.add(edge.from).add(edge.to);
  });
  nodes.forEach((node, at) => { if (on[at] && (node.type === "concept" || (free && !edgesOf[at].length))) drawn.nodes.add(at); });
  redraw(before);
  id("count").textContent = `${drawn.nodes.size.toLocaleString("en")} of ${nodes.length.toLocaleString("en")} things, ${drawn.edges.size.toLocaleString("en")} of ${edges.length.toLocaleString("en")} lines are drawn.`;
  if (shown) shown();
}

// --- The drawing -----------------------------------------------------------------------------------------------------

document.head.append(el("meta", { id: STYLES }));
const graph = cytoscape({
  container: id("drawing"),
  layout: { name: "preset" },
  minZoom: 0.005,
  maxZoom: 4,
  hideEdgesOnViewport: many,
  textureOnViewport: many,
  pixelRatio: many ? 1 : "auto",
  boxSelectionEnabled: false,
  autoungrabify: many,
});
const size = nodes.map((_, at) => 12 + Math.min(48, 2 * Math.sqrt(edgesOf[at].length)));
const ranked = nodes.map((_, at) => at).sort((one, other) => edgesOf[other].length - edgesOf[one].length);
const names = el("canvas", { class: "names" });
id("drawing").append(names);

function restyle() {
  const ink = colour("ink");
  graph.style([
    { selector: "node", style: { "background-color": (node) => colours[node.data("type")], width: "data(size)", height: "data(size)" } },
    { selector: "node[type = 'concept']", style: { shape: "round-rectangle", "background-opacity": (node) => (node.data("named") ? 1 : 0.4) } },
    { selector: "edge", style: { width: 1, "line-color": colour("edge"), "curve-style": many ? "haystack" : "bezier", ...(many ? { "line-opacity": 0.6, "haystack-radius": 0 } : {
      label: "data(label)", "font-size": 9, color: ink, "text-rotation": "autorotate", "min-zoomed-font-size": 7, "text-background-color": colour("ground"),
      "text-background-opacity": 0.8, "target-arrow-shape": "triangle", "target-arrow-color": colour("edge"), "arrow-scale": 0.8 }) } },
    { selector: "edge[kind = 1]", style: { "line-color": colour("concept"), "line-style": many ? "solid" : "dashed" } },
    { selector: ".near", style: { "line-color": colour("mark"), "target-arrow-color": colour("mark"), width: 3, "line-opacity": 1, "z-index": 9 } },
    { selector: "node.near", style: { width: "data(size)", "border-width": 3, "border-color": colour("mark"), "border-opacity": 1 } },
  ]);
}
let colours = {};

/** Take out what is not drawn any more, and put in what is drawn anew: what is not there costs no frame. */
function redraw(before) {
  graph.batch(() => {
    const gone = [...[...before.edges].filter((at) => !drawn.edges.has(at)).map((at) => `e${at}`), ...[...before.nodes].filter((at) => !drawn.nodes.has(at)).map((at) => `n${at}`)];
    graph.remove(gone.reduce((found, key) => found.merge(graph.getElementById(key)), graph.collection()));
    graph.add([
      ...[...drawn.nodes].filter((at) => !before.nodes.has(at)).map((at) => ({ group: "nodes", data: { id: `n${at}`, type: nodes[at].type, named: nodes[at].named, size: size[at] }, position: { x: nodes[at].x, y: nodes[at].y } })),
      ...[...drawn.edges].filter((at) => !before.edges.has(at)).map((at) => ({ group: "edges", data: { id: `e${at}`, source: `n${edges[at].from}`, target: `n${edges[at].to}`, label: ["was", "reports"].includes(edges[at].name) ? "" : edges[at].name, kind: edges[at].facts.length ? 0 : 1 } })),
    ]);
  });
}

function fit(elements) {
  graph.fit(elements, 40);
  if (graph.zoom() > 1.2) graph.zoom({ level: 1.2, renderedPosition: { x: graph.width() / 2, y: graph.height() / 2 } });
}

/** A name on at most two lines. */
function lines(name) {
  const words = name.split(/\s+/);
  let first = "";
  while (words.length && (!first || `${first} ${words[0]}`.length <= LINE)) first = `${first} ${words.shift()}`.trim();
  const cut = (text) => (text.length > LINE ? `${text.slice(0, LINE - 1)}…` : text);
  return [cut(first), cut(words.join(" "))].filter(Boolean);
}

/** Write names below the nodes in view, the best connected first, none over another. */
function write() {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [graph.width(), graph.height()];
  if (names.width !== width * ratio || names.height !== height * ratio) { names.width = width * ratio; names.height = height * ratio; }
  const pen = names.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = ground;
  pen.fillStyle = ink;
  const [zoom, pan] = [graph.zoom(), graph.pan()];
  const placed = [];
  for (const at of [...marked, ...ranked]) {
    if (placed.length >= MOST_NAMES) break;
    if (!drawn.nodes.has(at)) continue;
    const place = many ? nodes[at] : graph.getElementById(`n${at}`).position();
    const [x, y] = [place.x * zoom + pan.x, place.y * zoom + pan.y + (size[at] * zoom) / 2 + 2];
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const words = lines(nodes[at].name);
    const half = Math.max(...words.map((line) => line.length)) * 3.4;
    const box = [x - half, y, x + half, y + 14 * words.length];
    if (placed.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
    placed.push(box);
    words.forEach((line, row) => { pen.strokeText(line, x, y + 14 * row); pen.fillText(line, x, y + 14 * row); });
  }
}

let ink = "", ground = "", marked = [];
function recolour() {
  [ink, ground] = [colour("ink"), colour("ground")];
  colours = Object.fromEntries(types.map((type) => [type, colour(type)]));
  id("types").querySelectorAll("svg").forEach((made, at) => made.firstChild.setAttribute("fill", colours[types[at]]));
  restyle();
}

function mark(nodesNear, edgesNear) {
  graph.batch(() => {
    graph.$(".near").removeClass("near");
    nodesNear.forEach((at) => graph.getElementById(`n${at}`).addClass("near"));
    edgesNear.forEach((at) => graph.getElementById(`e${at}`).addClass("near"));
  });
  marked = nodesNear;
}

// --- What is shown beside it -----------------------------------------------------------------------------------------

function search() {
  const asked = id("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = asked.length ? ranked.filter((at) => { const name = [nodes[at].name, ...nodes[at].also].join(" ").toLowerCase(); return asked.every((word) => name.includes(word)); }) : [];
  found.sort((one, other) => (nodes[other].name.toLowerCase() === asked.join(" ")) - (nodes[one].name.toLowerCase() === asked.join(" ")));
  const rest = found.length > MOST_FOUND ? el("li", { class: "soft" }, `and ${(found.length - MOST_FOUND).toLocaleString("en")} more`) : null;
  id("found").replaceChildren(...found.slice(0, MOST_FOUND).map((at) => el("li", {}, el("button", { type: "button", title: NAMES[nodes[at].type], onclick: () => visit(at) }, swatch(nodes[at].type), ` ${nodes[at].name}`))), ...(rest ? [rest] : asked.length && !found.length ? [el("li", { class: "soft" }, "No such name here.")] : []));
}

/** Show a node and what is said of it, drawing its type if it is off. */
function visit(at) {
  if (!switches.get(nodes[at].type).checked) { switches.get(nodes[at].type).checked = true; filter(); }
  open(() => showNode(at));
  const near = graph.getElementById(`n${at}`);
  if (near.nonempty()) graph.animate({ center: { eles: near }, zoom: Math.max(graph.zoom(), 0.8) }, { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300 });
}

function open(show) {
  shown = show;
  show();
  id("details").scrollTop = 0;
}

function showNode(at) {
  const node = nodes[at];
  const beside = node.type === "concept" ? facts.map((_, fact) => fact).filter((fact) => facts[fact].concepts.includes(at)) : edgesOf[at].flatMap((edge) => edges[edge].facts);
  const kinds = node.type === "concept" ? edgesOf[at].map((edge) => edges[edge]) : [];
  const about = new Set(beside);
  const touched = edges.map((_, edge) => edge).filter((edge) => drawn.edges.has(edge) && edges[edge].facts.some((fact) => about.has(fact)));
  mark([...new Set([at, ...touched.flatMap((edge) => [edges[edge].from, edges[edge].to])])], touched);
  const also = node.also.length ? el("p", { class: "soft" }, `also ${node.also.join(", ")}`) : null;
  const broader = kinds.filter((edge) => edge.from === at).map((edge) => el("p", {}, "is a kind of ", link(edge.to)));
  const narrower = kinds.filter((edge) => edge.to === at).map((edge) => el("p", {}, "has among its kinds ", link(edge.from)));
  const lead = node.type !== "concept" ? null : el("p", { class: "soft" }, node.named ? "Facts that stand where it is named:" : "A kind of concepts that are named; no passage here names it.");
  details([el("h2", {}, swatch(node.type), ` ${node.name}`), el("p", { class: "soft" }, singular(node.type)), also, node.definition ? el("p", {}, node.definition) : null, ...broader, ...narrower, lead], beside);
}

const singular = (type) => ({ metric: "line item", value: "figure", location: "place" })[type] ?? type;
const link = (at) => el("button", { type: "button", onclick: () => visit(at) }, nodes[at].name);

function showEdge(at) {
  const edge = edges[at];
  mark([edge.from, edge.to], [at]);
  details([el("h2", {}, link(edge.from), ` — ${edge.name} → `, link(edge.to))], edge.facts);
}

function details(head, about) {
  const admitted = about.filter((fact) => admits(facts[fact]));
  const hidden = about.length - admitted.length;
  const list = el("ul", {}, ...admitted.slice(0, MOST_LISTED).map((fact) => told(facts[fact])));
  const rest = admitted.slice(MOST_LISTED);
  const more = rest.length ? el("button", { type: "button", onclick: () => { list.append(...rest.map((fact) => told(facts[fact]))); more.remove(); } }, `${rest.length.toLocaleString("en")} more`) : null;
  id("details").replaceChildren(...[...head, hidden ? el("p", { class: "soft" }, `${hidden.toLocaleString("en")} facts are outside the filters.`) : null, list, more].filter(Boolean));
}

/** A fact in words, the sentences it was read from with document and page, and the concepts named there. */
function told(fact) {
  const places = fact.places.flatMap((place) => [el("blockquote", {}, place.quote), el("p", { class: "soft place" }, el("bdi", {}, place.document), `, p. ${place.page}`)]);
  const more = fact.more ? el("p", { class: "soft" }, `and at ${fact.more} more places`) : null;
  const beside = switches.get("concept")?.checked && fact.concepts.length ? el("p", { class: "soft" }, "named there: ", ...fact.concepts.flatMap((at, rank) => (rank ? [", ", link(at)] : [link(at)]))) : null;
  return el("li", {}, el("p", {}, fact.words), el("p", { class: "soft" }, fact.companies.join(", ")), ...places, more, beside);
}

// --- Begin -----------------------------------------------------------------------------------------------------------

begin();
recolour();
filter();
graph.on("tap", "node", (event) => open(() => showNode(+event.target.id().slice(1))));
graph.on("tap", "edge", (event) => open(() => showEdge(+event.target.id().slice(1))));
graph.on("render", write);
graph.on("resize", () => graph.forceRender());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
fit();
if (data.centres.length === 1) open(() => showNode(data.centres[0]));
document.body.dataset.begun = "";
