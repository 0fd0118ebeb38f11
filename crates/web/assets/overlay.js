// The overlay for a stream hears of changes and replaces the parts that differ, so that they appear anew.
"use strict";
(() => {
  const overlay = document.getElementById("overlay");
  const { base } = overlay.dataset;
  let { mark } = overlay.dataset;
  let broken = 0;

  // What is higher than the video is made smaller, so that nothing is cut off.
  const fit = () => {
    const look = document.body.style;
    look.removeProperty("--fit");
    const parts = [...overlay.children].map((part) => part.getBoundingClientRect()).filter((box) => box.height);
    const top = Math.min(...parts.map((box) => box.top));
    if (top < 0) look.setProperty("--fit", (0.97 * innerHeight / (innerHeight - top)).toFixed(3));
  };
  addEventListener("resize", fit);

  const draw = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const now of page.querySelectorAll("[data-part]")) {
      const old = overlay.querySelector(`[data-part="${now.dataset.part}"]`);
      if (old && !old.isEqualNode(now)) old.replaceWith(now);
    }
    fit();
  };

  // A streamer who has lost their place shows nothing rather than what was.
  const isGone = async () => {
    const answer = await fetch(`${base}/due`).catch(() => null);
    return answer?.status === 404 || answer?.redirected;
  };
  const listen = () => {
    const stream = new EventSource(`${base}/stream?for=overlay&have=${encodeURIComponent(mark)}`);
    stream.onmessage = (event) => {
      if (event.lastEventId) mark = event.lastEventId;
      broken = 0;
      const update = JSON.parse(event.data);
      if (update.overlay !== undefined) draw(update.overlay);
    };
    stream.onerror = async () => {
      stream.close();
      broken += 1;
      if (await isGone()) { overlay.replaceChildren(); return; }
      setTimeout(listen, Math.min(30000, 400 * 2 ** broken) * (0.5 + Math.random()));
    };
  };
  listen();
  fit();

  // A portrait that is not on this server: the emblem behind it shows.
  const missing = (picture) => { if (picture.matches?.("img.portrait")) picture.remove(); };
  document.addEventListener("error", (event) => missing(event.target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) missing(picture);
})();
