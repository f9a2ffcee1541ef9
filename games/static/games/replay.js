// A replay by keys, by a slider, by a finger that swipes, and by itself. Each ply is fetched as a page, ahead of the step to it,
// and only what differs is put in its place: focus and scrolling stay, and a slow phone has little to lay out.
// Three things would make the browser style much of the page again at each step, so there are none of them here: a new `style` of
// the board's <svg>, rules such as `.plies ~ *`, and a :has() of the body or of any element. Chromium checks :has() whenever an
// element comes or goes, which took more than half of the time for styles. The body of these pages has a class instead.
"use strict";

(() => {
  const { ahead, animate, isPlain, load, prefetch, show, stored, visit } = window.clans;
  const LINKS = { ArrowLeft: "[rel=prev]", ArrowRight: "[rel=next]", Home: "#ply-first", End: "#ply-last" };
  const KEEP = "clans.replay-speed";
  const SWIPE = 48; // CSS pixels that a finger goes at least
  let isPlaying = false;
  let round = 0; // The step that goes on: an earlier one, before a stop, does nothing any more.
  let wanted = ""; // The ply that the slider was moved to while the page of another one was on its way.
  let finger;

  const linkOf = (key) => document.querySelector(`.plies ${LINKS[key]}`);

  // --- What differs ----------------------------------------------------------------------------------

  /** Make a ply of the other, for table.js: returns what is on the page then, or undefined where one is no ply. */
  window.clans.renew = (old, fresh) => {
    if (![old, fresh].every((page) => page.querySelector(".plies"))) return undefined;
    const walk = fresh.dataset.ply - old.dataset.ply === 1 ? animate(old, fresh) : undefined;
    dress(fresh);
    match(old, fresh);
    // Not now: show() lays the page out first.
    if (walk) requestAnimationFrame(() => walk(old));
    return old;
  };

  /** Make a node like another where they differ. */
  function match(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (!old.tagName) return void (old.data = fresh.data);
    // What a territory is called and where it leads is written by board.js.
    if (!old.dataset.territory) matchAttributes(old, fresh);
    matchChildren(old, [...fresh.childNodes]);
  }

  /** A list that was opened stays open, and styles are those of scripts: for that of the board all of it is styled again. */
  function matchAttributes(old, fresh) {
    const lost = [...old.attributes].filter(({ name }) => !fresh.hasAttribute(name) && !["open", "style"].includes(name));
    for (const { name } of lost) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }

  /** Children that are the same stay, even where some before them go or come. */
  function matchChildren(parent, fresh) {
    const left = [...parent.childNodes];
    const isLeft = (node) => left.some((one) => one.isEqualNode(node));
    fresh.forEach((node, number) => {
      if (left[0]?.isEqualNode(node)) return left.shift(); // So it is with most: asked first, they are compared once.
      if (isLeft(node)) while (!left[0].isEqualNode(node)) left.shift().remove();
      else if (!isAlike(left[0], node) || fresh.slice(number).some((one) => one.isEqualNode(left[0]))) {
        return parent.insertBefore(node, left[0] ?? null);
      }
      match(left.shift(), node);
    });
    for (const node of left) node.remove();
  }

  const isAlike = (one, other) => one && one.nodeName === other.nodeName && one.id === other.id;

  // --- By itself -------------------------------------------------------------------------------------

  /** Show what works with script alone, as it is now. */
  function dress(table) {
    const bar = table.querySelector(".autoplay");
    if (!bar) return;
    bar.hidden = false;
    bar.querySelector("#autoplay").ariaPressed = isPlaying;
  }

  /** Play on from here, from the first ply where it is the last. */
  function start() {
    isPlaying = true;
    dress(document);
    step((linkOf("ArrowRight") ?? linkOf("Home")).href);
  }

  function stop() {
    if (!isPlaying) return;
    isPlaying = false;
    dress(document);
  }

  const toggle = () => (isPlaying ? stop() : start());

  /** Show the page of an address, and the next ones after a while each. The net may fail: then it stops where it is. */
  async function step(url) {
    const mine = ++round;
    const isOver = () => mine !== round || !isPlaying;
    try {
      const loaded = load(url);
      await loaded;
      await pause(0); // Reading a page and showing it are tasks of their own.
      if (!isOver() && !(await show(url, {}, "replaceState", loaded))) stop();
      await pause(document.getElementById("speed").value);
      if (!isOver()) step(linkOf("ArrowRight").href);
    } catch {
      // Also at the last ply, where no link leads on.
      if (!isOver()) stop();
    }
  }

  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

  // Whoever steps by hand, or does not look, has it stop: before table.js shows a page that is there already.
  const press = ({ target }) => {
    if (target.closest("#autoplay")) toggle();
    else if (target.closest("a[href]")) stop();
  };
  document.addEventListener("click", press, true);
  document.addEventListener("focusin", ({ target }) => target.closest("dialog") && stop()); // The list of keys.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    ahead.clear(); // Whoever comes back, maybe after hours, sees no page of then.
  });

  // --- By hand ---------------------------------------------------------------------------------------

  /** Go where a key goes, if the replay goes on there. */
  function turn(key) {
    linkOf(key)?.click();
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!isPlain(event)) return;
    if (key === " " && !target.closest("a, button, summary, input:not([type=range]), textarea, select, dialog, [tabindex='0']")) {
      event.preventDefault();
      if (!event.repeat) toggle();
    }
    if (!linkOf(key) || target.closest("input, textarea, select, dialog, .menu, [tabindex='0']")) return;
    event.preventDefault();
    turn(key);
  });

  document.addEventListener("input", ({ target }) => {
    if (target.id === "at-ply") seek(target.value);
  });

  /** Go to the ply that the slider is at, and then to where it has been moved meanwhile. */
  async function seek(ply) {
    stop();
    const isOnItsWay = wanted;
    wanted = ply;
    if (isOnItsWay) return;
    for (let at; at !== wanted; ) {
      at = wanted;
      const url = location.href.replace(/\/ply\/\d+\//, `/ply/${at}/`);
      await visit(url, "replaceState", load(url));
    }
    wanted = "";
  }

  // A finger that goes left or right over the board leads on or back. Up and down it scrolls, two of them zoom, and on a board
  // that was zoomed it moves that.
  document.addEventListener("pointerdown", (event) => {
    const canSwipe = event.isPrimary && event.pointerType === "touch" && !document.querySelector(".board-frame.is-own");
    finger = canSwipe && event.target.closest("#board") ? event : undefined;
  });
  document.addEventListener("pointercancel", () => (finger = undefined));
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== finger?.pointerId) return;
    const [byX, byY] = [event.clientX - finger.clientX, event.clientY - finger.clientY];
    finger = undefined;
    if (Math.abs(byX) >= SWIPE && Math.abs(byX) > 2 * Math.abs(byY)) turn(byX < 0 ? "ArrowRight" : "ArrowLeft");
  });

  // --- What is remembered ----------------------------------------------------------------------------

  document.addEventListener("change", ({ target }) => {
    if (target.id === "speed") stored(() => (localStorage[KEEP] = target.value));
  });

  document.addEventListener("table:shown", () => {
    const slider = document.getElementById("at-ply");
    if (!slider || wanted) return;
    slider.value = slider.getAttribute("value");
    lookAhead();
  });

  /** Fetch what the next step may lead to: whoever steps goes on soon, or back. Where a page opens without script goes
   * from its address: a step back and a step on would lead to two pages of one ply. */
  function lookAhead() {
    for (const link of document.querySelectorAll(".plies [rel]")) {
      link.hash = "";
      prefetch(link);
    }
  }
  addEventListener("load", lookAhead);

  const speed = document.getElementById("speed");
  const last = stored(() => localStorage[KEEP]);
  if ([...speed?.options ?? []].some(({ value }) => value === last)) speed.value = last;
  dress(document);
})();
