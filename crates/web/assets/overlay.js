// The overlay for a stream hears of changes and replaces the parts that differ, so that they appear anew.
"use strict";
(() => {
  const overlay = document.getElementById("overlay");
  const { base } = overlay.dataset;
  let { mark } = overlay.dataset;
  let broken = 0;

  const draw = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const now of page.querySelectorAll("[data-part]")) {
      const old = overlay.querySelector(`[data-part="${now.dataset.part}"]`);
      if (old && !old.isEqualNode(now)) old.replaceWith(now);
    }
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

  // A portrait that is not on this server: the emblem behind it shows.
  const missing = (picture) => { if (picture.matches?.("img.portrait")) picture.remove(); };
  document.addEventListener("error", (event) => missing(event.target), true);
  for (const picture of document.images) if (picture.complete && !picture.naturalWidth) missing(picture);
})();
