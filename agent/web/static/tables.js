// Tables of an answer: sorted by a click on a column's head, and as CSV.
import { button, el, fileName, save } from "./dom.js";

const LONG_CHARS = 22; // of a cell, from which it keeps some width where there is little

/** Puts a table into a frame that scrolls by itself, makes its heads buttons and offers it as CSV, named after `about`. */
export function withTools(table, about) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const words = [...head.childNodes];
    head.replaceChildren(el("button", { type: "button", class: "plain sort", onclick: () => sort(table, column) }, ...words));
  });
  for (const cell of table.querySelectorAll("tbody td")) cell.classList.toggle("long", cell.textContent.length > LONG_CHARS);
  const frame = el("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Table" });
  table.replaceWith(frame);
  frame.append(table, button("Save as CSV", () => save(`${fileName(about) || "table"}.csv`, csv(table), "text/csv;charset=utf-8"),
    { class: "csv plain", title: "Keep this table as a CSV file" }));
}

/** The number a cell shows: "(1,234)" is negative, a unit and citations are no part of it; null where there is none. */
export function figure(text) {
  const plain = text.replace(/\[\d+\]/g, "").replace(/\s/g, "");
  const match = plain.match(/^[^\d(−-]{0,4}([(−-]?)[^\d]{0,4}(\d[\d,]*\.?\d*)/);
  return match ? (match[1] ? -1 : 1) * Number(match[2].replaceAll(",", "")) : null;
}

/** A cell's words without its citations; a cell of citations alone says where they lead. */
function shown(cell) {
  const words = [...cell.childNodes].filter((node) => !(node.classList?.contains("cites"))).map((node) => node.textContent).join("").trim();
  return words || [...cell.querySelectorAll(".cite")].map((link) => link.title).join("; ");
}

function sort(table, column) {
  const head = table.querySelectorAll("thead th")[column];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  const value = (row) => shown(row.cells[column] ?? el("td"));
  const numbers = rows.every((row) => !value(row) || figure(value(row)) !== null);
  const by = numbers
    ? (a, b) => (figure(value(a)) ?? -Infinity) - (figure(value(b)) ?? -Infinity)
    : (a, b) => value(a).localeCompare(value(b));
  rows.sort((a, b) => (up ? by(a, b) : by(b, a)));
  table.tBodies[0].append(...rows);
}

const FIGURE = /^(\(?)([−-]?)([$€£¥]?) ?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(\)?)((?: ?[\p{L}%])*)$/u;

/** A column of figures in one unit as a spreadsheet computes with it: plain numbers, the unit in the head; null: it is none. */
function numbers(head, cells) {
  const found = cells.map((words) => words.match(FIGURE));
  const units = new Set(found.map((each) => each && `${each[3]} ${each[7]}`.trim()));
  if (units.size !== 1 || units.has(null) || found.some((each) => Boolean(each[1]) !== Boolean(each[6]))) return null;
  const unit = [...units][0].replace(/\s+/g, " ");
  return [unit ? `${head} (${unit})` : head,
    ...found.map(([, open, minus, , whole, part = ""]) => `${open || minus ? "-" : ""}${whole.replaceAll(",", "")}${part}`)];
}

/** The table as CSV. What a spreadsheet would take for a formula is marked as text. */
export function csv(table) {
  const cell = (words) => {
    const formula = /^(?:[=+@\t\r\n\uff1d\uff0b\uff20]|[-\uff0d](?![\d.,\s%$€)]+$))/.test(words);
    const safe = formula ? `'${words}` : words;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map(shown));
  const columns = [...table.querySelectorAll("thead th")].map((each, column) => {
    const [head, cells] = [each.textContent.trim(), rows.map((row) => row[column] ?? "")];
    return numbers(head, cells) ?? [head, ...cells];
  });
  return columns[0].map((_, row) => columns.map((column) => cell(column[row])).join(",")).join("\r\n") + "\r\n";
}
