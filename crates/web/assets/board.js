// Dice, points and cards that are laid to answer. A board picks among the answers of its
// form: what has been laid is looked up in the list, or asked for, and the radio
// button of that answer is what the form sends.
"use strict";
(() => {
  const table = document.getElementById("table");
  const moment = document.getElementById("moment");
  if (!table || !moment) return;
  const base = table.dataset.base;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const wellsOf = (tray) => [...tray.querySelectorAll(".wells > .well")];
  const piecesIn = (well) => [...well.querySelectorAll(".piece")];
  const facesIn = (well) => piecesIn(well).map((piece) => Number(piece.dataset.face)).sort((a, b) => b - a);
  const isFull = (well) => piecesIn(well).length >= Number(well.dataset.most);
  const slider = (tray) => tray.querySelector("input[type=range]");
  const hand = (tray) => tray.querySelector(".hand");
  const played = (tray) => [...tray.querySelectorAll(".playable[aria-pressed=true]")];

  // How a board lies, written as the list has it: the way, then the faces in each place, or
  // the numbers of the cards.
  const laying = (tray) => {
    const way = (tray.querySelector("input[name=way]:checked") ?? tray.querySelector("select[name=way]"))?.value ?? "0";
    const points = slider(tray);
    if (points) return `${way}:${points.value}`;
    if (hand(tray)) return `${way}:${played(tray).map((card) => Number(card.dataset.n)).sort((a, b) => b - a).join(",")}`;
    return `${way}:${wellsOf(tray).map((well) => facesIn(well).join(",")).join("/")}`;
  };
  const isWhole = (tray) => wellsOf(tray).every((well) => piecesIn(well).length >= Number(well.dataset.least));

  // The answer that is chosen stands below the board, as in the list.
  const choose = (tray, card) => {
    const chosen = tray.querySelector(".chosen");
    const own = chosen.querySelector("[name=own]")?.value;
    if (card) {
      for (const name of ["data-keep", "data-laid"]) card.removeAttribute(name);
      const place = card.querySelector("[name=own]");
      if (place && own) place.value = own;
    }
    chosen.replaceChildren(...(card ? [card] : []));
    // What cannot be sent yet looks so; pressed all the same, it is told what is missing.
    tray.closest("form").toggleAttribute("data-unlaid", !card?.matches(".choice"));
    const radio = card?.querySelector("input[type=radio]");
    if (!radio) return;
    radio.checked = true;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // How a board was laid outlives a page that is loaded again.
  const draft = (tray) => `laid:${location.pathname}:${tray.dataset.ask}`;
  // Dice that nobody has laid are no answer yet; points where they stand are one, and so is
  // to keep all cards.
  const isTouched = (tray) => "touched" in tray.dataset || slider(tray) || hand(tray) || !tray.querySelector(".piece:enabled");
  const touch = (tray) => { tray.dataset.touched = ""; };
  const show = async (tray) => {
    const laid = laying(tray);
    const state = isTouched(tray) ? laid : `${laid} at first`;
    if (tray.dataset.shown === state) return;
    tray.dataset.shown = state;
    describe(tray);
    if ("touched" in tray.dataset) sessionStorage.setItem(draft(tray), laid);
    if (!isWhole(tray) || !isTouched(tray)) { choose(tray, null); return; }
    const listed = tray.closest("form").querySelector(`.choices .choice[data-laid="${laid}"]`);
    if (listed) { choose(tray, listed.cloneNode(true)); return; }
    const query = new URLSearchParams({ ask: tray.dataset.ask, laid });
    const answer = await fetch(`${base}/arranged?${query}`).catch(() => null);
    const text = answer ? await answer.text() : "";
    // Something else may have been laid meanwhile.
    if (tray.dataset.shown !== state) return;
    if (answer?.ok) {
      const found = document.createElement("template");
      found.innerHTML = text;
      choose(tray, found.content.firstElementChild);
      return;
    }
    let why = ["The table cannot be reached: the list below still works."];
    try { why = JSON.parse(text).why ?? why; } catch { /* not from the table */ }
    const unfit = document.createElement("p");
    unfit.className = "unfit";
    unfit.textContent = why.join(" ");
    choose(tray, unfit);
  };
  // Where each die is, and what the dice of a place, or the cards, come to.
  const describe = (tray) => {
    if (hand(tray)) {
      const dice = played(tray).reduce((all, card) => all + Number(card.dataset.dice), Number(hand(tray).dataset.bare));
      for (const step of tray.querySelectorAll(".row > li")) step.classList.toggle("now", Number(step.dataset.dice) === dice);
      for (const said of tray.querySelectorAll(".advice > p")) said.hidden = Number(said.dataset.dice) !== dice;
    }
    for (const piece of tray.querySelectorAll(".piece")) {
      const well = piece.closest(".well");
      piece.querySelector(".where").textContent = well ? `, on ${well.dataset.name}` : ", lying loose";
    }
    for (const well of wellsOf(tray)) {
      const sum = well.querySelector(".sum");
      if (sum) sum.textContent = facesIn(well).reduce((all, face) => all + face, 0);
      well.classList.toggle("filled", piecesIn(well).length > 0);
    }
    const points = slider(tray);
    if (!points) return;
    tray.querySelector(".points").textContent = points.value;
    for (const shows of tray.querySelectorAll(".shows")) shows.hidden = shows.dataset.points !== points.value;
  };

  // A die goes where it is put; from a full place another makes room for it.
  const move = (piece, to) => {
    const box = to.matches(".well") ? to.querySelector(".lies") : to;
    const after = [...box.querySelectorAll(".piece")].find((other) => Number(other.dataset.n) > Number(piece.dataset.n));
    const from = piece.getBoundingClientRect();
    const focused = document.activeElement === piece;
    box.insertBefore(piece, to.matches(".well") ? null : after ?? null);
    if (focused) piece.focus({ preventScroll: true });
    const now = piece.getBoundingClientRect();
    if (calm.matches) return;
    const way = `translate(${from.x - now.x}px, ${from.y - now.y}px)`;
    piece.animate([{ transform: way }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  };
  const hold = (tray, piece) => {
    for (const other of tray.querySelectorAll(".piece[aria-pressed]")) other.removeAttribute("aria-pressed");
    piece?.setAttribute("aria-pressed", "true");
  };
  const put = (piece, to) => {
    const tray = piece.closest(".tray");
    const from = piece.closest(".well, .loose");
    hold(tray, null);
    if (from === to) return;
    if (to.matches(".well") && isFull(to)) {
      const other = piecesIn(to).find((there) => !there.disabled);
      if (!other) return;
      move(piece, tray.querySelector(".loose"));
      move(other, from);
    }
    move(piece, to);
    if (to.matches(".well")) fill(tray);
    touch(tray);
    show(tray);
  };
  // Where one place is left, and just the dice that it takes, they go there.
  const fill = (tray) => {
    const open = wellsOf(tray).filter((well) => piecesIn(well).length < Number(well.dataset.least));
    const loose = [...tray.querySelectorAll(".loose .piece:not(:disabled)")];
    if (open.length !== 1 || loose.length !== Number(open[0].dataset.most) - piecesIn(open[0]).length) return;
    for (const piece of loose) move(piece, open[0]);
  };
  // Of each kind one card is laid at most.
  const play = (card, laid) => {
    for (const other of laid ? played(card.closest(".tray")) : []) {
      if (other.dataset.kind === card.dataset.kind) other.setAttribute("aria-pressed", "false");
    }
    card.setAttribute("aria-pressed", String(laid));
  };
  // Dice that are taken off lie loose again, cards are kept.
  const clear = (tray) => {
    for (const card of played(tray)) play(card, false);
    for (const well of wellsOf(tray)) {
      for (const piece of piecesIn(well)) if (!piece.disabled) move(piece, tray.querySelector(".loose"));
    }
  };
  // Lays a board as a listed answer has it.
  const lay = (tray, laid) => {
    const [way, rest] = laid.split(":");
    for (const choice of tray.querySelectorAll("input[name=way]")) choice.checked = choice.value === way;
    const drop = tray.querySelector("select[name=way]");
    if (drop) drop.value = way;
    const points = slider(tray);
    if (points) points.value = rest;
    else if (hand(tray)) {
      const numbers = rest.split(",").filter(Boolean);
      for (const card of tray.querySelectorAll(".hand .playable")) play(card, numbers.includes(card.dataset.n));
    } else {
      clear(tray);
      rest.split("/").forEach((faces, at) => {
        const well = wellsOf(tray)[at];
        const left = facesIn(well);
        for (const face of faces.split(",").filter(Boolean).map(Number)) {
          const there = left.indexOf(face);
          if (there >= 0) { left.splice(there, 1); continue; }
          const piece = tray.querySelector(`.loose .piece[data-face="${face}"]`);
          if (piece) move(piece, well);
        }
      });
    }
    touch(tray);
    show(tray);
  };

  const tap = (piece) => {
    const tray = piece.closest(".tray");
    const well = piece.closest(".well");
    const held = tray.querySelector(".piece[aria-pressed=true]");
    if (held === piece) { hold(tray, null); return; }
    if (held && well) { put(held, well); return; }
    if (well) {
      // Two dice on two places change places; else it lies loose again.
      const other = wellsOf(tray).length === 2 && wellsOf(tray).every(isFull) && wellsOf(tray).find((there) => there !== well);
      put(piece, other && !tray.querySelector(".loose .piece") ? other : tray.querySelector(".loose"));
      return;
    }
    const room = wellsOf(tray).find((there) => !isFull(there));
    if (room) put(piece, room);
    else hold(tray, piece);
  };

  let dragged = null;
  let dropped = false;
  document.addEventListener("pointerdown", (event) => {
    dropped = false;
    const piece = event.target.closest?.(".tray .piece");
    if (!piece || piece.disabled || event.button !== 0) return;
    dragged = { piece, x: event.clientX, y: event.clientY, moves: false, id: event.pointerId };
  });
  document.addEventListener("pointermove", (event) => {
    if (!dragged || event.pointerId !== dragged.id) return;
    const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
    if (!dragged.moves && Math.hypot(dx, dy) < 6) return;
    if (!dragged.moves) {
      dragged.moves = true;
      dragged.piece.setPointerCapture(event.pointerId);
      dragged.piece.classList.add("dragged");
    }
    dragged.piece.style.transform = `translate(${dx}px, ${dy}px)`;
    const over = under(dragged.piece, event);
    for (const well of dragged.piece.closest(".tray").querySelectorAll(".well")) well.classList.toggle("over", well === over);
  });
  const under = (piece, event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".well, .loose");
    return found?.closest(".tray") === piece.closest(".tray") ? found : null;
  };
  const drop = (event, to) => {
    if (!dragged || event.pointerId !== dragged.id) return;
    const { piece, moves } = dragged;
    dragged = null;
    if (!moves) return;
    dropped = true;
    piece.classList.remove("dragged");
    piece.style.transform = "";
    for (const well of piece.closest(".tray").querySelectorAll(".over")) well.classList.remove("over");
    if (to) put(piece, to);
  };
  document.addEventListener("pointerup", (event) => drop(event, dragged && under(dragged.piece, event)));
  document.addEventListener("pointercancel", (event) => drop(event, null));

  document.addEventListener("click", (event) => {
    const tray = event.target.closest?.(".tray");
    if (!tray) return;
    const piece = event.target.closest(".piece");
    // What was dragged is not tapped too; a key always is.
    if (piece) { if (!dropped || !event.detail) tap(piece); return; }
    const card = event.target.closest(".hand .playable");
    if (card) {
      play(card, card.getAttribute("aria-pressed") !== "true");
      touch(tray);
      show(tray);
      return;
    }
    const step = event.target.closest(".step");
    if (step) {
      const points = slider(tray);
      points.value = Number(points.value) + Number(step.dataset.step);
      touch(tray);
      show(tray);
      return;
    }
    const list = event.target.closest(".as-list");
    if (list) {
      const open = tray.classList.toggle("listed");
      list.setAttribute("aria-expanded", String(open));
      return;
    }
    const well = event.target.closest(".well");
    const held = tray.querySelector(".piece[aria-pressed=true]");
    if (well && held && !event.target.closest("a")) put(held, well);
  });
  document.addEventListener("keydown", (event) => {
    const piece = event.target.closest?.(".tray .piece");
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!piece || !by) return;
    event.preventDefault();
    const tray = piece.closest(".tray");
    const places = [tray.querySelector(".loose"), ...wellsOf(tray)];
    const at = places.indexOf(piece.closest(".well, .loose")) + by;
    put(piece, places[(at + places.length) % places.length]);
  });
  document.addEventListener("input", (event) => {
    if (event.target.closest?.(".chosen")) return;
    const tray = event.target.closest?.(".tray");
    if (!tray) return;
    touch(tray);
    show(tray);
  });
  // What is picked from the list is laid too.
  document.addEventListener("change", (event) => {
    const laid = event.target.closest?.(".choices .choice[data-laid]")?.dataset.laid;
    const tray = laid && event.target.form?.querySelector(".tray");
    if (tray) lay(tray, laid);
  });
  document.addEventListener("reset", (event) => {
    const tray = event.target.querySelector?.(".tray");
    // Fields have what they began with once this is over.
    if (!tray) return;
    sessionStorage.removeItem(draft(tray));
    delete tray.dataset.touched;
    setTimeout(() => { clear(tray); choose(tray, null); delete tray.dataset.shown; show(tray); });
  });

  // Two places for a die each are taken from the beginning, as the list has it first.
  const first = (tray) => {
    const wells = wellsOf(tray);
    const isPair = wells.length === 2 && wells.every((well) => well.dataset.most === "1")
      && tray.querySelectorAll(".loose .piece:enabled").length >= 2;
    return isPair && tray.closest("form").querySelector(".choices .choice[data-laid]")?.dataset.laid;
  };
  // Boards as they come. The server says what is missing: what is chosen on a board is
  // in no list that a browser could point at.
  const dress = () => {
    for (const tray of moment.querySelectorAll(".tray")) {
      const form = tray.closest("form");
      // Setting what is set already would be a change to be told of again.
      if (!form.noValidate) form.noValidate = true;
      const kept = tray.dataset.shown === undefined && (sessionStorage.getItem(draft(tray)) ?? first(tray));
      if (kept) lay(tray, kept);
      else show(tray);
    }
  };
  new MutationObserver(dress).observe(moment, { childList: true, subtree: true, attributeFilter: ["novalidate"] });
  dress();
})();
