// One question with its answer, and why it may be believed.
import { BASE } from "./api.js";
import { button, el, say } from "./dom.js";
import { MARKER, rendered } from "./markdown.js";
import { conflictsView } from "./conflicts.js";
import { openGraph } from "./graph.js";

const STATEMENT_CHARS = 160; // of a statement, which stands whole in the answer
const PASSAGE_CHARS = 240; // of a passage under a statement, and
const PIECE_CHARS = 400; // of a piece in the list of all
const DRAWN = ["fact", "relation"]; // kinds of pieces that are edges of the knowledge graph
const STATUS = { partial: "In part", abstained: "Not answered" };

/** Where a piece of evidence of a turn is on this page. */
const citationPath = (thread, turn, marker) => `${BASE}/t/${thread}/${turn}/${marker}`;

/** The number that a reader sees of a marker: 1, 2, 3 in the order of the text. */
const numberOf = (turn, marker) => turn.numbers[marker] ?? marker;

function citeLink(thread, turn, marker) {
  const found = turn.evidence.find((each) => each.rank === marker);
  const cited = [...turn.citations, ...turn.nearest].find((each) => each.marker === marker);
  if (!found && !cited) return null;
  const place = cited ? `${cited.document}, ${cited.where}` : `${found.document}, p. ${found.page}`;
  const number = numberOf(turn, marker);
  if (found?.whole) return el("span", { class: "cite", title: place }, `${number}`);
  return el("a", {
    class: "cite", href: citationPath(thread, turn.number, marker), "data-open": "source",
    title: place, "aria-label": `Source ${number}: ${place}`,
  }, `${number}`);
}

/** A finished turn. `again(question)` asks once more. */
export function turnView(thread, turn, again) {
  const cite = (marker) => citeLink(thread, turn, marker);
  const answer = el("div", { class: "answer" });
  answer.append(rendered(turn.answer, cite, turn.understood));
  return el("article", { class: `turn ${turn.status}`, "data-turn": turn.number, "aria-label": turn.question },
    el("h2", { class: "asked" }, turn.question),
    same(turn.understood, turn.question) ? null : el("p", { class: "understood" }, `Understood as: ${turn.understood}`),
    turn.limits ? el("p", { class: "understood" }, `Limited to: ${turn.limits}`) : null,
    STATUS[turn.status] ? el("p", { class: "status" }, STATUS[turn.status]) : null,
    answer, sources(thread, turn), actions(turn, again), why(thread, turn), el("ul", { class: "chips next" }));
}

const same = (one, other) => fold(one) === fold(other);
const fold = (text) => text.replace(/\s+/g, " ").replace(/[ ?.]+$/, "").toLowerCase();

function sources(thread, turn) {
  const cited = turn.citations.length ? turn.citations : turn.nearest;
  if (!cited.length) return null;
  const once = [...new Map(cited.map((each) => [each.marker, each])).values()];
  const rows = once.map((each) => el("li", {}, citeLink(thread, turn, each.marker), placeLink(thread, turn, each)));
  const head = turn.citations.length ? "Sources" : "Nearest in the documents (not checked to answer)";
  return el("div", { class: "sources" }, el("h3", {}, head), el("ol", {}, ...rows));
}

function placeLink(thread, turn, { marker, document, where }) {
  const words = [el("bdi", {}, document), `, ${where}`];
  if (turn.evidence.find((each) => each.rank === marker)?.whole) return el("span", {}, ...words);
  return el("a", { class: "place", href: citationPath(thread, turn.number, marker), "data-open": "source" }, ...words);
}

function actions(turn, again) {
  const copied = async (event) => {
    const lines = turn.citations.map((each) => `[${numberOf(turn, each.marker)}] ${each.document}, ${each.where}`);
    const text = turn.answer.replace(MARKER, (marker) => marker.replace(/\d+/g, (rank) => numberOf(turn, rank)));
    await navigator.clipboard.writeText([text, "", ...lines].join("\n"));
    const place = event.target;
    place.textContent = "Copied";
    say("The answer was copied.");
    setTimeout(() => { place.textContent = "Copy"; }, 1500);
  };
  return el("p", { class: "actions" }, button("Copy", copied, { class: "plain" }),
    button("Ask again", () => again(turn.question), { class: "plain" }));
}

function why(thread, turn) {
  const held = turn.statements.filter((each) => each.supported).length;
  const [all, left] = [turn.statements.length, turn.statements.length - held];
  const summary = all
    ? `Held against its sources: ${held} of ${all} statement${all === 1 ? " stands" : "s stand"} there${left ? `, ${left} left out` : ""}. Whether that is all you asked for is yours to judge`
    : "How this was looked for";
  const details = el("details", { class: "why" }, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...reasons(thread, turn));
  });
  return details;
}

