// Draws the picture of the knowledge graph that the page holds: search, filters, and what a click shows.
const NAMES = { company: "companies", person: "people", product: "products", location: "places", event: "events", regulation: "regulations",
  metric: "line items", period: "periods", value: "values", concept: "concepts" };
const MOST_FOUND = 30;
const MOST_LISTED = 60; // facts at once beside the picture

const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, edges, facts } = data;
const id = (name) => document.getElementById(name);
const edgesOf = nodes.map(() => []);
edges.forEach((edge, at) => { edgesOf[edge.from].push(at); if (edge.to !== edge.from) edgesOf[edge.to].push(at); });
const drawn = { nodes: new Set(), edges: new Set() };
let colours = {};
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
  for (const [name, value] of Object.entries({ ...at, fill: colours[type] })) shape.setAttribute(name, value);
  made.setAttribute("viewBox", "0 0 10 10");
  made.dataset.type = type;
  made.setAttribute("aria-hidden", "true");
  made.append(shape);
  return made;
}

// --- What is drawn ---------------------------------------------------------------------------------------------------

const types = Object.keys(NAMES).filter((type) => nodes.some((node) => node.type === type));
const switches = new Map(types.map((type) => [type, el("input", { type: "checkbox", checked: type !== "concept" && "", onchange: refilter })]));

