// A graph on a canvas: lines, discs and names, moved and zoomed by hand. Twenty thousand lines are one path and a frame;
// a library that keeps an object for each takes seconds for the first.
const NEAR = 6; // pixels beside a line or a disc that still mean it
const STILL = 4; // pixels that a pointer may move between down and up to be a click
const MOST_MOVING = 3000; // lines drawn while the drawing moves; the rest follow when it rests
const RESTS = 120; // milliseconds after which it does
const MOST_NAMES = 160; // written at once
const LINE = 22; // characters of a name on a line of the drawing
const MOST_LINES = 3;

/** `nodes`: x, y, size, name, type, faint; `edges`: from, to, name, dashed; `ranked`: nodes by importance. `colour(name)` gives the page's. */
function drawing(container, { nodes, edges, ranked, colour, opened }) {
  const canvas = document.createElement("canvas");
  container.append(canvas);
  const pen = canvas.getContext("2d");
  const bends = bent(edges);
  let view = { zoom: 1, x: 0, y: 0 }; // where the middle of the world stands on the canvas
  let [width, height, asked] = [0, 0, 0];
  let [onNodes, onEdges, near] = [[], [], { nodes: [], edges: [] }];
  let [marked, seen] = [near, (of) => of]; // what is asked to be marked, and what of it is drawn
  let names = []; // ranked, those drawn
  let written = []; // of them those whose name stands there: it stays while the drawing moves
  const worded = new Map(); // lines of a name and half their width

  const across = (at) => nodes[at].x * view.zoom + view.x;
  const down = (at) => nodes[at].y * view.zoom + view.y;
  const radius = (at) => Math.max(1.2, (nodes[at].size / 2) * view.zoom);
  const again = () => { asked ||= requestAnimationFrame(draw); };
  let moving = 0;
  const move = () => { clearTimeout(moving); moving = setTimeout(() => { moving = 0; again(); }, RESTS); again(); };

  function draw() {
    asked = 0;
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const few = onEdges.length < 1500;
    pen.globalAlpha = few ? 1 : 0.55;
    strokes((moving ? onEdges.slice(0, MOST_MOVING) : onEdges).filter((at) => !edges[at].dashed), colour("edge"), 1, few);
    pen.globalAlpha = 1;
    pen.setLineDash([4, 3]);
    strokes(onEdges.filter((at) => edges[at].dashed), colour("concept"), 1, few);
    pen.setLineDash([]);
    strokes(near.edges, colour("mark"), 2, few || near.edges.length < 300);
    for (const [of, found] of grouped(onNodes.filter(inView), kind)) discs(found, of);
    pen.strokeStyle = colour("mark");
    pen.lineWidth = 2.5;
    pen.beginPath();
    for (const at of near.nodes) { pen.moveTo(across(at) + radius(at), down(at)); pen.arc(across(at), down(at), radius(at), 0, 7); }
    pen.stroke();
    write(few);
  }

  const kind = (at) => `${nodes[at].type} ${nodes[at].faint ? 0.4 : 1}`;
  const inView = (at) => { const [x, y, r] = [across(at), down(at), radius(at)]; return x > -r && y > -r && x < width + r && y < height + r; };

  /** A point of a line, 0.5 its middle; off the straight one where several join the same two. */
  function bend(at, part = 0.5) {
    const [x, y, x2, y2] = [across(edges[at].from), down(edges[at].from), across(edges[at].to), down(edges[at].to)];
    const off = bends[at] * 26 * Math.min(1, view.zoom) * (edges[at].from < edges[at].to ? 1 : -1);
    const long = Math.hypot(x2 - x, y2 - y) || 1;
    const away = 4 * part * (1 - part) * off;
    return [x + (x2 - x) * part - ((y2 - y) / long) * away, y + (y2 - y) * part + ((x2 - x) / long) * away];
  }

  function strokes(found, ink, thick, arrows) {
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = thick;
    pen.beginPath();
    const heads = new Path2D();
    for (const at of found) {
      const [x, y, x2, y2] = [across(edges[at].from), down(edges[at].from), across(edges[at].to), down(edges[at].to)];
      if (Math.max(x, x2) < 0 || Math.max(y, y2) < 0 || Math.min(x, x2) > width || Math.min(y, y2) > height) continue;
      pen.moveTo(x, y);
      if (!arrows) { pen.lineTo(x2, y2); continue; }
      const [bx, by] = bend(at);
      const [cx, cy] = [2 * bx - (x + x2) / 2, 2 * by - (y + y2) / 2];
      pen.quadraticCurveTo(cx, cy, x2, y2);
      const turned = Math.atan2(y2 - cy, x2 - cx);
      const [tx, ty] = [x2 - Math.cos(turned) * radius(edges[at].to), y2 - Math.sin(turned) * radius(edges[at].to)];
      heads.moveTo(tx, ty);
      for (const side of [-0.4, 0.4]) heads.lineTo(tx - 8 * Math.cos(turned + side), ty - 8 * Math.sin(turned + side));
    }
    pen.stroke();
    if (arrows) pen.fill(heads);
  }

  function discs(found, of) {
    const [type, strength] = of.split(" ");
    pen.fillStyle = colour(type);
    pen.globalAlpha = Number(strength);
    pen.beginPath();
    for (const at of found) {
      const [x, y, r] = [across(at), down(at), radius(at)];
      if (r < 2 || type === "concept") pen.rect(x - r, y - r, 2 * r, 2 * r);
      else { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 7); }
    }
    pen.fill();
    pen.globalAlpha = 1;
  }

  /** Names below the discs in view, the most important first, then those of lines, none over another. */
  function write(few) {
    const [ink, ground, family] = [colour("ink"), colour("ground"), getComputedStyle(document.body).fontFamily];
    Object.assign(pen, { textAlign: "center", textBaseline: "middle", lineWidth: 3, lineJoin: "round", strokeStyle: ground, fillStyle: ink });
    const placed = [];
    const free = (box) => !placed.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]) && placed.push(box);
    pen.font = `12px ${family}`;
    if (!moving) written = [];
    for (const at of moving ? written : [...near.nodes.slice(0, 1), ...names]) {
      if (placed.length >= MOST_NAMES) break;
      if (!inView(at)) continue;
      if (!worded.has(at)) { const words = lines(nodes[at].name); worded.set(at, [words, Math.max(...words.map((line) => pen.measureText(line).width)) / 2 + 3]); }
      const [x, y, [words, half]] = [across(at), down(at) + radius(at) + 9, worded.get(at)];
      if (!free([x - half, y - 8, x + half, y - 7 + 15 * words.length])) continue;
      if (!moving) written.push(at);
      words.forEach((line, row) => { pen.strokeText(line, x, y + 14 * row); pen.fillText(line, x, y + 14 * row); });
    }
    if (!few || placed.length >= MOST_NAMES) return;
    pen.font = `11px ${family}`;
    pen.fillStyle = colour("soft");
    for (const at of onEdges) {
      if (placed.length >= 2 * MOST_NAMES) return;
      const [dx, dy] = [across(edges[at].to) - across(edges[at].from), down(edges[at].to) - down(edges[at].from)];
      const [half, [x, y]] = [pen.measureText(edges[at].name).width / 2 + 2, bend(at, nodes[edges[at].from].size > nodes[edges[at].to].size ? 0.62 : 0.38)];
      if (!edges[at].name || 2 * half + 20 > Math.hypot(dx, dy)) continue;
      const turned = Math.atan(dy / dx) || 0;
      const [w, h] = [Math.abs(half * Math.cos(turned)) + 7, Math.abs(half * Math.sin(turned)) + 7];
      if (!free([x - w, y - h, x + w, y + h])) continue;
      pen.save();
      pen.translate(x, y);
      pen.rotate(turned);
      pen.strokeText(edges[at].name, 0, 0);
      pen.fillText(edges[at].name, 0, 0);
      pen.restore();
    }
  }

  /** What is drawn at a place: ["node", at], ["edge", at] or null. */
  function under(x, y) {
    const best = (found, far) => found.reduce(([least, at], next) => { const apart = far(next); return apart < least ? [apart, next] : [least, at]; }, [NEAR, null])[1];
    const node = best(onNodes, (at) => Math.hypot(across(at) - x, down(at) - y) - radius(at));
    if (node !== null) return ["node", node];
    const edge = best(onEdges, (at) => {
      const ends = [[across(edges[at].from), down(edges[at].from)], [across(edges[at].to), down(edges[at].to)]];
      const middle = onEdges.length < 1500 ? bend(at) : [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
      return Math.min(apart(x, y, ends[0], middle), apart(x, y, middle, ends[1]));
    });
    return edge === null ? null : ["edge", edge];
  }

  function zoomBy(factor, x = width / 2, y = height / 2) {
    const zoom = Math.min(4, Math.max(0.002, view.zoom * factor));
    view = { zoom, x: x - ((x - view.x) * zoom) / view.zoom, y: y - ((y - view.y) * zoom) / view.zoom };
    move();
  }

  const held = new Map(); // pointers that are down, where they are
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); held.set(event.pointerId, [event.offsetX, event.offsetY]); moved = held.size > 1 ? Infinity : 0; });
  canvas.addEventListener("pointermove", (event) => {
    const was = held.get(event.pointerId);
    if (!was) return;
    const now = [event.offsetX, event.offsetY];
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    held.set(event.pointerId, now);
    moved += Math.hypot(now[0] - was[0], now[1] - was[1]);
    if (other) zoomBy(Math.hypot(now[0] - other[0], now[1] - other[1]) / (Math.hypot(was[0] - other[0], was[1] - other[1]) || 1), other[0], other[1]);
    else { view = { ...view, x: view.x + now[0] - was[0], y: view.y + now[1] - was[1] }; move(); }
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => {
    held.delete(event.pointerId);
    const found = end === "pointerup" && moved < STILL && under(event.offsetX, event.offsetY);
    if (found) opened(...found);
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY); }, { passive: false });
  const measure = () => { [width, height] = [container.clientWidth, container.clientHeight]; again(); };
  new ResizeObserver(measure).observe(container);
  measure();

  return {
    again,
    zoomBy,
    show(drawnNodes, drawnEdges) {
      [onNodes, onEdges] = [[...drawnNodes], [...drawnEdges]];
      seen = (of) => ({ nodes: of.nodes.filter((at) => drawnNodes.has(at)), edges: of.edges.filter((at) => drawnEdges.has(at)) });
      near = seen(marked);
      names = ranked.filter((at) => drawnNodes.has(at)); written = []; again();
    },
    mark(markedNodes, markedEdges) { marked = { nodes: markedNodes, edges: markedEdges }; near = seen(marked); again(); },
    /** Bring these nodes into view. */
    fit(found) {
      const box = ["x", "y"].map((axis) => found.reduce(([least, most], at) => [Math.min(least, nodes[at][axis]), Math.max(most, nodes[at][axis])], [Infinity, -Infinity]));
      if (!found.length) return;
      const zoom = Math.min(1.2, (width - 140) / (box[0][1] - box[0][0] || 1), (height - 90) / (box[1][1] - box[1][0] || 1));
      view = { zoom, x: width / 2 - (zoom * (box[0][0] + box[0][1])) / 2, y: height / 2 - (zoom * (box[1][0] + box[1][1])) / 2 };
      again();
    },
    /** Bring a node into the middle, near enough to read around it. */
    centre(at) { const zoom = Math.max(view.zoom, 0.8); view = { zoom, x: width / 2 - nodes[at].x * zoom, y: height / 2 - nodes[at].y * zoom }; again(); },
  };
}

/** How far each of several lines between the same two stands from the straight one: 0, or ..., -1, 0, 1, ... */
function bent(edges) {
  const pairs = grouped(edges.map((_, at) => at), (at) => [edges[at].from, edges[at].to].sort().join());
  const found = new Array(edges.length).fill(0);
  for (const alike of pairs.values()) alike.forEach((at, rank) => { found[at] = rank - (alike.length - 1) / 2; });
  return found;
}

function grouped(found, key) {
  const groups = new Map();
  for (const at of found) { const of = key(at); if (groups.has(of)) groups.get(of).push(at); else groups.set(of, [at]); }
  return groups;
}

/** How far a point is from a straight line between two. */
function apart(x, y, [ax, ay], [bx, by]) {
  const part = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2 || 1)));
  return Math.hypot(ax + part * (bx - ax) - x, ay + part * (by - ay) - y);
}

/** A name on at most MOST_LINES lines. */
function lines(name) {
  const words = name.split(/\s+/);
  const found = [];
  while (words.length) {
    let line = words.shift();
    while (words.length && (found.length === MOST_LINES - 1 || `${line} ${words[0]}`.length <= LINE)) line = `${line} ${words.shift()}`;
    found.push(line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line);
  }
  return found;
}
