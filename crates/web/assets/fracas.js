// What the pages do beyond plain forms: they hear of changes, send forms without
// leaving, and keep what somebody is doing while the rest is drawn anew.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);

  for (const waiting of document.querySelectorAll("[data-reload]")) {
    setInterval(async () => {
      const answer = await fetch(location.href).catch(() => null);
      if (answer && (answer.redirected || !(await answer.text()).includes("data-reload"))) location.reload();
    }, 1000 * waiting.dataset.reload);
  }
  // What may change while somebody looks on is looked for again, now and then.
  for (const part of document.querySelectorAll("[data-again]")) {
    setInterval(async () => {
      if (document.hidden || part.contains(document.activeElement)) return;
      const answer = await fetch(part.dataset.again).catch(() => null);
      if (!answer?.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById(part.id);
      if (now && now.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.innerHTML = now.innerHTML;
    }, 4000);
  }
  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (!copy) return;
    const field = document.querySelector(copy.dataset.copy);
    field.select();
    // Without a secure address there is no clipboard: the link is selected then.
    navigator.clipboard?.writeText(field.value).then(() => { copy.textContent = "Copied"; }, () => {});
  });

  // A name that stands there already is one key away from another.
  document.querySelector("input[autofocus]")?.select();

  // A paper that is changed and not saved is not left unasked.
  const work = $("work");
  if (work) {
    let unsaved = work.dataset.unsaved !== undefined;
    work.addEventListener("input", () => { unsaved = true; });
    work.addEventListener("submit", () => { unsaved = false; });
    addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  }

  // Browsers do so by themselves over https alone.
  document.querySelector('form[action="/forget"]')?.addEventListener("submit", () => {
    localStorage.clear();
    sessionStorage.clear();
  });

  const table = $("table");
  if (!table) return;
  const base = table.dataset.base;
  document.body.classList.add("scripted");
  addEventListener("keydown", () => document.body.classList.add("keyed"), { once: true });

  // Parts of the table, one at a time where it is narrow.
  const tabs = [...document.querySelectorAll(".tabs a")];
  // On a wide screen the moment is always there, and has no tab.
  const wide = matchMedia("(min-width: 62.51rem) and (min-height: 30.01rem)");
  const show = (name) => {
    document.body.dataset.tab = name;
    const open = name === "moment" && wide.matches ? "story" : name;
    for (const tab of tabs) {
      if (tab.hash === "#" + open) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
  };
  wide.addEventListener("change", () => show(document.body.dataset.tab));
  for (const tab of tabs) {
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      show(tab.hash.slice(1));
      delete tab.dataset.new;
      // A viewer who opens the story wants its end.
      if (tab.hash === "#story") $("story").scrollIntoView({ block: "end" });
      else scrollTo(0, 0);
    });
  }
  show("moment");
  // What was missed leads into the story, and is closed for good.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#since a");
    if (!link) return;
    if (!("close" in link.dataset)) { show("story"); return; }
    event.preventDefault();
    $("since").replaceChildren();
    toMoment();
  });
  // Where there is little room it is one line until somebody wants it.
  if (matchMedia("(max-width: 46rem), (max-width: 60rem) and (max-height: 30rem)").matches) {
    for (const missed of document.querySelectorAll("#since details")) missed.open = false;
  }

  // Said once, for users of a screen reader.
  const say = (text) => {
    const said = document.createElement("span");
    said.textContent = text + " ";
    $("said").append(said);
    setTimeout(() => said.remove(), 20000);
  };

  // Makes `old` like `now` where they differ, and leaves alone what is the same: so
  // focus, open folds and what somebody is writing stay.
  const sameKind = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName
    && (a.nodeType !== 1 || (a.dataset.keep === b.dataset.keep && a.id === b.id));
  const morph = (old, now) => {
    if (old.isEqualNode(now)) return;
    // What is inside is its own script's, for as long as the server sends the same.
    if (old.dataset?.own !== undefined && old.dataset.own === now.dataset.own) return;
    if (old.nodeType !== 1) { old.nodeValue = now.nodeValue; return; }
    for (const { name } of [...old.attributes]) {
      const ours = (name === "open" && old.nodeName === "DETAILS") || name === "class" && old.matches("li.new");
      if (!now.hasAttribute(name) && !ours) old.removeAttribute(name);
    }
    for (const { name, value } of now.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    children(old, now);
  };
  const children = (old, now) => {
    let at = old.firstChild;
    for (const wanted of [...now.childNodes]) {
      let match = at;
      while (match && !sameKind(match, wanted)) match = match.nextSibling;
      if (match && (match === at || wanted.dataset?.keep)) {
        while (at !== match) { const gone = at; at = at.nextSibling; gone.remove(); }
        at = match.nextSibling;
        morph(match, wanted);
      } else {
        old.insertBefore(wanted, at);
      }
    }
    while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
  };
  // Times as the clocks here show them.
  const clocks = (region) => {
    for (const time of region.querySelectorAll("time[data-until]")) {
      const at = new Date(1000 * time.dataset.until);
      const far = Math.abs(at - Date.now()) > 20 * 3600e3;
      time.textContent = at.toLocaleString([], far
        ? { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
        : { hour: "2-digit", minute: "2-digit" });
    }
  };
  // To the beginning of the ask, also for a viewer who has scrolled far down a list: to the map where it
  // can be answered there.
  const toTop = () => {
    const begin = $("stage").querySelector(".map:not([data-going='[]'])") ? $("stage") : $("moment");
    // On a wide screen the sheet of the moment scrolls by itself, else the page does.
    const sheet = begin.closest(".play-sheet");
    const edge = Math.max(0, sheet && getComputedStyle(sheet).overflowY === "auto" ? sheet.getBoundingClientRect().top : 0);
    if (begin.getBoundingClientRect().top < edge) begin.scrollIntoView({ block: "start" });
  };
  // The focus goes to the question, so that the next key reaches its answers.
  const toAsk = () => ($("moment").querySelector(".ask.mine:not(.other *)") ?? $("moment")).focus({ preventScroll: true });
  const toMoment = () => {
    toAsk();
    toTop();
  };
  // The ask to the viewer, if there is one.
  const asked = () => $("moment").querySelector(".ask.mine input[name=ask]")?.value;
  // Whether nothing but the moment is on the screen, and nobody is writing there.
  const looksOn = () => tabs[0].offsetParent && document.body.dataset.tab === "moment"
    && !document.activeElement?.matches("input[type=text], textarea");
  // What somebody has chosen and not yet sent, by the name of its ask.
  const askOf = (region, ask) => region.querySelector(`.answer input[name=ask][value="${CSS.escape(ask)}"]`);
  const about = (region) => {
    const form = region.querySelector(".ask.mine .answer:has(input[name=answer]:checked)");
    const chosen = form?.querySelector("input[name=answer]:checked");
    return chosen && !chosen.defaultChecked && !sent.has(form) ? form.elements.ask.value : undefined;
  };
  // Their ask is gone: somebody else may have answered it.
  let overtaken = false;
  // The chart of how it went, from the story's page.
  const bringChart = async (region) => {
    const place = region.querySelector("[data-chart]:empty");
    if (!place || place.ariaBusy) return;
    place.ariaBusy = "true";
    const answer = await fetch(place.dataset.chart).catch(() => null);
    if (answer?.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...page.querySelectorAll(".chart"));
    }
    place.ariaBusy = null;
  };
  const draw = (id, html) => {
    const wanted = document.createElement(id);
    wanted.innerHTML = html;
    const region = $(id);
    const groups = [...region.querySelectorAll("fieldset[data-fetched]")]
      .map((set) => [set.dataset.choicesOf, set.dataset.fetched, set.querySelector("input:checked")?.value]);
    const written = [...region.querySelectorAll("input[type=text], textarea")]
      .filter((field) => field.value.trim() && field.value !== field.defaultValue);
    clocks(wanted);
    const at = document.activeElement;
    const choosing = about(region);
    children(region, wanted);
    if (choosing && !region.contains(askOf(region, choosing))) overtaken = true;
    bringChart(region);
    // Where what had the focus is gone, it goes to what is asked now.
    if (!at.isConnected) toMoment();
    // Who has answered and waits is taken to the next question when it comes.
    else if (at === region && region === $("moment")) toAsk();
    keep(written.filter((field) => !field.isConnected && !sent.has(field.form)));
    // A group of answers that was opened stays open while its ask is.
    for (const [ask, query, chosen] of groups) {
      const set = region.querySelector(`fieldset[data-choices-of="${CSS.escape(ask)}"]`);
      if (set) fetchChoices(set, query, chosen);
    }
  };

  const refuse = (lines, form, rules = []) => {
    const box = document.createElement("div");
    box.className = "refusal";
    box.setAttribute("role", "alert");
    for (const [n, line] of lines.entries()) {
      const p = document.createElement("p");
      p.append(line);
      if (rules[n]) {
        const rule = document.createElement("a");
        Object.assign(rule, { className: "why", href: rules[n].href, textContent: rules[n].words });
        rule.dataset.rule = "";
        p.append(" ", rule);
      }
      box.append(p);
    }
    // A form that lies over the table is told of there.
    const at = form?.closest("dialog")?.querySelector(".refused") ?? $("refused");
    at.replaceChildren(...(lines.length ? [box] : []));
    if (lines.length) box.scrollIntoView({ block: "nearest" });
  };

  // Forms that are on their way, or have been taken.
  const sent = new WeakSet();
  // What was written in fields that are gone is said again, so that it is not lost.
  const keep = (fields) => {
    for (const field of fields) {
      if ([...$("refused").querySelectorAll("q")].some((q) => q.textContent === field.value)) continue;
      const box = document.createElement("p");
      box.className = "refusal";
      const words = document.createElement("q");
      words.textContent = field.value;
      box.append("You wrote: ", words);
      $("refused").append(box);
    }
  };

  // Where the stream stands, and what it brings.
  const title = document.title;
  let due = null;
  const lines = $("lines");
  clocks(document);
  const nearEnd = () => lines.scrollHeight - lines.scrollTop - lines.clientHeight < 80;
  const newer = $("newer");
  const toEnd = () => {
    lines.scrollTop = lines.scrollHeight;
    newer.hidden = true;
  };
  newer.addEventListener("click", toEnd);
  lines.addEventListener("scroll", () => { newer.hidden ||= nearEnd(); });
  toEnd();
  let first = true;
  // A viewer who writes, or goes back, sees the result.
  let follows = false;
  const add = (from, html) => {
    const stay = follows || nearEnd();
    follows = false;
    const begin = Number(lines.dataset.from);
    const have = lines.children.length;
    if (from < begin || from > begin + have) { lines.replaceChildren(); lines.dataset.from = from; }
    else while (lines.children.length > from - begin) lines.lastElementChild.remove();
    for (const one of html) {
      lines.insertAdjacentHTML("beforeend", one);
      if (!first) lines.lastElementChild.classList.add("new");
    }
    // Not what is told again after something was taken back.
    if (!first && from === begin + have) roll([...lines.children].slice(lines.children.length - html.length));
    if (stay) toEnd();
    else newer.hidden = false;
    const tab = tabs.find((tab) => tab.hash === "#story");
    const elsewhere = !tab.hasAttribute("aria-current");
    if (!first && html.length && elsewhere) tab.dataset.new = "";
  };
  // Dice that have just fallen roll over the table for everybody who sees them, until somebody presses.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const fall = $("fall");
  let rolling = 0;
  const lie = () => {
    clearTimeout(rolling);
    fall.hidden = true;
    fall.replaceChildren();
  };
  const roll = (news) => {
    const dice = news.flatMap((line) => [...line.querySelectorAll(".result .die")]).slice(0, 40);
    if (!dice.length || still.matches || document.hidden) return;
    lie();
    fall.append(...dice.map((die) => die.cloneNode(true)));
    fall.hidden = false;
    rolling = setTimeout(lie, 1800);
    if (knocks()) knock(Math.min(dice.length, 6));
  };
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, () => { if (!fall.hidden) lie(); }, true);
  const knocks = () => localStorage.getItem("fracas-knocks") !== "no";
  let audio = null;
  const knock = (times) => {
    // Browsers stay silent until somebody has pressed something.
    if (!navigator.userActivation?.hasBeenActive) return;
    try {
      audio ??= new AudioContext();
      const noise = audio.createBuffer(1, audio.sampleRate / 12, audio.sampleRate);
      const wave = noise.getChannelData(0);
      for (let at = 0; at < wave.length; at += 1) wave[at] = (Math.random() * 2 - 1) * (1 - at / wave.length) ** 9;
      for (let n = 0; n < times; n += 1) {
        const hit = audio.createBufferSource();
        const wood = new BiquadFilterNode(audio, { type: "bandpass", frequency: 900 + 900 * Math.random(), Q: 1.4 });
        const volume = new GainNode(audio, { gain: 0.5 });
        hit.buffer = noise;
        hit.connect(wood).connect(volume).connect(audio.destination);
        hit.start(audio.currentTime + 0.25 + 0.5 * n / times + 0.08 * Math.random());
      }
    } catch { /* no sound here */ }
  };
  const knocking = $("knocks");
  const knocksTold = () => knocking.setAttribute("aria-pressed", knocks());
  knocking.hidden = false;
  knocksTold();
  knocking.addEventListener("click", () => {
    localStorage.setItem("fracas-knocks", knocks() ? "no" : "yes");
    knocksTold();
  });
  const nudge = (now) => {
    const before = due;
    due = now;
    document.title = (now ? "● Your move · " : "") + title;
    tabs[0].toggleAttribute("data-due", now);
    if (!now || before || before === null || document.hasFocus() || !told()) return;
    chime();
    if (globalThis.Notification?.permission === "granted") new Notification("Your move", { body: title, tag: base });
  };
  // Whether this browser wants to be told: a sound, and a notification where it allows one.
  const told = () => localStorage.getItem("fracas-nudge") === "yes";
  const chime = () => {
    try {
      const audio = new AudioContext();
      const volume = audio.createGain();
      volume.connect(audio.destination);
      volume.gain.setValueAtTime(0.12, audio.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.6);
      for (const [at, pitch] of [[0, 660], [0.15, 880]]) {
        const tone = audio.createOscillator();
        tone.frequency.value = pitch;
        tone.connect(volume);
        tone.start(audio.currentTime + at);
        tone.stop(audio.currentTime + at + 0.3);
      }
    } catch { /* no sound here */ }
  };
  const nudging = $("nudge");
  const nudgeTold = () => {
    nudging.hidden = false;
    nudging.setAttribute("aria-pressed", told());
  };
  if (nudging) {
    nudgeTold();
    nudging.addEventListener("click", async () => {
      localStorage.setItem("fracas-nudge", told() ? "no" : "yes");
      nudgeTold();
      if (!told()) return;
      chime();
      if (globalThis.Notification?.permission === "default") await Notification.requestPermission();
    });
  }
  bringChart($("moment"));
  if (table.dataset.due !== undefined) {
    nudge(true);
    if (document.activeElement === document.body) toAsk();
  }
  const heard = (update) => {
    const before = asked();
    const machined = $("machined")?.dataset.whom;
    overtaken = false;
    for (const id of ["head", "cast", "stage", "moment", "tools", "whom", "desk"]) {
      if (update[id] !== undefined && $(id)) draw(id, update[id]);
    }
    if (asked() !== before) pick(null);
    else showPicked();
    // Something new is asked below the middle of an old list: it begins at its top.
    if (asked() && asked() !== before && looksOn()) toTop();
    // Lines are told again where something was taken back.
    const isNew = update.from === count();
    if (update.from !== undefined) add(update.from, update.lines ?? []);
    if (overtaken && isNew) {
      const by = [...lines.children].slice(update.from - Number(lines.dataset.from)).find((line) => line.dataset.by);
      if (by) refuse([`${by.dataset.by} was quicker: ${(update.say ?? []).join(" ")}`]);
    }
    const now = $("machined")?.dataset.whom;
    if (now && !machined) say(`The machine plays ${now} for you.`);
    if (machined && !now) brief(`You play ${machined} again.`);
    sinceLeft();
    if (update.say?.length) say(update.say.join(" "));
    if (update.due !== null) nudge(update.due);
    first = false;
  };

  // A browser has six connections to a server, so of many tabs only the few that were
  // looked at last have a stream, and none that has long been in the background; what
  // a tab has missed is made good when somebody comes back to it.
  const LISTENING = 4;
  let stream = null;
  let rests = false;
  let mark = table.dataset.mark;
  let broken = 0;
  // Whether the table can be reached, told soon after that has changed.
  let telling = 0;
  const tell = (text, found) => {
    const box = $("lost");
    if (box.textContent === text) return;
    box.textContent = text;
    box.classList.toggle("found", found);
    say(text);
  };
  const losing = (soon) => {
    clearTimeout(telling);
    const lose = () => tell("The table cannot be reached. What you write stays here; it is tried again by itself.", false);
    telling = setTimeout(lose, soon);
  };
  let hiding = 0;
  const brief = (text) => {
    tell(text, true);
    clearTimeout(hiding);
    hiding = setTimeout(() => { if ($("lost").matches(".found")) $("lost").replaceChildren(); }, 4000);
  };
  const found = () => {
    clearTimeout(telling);
    if (!$("lost").textContent || $("lost").matches(".found")) return;
    brief("The table is reached again.");
  };
  // A place that was lost is not asked for again and again.
  let lost = false;
  const gone = async () => {
    const answer = await fetch(`${base}/due`).catch(() => null);
    if (answer?.status !== 404) return;
    lost = true;
    clearTimeout(telling);
    $("lost").replaceChildren();
    refuse(["You are no longer at this table. Ask for another link."]);
  };
  const listen = () => {
    if (stream || lost || rests) return;
    stream = new EventSource(`${base}/stream?have=${encodeURIComponent(mark)}`);
    stream.onmessage = (event) => {
      if (event.lastEventId) mark = event.lastEventId;
      broken = 0;
      found();
      heard(JSON.parse(event.data));
    };
    stream.onerror = () => {
      stream?.close();
      stream = null;
      broken += 1;
      if (broken === 1) losing(1500);
      if (broken === 2) gone();
      setTimeout(listen, Math.min(30000, 400 * 2 ** broken) * (0.5 + Math.random()));
    };
  };
  addEventListener("offline", async () => {
    // A table on this very machine is there without any network.
    losing(1000);
    if (await fetch(`${base}/due`).catch(() => null)) { clearTimeout(telling); return; }
    stream?.close();
    stream = null;
    broken = 1;
    losing(0);
    setTimeout(listen, 1000);
  });
  addEventListener("online", () => {
    broken = 0;
    if (rests) found();
    else listen();
  });
  const random = () => [...crypto.getRandomValues(new Uint8Array(12))]
    .map((b) => b.toString(16).padStart(2, "0")).join("");
  const me = (sessionStorage.tab ||= random());
  // Other tabs that were looked at since this one was.
  const since = new Set();
  const others = new BroadcastChannel("tabs");
  // How many lines there were when the tab gave its stream up.
  let left = null;
  const count = () => Number(lines.dataset.from) + lines.children.length;
  const sinceLeft = () => {
    const from = left;
    left = null;
    if (from === null || count() <= from) return;
    const told = document.createElement("div");
    const link = document.createElement("a");
    link.href = `#line-${from}`;
    link.className = "missed";
    link.textContent = `Since you left: ${count() - from} ${count() - from === 1 ? "line" : "lines"}.`;
    const close = document.createElement("a");
    close.href = base;
    close.className = "close";
    close.dataset.close = "";
    close.ariaLabel = "Close what you missed";
    close.textContent = "×";
    told.className = "since";
    told.append(link, close);
    $("since").replaceChildren(told);
  };
  let polling = 0;
  const rest = () => {
    if (!rests) left = count();
    rests = true;
    stream?.close();
    stream = null;
    polling ||= setInterval(async () => {
      try {
        const answer = await fetch(`${base}/due`, { headers: { accept: "application/json" } });
        if (answer.ok && rests) nudge((await answer.json()).due);
      } catch { /* tried again soon */ }
    }, 15000);
  };
  const wake = () => {
    since.clear();
    others.postMessage(me);
    rests = false;
    clearInterval(polling);
    polling = 0;
    listen();
  };
  others.onmessage = ({ data }) => {
    since.add(data);
    if (since.size >= LISTENING) rest();
  };
  let resting = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(rest, 60000);
    else wake();
  });
  addEventListener("focus", wake);
  for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => { if (rests) wake(); }, true);
  wake();

  // What a submission is called, until it is answered or its form is changed: sent
  // again it is the same one.
  const keys = new WeakMap();
  document.addEventListener("input", ({ target }) => { keys.delete(target.form); sent.delete(target.form); });
  const keyOf = (form) => {
    if (!keys.has(form)) keys.set(form, random());
    return keys.get(form);
  };
  // The browser cannot show what is missing in a fold that is closed: where nothing that it
  // can show is missing, the first such fold opens.
  document.addEventListener("invalid", (event) => {
    const fold = event.target.closest("details:not([open])");
    if (!fold) return;
    event.preventDefault();
    const missing = [...event.target.form.querySelectorAll("input:invalid, select:invalid, textarea:invalid")];
    if (missing.some((field) => !field.closest("details:not([open])"))) return;
    fold.open = true;
    event.target.focus();
  }, true);
  // Links that are made at the table are shown there.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-links]")) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = "true";
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "post", body }).catch(() => null);
    form.ariaBusy = null;
    const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
    const made = page?.querySelectorAll(".fresh") ?? [];
    if (!made.length) return refuse([page?.querySelector("main p")?.textContent ?? "The table cannot be reached: try again."], form);
    // Whether friends can open them at all is said first.
    form.parentNode.querySelector(".made").replaceChildren(...page.querySelectorAll(".near"), ...made);
  });
  // Forms go out without leaving the page; what is refused keeps what was written.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-act]")) return;
    event.preventDefault();
    // Busy rather than disabled, which would lose the focus.
    if (form.ariaBusy) return;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    pick(null);
    body.set("key", keyOf(form));
    // Of several places for one's own words, that of the chosen answer counts.
    if (form.matches(".answer")) {
      const own = form.querySelector("input[name=answer]:checked")?.closest(".choice")?.querySelector("input[name=own]");
      body.delete("own");
      if (own?.value) body.set("own", own.value);
    }
    form.ariaBusy = "true";
    refuse([], form);
    sent.add(form);
    if (form.matches(".write")) follows = true;
    let answer = null;
    for (let tries = 0; tries < 4 && !answer; tries += 1) {
      try {
        answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
        if (answer.status === 503 && tries < 3) { answer = null; throw new Error("busy"); }
      } catch {
        await new Promise((wait) => setTimeout(wait, 400 * 2 ** tries));
      }
    }
    form.ariaBusy = null;
    if (!answer?.ok) {
      sent.delete(form);
      follows = false;
    }
    if (!answer) { refuse(["The table cannot be reached: nothing is lost, try again."], form); return; }
    let told = {};
    try { told = await answer.json(); } catch { /* a page of trouble */ }
    if (answer.ok) {
      keys.delete(form);
      const deed = form.closest("#moment") !== null;
      if (deed || form.matches(".write")) form.reset();
      // What comes next may look the same and keep its buttons: it begins at its top.
      if (deed) toMoment();
      form.closest("dialog")?.close();
    } else {
      keys.delete(form);
      refuse(told.why ?? ["That did not work: load the page again."], form, told.with);
      if (form.matches(".answer:has([data-words=beside] input:checked)")) form.elements.text.focus({ preventScroll: true });
      if (!form.isConnected) keep([...form.elements].filter((field) => ["text", "textarea"].includes(field.type) && field.value.trim()));
    }
  });

  // What is half written outlives a page that is loaded again.
  const DRAFTS = "#story textarea[name=text], #moment .deed textarea";
  const draft = (field) => `draft:${location.pathname}:${field.form.elements.ask?.value ?? field.nodeName}`;
  document.addEventListener("input", ({ target }) => {
    if (!target.matches(DRAFTS)) return;
    if (target.value.trim()) sessionStorage.setItem(draft(target), target.value);
    else sessionStorage.removeItem(draft(target));
  });
  document.addEventListener("reset", ({ target }) => {
    for (const field of target.querySelectorAll(DRAFTS)) sessionStorage.removeItem(draft(field));
  });
  for (const field of document.querySelectorAll(DRAFTS)) {
    if (!field.value) field.value = sessionStorage.getItem(draft(field)) ?? "";
  }

  // Going back to a line strikes all that came after, and a call cannot be unsaid: asked twice, done once.
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("#lines .back, .call button");
    const again = pressed?.classList.contains("sure");
    for (const armed of document.querySelectorAll(":is(#lines .back, .call button).sure")) {
      armed.classList.remove("sure");
      armed.lastChild.remove();
    }
    if (!pressed || again) return;
    event.preventDefault();
    pressed.classList.add("sure");
    const goesBack = pressed.matches(".back");
    pressed.append(document.createTextNode(goesBack ? " go back to here?" : " Say it?"));
    say(goesBack ? "Again goes back to here." : "Again says it to everybody.");
  });

  // A refusal is over once another answer is chosen; words that were not sent stay.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("input[name=answer]")) return;
    for (const told of document.querySelectorAll("#refused .refusal:not(:has(q))")) told.remove();
  });

  // Groups of answers, fetched when they are opened.
  const fetchChoices = async (set, query, chosen) => {
    const answer = await fetch(`${base}/choices${query}`);
    if (!answer.ok) return;
    set.innerHTML = set.querySelector("legend").outerHTML + await answer.text();
    set.dataset.fetched = query;
    const again = [...set.querySelectorAll("input[type=radio]")].find((input) => input.value === chosen);
    if (again) again.checked = true;
    showPicked();
  };
  // A rule, a sheet, or what the gamemaster overrules is shown over the table rather than in
  // its place.
  document.addEventListener("click", async (event) => {
    const more = event.target.closest("a[data-choices]");
    if (more) {
      event.preventDefault();
      const set = more.closest("fieldset");
      await fetchChoices(set, new URL(more.href).search);
      set.querySelector("input, a, summary")?.focus();
      return;
    }
    const link = event.target.closest("a[data-rule], a[data-over], a[data-sheet]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await showOver(link);
  });
  const showOver = async (link) => {
    const answer = await fetch(link.href).catch(() => null);
    if (!answer?.ok) { location.href = link.href; return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const kind = link.dataset.over !== undefined ? "over" : link.dataset.rule !== undefined ? "rule" : "whole";
    const dialog = $(kind);
    const body = dialog.querySelector(".body");
    body.replaceChildren(...page.querySelectorAll(`.${kind}`));
    if (!dialog.open) dialog.showModal();
    if (kind === "over") body.querySelector("select, input:not([type=hidden]), textarea, a")?.focus();
  };

  // A press on a plain answer gives it; arrows only choose.
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".choice[data-press]");
    const radio = row?.querySelector("input[name=answer]");
    if (!radio || radio.matches(":disabled") || event.target === radio && !event.detail) return;
    event.preventDefault();
    radio.checked = true;
    radio.form.requestSubmit();
  });
  // Somebody on the stage is pressed: the answers about them stay, or else the sheet is shown. So do
  // those about an ability or a thing of a sheet.
  let picked = null;
  let pickedName = "";
  const leads = table.dataset.role === "gm";
  const write = (seat) => {
    show("story");
    const form = document.querySelector(".write");
    form.elements.to.value = seat;
    form.elements.text.focus();
  };
  const answers = () => [...document.querySelectorAll("#moment .ask.mine form.answer")]
    .map((form) => [...form.querySelectorAll(".choices :is(.choice, .group)")]);
  const concerns = (row, id) => row.dataset.on?.split(" ").includes(id);
  const showPicked = () => {
    const token = () => document.querySelector(`#stage a[data-token="${CSS.escape(picked ?? "")}"]`);
    const isAsked = () => answers().flat().some((row) => concerns(row, picked));
    const name = token()?.querySelector(".named").textContent ?? (isAsked() ? pickedName : "");
    if (!name) picked = null;
    for (const rows of answers()) {
      const some = rows.some((row) => concerns(row, picked));
      for (const row of rows) row.toggleAttribute("data-off", some && !concerns(row, picked));
      for (const count of rows.map((row) => row.querySelector(":scope > summary > small")).filter(Boolean)) {
        const left = count.closest(".group").querySelectorAll(".choice:not([data-off])").length;
        count.dataset.all ??= count.textContent;
        count.textContent = !some || !left ? count.dataset.all : left === 1 ? "1 answer" : `${left} answers`;
      }
    }
    for (const token of document.querySelectorAll("#stage a[data-token]")) {
      if (token.dataset.token === picked) token.setAttribute("aria-current", "true");
      else token.removeAttribute("aria-current");
    }
    $("picked").hidden = !name;
    // Drawn anew only when something about it is new: the focus may be in it.
    const asked = isAsked();
    const drawn = JSON.stringify([picked, name, asked, !token()]);
    if (!name || $("picked").dataset.drawn === drawn) return;
    $("picked").dataset.drawn = drawn;
    const button = (text, does) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text });
      button.addEventListener("click", does);
      return button;
    };
    const ways = [];
    if (token()) ways.push(button("The sheet", () => showOver(token())));
    if (token() && leads) {
      const over = document.createElement("a");
      Object.assign(over, { className: "button", href: `${base}/overrule?of=@${picked}`, textContent: "Overrule" });
      over.dataset.over = "";
      ways.push(over);
      const seat = token().dataset.seat;
      if (seat) ways.push(button("Write to the player", () => write(seat)));
    }
    ways.push(button(asked ? "All answers" : "Close", () => {
      const back = token();
      pick(null);
      back?.focus({ preventScroll: true });
    }));
    const called = document.createElement("b");
    called.textContent = name;
    $("picked").replaceChildren(called, ...ways);
  };
  const pick = (id, name = "") => {
    if (picked === id) return;
    picked = id;
    pickedName = name;
    for (const row of answers().flat()) if (row.nodeName === "DETAILS" && concerns(row, id)) row.open = true;
    showPicked();
  };
  document.addEventListener("click", (event) => {
    const token = event.target.closest("#stage a[data-token]");
    if (!token) return;
    event.preventDefault();
    const id = token.dataset.token;
    if (picked === id || !leads && !answers().flat().some((row) => concerns(row, id))) {
      pick(null);
      showOver(token);
      return;
    }
    pick(id);
    if (document.body.dataset.tab === "cast") show("moment");
  });
  document.addEventListener("click", (event) => {
    const thing = event.target.closest("dialog a[data-about]");
    if (!thing) return;
    event.preventDefault();
    thing.closest("dialog").close();
    pick(thing.dataset.about, thing.textContent);
    show("moment");
    $("moment").focus({ preventScroll: true });
  });
  // Numbers give the answers of the first question while the focus is on the moment, Escape goes one step
  // back.
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input:not([type=radio]), textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && picked !== null) { pick(null); return; }
    const form = document.querySelector("#moment .ask.mine:not(.other *) form.answer");
    if (!form || !/^[1-9]$/.test(event.key) || !$("moment").contains(document.activeElement)) return;
    const row = [...form.querySelectorAll(":scope > .choices > :is(.choice, .group):not([data-off])")]
      .filter((row) => row.checkVisibility())[event.key - 1];
    if (!row) return;
    event.preventDefault();
    const radio = row.querySelector(":scope > input[name=answer]");
    if (radio?.matches(":disabled")) return;
    if (!radio) { (row.querySelector("summary") ?? row).click(); row.querySelector("summary")?.focus(); return; }
    radio.checked = true;
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    if (row.dataset.press !== undefined) form.requestSubmit();
  });

  // Enter sends a line beside an answer, Ctrl or Cmd and Enter whatever is being written.
  document.addEventListener("keydown", (event) => {
    const line = event.target.matches("[data-enter]") && !event.shiftKey;
    if (event.key === "Enter" && (line || event.ctrlKey || event.metaKey) && !event.isComposing && event.target.form) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
  // Fields grow with what is written in them; most browsers do so by themselves.
  if (!CSS.supports("field-sizing", "content")) {
    document.addEventListener("input", ({ target }) => {
      if (!target.matches("textarea")) return;
      target.style.height = "auto";
      target.style.height = `${target.scrollHeight + 2}px`;
    });
  }

  // A portrait or cover that is not on this server: what stands behind it shows.
  const missing = (picture) => { if (picture.matches?.("img.portrait, img.scene")) picture.remove(); };
  document.addEventListener("error", (event) => missing(event.target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) missing(picture);
})();