function count(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

function choices(name, all, found) {
  id(name).append(el("option", { value: "" }, all), ...found.map(([value, words]) => el("option", { value }, words)));
  id(name).addEventListener("change", refilter);
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
  id("fit").addEventListener("click", () => graph.fit([...drawn.nodes]));
  for (const [name, factor] of [["nearer", 1.5], ["farther", 1 / 1.5]]) id(name).addEventListener("click", () => graph.zoomBy(factor));
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
  drawn.nodes = new Set(data.centres.filter((at) => on[at]));
  drawn.edges = new Set();
  const beside = new Set(); // concepts named where the facts stand, and what they are kinds of
  edges.forEach((edge, at) => {
    if (!on[edge.from] || !on[edge.to] || (relation && edge.name !== relation)) return;
    const admitted = edge.facts.filter((fact) => admits(facts[fact]));
    if (!admitted.length) return;
    drawn.edges.add(at);
    drawn.nodes.add(edge.from).add(edge.to);
    admitted.forEach((fact) => facts[fact].concepts.forEach((concept) => beside.add(concept)));
  });
  if (switches.get("concept")?.checked) {
    for (const concept of beside) { // it grows meanwhile
      drawn.nodes.add(concept);
      edgesOf[concept].filter((at) => edges[at].from === concept).forEach((at) => { drawn.edges.add(at); beside.add(edges[at].to); });
    }
  }
  graph.show(drawn.nodes, drawn.edges);
  id("count").textContent = `${drawn.nodes.size.toLocaleString("en")} of ${nodes.length.toLocaleString("en")} things, ${drawn.edges.size.toLocaleString("en")} of ${edges.length.toLocaleString("en")} lines are drawn.`;
  if (shown) shown();
}

function refilter() {
  filter();
  graph.fit([...drawn.nodes]);
}

// --- The drawing -----------------------------------------------------------------------------------------------------

const ranked = nodes.map((_, at) => at).sort((one, other) => edgesOf[other].length - edgesOf[one].length);
const graph = drawing(id("drawing"), {
  nodes: nodes.map((node, at) => ({ ...node, size: 14 + Math.min(60, 3 * Math.sqrt(edgesOf[at].length)), faint: node.named === false })),
  edges: edges.map((edge) => ({ ...edge, name: ["was", "reports"].includes(edge.name) ? "" : edge.name, dashed: !edge.facts.length })),
  ranked,
  colour: (name) => colours[name],
  opened: (kind, at) => open(() => (kind === "node" ? showNode(at) : showEdge(at))),
});

function recolour() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries([...types, "edge", "mark", "ink", "soft", "ground", "concept"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  document.querySelectorAll("svg[data-type]").forEach((made) => made.firstChild.setAttribute("fill", colours[made.dataset.type]));
  graph.again();
}

// --- What is shown beside it -----------------------------------------------------------------------------------------

function search() {
  const asked = id("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = asked.length ? ranked.filter((at) => { const name = [nodes[at].name, ...nodes[at].also].join(" ").toLowerCase(); return asked.every((word) => name.includes(word)); }) : [];
  found.sort((one, other) => (nodes[other].name.toLowerCase() === asked.join(" ")) - (nodes[one].name.toLowerCase() === asked.join(" ")));
  const rest = found.length > MOST_FOUND ? el("li", { class: "soft" }, `and ${(found.length - MOST_FOUND).toLocaleString("en")} more`) : null;
  id("found").replaceChildren(...found.slice(0, MOST_FOUND).map((at) => el("li", {}, el("button", { type: "button", title: NAMES[nodes[at].type], onclick: () => visit(at) }, swatch(nodes[at].type), ` ${nodes[at].name}`))), ...(rest ? [rest] : asked.length && !found.length ? [el("li", { class: "soft" }, "No such name here.")] : []));
}

/** Show a node and what is said of it, drawing its type if it is off; the drawing moves to where it is drawn. */
function visit(at) {
  if (!switches.get(nodes[at].type).checked) { switches.get(nodes[at].type).checked = true; filter(); }
  open(() => showNode(at));
  if (drawn.nodes.has(at)) graph.centre(at);
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
  const star = 2 * touched.length > drawn.edges.size; // nearly everything is marked: nothing is
  graph.mark(star ? [at] : [...new Set([at, ...touched.flatMap((edge) => [edges[edge].from, edges[edge].to])])], star ? [] : touched);
  const outside = drawn.nodes.has(at) ? null : el("p", { class: "soft" }, "Not drawn: outside the filters.");
  const also = node.also.length ? el("p", { class: "soft" }, `also ${node.also.join(", ")}`) : null;
  const broader = kinds.filter((edge) => edge.from === at).map((edge) => el("p", {}, "is a kind of ", link(edge.to)));
  const narrower = kinds.filter((edge) => edge.to === at).map((edge) => el("p", {}, "has among its kinds ", link(edge.from)));
  const lead = node.type !== "concept" ? null : el("p", { class: "soft" }, node.named ? "Facts that stand where it is named:" : "A kind of concepts that are named; no passage here names it.");
  details([el("h2", {}, swatch(node.type), ` ${node.name}`), el("p", { class: "soft" }, singular(node.type)), outside, also, node.definition ? el("p", {}, node.definition) : null, ...broader, ...narrower, lead], beside);
}

const singular = (type) => ({ metric: "line item", location: "place" })[type] ?? type;
const link = (at) => el("button", { type: "button", onclick: () => visit(at) }, nodes[at].name);

function showEdge(at) {
  const edge = edges[at];
  graph.mark([edge.from, edge.to], [at]);
  details([el("h2", {}, link(edge.from), ` — ${edge.name} → `, link(edge.to))], edge.facts);
}

function details(head, about) {
  const admitted = about.filter((fact) => admits(facts[fact]));
  const hidden = about.length - admitted.length;
  const list = el("ul", {}, ...admitted.slice(0, MOST_LISTED).map((fact) => told(facts[fact])));
  const rest = admitted.slice(MOST_LISTED);
  const more = rest.length ? el("button", { type: "button", onclick: () => { list.append(...rest.map((fact) => told(facts[fact]))); more.remove(); } }, `${rest.length.toLocaleString("en")} more`) : null;
  id("details").replaceChildren(...[...head, hidden ? el("p", { class: "soft" }, `${hidden.toLocaleString("en")} more outside the filters`) : null, list, more].filter(Boolean));
}

/** A fact in words, the sentences it was read from with document and page, and the concepts named there. */
function told(fact) {
  const places = [...grouped(fact.places, (place) => place.quote)].flatMap(([quote, alike]) => [el("blockquote", {}, quote),
    ...alike.map((place) => el("p", { class: "soft place" }, el("bdi", {}, place.document), `, p. ${place.page}`))]);
  const more = fact.more ? el("p", { class: "soft" }, `and at ${fact.more} more places`) : null;
  const beside = switches.get("concept")?.checked && fact.concepts.length ? el("p", { class: "soft" }, "named there: ", ...fact.concepts.flatMap((at, rank) => (rank ? [", ", link(at)] : [link(at)]))) : null;
  return el("li", {}, el("p", {}, fact.words), el("p", { class: "soft" }, fact.companies.join(", ")), ...places, more, beside);
}

// --- Begin -----------------------------------------------------------------------------------------------------------

begin();
recolour();
filter();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
graph.fit([...drawn.nodes]);
if (data.centres.length === 1) open(() => showNode(data.centres[0]));
document.body.dataset.begun = "";
