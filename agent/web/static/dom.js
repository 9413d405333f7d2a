// Elements without markup: whatever is given as a child is text, unless it is a node.

export const by = (id) => document.getElementById(id);

/** `el("a", {title: "T", class: "x", onclick: f}, "text", node)`; a property of value null or false is left out. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (words, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, words);

/** The keys go to the question again; where that would open a keyboard over half of the screen, to the conversation. */
export const ready = () => by(matchMedia("(pointer: coarse), (max-width: 48rem)").matches ? "talk" : "question").focus();

/** Says something to those who hear the page. */
export function say(words) {
  by("live").textContent = words;
}

/** Shows what went wrong, or a hint, above the conversation; null takes it away. */
export function notice(words, kind = "bad") {
  const place = by("notice");
  place.hidden = !words;
  place.className = kind;
  place.replaceChildren(...(words ? [el("span", {}, words), button("✕", dismiss, { class: "plain", "aria-label": "Close" })] : []));
}

let standing = null; // {words, kind} that hold whatever is opened

/** Shows them, until others are told; null: none hold. */
export function stands(words, kind = "hint") {
  if (words || standing) notice(words, kind);
  standing = words ? { words, kind } : null;
}

/** Something else is opened: what was said of the one before goes. */
export const passed = () => notice(standing?.words, standing?.kind);

function dismiss() {
  if (by("notice").firstChild.textContent === standing?.words) standing = null;
  notice(null);
}

/** A dialog's frame: title, a way to close it, and its content. */
export function opened(id, title, ...content) {
  const dialog = by(id);
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: `${id}-title` }, title),
      button("✕", () => dialog.close(), { class: "plain", "aria-label": "Close" })),
    ...content.filter(Boolean));
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** Asks for a line of text (`value` is offered), or where `value` is null for a yes to what can't be undone; resolves to
 null on cancel. */
export function question(title, words, value, yes) {
  return new Promise((resolve) => {
    const input = value === null ? null : el("input", { value, "aria-label": title, maxlength: "100" });
    const done = (given) => { resolve(given); dialog.close(); };
    const form = el("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); done(input ? input.value : true); } },
      words ? el("p", {}, words) : null, input,
      el("p", { class: "choice" }, button("Cancel", () => done(null)), el("button", { type: "submit", class: input ? "main" : "main danger" }, yes)));
    const dialog = opened("prompt", title, form);
    dialog.onclose = () => resolve(null);
    input?.select();
  });
}

/** `words` as the name of a file, on any system: as `file_name` of `agent.chat.export`. */
export function fileName(words) {
  const plain = [...words.replace(/[\\/:*?"<>|\x00-\x1f\s]+/g, " ").replace(/^[ .]+/, "")].slice(0, 80).join("");
  const short = new TextDecoder().decode(new TextEncoder().encode(plain).slice(0, 200)).replace(/[ .\ufffd]+$/, "");
  return /^(con|prn|aux|nul|(com|lpt)[\d¹²³])(?= *(\.|$))/i.test(short) ? `_${short}` : short;
}

/** Offers text as a file. */
export function save(name, text, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
