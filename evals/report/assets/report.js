"use strict";
// Draws the charts and the questions. Text of documents is only ever set as text, never as mark-up.
(async () => {
  const PAGE = 50;
  const $ = (id) => document.getElementById(id);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  /** An element; `props` are attributes, or listeners where the name starts with "on"; children are nodes or text. */
  function h(tag, props, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(props || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  async function unpack(id) {
    const bytes = Uint8Array.from(atob($(id).textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }

  if (typeof DecompressionStream === "undefined") {
    if ($("count")) $("count").textContent = "This browser is too old for charts and questions; the tables are whole.";
    return;
  }
  const data = JSON.parse(await unpack("data"));
  const names = data.pipelines.map((one) => one.name);
  const metrics = new Map(data.metrics.map((one) => [one.name, one]));
  const place = new Map(names.map((name, i) => [name, i]));

  // ---- numbers, as in the tables

  const seconds = (v) => (v >= 10 ? v.toFixed(v >= 100 ? 0 : 1) : v.toFixed(v >= 1 ? 2 : 3));
  function number(value, unit) {
    if (value === null || value === undefined) return "n/a";
    if (unit === "seconds") return seconds(value);
    if (unit === "calls") return value.toFixed(2);
    return unit ? Math.round(value).toLocaleString("en-US") : value.toFixed(3);
  }

  // ---- charts

  const drawn = [];
  function themed(figure) {
    const ink = css("ink"), soft = css("soft"), line = css("line");
    const traces = figure.data.map((trace) => {
      const colors = trace.meta.roles.map(css);
      const copy = { ...trace };
      if (trace.type === "bar") {
        copy.marker = { ...trace.marker, color: colors };
        if (trace.error_x) copy.error_x = { ...trace.error_x, color: ink };
      } else copy.line = { ...trace.line, color: colors[0] };
      return copy;
    });
    const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, color: soft, automargin: true, fixedrange: true };
    const layout = {
      ...figure.layout,
      showlegend: false,
      margin: { l: 8, r: 14, t: 6, b: 8 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: "system-ui, Segoe UI, Roboto, sans-serif", size: 12, color: ink },
      hoverlabel: { bgcolor: css("card"), bordercolor: line, font: { color: ink } },
      xaxis: { ...axis, ...figure.layout.xaxis },
      yaxis: { ...axis, ...figure.layout.yaxis, ticksuffix: "  " },
    };
    return [traces, layout, { displayModeBar: false, responsive: true }];
  }

  function legend(parts) {
    if (!parts.length) return null;
    return h("div", { class: "legend" }, parts.map((part) => {
      const patch = h("i");
      patch.style.color = `var(--${part.role})`;
      return h("span", null, patch, part.name);
    }));
  }

  function draw(box, figure) {
    const plot = h("div", { role: "img", "aria-label": figure.label });
    plot.style.height = figure.layout.height + "px";
    const note = figure.note ? h("span", null, " \u00b7 " + figure.note) : null;
    box.append(h("div", { class: "chart" }, h("h3", null, figure.title, note), legend(figure.legend || []), plot));
    const show = () => Plotly.react(plot, ...themed(figure));
    drawn.push(show);
    // Charts out of sight are drawn when they come near.
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      show();
    }, { rootMargin: "600px" });
    watch.observe(plot);
    addEventListener("beforeprint", show, { once: true });
  }

  async function charts() {
    if (!$("library")) {
      document.querySelectorAll("[data-charts]").forEach((box) => box.remove());
      return;
    }
    const library = await unpack("library");
    $("library").remove();
    window.PlotlyConfig = { MathJaxConfig: "local" };
    document.head.append(h("script", null, library));
    for (const place of document.querySelectorAll(".legends")) place.append(legend(data.pipelines));
    for (const box of document.querySelectorAll("[data-charts]")) {
      for (const figure of data.charts[box.dataset.charts] || []) draw(box, figure);
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach((show) => show()));
  }

  // ---- questions: what is shown

  const filters = $("filters");
  const chosen = { search: "", pipeline: data.subject, status: "", kind: "", metric: data.metric, order: "set" };

  function select(name, label, options) {
    const box = h("select", { name, onchange: (event) => { chosen[name] = event.target.value; update(); } });
    for (const [value, text] of options) box.append(h("option", { value, selected: value === chosen[name] }, text));
    return h("label", null, label, box);
  }

  function controls() {
    const kinds = [...new Set(data.items.map((item) => item.kind))];
    const search = h("input", {
      type: "search", name: "search", placeholder: "question, answer or id", autocomplete: "off",
      oninput: (event) => { chosen.search = event.target.value.trim().toLowerCase(); update(); },
    });
    const orders = [["set", "as in the set"], ["worst", "worst first"], ["best", "best first"]];
    for (const name of names) orders.push(["vs:" + name, "differs most from " + name]);
    filters.append(
      h("label", { class: "search" }, "Search", search),
      select("pipeline", "Pipeline", names.map((name) => [name, name])),
      select("status", "Status", ["", "answered", "partial", "abstained", "failed"].map((s) => [s, s || "any"])),
      select("kind", "Kind", [["", "any"], ...kinds.filter((kind) => kind).map((kind) => [kind, kind])]),
      select("metric", "Metric", data.metrics.map((one) => [one.name, one.title])),
      select("order", "Order", orders),
    );
    filters.addEventListener("submit", (event) => event.preventDefault());
  }

  const value = (item, pipeline) => {
    const row = item.rows[place.get(pipeline)];
    const score = row && row.scores[chosen.metric];
    return score ? score[0] : null;
  };

  function haystack(item) {
    if (!item.hay) {
      const answers = item.rows.map((row) => (row ? row.answer + " " + row.error : ""));
      item.hay = [item.id, item.question, item.filters, item.answer || "", ...answers].join(" ").toLowerCase();
    }
    return item.hay;
  }

  function visible() {
    const at = place.get(chosen.pipeline);
    const found = data.items.filter((item) => {
      const row = item.rows[at];
      if (chosen.status && (!row || row.status !== chosen.status)) return false;
      if (chosen.kind && item.kind !== chosen.kind) return false;
      return !chosen.search || haystack(item).includes(chosen.search);
    });
    if (chosen.order === "set") return found;
    const lower = (metrics.get(chosen.metric) || {}).better === "lower";
    let key;
    if (chosen.order.startsWith("vs:")) {
      const other = chosen.order.slice(3);
      key = (item) => {
        const a = value(item, chosen.pipeline), b = value(item, other);
        return a === null || b === null ? null : -Math.abs(a - b);
      };
    } else {
      const sign = (chosen.order === "worst") === lower ? -1 : 1;
      key = (item) => { const v = value(item, chosen.pipeline); return v === null ? null : sign * v; };
    }
    // Questions without the score come last.
    return found.map((item) => [key(item), item]).sort((a, b) => (a[0] === null) - (b[0] === null) || a[0] - b[0])
      .map((pair) => pair[1]);
  }

  let shown = [], until = 0;
  function update() {
    shown = visible();
    until = 0;
    const top = Math.max(0, ...data.items.flatMap((item) => names.map((name) => value(item, name) || 0)));
    const unit = (metrics.get(chosen.metric) || {}).unit;
    scale = unit ? top || 1 : 1;
    $("count").textContent = `${shown.length.toLocaleString("en-US")} of ${data.items.length.toLocaleString("en-US")} questions`;
    const list = $("list");
    list.style.setProperty("--pipelines", names.length);
    list.replaceChildren();
    if (!shown.length) return;
    const title = (metrics.get(chosen.metric) || {}).title || "";
    const head = h("div", { class: "columns", "aria-hidden": "true" }, h("span", null), names.map((name) => h("span", null, name)));
    head.firstChild.style.textAlign = "left";
    head.firstChild.textContent = title;
    list.append(head);
    more();
  }

  let scale = 1;
  function more() {
    const list = $("list");
    const part = shown.slice(until, until + PAGE);
    const first = until;
    until += part.length;
    const old = list.querySelector(".next");
    if (old) old.remove();
    const entries = part.map(entry);
    list.append(...entries);
    if (until < shown.length) list.append(h("button", { class: "next", type: "button", onclick: more }, `Show ${Math.min(PAGE, shown.length - until)} more`));
    if (first && entries.length) entries[0].firstChild.focus();
  }

  function cell(item, one, i) {
    const row = item.rows[i];
    const score = row ? row.scores[chosen.metric] : null;
    const metric = metrics.get(chosen.metric) || {};
    const got = score ? score[0] : null;
    const box = h("span", { class: got === null ? "value none" : "value", "data-label": one.name });
    box.style.setProperty("--role", `var(--${one.role})`);
    box.style.setProperty("--v", got === null ? 0 : Math.min(1, Math.max(0, got / scale)));
    box.append(h("span", { class: "screen-label" }, !row ? "not run" : score && score[2] ? "judge failed" : number(got, metric.unit)));
    if (row && row.status !== "answered") box.append(h("small", { class: "is-" + row.status }, " " + row.status));
    return box;
  }

  function entry(item) {
    const line = [item.id, item.filters, item.kind].filter((part) => part).join(" \u00b7 ");
    const button = h("button", { class: "open", type: "button", "aria-expanded": "false", onclick: () => toggle(), onkeydown: move },
      h("span", null, h("span", { class: "q text" }, item.question), h("small", null, line)),
      data.pipelines.map((one, i) => cell(item, one, i)));
    const box = h("div", { class: "entry" }, button);
    function toggle() {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) box.lastChild.remove();
      else box.append(detail(item));
    }
    return box;
  }

  function move(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const rows = [...$("list").querySelectorAll(".open, .next")];
    const to = rows[rows.indexOf(event.currentTarget) + (event.key === "ArrowDown" ? 1 : -1)];
    if (to) { event.preventDefault(); to.focus(); }
  }

  // ---- one question

  const text = (value) => h("p", { class: "text" }, value);
  const block = (title, ...children) => h("div", { class: "inner" }, h("h4", null, title), ...children);

  function detail(item) {
    const expected = [];
    if (item.answer !== null) expected.push(text(item.answer));
    for (const passage of item.gold) expected.push(h("p", { class: "text quote" }, passage));
    const facts = [];
    if (item.numbers.length) facts.push("Figures: " + item.numbers.join("; "));
    if (item.places.length) facts.push("Where: " + item.places.join("; "));
    if (item.route) facts.push("Route: " + item.route);
    if (item.answerable === false) facts.push("The documents do not hold the answer: abstaining is right.");
    for (const fact of facts) expected.push(h("p", { class: "facts-line" }, fact));
    const box = h("div", { class: "detail" });
    if (expected.length) box.append(block("Expected answer", ...expected));
    const pane = h("div", { role: "tabpanel" });
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Pipelines" });
    const buttons = data.pipelines.map((one, i) => {
      const row = item.rows[i];
      const button = h("button", { type: "button", role: "tab", disabled: !row, onclick: () => pick(i) }, one.name,
        row ? h("small", { class: "is-" + row.status }, row.status) : h("small", null, "not run"));
      button.style.setProperty("--role", `var(--${one.role})`);
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        let to = i;
        do to = (to + step + names.length) % names.length; while (!item.rows[to]);
        pick(to);
        buttons[to].focus();
      });
      return button;
    });
    function pick(i) {
      buttons.forEach((button, j) => {
        button.setAttribute("aria-selected", String(i === j));
        button.tabIndex = i === j ? 0 : -1;
      });
      pane.setAttribute("aria-label", names[i]);
      pane.replaceChildren(answered(item.rows[i]));
    }
    tabs.append(...buttons);
    box.append(tabs, pane);
    const at = place.get(chosen.pipeline);
    const start = item.rows[at] ? at : item.rows.findIndex((row) => row);
    if (start >= 0) pick(start);
    return box;
  }

  function answered(row) {
    const contexts = row.contexts.map((context, i) => contextBox(row, context, i));
    const show = (n) => {
      const box = contexts[n - 1];
      if (!box) return;
      box.open = true;
      box.scrollIntoView({ block: "center" });
      box.querySelector("summary").focus();
    };
    const left = h("div", null);
    const facts = [row.route && "route " + row.route, row.tools.join(" + "), row.widened && "searched again, wider",
      "engine " + row.engine, row.tokens && row.tokens.toLocaleString("en-US") + " model tokens",
      row.seconds !== null && seconds(row.seconds) + " s"];
    const said = row.error ? h("p", { class: "text is-failed" }, row.error) : withMarkers(row.answer, show);
    left.append(block("Answer: " + row.status + (row.reason ? ", " + row.reason : ""), said,
      h("p", { class: "facts-line" }, facts.filter((fact) => fact).join(" \u00b7 "))));
    if (row.statements.length) {
      const list = row.statements.map(([what, ok, why, ranks]) => h("li", { class: ok ? null : "no" },
        h("span", { class: "text" }, what), " ", ranks.map((n) => marker(n, show)),
        ok ? null : h("div", { class: "why" }, "Not supported: " + (why || "no evidence"))));
      const bad = row.statements.filter((statement) => !statement[1]).length;
      left.append(block(`Statements checked: ${row.statements.length - bad} of ${row.statements.length} supported`,
        h("ul", { class: "statements" }, list)));
    }
    if (row.citations.length) {
      left.append(block("Citations", h("ul", { class: "plain" }, row.citations.map(([n, doc, page, quote]) =>
        h("li", null, marker(n, show), ` ${doc} p. ${page}`, h("div", { class: "quote text" }, quote))))));
    }
    const scores = [...metrics.values()].filter((one) => row.scores[one.name]).map((one) => {
      const [got, why, failed] = row.scores[one.name];
      return h("tr", null, h("th", { scope: "row" }, one.title), h("td", null, failed ? "judge failed" : number(got, one.unit)), h("td", null, why));
    });
    if (scores.length) left.append(block("Scores", h("table", { class: "scores" }, h("tbody", null, scores))));
    const chars = row.contexts.reduce((sum, [n]) => sum + data.contexts[n].text.length, 0);
    const right = block(`Contexts: ${contexts.length}, ${chars.toLocaleString("en-US")} characters`,
      ...(contexts.length ? contexts : [h("p", { class: "quote" }, "None.")]));
    return h("div", { class: "panes" }, left, right);
  }

  const marker = (n, show) => h("button", { type: "button", class: "marker", "aria-label": "Show context " + n, onclick: () => show(n) }, `${n}`);

  function withMarkers(answer, show) {
    const box = text("");
    for (const part of answer.split(/(\[\d+\])/)) {
      const match = /^\[(\d+)\]$/.exec(part);
      box.append(match ? marker(Number(match[1]), show) : part);
    }
    return box;
  }

  function contextBox(row, [n, score, spans], i) {
    const context = data.contexts[n];
    const cited = row.citations.some((citation) => citation[0] === i + 1);
    const notes = [`${context.source}, score ${score.toFixed(2)}`, cited ? "cited" : null].filter((note) => note);
    const label = h("summary", null, `${i + 1}  ${context.document} p. ${context.page} `, h("span", null, notes.join(" \u00b7 ")),
      spans.length ? h("span", { class: "has" }, " \u00b7 gold") : null);
    const body = h("div", { class: "text", tabindex: "0" });
    const chars = Array.from(context.text);
    let at = 0;
    for (const [start, end] of spans) {
      body.append(chars.slice(at, start).join(""), h("mark", null, chars.slice(start, end).join("")));
      at = end;
    }
    body.append(chars.slice(at).join(""));
    return h("details", { class: "context", open: spans.length > 0 || cited || i === 0 }, label, body);
  }

  if (filters && data.items.length) {
    controls();
    update();
  }
  await charts();
})();
