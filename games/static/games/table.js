// The table without reloading: links and forms that stay at this table fetch their page and put its #table into this one.
// Every step works as a plain link or form too, and whatever goes wrong here falls back to that.
"use strict";

(() => {
  const { say, isPlain, pageOf } = window.clans;
  const sent = new WeakSet();
  const unsent = document.getElementById("unsent");
  let latest = 0;
  let shown = location.pathname + location.search;

  /** Write the address of what is shown: `how` is a method of history, `state` what its entry remembers. */
  function setAddress(how, url, state = null) {
    history[how](state, "", url);
    shown = location.pathname + location.search;
  }

  const ahead = new Map(); // Answers with their texts, by address, that are fetched before somebody asks for them.

  async function answer(url, options) {
    const response = await fetch(url, options);
    return [response, await response.text()];
  }

  /** Fetch a page that its reader is likely to want next. */
  function prefetch({ href }) {
    if (!ahead.has(href)) ahead.set(href, answer(href).catch(() => void ahead.delete(href)));
  }

  async function load(url, options) {
    if (options?.method) ahead.clear(); // What is sent may change them.
    const [response, text] = (await ahead.get(`${url}`)) ?? (await answer(url, options));
    return [response, pageOf(text)];
  }

  /** Show a page of this table, which is fetched unless it is `loaded` already; resolves to false when it is some other
   * page. */
  async function show(url, options, how = "pushState", loaded = undefined) {
    const mine = ++latest;
    if (!loaded) document.getElementById("table").ariaBusy = true;
    const [response, page] = await (loaded ?? load(url, options));
    const fresh = page.getElementById("table");
    if (!fresh) return false;
    if (mine !== latest) return true;
    const { url: here, ply } = document.getElementById("table").dataset;
    const address = response.ok ? response.url : fresh.dataset.url;
    if (address !== location.href) setAddress(how, address);
    swap(page, fresh, options?.method);
    if (fresh.dataset.url !== here) scrollTo({ top: 0, behavior: "instant" });
    // On a phone what a move led to stands above what is in sight. What was renewed in its place stays under the thumb: then no
    // window shows `fresh`. To ask for the width lays the page out in this task, so the next frame has less to do.
    else if (innerWidth < 960 && fresh.dataset.ply !== ply) fresh.querySelector("h1").scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Show a page of this table, or go there where it is none or does not come. */
  function visit(url, how, loaded) {
    const leave = () => location.assign(url);
    return show(url, {}, how, loaded).then((shown) => shown || leave(), leave);
  }

  function swap(page, fresh, isSent) {
    const old = document.getElementById("table");
    const open = [...old.querySelectorAll("details[id]")].map((details) => [details.id, details.open]);
    const find = placeOf(document.activeElement, old);
    const table = window.clans.renew?.(old, fresh) ?? fresh;
    if (table === fresh) old.replaceWith(fresh);
    for (const [id, wasOpen] of open) {
      const details = document.getElementById(id);
      if (details) details.open = wasOpen;
    }
    document.title = page.title;
    for (const name of [".site-nav", ".flashes"]) renew(page, name);
    document.dispatchEvent(new Event("table:shown"));
    const read = find && refocus(table, isSent ? null : find(table)); // What was sent has led to something new.
    // An alert speaks for itself, and so does what gets the focus.
    const news = table.querySelector("[data-say]");
    say(news === read || table.querySelector("[role=alert]") ? "" : news?.textContent ?? "");
  }

  /** Take over what else may have changed outside of #table. */
  function renew(page, name) {
    const [old, fresh] = [document.querySelector(name), page.querySelector(name)];
    if (!fresh) old?.remove();
    else if (!old) document.getElementById("main").prepend(fresh);
    else if (!old.isEqualNode(fresh)) old.replaceWith(fresh);
  }

  /** By what a link or a control is known on a fresh page: news change what the summary of the talk says. */
  const keyOf = (one) =>
    `${one.closest("details")?.id} ${one.id || one.dataset.territory || one.getAttribute("href") || one.matches("summary") || one.textContent}`;

  /** How to find the focused element again; null when the focus is elsewhere. Of several alike it is counted from the end, since
   * news stand first. */
  function placeOf(element, table) {
    if (!table.contains(element)) return null;
    const key = keyOf(element);
    const alike = (part) => [...part.querySelectorAll(element.localName)].filter((one) => keyOf(one) === key).reverse();
    const place = alike(table).indexOf(element);
    return (fresh) => alike(fresh)[place];
  }

  /** Focus what is `found`, or else whose turn it is or what was played: it is returned, as a screen reader reads it then. After a
   * move (null) the page scrolls there, too. */
  function refocus(table, found) {
    const isOver = found?.href === location.href && !found.ariaCurrent; // What led here leads nowhere now.
    const target = (!isOver && found) || table.querySelector("h2") || table;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: found !== null });
    return target !== found && target;
  }

  function staysHere(url) {
    const table = document.getElementById("table");
    return url.origin === location.origin && url.pathname.startsWith(new URL(table.dataset.url, location.href).pathname);
  }

  document.addEventListener("click", (event) => {
    if (!isPlain(event)) return;
    const link = event.target.closest("#table a[data-swap][href], #table [data-swap] a[href]:not([href^='#'])"); // On the board many lead nowhere.
    if (!link) return;
    const url = new URL(link.getAttribute("href"), location.href);
    if (!staysHere(url)) return;
    event.preventDefault();
    // Who goes back leaves a replay, and not its last step or viewpoint.
    visit(url, link.closest("nav") ? "replaceState" : "pushState");
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("#table form[data-swap]")) return;
    event.preventDefault();
    if (sent.has(form)) return;
    sent.add(form);
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    // What is written to the others goes with the move.
    if (form.matches("#move, #strike")) fields.set("say", document.getElementById("say")?.value ?? "");
    const url = new URL(form.action);
    const leave = () => {
      delete form.dataset.swap; // So it is sent as without script.
      form.requestSubmit(event.submitter);
    };
    let options, how;
    if (form.method === "get") url.search = fields;
    // After a POST there is nothing to go back to: the draft has been played or is shown.
    else [options, how] = [{ method: "POST", body: fields }, "replaceState"];
    show(url, options, how).then((shown) => (shown ? onward(form) : leave()), () => (navigator.onLine ? leave() : keep(form)));
  });

  /** Without a net all stays as it is, to be sent again: a browser would show an error instead of this page. A move that has
   * arrived all the same is played once. */
  function keep(form) {
    sent.delete(form);
    document.getElementById("table").ariaBusy = null;
    form.prepend(unsent);
    unsent.hidden = false;
    window.clans.draft?.enter();
  }

  /** A move that was written stands in its preview now: the next key confirms it or chooses what is asked. Why it was
   * refused is said at the field, because the top of the page may be far. */
  function onward(form) {
    if (form.method !== "get") return;
    const [field, refusal] = [document.getElementById("written"), document.querySelector(".prompt > [role=alert]")];
    const next = refusal ? field : document.querySelector("#move input[type=radio], #move button, .trial .targets a") ?? field;
    if (refusal) field.form.before(refusal);
    next?.focus();
    const question = next === field ? refusal : document.querySelector(".trial #ask");
    question?.scrollIntoView({ block: "nearest" });
  }

  // A card that is covered stays covered: the server is told, so that it does not flash up on the next page.
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.id !== "card") return;
      const age = event.target.open ? 0 : 60 * 60 * 24 * 365;
      document.cookie = `card=covered; path=/; max-age=${age}; samesite=lax`;
    },
    true,
  );

  window.addEventListener("popstate", (event) => {
    if (window.clans.draft?.follow(event)) return; // Among the choices of a move.
    if (location.pathname + location.search === shown) return; // Only to another place on this page.
    visit(location.pathname + location.search, "replaceState"); // Without #: to an address with one the browser would only scroll.
  });

  // What phone.css leaves out of the first frame, in a task of its own; a link may have led there. Whoever comes back or loads the
  // page again gets all of it at once, since the browser scrolls to where they were.
  const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  const showAll = () => {
    const part = document.querySelector(".play > .side > *");
    const hasWaited = part && getComputedStyle(part).contentVisibility === "auto";
    document.documentElement.classList.add("is-loaded");
    if (hasWaited && isNew) document.querySelector(".side :target")?.scrollIntoView();
  };
  if (isNew) addEventListener("load", () => setTimeout(showAll));
  else showAll();

  // For poll.js, which shows what others have done, draft.js, which tells what was chosen and keeps it, and replay.js.
  Object.assign(window.clans, { swap, setAddress, ahead, prefetch, load, show, visit });
})();
