// One question with its answer, and why it may be believed.
import { BASE } from "./api.js";
import { button, el, say } from "./dom.js";
import { rendered } from "./markdown.js";
import { conflictsView } from "./conflicts.js";
import { openGraph } from "./graph.js";

const STATUS = { partial: "In part", abstained: "Not answered" };

/** Where a citation of a turn is on this page. */
export const citationPath = (thread, turn, marker) => `${BASE}/t/${thread}/${turn}/${marker}`;

function citeLink(thread, turn, marker, more = {}) {
  const cited = turn.citations.find((each) => each.marker === marker) ?? turn.nearest.find((each) => each.marker === marker);
  if (!cited) return null;
  return el("a", {
    class: "cite", href: citationPath(thread, turn.number, marker), "data-open": "source",
    title: `${cited.document}, ${cited.where}`, "aria-label": `Source ${marker}: ${cited.document}, ${cited.where}`, ...more,
  }, `${marker}`);
}

/** A finished turn. `again(question)` asks once more. */
export function turnView(thread, turn, again) {
  const cite = (marker) => citeLink(thread, turn, marker);
  const answer = el("div", { class: "answer" });
  answer.append(rendered(turn.answer, cite));
  return el("article", { class: `turn ${turn.status}`, "data-turn": turn.number, "aria-label": turn.question },
    el("h2", { class: "asked" }, turn.question),
    same(turn.understood, turn.question) ? null : el("p", { class: "understood" }, `Understood as: ${turn.understood}`),
    STATUS[turn.status] ? el("p", { class: "status" }, STATUS[turn.status]) : null,
    answer, sources(thread, turn), actions(turn, again), why(thread, turn), el("ul", { class: "chips next" }));
}

const same = (one, other) => fold(one) === fold(other);
const fold = (text) => text.replace(/\s+/g, " ").replace(/[ ?.]+$/, "").toLowerCase();

function sources(thread, turn) {
  const cited = turn.citations.length ? turn.citations : turn.nearest;
  if (!cited.length) return null;
  const rows = cited.map((each) =>
    el("li", {}, citeLink(thread, turn, each.marker),
      el("a", { class: "place", href: citationPath(thread, turn.number, each.marker), "data-open": "source" },
        el("bdi", {}, each.document), `, ${each.where}`)));
  const head = turn.citations.length ? "Sources" : "Nearest in the documents (not checked to answer)";
  return el("div", { class: "sources" }, el("h3", {}, head), el("ol", {}, ...rows));
}

function actions(turn, again) {
  const copied = async (event) => {
    const lines = turn.citations.map((each) => `[${each.marker}] ${each.document}, ${each.where}`);
    await navigator.clipboard.writeText([turn.answer, "", ...lines].join("\n"));
    const place = event.target;
    place.textContent = "Copied";
    say("The answer was copied.");
    setTimeout(() => { place.textContent = "Copy"; }, 1500);
  };
  return el("p", { class: "actions" }, button("Copy", copied, { class: "plain" }),
    button("Ask again", () => again(turn.question), { class: "plain" }));
}

function why(thread, turn) {
  const left = turn.statements.filter((each) => !each.supported).length;
  const supported = turn.statements.length - left;
  const summary = turn.statements.length
    ? `Why believe this: ${supported} of ${turn.statements.length} statements supported${left ? `, ${left} left out` : ""}`
    : "How this was looked for";
  const details = el("details", { class: "why" }, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...reasons(thread, turn));
  });
  return details;
}

function* reasons(thread, turn) {
  const cites = (ranks) => ranks.map((rank) => citeLink(thread, turn, rank)).filter(Boolean);
  if (turn.statements.length) {
    yield el("ul", { class: "statements" }, ...turn.statements.map((each) =>
      el("li", { class: each.supported ? "held" : "dropped" },
        el("strong", {}, each.supported ? "Supported: " : "Left out: "), inWords(each.text), " ", ...cites(each.evidence),
        each.supported || !each.reason ? null : el("span", { class: "reason" }, ` ${each.reason}`))));
  }
  if (turn.citations.length) yield conflictsView(thread, turn.number);
  for (const calculation of turn.calculations) yield calculated(thread, turn, calculation);
  if (turn.gaps.length) yield el("div", {}, el("h3", {}, "To know"), el("ul", {}, ...turn.gaps.map((gap) => el("li", {}, gap))));
  if (turn.evidence.length) yield found(thread, turn);
  yield el("p", { class: "small" }, `${turn.route} · ${turn.footer}`);
  if (turn.evidence.some((each) => each.source === "graph")) {
    yield el("p", {}, button("Draw what the knowledge graph gave", () => openGraph(thread, turn.number), { class: "plain" }));
  }
}

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

function found(thread, turn) {
  const rows = turn.evidence.map((each) =>
    el("li", { value: each.rank }, el("strong", {}, el("bdi", {}, each.document), `, p. ${each.page}`),
      ` (${each.source}) `, citeLink(thread, turn, each.rank),
      each.kind === "table" ? el("div", { class: "small" }, rendered(each.text, () => null)) : el("p", { class: "small" }, shorten(each.text))));
  return el("details", {}, el("summary", {}, `All ${turn.evidence.length} pieces that were found`), el("ol", { class: "found" }, ...rows));
}

const shorten = (text) => (text.length > 400 ? `${text.slice(0, 400)} …` : text);
