// The conversation that is open: its turns, what is on its way, and what can be asked.
import { BASE, get, send, stream } from "./api.js";
import { button, by, el, notice, ready, say } from "./dom.js";
import { turnView } from "./turn.js";
import { offer, query, welcomeView } from "./welcome.js";

const NEAR_END = 80; // pixels from the end at which it is followed
const SAID_CHARS = 400; // of an answer, to those who hear the page; the rest is read where it stands
const TRIES = 20; // seconds for which a server that is started again is waited for

let thread = null; // {id, name}; null before the first question of a new one
let waits = null; // what was asked back
let shown = 0; // counts what was opened, so that what comes late goes nowhere
let running = false;
const hooks = { changed: () => {}, filters: () => ({}), restore: () => {} };

export const current = () => thread;

/** `changed(thread)` after a thread was made or got an answer, `filters()` what is pinned, `restore(thread)` on opening. */
export function listen(given) {
  Object.assign(hooks, given);
  by("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  by("question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  by("question").addEventListener("input", grow);
  by("stop").addEventListener("click", stop);
}

function grow() {
  const box = by("question");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 200)}px`;
}

/** Opens a thread by its id; null: a new one. */
export async function open(id) {
  const mine = ++shown;
  busy(false);
  let found = null;
  try {
    if (id !== null) found = await get(`/api/threads/${id}`);
  } catch (why) {
    if (mine === shown && why.status) { // it is gone: what is asked next is not of the one before
      [thread, waits] = [null, null];
      title("New conversation");
      by("talk").replaceChildren();
      hooks.restore(null);
    }
    throw why;
  }
  if (mine !== shown) return;
  [thread, waits] = [found?.thread ?? null, null];
  if (found === null) {
    title("New conversation");
    by("talk").replaceChildren(welcomeView(ask));
    hooks.restore(null);
    ready();
    offer();
    return;
  }
  title(thread.name);
  hooks.restore(thread);
  by("talk").replaceChildren(...found.turns.map((turn) => turnView(thread.id, turn, ask)));
  if (found.running) follow(pendingView(""), "GET", `/api/threads/${id}/follow`);
  else if (found.pending) askedBack(pendingView(found.pending.asked), found.pending);
  else if (found.unfinished) goOn(found.unfinished);
  else suggest();
  toEnd();
}

export function title(name) {
  by("title").textContent = name;
  document.title = `${name} · hybridrag`;
}

function submit() {
  const box = by("question");
  const text = box.value.trim();
  if (!text || running) return;
  if (waits) reply(text);
  else ask(text);
}

function clearBox() {
  by("question").value = "";
  grow();
}

/** Asks on the open thread, or on a new one. */
export async function ask(text) {
  if (running) return;
  busy(true);
  notice(null);
  const mine = shown;
  try {
    if (waits) await drop();
    if (!thread) {
      const made = await send("POST", "/api/threads", { text });
      if (mine !== shown) return;
      thread = made;
      history.replaceState(null, "", `${BASE}/t/${thread.id}`);
      title(thread.name);
      hooks.restore(thread, true);
    }
  } catch (error) {
    if (mine !== shown) return;
    busy(false);
    notice(error.message);
    return;
  }
  if (mine !== shown) return;
  clearBox();
  ready(); // what was pressed may be gone
  by("talk").querySelector(".welcome")?.remove();
  const place = pendingView(text);
  await follow(place, "POST", `/api/threads/${thread.id}/ask`, { question: text, ...hooks.filters() }, text);
}

async function reply(text) {
  const place = waits;
  waits = null;
  clearBox();
  ready();
  place.querySelector(".options")?.remove();
  place.querySelector(".progress").append(el("li", { class: "reply" }, `You: ${text}`));
  await follow(place, "POST", `/api/threads/${thread.id}/reply`, { text }, text, true);
}

async function drop() {
  await send("POST", `/api/threads/${thread.id}/drop`);
  waits?.remove();
  waits = null;
}

/** A question without its answer, at the end of the conversation. */
function pendingView(question) {
  const place = el("article", { class: "turn pending" }, el("h2", { class: "asked" }, question), el("ul", { class: "progress" }));
  by("talk").querySelectorAll(".next").forEach((chips) => chips.replaceChildren());
  by("talk").append(place);
  toEnd();
  return place;
}

/** Shows a turn's course in `place` until it ends; a question or `reply` that was refused goes back into the box. */
async function follow(place, method, path, value, typed = "", reply = false) {
  const mine = shown;
  busy(true);
  let ended = false;
  const told = (event) => {
    if (mine !== shown) return;
    ended ||= ["answer", "asked_back", "stopped", "error"].includes(event.kind);
    on[event.kind]?.(place, event);
  };
  try {
    await stream(method, path, value, told);
    if (mine === shown && !ended) await open(thread.id); // it ended before this page could follow
  } catch (error) {
    if (mine !== shown) return;
    if (reply && error.status) await open(thread.id).catch(() => {}); // the question asked back still waits
    broken(place, error, typed, reply);
  } finally {
    if (mine === shown) busy(false);
  }
  if (mine === shown && thread) hooks.changed(thread);
}

const on = {
  begin: (place, event) => { place.querySelector(".asked").textContent = event.question; step(place, event.words); },
  step: (place, event) => step(place, event.words),
  understood: (place, event) => place.querySelector(".asked").after(el("p", { class: "understood" }, `Understood as: ${event.question}`)),
  answer: (place, event) => {
    const view = turnView(thread.id, event.turn, ask);
    place.replaceWith(view);
    say(`The answer: ${view.querySelector(".answer").innerText.slice(0, SAID_CHARS)}`);
    suggest();
    view.scrollIntoView({ block: "start" });
  },
  asked_back: (place, event) => askedBack(place, event),
  stopped: (place) => end(place, "Stopped. The question is dropped."),
  error: (place, event) => end(place, event.text, "bad"),
};

function step(place, words) {
  const list = place.querySelector(".progress");
  for (const line of words) {
    list.querySelector(".now")?.classList.remove("now");
    list.append(el("li", { class: "now" }, line));
  }
  say(words.at(-1));
  toEnd();
}

function end(place, words, kind = "") {
  const question = place.querySelector(".asked").textContent;
  place.classList.remove("pending");
  place.querySelector(".now")?.classList.remove("now");
  place.append(el("p", { class: `ended ${kind}` }, words), el("p", { class: "actions" },
    button("Ask again", () => { place.remove(); ask(question); }, { class: "plain" }),
    button("Change the question", () => { place.remove(); by("question").value = question; grow(); by("question").focus(); }, { class: "plain" })));
  say(words);
}

/** The server is gone, or has refused: the conversation is opened anew by a button, or the question can be mended. One
 that the server was gone before it kept it is asked again. */
function broken(place, error, typed, reply) {
  if (error.status) {
    place.remove();
    notice(error.message);
    if (typed && !by("question").value) { by("question").value = typed; grow(); }
    return;
  }
  const id = thread.id;
  const turns = () => by("talk").querySelectorAll(".turn[data-turn]").length; // that the server has
  const before = turns();
  const again = async (event) => {
    event.target.disabled = true;
    for (let tries = 1; ; tries += 1) {
      try {
        await open(id);
        notice(null);
        return typed && !reply && !running && !waits && turns() === before ? await ask(typed) : undefined;
      } catch (why) {
        if (why.status || tries === TRIES) {
          event.target.disabled = false;
          return notice(why.message);
        }
        await new Promise((resolve) => { setTimeout(resolve, 1000); });
      }
    }
  };
  place.classList.remove("pending");
  place.append(el("p", { class: "ended bad" }, `${error.message} What was done is kept: start it again, then go on.`),
    el("p", { class: "actions" }, button("Go on", again, { class: "plain" })));
}

function askedBack(place, asked) {
  waits = place;
  place.classList.remove("pending");
  place.querySelector(".now")?.classList.remove("now");
  const options = asked.options.map((option) => el("li", {}, button(option, () => reply(option))));
  place.append(el("div", { class: "options" }, el("p", {}, asked.question), el("ul", { class: "chips" }, ...options),
    el("p", { class: "actions" }, "or type a reply below · ", button("Drop the question", () => drop().catch((why) => notice(why.message)), { class: "plain" }))));
  say(asked.question);
  busy(false);
  toEnd();
}

/** A question that was cut off: it goes on where it was. */
function goOn(question) {
  const place = pendingView(question);
  step(place, ["going on with the question that was cut off"]);
  follow(place, "POST", `/api/threads/${thread.id}/resume`);
}

const chip = ({ question, why }) => el("li", {}, button(question, () => ask(question)),
  ...(why ? [" ", el("span", { class: "small" }, why)] : []));

async function suggest() {
  const mine = shown;
  const place = [...by("talk").querySelectorAll(".next")].at(-1);
  if (!place || !thread) return;
  let found = [];
  try {
    found = await get(`/api/threads/${thread.id}/suggestions?${query()}`);
  } catch {
    return; // the next question says why
  }
  const talk = by("talk");
  const low = talk.scrollHeight - talk.scrollTop - talk.clientHeight < NEAR_END;
  if (mine === shown && !running) place.replaceChildren(...found.map(chip));
  if (low) toEnd();
}

async function stop() {
  by("stop").disabled = true;
  try {
    await send("POST", `/api/threads/${thread.id}/stop`);
    say("It stops when the step in hand has ended.");
  } catch (error) {
    notice(error.message);
  }
}

function busy(now) {
  running = now;
  if (document.activeElement === by(now ? "send" : "stop")) ready(); // it is about to be hidden
  by("stop").hidden = !now;
  by("stop").disabled = false;
  by("send").hidden = now;
  by("question").placeholder = waits ? "Reply" : "Ask about your documents";
}

function toEnd() {
  const talk = by("talk");
  talk.scrollTop = talk.scrollHeight;
}
