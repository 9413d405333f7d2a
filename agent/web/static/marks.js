// Finding printed words among the text nodes of a page. Rather nothing than a wrong line: words that stand in several
// places are told apart by what stands around them, or are not marked.

const LETTER = /[\p{L}\p{N}]/u;
const SURE_CHARS = 20; // words of a table's row that begin in the middle of a line are too few below this
const CONTEXT_CHARS = 8; // letters around that must speak for one place more than for any other

/** Letters and digits alone, each with the character it came from. */
function folded(text) {
  const letters = [];
  for (let at = 0; at < text.length; at += 1) {
    for (const letter of text[at].normalize("NFKC")) if (LETTER.test(letter)) letters.push([letter, at]);
  }
  return letters;
}

export const fold = (text) => folded(text).map(([letter]) => letter).join("");

/** The letters of `lines`, each a list of text nodes: {text, spots: [{node, at}], edges: where lines begin}. */
export function streamOf(lines) {
  const text = [];
  const spots = [];
  const edges = new Set([0]);
  for (const line of lines) {
    for (const node of line) {
      for (const [letter, at] of folded(node.data)) {
        text.push(letter);
        spots.push({ node, at });
      }
    }
    edges.add(text.length);
  }
  return { text: text.join(""), spots, edges };
}

/** Pieces {node, from, to} of the words of `mark` ({words, before, after, row}) in the first of `streams` that holds
 * them in one place for sure; null where none does. */
export function find(streams, mark) {
  const sought = fold(mark.words);
  if (!sought) return null;
  for (const stream of streams) {
    const places = [...occurrences(stream.text, sought)].filter((at) => fits(stream, at, sought.length, mark.row));
    const at = places.length === 1 ? places[0] : told(stream.text, places, sought.length, fold(mark.before), fold(mark.after));
    if (at !== null && at !== undefined) return pieces(stream.spots.slice(at, at + sought.length));
  }
  return null;
}

function* occurrences(text, sought) {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) yield at;
}

function fits(stream, at, length, row) {
  return !row || length >= SURE_CHARS || (stream.edges.has(at) && stream.edges.has(at + length));
}

/** Which of several places has the words before and after it; null where that is not sure. */
function told(text, places, length, before, after) {
  const scored = places
    .map((at) => ({ at, score: sameEnd(text.slice(0, at), before) + sameStart(text.slice(at + length), after) }))
    .sort((a, b) => b.score - a.score);
  return scored.length && scored[0].score >= CONTEXT_CHARS && scored[0].score > (scored[1]?.score ?? 0) ? scored[0].at : null;
}

function sameStart(one, other) {
  let n = 0;
  while (n < one.length && n < other.length && one[n] === other[n]) n += 1;
  return n;
}

function sameEnd(one, other) {
  let n = 0;
  while (n < one.length && n < other.length && one[one.length - 1 - n] === other[other.length - 1 - n]) n += 1;
  return n;
}

function pieces(spots) {
  const found = new Map();
  for (const { node, at } of spots) {
    const piece = found.get(node) ?? { node, from: at, to: at };
    piece.from = Math.min(piece.from, at);
    piece.to = Math.max(piece.to, at + 1);
    found.set(node, piece);
  }
  return [...found.values()];
}

/** Rectangles of pieces, in pixels of the element `within`; those of one line are one. */
export function rectangles(found, within) {
  const frame = within.getBoundingClientRect();
  const own = found.flatMap(({ node, from, to }) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()];
  }).filter((each) => each.width > 0 && each.height > 0);
  const lines = [];
  for (const each of own.sort((a, b) => a.top - b.top || a.left - b.left)) {
    const line = lines.find((other) => Math.min(each.bottom, other.bottom) - Math.max(each.top, other.top) > each.height / 2);
    if (line) Object.assign(line, { left: Math.min(line.left, each.left), right: Math.max(line.right, each.right), top: Math.min(line.top, each.top), bottom: Math.max(line.bottom, each.bottom) });
    else lines.push({ left: each.left, right: each.right, top: each.top, bottom: each.bottom });
  }
  return lines.map((each) => ({
    left: each.left - frame.left, top: each.top - frame.top, width: each.right - each.left, height: each.bottom - each.top,
  }));
}

/** Draws rectangles into `layer`; returns the first, or null. */
export function draw(layer, places) {
  layer.replaceChildren(...places.map((each) => {
    const mark = document.createElement("div");
    mark.className = "mark";
    for (const side of ["left", "top", "width", "height"]) mark.style[side] = `${each[side]}px`;
    return mark;
  }));
  return layer.firstElementChild;
}
