// Waiting at a table: polls every few seconds whether it is as this page shows it, and shows what others have done.
// Also reports to the site what its reader has seen: no mail about that is needed.
// Without script the page is as true as it was when it was opened, and every mail comes.
"use strict";

(() => {
  const PAUSE = 13_000;
  const SOON = 3_000; // While a computer player thinks, or the reader was in the middle of something.
  const LONGEST = 240_000;
  const TYPING = 2_000;
  const GLANCE = 2_000; // Shorter than this nothing counts as seen.
  let timer, isPolling, isHeld, glance, reported, watched, isAway = false, typed = 0, failures = 0, patience = 0;

  const table = () => document.getElementById("table");
  const clean = (text) => text?.trim().replace(/\s+/g, " ") ?? "";

  /** Poll again after a while, as long as somebody looks and there is something to wait for. */
  function later() {
    clearTimeout(timer);
    if (document.hidden || !table()?.dataset.poll) return;
    const isSoon = isHeld || ("soon" in table().dataset && patience++ < 10);
    timer = setTimeout(poll, failures ? Math.min(PAUSE * 2 ** failures, LONGEST) : isSoon ? SOON : PAUSE);
  }

  async function poll() {
    if (isPolling || document.hidden || !table()?.dataset.poll) return;
    isPolling = true;
    try {
      isHeld = false;
      if (await hasNews(table().dataset)) await refresh();
      else isAway = false;
      failures = 0;
      look();
    } catch {
      failures += 1;
    } finally {
      isPolling = false;
      later();
    }
  }

  /** Whether the table, or the number of tables that wait for the reader, is no longer what this page shows, or the time is over
   * in which a move can be taken back, or the next table of a series is due. */
  async function hasNews({ poll: url, version, waiting, until }) {
    const headers = { "If-None-Match": `"${version}-${waiting}"` };
    const response = await fetch(url, { headers, cache: "no-store", signal: AbortSignal.timeout(10_000) });
    if (response.status !== 304 && !isAnswer(response)) throw new Error(response.status);
    return isAnswer(response) || until < Date.now();
  }

  /** A page that is over says so; it has no table any more. */
  const isAnswer = ({ ok, status }) => ok || status === 410;

  async function refresh() {
    const [old, drafted] = [table(), draft()];
    const response = await fetch(address(), { signal: AbortSignal.timeout(20_000) });
    if (!isAnswer(response)) throw new Error(response.status);
    const page = window.clans.pageOf(await response.text());
    isHeld = table() !== old || drafted !== draft() || isBusy();
    if (isHeld) return;
    const fresh = page.getElementById("table");
    if (fresh?.dataset.version !== old.dataset.version) patience = 0;
    if (!isAway) watched = fresh?.dataset.version;
    isAway = false;
    if (fresh && window.clans.swap) showGame(page, old, fresh);
    else if (fresh && sameParts(old, fresh)) showSeats(page, old, fresh);
    else if (![...fields()].some(({ value }) => value)) location.assign(old.dataset.url); // What is written is sent first.
  }

  const draft = () => window.clans.draft?.text ?? "";

  /** The address of this table with the draft in it, and how many moves its reader has seen, who has not been away. */
  function address() {
    const url = new URL(table().dataset.url, location.href);
    if (draft()) url.searchParams.set("move", draft());
    if (!isAway && table().dataset.ply) url.searchParams.set("watched", table().dataset.ply);
    return url.href;
  }

  /** Whether the reader is in the middle of something that a fresh page of the game would break off. */
  function isBusy() {
    const isTyping = window.clans.swap && Date.now() - typed < TYPING;
    return isTyping || document.querySelector("#table[aria-busy], #board .lifted");
  }

  // --- A game ----------------------------------------------------------------------------------------

  function showGame(page, old, fresh) {
    const isMoved = fresh.dataset.version !== old.dataset.version;
    const said = seatsOf(old);
    const walk = window.clans.animate?.(old, fresh);
    const goOn = hold();
    window.clans.swap(page, fresh);
    goOn();
    window.clans.say(isMoved ? newsOf(old, fresh, said) : "");
    walk?.();
  }

  /** What the reader writes and where they look; what comes back makes it so again on a fresh page. */
  function hold() {
    const top = topOfBoard();
    const written = fields();
    const { id, selectionStart, selectionEnd } = document.activeElement;
    return () => {
      for (const { id, value } of written) {
        const field = document.getElementById(id) ?? {};
        field.value ||= value;
      }
      if (selectionEnd && id === document.activeElement.id) document.activeElement.setSelectionRange(selectionStart, selectionEnd);
      if (scrollY) scrollBy({ top: topOfBoard() - top, behavior: "instant" });
    };
  }

  /** Where one writes: a move, a postcard, who is to be invited. */
  const fields = () => document.querySelectorAll("#written, #say, #id_to");
  const topOfBoard = () => document.getElementById("board").getBoundingClientRect().top;
  const textsOf = (part, selector) => [...part.querySelectorAll(selector)].map((one) => clean(one.textContent));
  const seatsOf = (page) => [...page.querySelectorAll(".seat")].map((seat) => `${textsOf(seat, ".seat-name, .seat-note").join(" ")}.`);

  /** What happened, for those who listen: the moves, or which seat is no longer as it was, what became of the reader's own
   * move where the page says so, and whose turn it is, unless the focus reads that; or else what others have written. */
  function newsOf(old, fresh, said) {
    const played = fresh.dataset.ply - old.dataset.ply;
    const news = played ? movesOf(fresh).slice(-played) : seatsOf(fresh).filter((seat) => !said.includes(seat));
    const cards = textsOf(fresh, "#said .is-last p").slice(0, fresh.dataset.heard - old.dataset.heard);
    if (news.length || !cards.length) news.push(...textsOf(fresh, "[data-fate], #turn:not(:focus)"));
    return [...news, ...cards.reverse()].join(" ");
  }

  /** What the page says of the last moves, in as many pieces as it says them. */
  function movesOf(page) {
    const several = textsOf(page, ".missed li");
    return several.length ? several : textsOf(page, "[data-news]");
  }

  // --- An open table ---------------------------------------------------------------------------------

  const parts = (page) => [...page.querySelectorAll("[data-renew]")];
  const sameParts = (old, fresh) => String(parts(old).map(({ id }) => id)) === String(parts(fresh).map(({ id }) => id));

  /** Who has come or gone. What somebody fills in meanwhile is left alone. */
  function showSeats(page, old, fresh) {
    const now = parts(fresh);
    parts(old).forEach((part, number) => part.replaceChildren(...now[number].childNodes));
    Object.assign(old.dataset, fresh.dataset);
    document.title = page.title;
    document.querySelector(".site-nav").replaceWith(page.querySelector(".site-nav"));
    look();
  }

  // --- Being there -----------------------------------------------------------------------------------

  /** Report to the site that the table has been in sight for a while, once for each state that it is in. A report that the site
   * could not take is repeated after the next poll that it answers. */
  function look() {
    clearTimeout(glance);
    if (!document.hidden) glance = setTimeout(reportSeen, GLANCE);
    else reported = "";
  }

  async function reportSeen() {
    const { url, ply, version, away, heard } = table()?.dataset ?? {};
    const token = document.querySelector("#sign-out input")?.value;
    const state = `${url} ${ply} ${version}`;
    if (heard === undefined || !token || state === reported) return;
    reported = state;
    try {
      const body = new URLSearchParams({ ply, heard, csrfmiddlewaretoken: token });
      if (watched === version) body.set("watched", "on");
      const { status } = await fetch(`${url}seen/`, { method: "POST", body, keepalive: true });
      if (status >= 500) throw new Error(status);
      if (away !== undefined) poll(); // The seat has come back from the autopilot.
    } catch {
      reported = "";
    }
  }

  // ---------------------------------------------------------------------------------------------------

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      isAway = true;
      clearTimeout(timer);
    } else poll();
    look();
  });
  document.addEventListener("input", () => (typed = Date.now()));
  addEventListener("online", poll);
  addEventListener("pageshow", (event) => event.persisted && [poll(), look()]);
  document.addEventListener("table:shown", () => {
    patience = 0;
    look();
    if (!isPolling) later();
  });
  // Who goes back may be shown a page that the browser has cached.
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") poll();
  else later();
  look();
})();
