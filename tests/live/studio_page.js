// What Studio does for somebody who debugs: lists the graphs, asks on a thread, answers what is asked back, forks.
// Steps and what was seen of each go to the page's own server.
const server = new URLSearchParams(location.search).get("server");
const seen = {};

async function call(path, body, method = body === undefined ? "GET" : "POST") {
  const reply = await fetch(server + path, {
    method,
    credentials: "include",
    headers: { "Content-Type": "application/json", "X-Auth-Scheme": "langsmith" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply;
}
const json = async (...given) => (await call(...given)).json();

async function stream(thread, body) {
  const reply = await call(`/threads/${thread}/runs/stream`, {
    assistant_id: "assistant", stream_mode: ["updates", "values", "messages-tuple"], ...body,
  });
  const text = await reply.text();
  const events = text.split(/\r?\n\r?\n/).map((event) => ({
    event: /^event: (.*)$/m.exec(event)?.[1].trim(), data: /^data: (.*)$/m.exec(event)?.[1],
  })).filter((event) => event.event && event.data);
  const steps = events.filter((event) => event.event === "updates")
    .flatMap((event) => Object.keys(JSON.parse(event.data)));
  const values = events.filter((event) => event.event === "values").map((event) => JSON.parse(event.data));
  return { where: reply.headers.get("Content-Location"), steps, last: values.at(-1) };
}

async function debug() {
  const graphs = await json("/assistants/search", { limit: 50 });
  seen.graphs = graphs.map((graph) => graph.graph_id).sort();
  const own = graphs.find((graph) => graph.graph_id === "assistant").assistant_id;
  seen.drawn = (await json(`/assistants/${own}/graph?xray=true`)).nodes.length;
  seen.schemas = Object.keys(await json(`/assistants/${own}/schemas`)).sort();
  const { thread_id: thread } = await json("/threads", { metadata: { from: "studio" } });

  const question = { messages: [{ role: "user", content: "What was net income?" }] };
  const asked = await stream(thread, { input: question });
  seen.asked = { steps: asked.steps, where: asked.where };
  seen.interrupted = (await json(`/threads/${thread}`)).status;

  const resumed = await stream(thread, { command: { resume: "2" } });
  seen.resumed = { steps: resumed.steps, answer: resumed.last.answer.answer };

  const history = await json(`/threads/${thread}/history`, { limit: 50 });
  const before = history.find((state) => state.next[0] === "condense");
  const changed = { ...before.values.messages.at(-1), content: "What was Calderith's net income?" };
  const fork = await json(`/threads/${thread}/state`, {
    values: { messages: [changed] }, checkpoint: before.checkpoint, as_node: "__start__",
  });
  const forked = await stream(thread, { input: null, checkpoint: fork.checkpoint });
  seen.forked = forked.last.answer.answer;
  seen.threads = (await json("/threads/search", { metadata: { from: "studio" } })).length;
  await call(`/threads/${thread}`, undefined, "DELETE");
}

debug().catch((error) => { seen.error = String(error); })
  .then(() => fetch("/seen", { method: "POST", body: JSON.stringify(seen) }));