function* reasons(thread, turn) {
  if (turn.statements.length) {
    yield el("p", { class: "small" }, "Each statement was checked against the passage under it. That it stands there does not say that it is all you asked for.");
    yield el("ul", { class: "statements" }, ...turn.statements.map((each) => statement(thread, turn, each)));
  }
  if (turn.citations.length) yield conflictsView(thread, turn.number);
  for (const calculation of turn.calculations) yield calculated(thread, turn, calculation);
  if (turn.gaps.length) yield el("div", {}, el("h3", {}, "To know"), el("ul", {}, ...turn.gaps.map((gap) => el("li", {}, gap))));
  if (turn.evidence.length) yield found(thread, turn);
  if (turn.evidence.some((each) => each.source === "graph")) {
    const drawn = turn.evidence.some((each) => DRAWN.includes(each.kind)); // a table found by way of it is no node
    yield drawn ? el("p", {}, button("Draw what the knowledge graph gave", () => openGraph(thread, turn.number), { class: "plain" }))
      : el("p", { class: "small" }, "The knowledge graph gave whole tables, listed with the pieces: there is nothing to draw.");
  }
  yield el("p", { class: "small" }, turn.looked_up);
  yield el("details", {}, el("summary", {}, "For developers"), el("p", { class: "small" }, `${turn.route} · ${turn.footer}`));
}

/** A statement with the passages that it was found in, or the reason why it was left out. */
function statement(thread, turn, { text, supported, reason, evidence }) {
  const said = shorten(inWords(text), STATEMENT_CHARS);
  if (!supported) return el("li", { class: "dropped" }, el("strong", {}, "Left out: "), said, el("span", { class: "reason" }, ` ${reason ?? ""}`));
  const pieces = evidence.map((rank) => turn.evidence.find((each) => each.rank === rank)).filter(Boolean);
  return el("li", { class: "held" }, el("strong", {}, "From the documents: "), said, ...pieces.map((piece) =>
    el("div", { class: "passage" }, citeLink(thread, turn, piece.rank), passage(turn, piece))));
}

/** The words of a piece: those that are cited, all of them by a click. */
function passage(turn, piece) {
  const quoted = turn.citations.find((each) => each.marker === piece.rank)?.quote ?? piece.text;
  const whole = piece.kind === "table" ? rendered(piece.text, () => null, turn.understood) : squeezed(piece.text);
  const short = piece.kind === "table" ? `The table on p. ${piece.page}` : shorten(squeezed(quoted), PASSAGE_CHARS);
  const words = short === whole ? el("span", { class: "small" }, whole)
    : el("details", {}, el("summary", { class: "small" }, el("span", {}, short), el("span", {}, "Shorten")), el("div", { class: "small" }, whole));
  return el("div", {}, words, ledBy(piece));
}

/** By which concepts of an ontology a piece was found. */
const ledBy = (piece) => (piece.why ? el("p", { class: "small" }, `Found by way of: ${piece.why}`) : null);

/** A statement that is a row of a table, by its cells. */
const inWords = (text) => (text.startsWith("|") ? text.split("|").map((cell) => cell.trim()).filter(Boolean).join(", ") : text);

function calculated(thread, turn, calculation) {
  const rank = new Map(turn.evidence.map((each) => [each.id, each.rank]));
  const scaled = (operand) => `${operand.value}${operand.scale ? ` × 10^${operand.scale}` : ""} ${operand.unit}`.trim();
  const results = calculation.results.map((result) =>
    el("div", { class: "calculation" },
      el("p", {}, [result.name, result.company, result.when].filter(Boolean).join(", "), ": ",
        el("code", {}, result.formula), result.fault ? ` (${result.fault})` : ""),
      el("ul", {}, ...result.operands.map((operand) =>
        el("li", {}, el("code", {}, operand.name), ` = ${scaled(operand)} (${operand.label}; `, el("bdi", {}, operand.document),
          `, p. ${operand.page}) `, citeLink(thread, turn, rank.get(operand.item_id)))))));
  return el("div", {}, el("h3", {}, `Computed: ${calculation.title}`), ...results,
    ...calculation.missing.map((each) => el("p", { class: "reason" }, `Not found: ${each}`)));
}

const ORIGIN = { vector: "from the text", graph: "from the knowledge graph" };

function found(thread, turn) {
  const pieces = [...turn.evidence].sort((a, b) => numberOf(turn, a.rank) - numberOf(turn, b.rank));
  const rows = pieces.map((each) => el("li", {}, citeLink(thread, turn, each.rank),
    el("strong", {}, el("bdi", {}, each.document), `, p. ${each.page}`), ` ${ORIGIN[each.source]}`,
    each.kind === "table" ? el("div", { class: "small" }, rendered(each.text, () => null, turn.understood)) : el("p", { class: "small" }, shorten(each.text, PIECE_CHARS)),
    ledBy(each)));
  return el("details", {}, el("summary", {}, `All ${rows.length === 1 ? "that was found" : `${rows.length} pieces that were found`}`), el("ul", { class: "found" }, ...rows));
}

const squeezed = (text) => text.replace(/\s+/g, " ").trim();
const shorten = (text, most) => (text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, "")} …` : text);
