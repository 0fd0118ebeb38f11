// A map that is drawn on. Each change goes to the server with the text of the encounter; the text
// and the map come back. Nothing is kept until the paper is saved.
"use strict";
(() => {
  const plan = document.getElementById("plan");
  if (!plan) return;
  const SVG = "http://www.w3.org/2000/svg";
  const { SIDE, down, nameOf, middle, inside, spaceAt, beside, edge, edgeAt, inOrder } = spacesOf(() => plan);
  const part = (name) => plan.querySelector(name);
  const text = part("#plan-text");
  const sight = part(".sight");
  const tools = part("#plan-tools");
  const said = part("#plan-said");
  const live = part("#plan-live");
  const tool = () => tools.querySelector("[name=tool]:checked")?.value ?? "move";
  const field = (id) => part(`#plan-${id}`)?.value ?? "";

  part(".scriptless").hidden = true;
  tools.hidden = false;

  let cursor = null;
  let pointed = null;
  let stroke = null;
  let corner = null;
  const before = [];

  const draw = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const box = (at, kind) => {
    const [x, y] = middle(at);
    return draw("rect", { class: kind, x: x - SIDE / 2 + 1, y: y - SIDE / 2 + 1, width: SIDE - 2, height: SIDE - 2, rx: 4 });
  };
  const bar = (sides, kind) => {
    const [x1, y1, x2, y2] = edge(sides);
    return draw("line", { class: kind, x1, y1, x2, y2 });
  };
  const drawsEdges = () => tool().startsWith("edge:");
  const drawsAlong = () => drawsEdges() || tool().startsWith("paint:");
  const show = () => {
    const over = part(".over");
    over.replaceChildren();
    for (const at of stroke?.all.values() ?? []) over.append(stroke.isEdges ? bar(at, "stroked") : box(at, "stroked"));
    if (pointed) over.append(bar(pointed, "cursor"));
    if (corner) over.append(draw("circle", { class: "via", cx: corner[0], cy: corner[1], r: 5 }));
    if (cursor) over.append(box(cursor, "cursor"));
    part("#plan-undo").disabled = !before.length;
    sight.classList.toggle("moves", tool() === "move");
  };
  const tell = (lines, kind) => {
    said.replaceChildren(...lines.map((line) => {
      const p = document.createElement("p");
      p.className = kind;
      p.textContent = line;
      return p;
    }));
  };

  // The answer of the server in place of what is shown. What is chosen and written stays.
  const take = (html) => {
    const next = new DOMParser().parseFromString(html, "text/html").getElementById("plan");
    for (const name of ["columns", "rows", "grid", "cells"]) plan.dataset[name] = next.dataset[name];
    const [chosen, focused] = [tool(), document.activeElement?.id];
    const kept = ["name", "across", "down"].map((id) => [id, field(id)]);
    const open = [...tools.querySelectorAll("details[open]")].map((details) => details.id);
    text.value = next.querySelector("#plan-text").value;
    tools.replaceChildren(...next.querySelector("#plan-tools").childNodes);
    said.replaceChildren(...next.querySelector("#plan-said").childNodes);
    sight.replaceChildren(...next.querySelector(".sight").childNodes);
    sight.setAttribute("aria-label", next.querySelector(".sight").getAttribute("aria-label"));
    for (const [id, value] of kept) if (part(`#plan-${id}`)) part(`#plan-${id}`).value = value;
    for (const id of open) part(`#${id}`)?.setAttribute("open", "");
    const again = document.getElementById(`tool-${chosen}`);
    if (again) again.checked = true;
    if (focused && focused !== document.activeElement?.id) document.getElementById(focused)?.focus();
    if (cursor && !inside(cursor)) cursor = null;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Changes go one after the other, each with the text that came of the last.
  let line = Promise.resolve();
  let waiting = 0;
  const send = async (fields, from) => {
    const body = new URLSearchParams({ ...fields, text: from ?? text.value });
    const answer = await fetch(`${plan.dataset.base}/map`, { method: "POST", body }).catch(() => null);
    if (!answer?.ok) {
      const why = answer?.status === 422 ? await answer.text() : "The server cannot be reached. Nothing was changed.";
      tell(why.split("\n"), "wrong");
      // What was to be taken back can be taken back again.
      if (from !== undefined) before.push(from);
      return;
    }
    const was = text.value;
    take(await answer.text());
    if (from === undefined) before.push(was);
  };
  const change = (fields, from) => {
    waiting += 1;
    line = line.then(() => send(fields, from)).finally(() => { waiting -= 1; stroke = waiting ? stroke : null; show(); });
  };
  const undo = () => {
    line = line.then(() => { if (before.length) change({}, before.pop()); });
  };
  document.getElementById("work").addEventListener("submit", (event) => {
    if (!waiting) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter, target } = event;
    line.then(() => target.requestSubmit(submitter));
  }, true);

  // Of a press: where it is on the drawing.
  const onDrawing = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(sight.querySelector("svg").getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const thousandths = ([x, y]) => `${Math.round(x * 1000 / SIDE)} ${Math.round(y * 1000 / down())}`;
  const pressCorner = (point) => {
    if (!corner) {
      corner = point;
      live.textContent = "The first corner. Now the second.";
      show();
      return;
    }
    const [from, to] = [thousandths(corner), thousandths(point)];
    corner = null;
    change({ change: "fit", from, to, across: field("across"), down: field("down") });
  };
  // Uses the tool on a space, and for a corner on a point of the drawing.
  const use = (at, point) => {
    const [deed, of] = tool().split(/:(.*)/s);
    if (deed === "corner") { pressCorner(point); return; }
    if (!inside(at)) return;
    if (deed === "paint") drawn([nameOf(at)]);
    else if (deed === "edge") live.textContent = "Shift and an arrow, for the edge on that side.";
    else if (deed === "name") change({ change: "name", at: nameOf(at), name: field("name") });
    else if (deed === "place") {
      const stands = part(`.token[data-token="${CSS.escape(of)}"]`);
      const here = stands && placeOfToken(stands) === nameOf(at);
      change(here ? { change: "place", who: of } : { change: "place", who: of, at: nameOf(at) });
    }
  };
  const placeOfToken = (token) => {
    const [, x, y] = /translate\((-?\d+) (-?\d+)\)/.exec(token.getAttribute("transform"));
    return nameOf(spaceAt(Number(x), Number(y)));
  };

  // By mouse and by touch.
  const named = (sides) => sides.map(nameOf).join("-");
  const through = ([x, y], [a, b]) => {
    const steps = Math.max(1, Math.ceil(Math.hypot(a - x, b - y) / (SIDE / (stroke.isEdges ? 6 : 3))));
    for (let n = 0; n <= steps; n += 1) {
      const point = [x + (a - x) * n / steps, y + (b - y) * n / steps];
      const [at, sides] = [spaceAt(...point), stroke.isEdges && edgeAt(point, true)];
      if (sides) stroke.all.set(named(sides), sides);
      else if (!stroke.isEdges && inside(at)) stroke.all.set(nameOf(at), at);
    }
  };
  // What a stroke over spaces or along edges is for the server.
  const drawn = (all) => drawsEdges()
    ? change({ change: tool().slice("edge:".length), edges: all.join(" ") })
    : change({ change: "paint", spaces: all.join(" "), ground: tool().slice("paint:".length) });
  sight.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary || !drawsAlong()) return;
    const point = onDrawing(event);
    stroke = { all: new Map(), first: point, last: point, pointer: event.pointerId, isEdges: drawsEdges() };
    through(point, point);
    sight.setPointerCapture(event.pointerId);
    cursor = null;
    pointed = null;
    show();
  });
  sight.addEventListener("pointermove", (event) => {
    const point = onDrawing(event);
    if (stroke?.pointer === event.pointerId) {
      through(stroke.last, point);
      stroke.last = point;
    } else if (event.pointerType === "mouse" && !waiting) {
      pointed = drawsEdges() ? edgeAt(point) : null;
      cursor = !drawsEdges() && inside(spaceAt(...point)) ? spaceAt(...point) : null;
    }
    show();
  });
  sight.addEventListener("pointerup", (event) => {
    if (stroke?.pointer !== event.pointerId) return;
    stroke.pointer = null;
    // A press that is no stroke means the nearest edge.
    const nearest = stroke.isEdges && !stroke.all.size ? edgeAt(stroke.first) : null;
    if (nearest) stroke.all.set(named(nearest), nearest);
    if (stroke.all.size) drawn([...stroke.all.keys()]);
    else { stroke = null; show(); }
  });
  sight.addEventListener("pointercancel", () => { stroke = null; show(); });
  sight.addEventListener("pointerleave", () => { if (!stroke) { cursor = pointed = null; show(); } });
  sight.addEventListener("click", (event) => {
    if (drawsAlong() || tool() === "move") return;
    const point = onDrawing(event);
    use(spaceAt(...point), point);
  });

  // By keys.
  let zoom = 1;
  const enlarge = (by) => {
    zoom = Math.min(6, Math.max(1, zoom * by));
    plan.style.setProperty("--plan-zoom", zoom);
    plan.classList.toggle("enlarged", zoom > 1);
  };
  const step = (at) => {
    cursor = at;
    show();
    part(".over .cursor").scrollIntoView({ block: "nearest", inline: "nearest" });
    live.textContent = [nameOf(at), ...(JSON.parse(plan.dataset.cells)[nameOf(at)] ?? [])].join(", ");
  };
  sight.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); undo(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const at = cursor ?? [0, 0];
    if (by && event.shiftKey && drawsEdges()) {
      const to = beside(at, by);
      if (inside(to)) {
        drawn([named(inOrder(at, to))]);
        live.textContent = `${tool() === "edge:close" ? "A wall" : "No wall"} between ${nameOf(at)} and ${nameOf(to)}.`;
      }
    } else if (by) {
      const next = cursor ? [at[0] + by[0], at[1] + by[1]] : at;
      if (inside(next)) step(next);
    } else if (event.key === " " || event.key === "Enter") {
      const [x, y] = middle(at);
      use(at, [x - SIDE / 2, y - SIDE / 2]);
    } else if (event.key === "+" || event.key === "=") enlarge(1.3);
    else if (event.key === "-") enlarge(1 / 1.3);
    else if (event.key === "Escape") { corner = null; show(); }
    else return;
    event.preventDefault();
  });
  // Enter in a field of the tools does not save the paper.
  tools.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
  });
  tools.addEventListener("input", (event) => { event.stopPropagation(); });
  tools.addEventListener("change", () => { corner = pointed = null; show(); });
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-plan]");
    const deed = button?.dataset.plan;
    if (deed === "undo") undo();
    else if (deed === "in") enlarge(1.4);
    else if (deed === "out") enlarge(1 / 1.4);
    else if (deed === "grow" || deed === "shrink") change({ change: deed, end: button.dataset.end });
    else if (deed === "lay") change({ change: "lay", left: field("left"), top: field("top"), width: field("width"), height: field("height") });
  });
  show();
})();
