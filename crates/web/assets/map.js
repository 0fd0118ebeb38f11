// The map: moved and enlarged, pointed at, measured. What a space is like is asked of the
// server, which sends the answers that pointing there stands for as buttons.
"use strict";
(() => {
  const table = document.getElementById("table");
  const stage = document.getElementById("stage");
  if (!table || !stage) return;
  const base = table.dataset.base;
  const SVG = "http://www.w3.org/2000/svg";

  const map = () => stage.querySelector(".map");
  const part = (name) => map()?.querySelector(name);
  const data = (name) => JSON.parse(map()?.dataset[name] ?? "null");
  const { SIDE, size, nameOf, placeOf, middle, inside, spaceAt, apart } = spacesOf(map);

  // Where it is looked at from: kept while the server draws anew.
  let view = { x: 0, y: 0, zoom: 1 };
  // How wide a space is on the screen before it is enlarged.
  const spaceWide = () => {
    const drawing = part(".sight svg");
    const [columns, rows] = size();
    return drawing ? Math.min(drawing.clientWidth / (columns + 1), drawing.clientHeight / (rows + 1)) : 0;
  };
  const look = () => {
    stage.style.setProperty("--map-x", `${view.x}px`);
    stage.style.setProperty("--map-y", `${view.y}px`);
    stage.style.setProperty("--map-zoom", view.zoom);
    // On a large map who stands there is drawn larger than a space.
    const space = spaceWide() * view.zoom;
    stage.style.setProperty("--map-token", space ? Math.min(2.6, Math.max(1, 26 / space)) : 1);
    // Names that could not be read are shown of those who act or are pointed at.
    stage.classList.toggle("distant", space > 0 && space < 22);
    stage.classList.toggle("enlarged", view.zoom > 1.01);
  };
  const bounded = () => {
    const [columns, rows] = size();
    const [wide, high] = [columns * SIDE, rows * SIDE];
    view.zoom = Math.min(8, Math.max(1, view.zoom));
    view.x = Math.min(0, Math.max(wide * (1 - view.zoom), view.x));
    view.y = Math.min(0, Math.max(high * (1 - view.zoom), view.y));
  };
  // Of a point on the screen: where it is on the drawing before it is moved and enlarged.
  const onDrawing = (event) => {
    const svg = part(".sight svg");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const onMap = (event) => {
    const [x, y] = onDrawing(event);
    return [(x - view.x) / view.zoom, (y - view.y) / view.zoom];
  };
  const zoom = (by, [x, y]) => {
    const before = view.zoom;
    view.zoom = Math.min(8, Math.max(1, before * by));
    const scale = view.zoom / before;
    view.x = x - (x - view.x) * scale;
    view.y = y - (y - view.y) * scale;
    bounded();
    look();
  };
  const centre = () => { const [columns, rows] = size(); return [columns * SIDE / 2, rows * SIDE / 2]; };
  // Of a space: so that it is seen.
  const reveal = (at) => {
    if (view.zoom <= 1) return;
    const [columns, rows] = size();
    const [x, y] = middle(at);
    const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
    const edge = SIDE * 1.5;
    if (left < edge) view.x += edge - left;
    if (left > columns * SIDE - edge) view.x -= left - (columns * SIDE - edge);
    if (top < edge) view.y += edge - top;
    if (top > rows * SIDE - edge) view.y -= top - (rows * SIDE - edge);
    bounded();
    look();
  };

  // What is pointed at: the space under the cursor, the space that was chosen, the way to it.
  let mode = null;
  let cursor = null;
  let chosen = null;
  let via = [];
  let mover = null;
  let held = null;
  let ruler = null;
  const going = () => data("going") ?? [];
  const moving = () => going().find((one) => one.token === mover) ?? going()[0];
  const draw = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const box = (at, kind) => {
    const [x, y] = middle(at);
    return draw("rect", { class: kind, x: x - SIDE / 2 + 1, y: y - SIDE / 2 + 1, width: SIDE - 2, height: SIDE - 2, rx: 4 });
  };
  const paint = () => {
    const over = part(".over");
    const way = part(".way");
    if (!over || !way) return;
    over.replaceChildren();
    way.replaceChildren();
    if (chosen) over.append(box(chosen, "chosen"));
    if (cursor) over.append(box(cursor, "cursor"));
    for (const at of via) { const [x, y] = middle(at); over.append(draw("circle", { class: "via", cx: x, cy: y, r: 6 })); }
    const panel = part(".there form");
    if (panel?.dataset.path) {
      const all = panel.dataset.path.split(" ").map(placeOf);
      const start = going().find((one) => one.token === panel.dataset.token)?.at;
      const points = [start, ...all].filter(Boolean).map((at) => middle(at).join(","));
      way.append(draw("polyline", { class: "under", points: points.join(" ") }), draw("polyline", { class: "path", points: points.join(" ") }));
      for (const mark of panel.dataset.marks.split(" ").filter(Boolean)) {
        const [name, text] = mark.split("=");
        const [x, y] = middle(placeOf(name));
        way.append(draw("circle", { class: "gain", cx: x, cy: y, r: 10 }), draw("text", { class: "gained", x, y: y + 4 }, text));
      }
    }
    if (ruler?.to) {
      const [[x, y], [a, b]] = [middle(ruler.from), middle(ruler.to)];
      const far = apart(ruler.from, ruler.to);
      over.append(draw("line", { class: "ruler", x1: x, y1: y, x2: a, y2: b }), draw("text", { class: "measured", x: a, y: b - 14 }, `${far} ${far === 1 ? "space" : "spaces"}`));
    }
    for (const reach of stage.querySelectorAll(".reach")) reach.toggleAttribute("hidden", reach.dataset.token !== moving()?.token);
    for (const token of stage.querySelectorAll(".token")) token.classList.toggle("held", token.dataset.token === held);
    const tool = part("[data-map=via]");
    if (tool) tool.hidden = going().length === 0;
    for (const button of stage.querySelectorAll("[data-map][aria-pressed]")) button.setAttribute("aria-pressed", String(button.dataset.map === mode));
  };

  // What a space is like, from the server: the last that was asked for wins.
  let asking = 0;
  let soon = 0;
  const fetched = new Map();
  const panelFor = async (at, isChosen) => {
    const one = moving();
    // What was chosen is not overtaken by what is merely looked at.
    if (!one || !inside(at) || (chosen && !isChosen)) return;
    const query = new URLSearchParams({ ask: one.ask, token: one.token, to: nameOf(at) });
    if (via.length) query.set("via", via.map(nameOf).join(","));
    const key = query.toString();
    const nth = asking += 1;
    if (!fetched.has(key)) {
      const answer = await fetch(`${base}/there?${key}`).catch(() => null);
      if (answer?.ok) fetched.set(key, await answer.text());
      else if (nth !== asking) return;
      else fetched.set(key, "");
    }
    if (nth !== asking || (chosen && !isChosen)) return;
    const panel = part(".there");
    if (!panel) return;
    panel.innerHTML = fetched.get(key);
    panel.classList.toggle("preview", !isChosen);
    paint();
    if (isChosen === "keys") panel.querySelector("button")?.focus();
    else if (isChosen) panel.querySelector(".deeds")?.scrollIntoView({ block: "nearest" });
  };
  const forget = () => {
    chosen = null;
    via = [];
    asking += 1;
    part(".there")?.replaceChildren();
    paint();
  };
  const preview = (at) => {
    cursor = at;
    paint();
    if (chosen || !going().length || mode === "ruler" || mode === "hand") return;
    clearTimeout(soon);
    soon = setTimeout(() => panelFor(at, false), 70);
  };

  const send = async (path, fields) => {
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${base}/${path}`, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (answer?.ok) return;
    const why = await answer?.json().catch(() => null);
    const panel = part(".there");
    const told = document.createElement("p");
    told.className = "unfit";
    told.setAttribute("role", "alert");
    told.textContent = (why?.why ?? ["The table cannot be reached."]).join(" ");
    panel?.replaceChildren(told);
  };
  const tokenAt = (at) => {
    const there = [...stage.querySelectorAll(".token")].filter((token) => {
      const [, x, y] = /translate\((-?\d+) (-?\d+)\)/.exec(token.getAttribute("transform"));
      const [mx, my] = middle(at);
      return Math.abs(x - mx) < SIDE / 2 && Math.abs(y - my) < SIDE / 2;
    });
    return there.at(-1)?.dataset.token;
  };
  // A space is chosen, by a click, a tap or Enter.
  const choose = (at, how) => {
    if (!inside(at)) return;
    if (mode === "ping") { send("point", { to: nameOf(at) }); mode = null; paint(); return; }
    if (mode === "ruler") {
      ruler = ruler && !ruler.done ? { ...ruler, to: at, done: true } : { from: at };
      paint();
      return;
    }
    if (mode === "hand") {
      const token = tokenAt(at);
      if (held && held !== token) { send("put", { token: held, to: nameOf(at) }); held = null; }
      else held = held ? null : token ?? null;
      paint();
      return;
    }
    if (mode === "via") { via.push(at); mode = null; paint(); return; }
    const own = going().find((one) => one.at[0] === at[0] && one.at[1] === at[1]);
    if (own && own.token !== moving()?.token) { mover = own.token; forget(); return; }
    clearTimeout(soon);
    chosen = at;
    paint();
    panelFor(at, how);
  };

  // In words, for who does not see the map.
  const said = (at) => {
    const cells = data("cells") ?? {};
    const words = [nameOf(at), ...(cells[nameOf(at)] ?? [])];
    const reach = stage.querySelector(`.reach:not([hidden])`);
    if (reach && moving()) {
      const far = apart(moving().at, at);
      words.push(`${far} away`);
    }
    return words.join(", ");
  };
  const say = (text) => {
    const live = document.getElementById("said");
    const line = document.createElement("span");
    line.textContent = `${text} `;
    live.append(line);
    setTimeout(() => line.remove(), 8000);
  };

  // By mouse and by touch.
  const touches = new Map();
  let pinch = null;
  let drag = null;
  const sight = (event) => event.target.closest?.(".sight");
  stage.addEventListener("wheel", (event) => {
    if (!sight(event) || (!event.ctrlKey && !stage.matches(".enlarged") && event.deltaY > 0)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, onDrawing(event));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    if (!sight(event) || event.button !== 0) return;
    touches.set(event.pointerId, event);
    if (touches.size === 2) {
      const [a, b] = [...touches.values()];
      pinch = { far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) };
      drag = null;
      return;
    }
    const at = spaceAt(...onMap(event));
    const own = going().find((one) => one.at[0] === at[0] && one.at[1] === at[1]);
    drag = { x: event.clientX, y: event.clientY, view: { ...view }, from: onDrawing(event), walks: own && !mode ? own.token : null, moved: false };
    if (mode === "ruler") ruler = { from: at };
  });
  stage.addEventListener("pointermove", (event) => {
    if (touches.has(event.pointerId)) touches.set(event.pointerId, event);
    if (pinch && touches.size === 2) {
      const [a, b] = [...touches.values()];
      const far = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      zoom(far / pinch.far, onDrawing({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
      pinch.far = far;
      return;
    }
    if (!sight(event) && !drag) return;
    if (!map()) return;
    const at = spaceAt(...onMap(event));
    if (drag && !drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6) {
      drag.moved = true;
      part(".sight").setPointerCapture(event.pointerId);
      if (drag.walks) { mover = drag.walks; forget(); }
    }
    if (drag?.moved && mode === "ruler") { ruler = { from: ruler.from, to: at }; paint(); return; }
    if (drag?.moved && !drag.walks) {
      const [x, y] = onDrawing(event);
      view = { ...view, x: drag.view.x + x - drag.from[0], y: drag.view.y + y - drag.from[1] };
      bounded();
      look();
      return;
    }
    if (inside(at) && (event.pointerType === "mouse" || drag?.walks) && nameOf(at) !== (cursor && nameOf(cursor))) preview(at);
  });
  const lift = (event) => {
    touches.delete(event.pointerId);
    if (touches.size < 2) pinch = null;
    const dragged = drag;
    drag = null;
    if (!dragged || event.type === "pointercancel") return;
    if (dragged.moved && mode === "ruler") { ruler.done = true; return; }
    if (dragged.moved && !dragged.walks) return;
    if (!map()) return;
    choose(spaceAt(...onMap(event)), true);
  };
  document.addEventListener("pointerup", lift);
  document.addEventListener("pointercancel", lift);
  stage.addEventListener("pointerleave", () => { cursor = null; if (!chosen) { asking += 1; part(".there")?.replaceChildren(); } paint(); });

  // By keys.
  const press = (key) => {
    const tools = { r: "ruler", p: "ping", v: "via" };
    if (key === "+" || key === "=") zoom(1.3, centre());
    else if (key === "-") zoom(1 / 1.3, centre());
    else if (key === "0") { view = { x: 0, y: 0, zoom: 1 }; look(); }
    else if (tools[key]) { mode = mode === tools[key] ? null : tools[key]; if (key === "v" && cursor) { via.push(cursor); mode = null; say(`by way of ${nameOf(cursor)}`); } paint(); }
    else return false;
    return true;
  };
  document.addEventListener("keydown", (event) => {
    if (!map() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (chosen || mode || ruler || via.length)) {
      const back = event.target.closest?.(".there");
      mode = null;
      ruler = null;
      held = null;
      forget();
      if (back) part(".sight").focus();
      return;
    }
    if (!event.target.matches?.(".sight")) return;
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const at = cursor ?? moving()?.at ?? [0, 0];
    if (by) {
      event.preventDefault();
      const next = [at[0] + by[0], at[1] + by[1]];
      if (!inside(next)) return;
      reveal(next);
      preview(next);
      say(said(next));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(at, "keys");
    } else if (press(event.key.toLowerCase())) event.preventDefault();
  });
  stage.addEventListener("click", (event) => {
    const tool = event.target.closest("[data-map]")?.dataset.map;
    if (!tool) return;
    if (tool === "in") zoom(1.4, centre());
    else if (tool === "out") zoom(1 / 1.4, centre());
    else if (tool === "fit") { view = { x: 0, y: 0, zoom: 1 }; look(); }
    else {
      mode = mode === tool ? null : tool;
      ruler = null;
      held = null;
      paint();
    }
  });

  // Where spaces would be too small to be hit by a finger, the map begins enlarged, at who moves or acts.
  const SMALL = 18;
  let begun = false;
  const begin = () => {
    const space = spaceWide();
    if (begun || !space) return;
    begun = true;
    if (space < SMALL) {
      const acts = part(".token.acts, .token.near");
      const at = /translate\((-?\d+) (-?\d+)\)/.exec(acts?.getAttribute("transform") ?? "");
      const [columns, rows] = size();
      const [x, y] = moving() ? middle(moving().at) : at ? [Number(at[1]), Number(at[2])] : centre();
      view.zoom = Math.min(3, SMALL / space * 1.4);
      view.x = columns * SIDE / 2 - x * view.zoom;
      view.y = rows * SIDE / 2 - y * view.zoom;
      bounded();
    }
    look();
  };
  addEventListener("resize", () => { if (map()) look(); });

  // What was chosen is over once the table has moved on.
  let asked = "";
  const dress = () => {
    if (!map()) return;
    begin();
    const now = map().dataset.going + map().dataset.cells;
    if (now !== asked) {
      asked = now;
      fetched.clear();
      forget();
    }
    paint();
  };
  new MutationObserver((changes) => {
    if (changes.some((change) => !change.target.closest?.(".there, .over, .way"))) dress();
  }).observe(stage, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-going", "data-cells", "data-keep"] });
  dress();
})();
