// What the page says to the server. Every failure is an Error whose message is for the reader.

/** What the page's addresses begin with: "", or the path below which another server shows it. */
export const BASE = new URL("..", import.meta.url).pathname.slice(0, -1);

async function failed(response) {
  let detail = "";
  try {
    detail = (await response.json()).detail;
  } catch {
    detail = `The server answered ${response.status}.`;
  }
  const error = new Error(detail);
  error.status = response.status;
  return error;
}

async function asked(path, options) {
  let response;
  try {
    response = await fetch(BASE + path, options);
  } catch {
    throw new Error("The server does not answer. Is 'hybridrag web' still running?");
  }
  if (!response.ok) throw await failed(response);
  return response;
}

const body = (value) =>
  value === undefined ? {} : { body: JSON.stringify(value), headers: { "Content-Type": "application/json" } };

export const get = async (path) => (await asked(path)).json();

export const send = async (method, path, value) => (await asked(path, { method, ...body(value) })).json();

export const bytes = async (path) => new Uint8Array(await (await asked(path)).arrayBuffer());

/** Reads JSON lines as they come; `each` gets one object a line. Rejects where the stream breaks off. */
export async function stream(method, path, value, each) {
  const response = await asked(path, { method, ...body(value) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch {
      throw new Error("The connection to the server broke off.");
    }
    if (part.done) break;
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) each(JSON.parse(line));
  }
}

/** Sends a file as it is; `told` gets the share that is sent. */
export function upload(path, file, told) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", BASE + path);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && told(event.loaded / event.total);
    request.onerror = () => reject(new Error(`'${file.name}' could not be sent.`));
    request.onload = () =>
      request.status === 200
        ? resolve(request.response)
        : reject(new Error(request.response?.detail ?? `The server answered ${request.status}.`));
    request.send(file);
  });
}
