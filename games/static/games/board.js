// The board as something to point at: where each territory lies, what it is called, and the marks of a choice on it.
// It asks of the drawing only that the ground of a territory is a .land whose href ends in #C4, alone or in a link.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const REACH = 22; // CSS pixels: half of what a fingertip is given
  const MOST = 4; // How far the board can be zoomed.
  const { spots } = window.clans; // Where huts stand on this map: x, y, radius.
  const names = Object.keys(spots);
  let svg, paper, lands, marks, label, ghost, stop, grip;
  let view = { by: 1, x: 0, y: 0, isOwn: false }; // How the board lies in its frame; `isOwn` when fingers have put it so.
  let press = {};

  function draw(kind, attributes, ...children) {
    const element = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Take over the board of a page: every territory becomes a link that can be named, led anywhere and focused, and that the
   * arrow keys walk to. */
  function open(drawing) {
    [svg, paper, lands] = [drawing, drawing.parentElement, {}];
    for (const land of svg.querySelectorAll(".land")) {
      const name = land.getAttribute("href").split("#")[1];
      lands[name] = land.closest("a") ?? wrap(land, name);
      lands[name].tabIndex = -1;
    }
    marks = draw("g", { class: "marks" });
    svg.querySelector(".names").after(marks);
    ghost = null;
    label = document.createElement("p");
    label.className = "board-label";
    label.hidden = true;
    label.ariaHidden = true;
    paper.parentElement.append(label);
    for (const kind of ["touchstart", "touchend", "touchcancel"]) paper.addEventListener(kind, grab, { passive: true });
    paper.addEventListener("touchmove", pinch, { passive: false });
    svg.style.touchAction = "pan-y"; // All else that fingers do is seen to here.
    if (view.by > 1) place(view);
  }

  function wrap(land, name) {
    const link = draw("a", { "data-territory": name });
    land.replaceWith(link);
    link.append(land);
    return link;
  }

  /** What a territory is called, and where it leads; without `href` it can only be looked at. */
  function tell(name, text, href) {
    const link = lands[name];
    link.querySelector("title")?.remove();
    link.ariaLabel = text;
    if (href) link.setAttribute("href", href);
    else link.removeAttribute("href");
    link.role = href ? null : "img";
  }

  /** The one territory that the tab key stops at. */
  function stopAt(name) {
    if (stop in lands) lands[stop].tabIndex = -1;
    stop = name;
    lands[name].tabIndex = 0;
  }

  /** Go to a territory; Safari shows who has clicked before that they are there if it is asked to. */
  function focus(name, focusVisible) {
    stopAt(name);
    lands[name].focus({ preventScroll: true, focusVisible });
    const box = boxOf(name);
    if (box.top < 0 || box.bottom > innerHeight) lands[name].scrollIntoView({ block: "center" });
  }

  function focused() {
    return nameOf(document.activeElement);
  }

  function nameOf(element) {
    return element?.closest?.("#board [data-territory]")?.dataset.territory ?? "";
  }

  /** Where the ring round a territory's huts is on the screen. */
  function boxOf(name) {
    const [x, y, radius] = spots[name];
    const { left, top, a } = lie();
    return { x: left + x * a, y: top + y * a, radius: radius * a, top: top + (y - radius) * a, bottom: top + (y + radius) * a };
  }

  /** Where the point 0, 0 of the drawing is on the screen, and how many pixels one of its units has there. */
  function lie() {
    const { left, top, width } = svg.getBoundingClientRect();
    const { x, y, width: units } = svg.viewBox.baseVal;
    const a = width / units;
    return { left: left - x * a, top: top - y * a, a };
  }

  // --- Fingers -------------------------------------------------------------------------------------

  addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => (press = { pointerType, clientX, clientY }), true);

  /** Where a finger has tapped the board with this click; undefined for anything else. */
  function tapOf(event) {
    return press.pointerType === "touch" && event.detail && event.target.closest?.(".clans-board") ? press : undefined;
  }

  /** Which of these territories has its huts nearest to a point of the screen, and within reach of a finger. */
  function nearest({ clientX, clientY }, names) {
    const { left, top, a } = lie();
    let [found, least] = ["", REACH];
    for (const name of names) {
      const far = Math.hypot(left + spots[name][0] * a - clientX, top + spots[name][1] * a - clientY);
      if (far <= least) [found, least] = [name, far];
    }
    return found;
  }

  /** Lay the board into its frame: so many times as large, moved by x and y pixels, with no bare paper beside it. */
  function place({ by, x, y, isOwn = false }) {
    const { clientWidth: width, clientHeight: height } = paper;
    const inside = (at, size) => Math.min(0, Math.max(at, size - size * by));
    by = Math.min(Math.max(by, 1), MOST);
    view = { by, x: inside(x, width), y: inside(y, height), isOwn: isOwn && by > 1 };
    svg.style.transform = by > 1 ? `translate(${view.x}px, ${view.y}px) scale(${by})` : "";
    paper.classList.toggle("is-zoomed", by > 1);
    paper.classList.toggle("is-own", view.isOwn);
    svg.style.touchAction = view.isOwn ? "none" : "pan-y";
    for (const button of document.querySelectorAll("[data-whole]")) button.hidden = by === 1;
  }

  /** Zoom by a factor round a point of the screen, which comes to lie under another. */
  function zoom(factor, from, to) {
    const { left, top } = paper.getBoundingClientRect();
    const by = Math.min(Math.max(view.by * factor, 1), MOST);
    const real = by / view.by;
    place({ by, x: to.x - left - (from.x - left - view.x) * real, y: to.y - top - (from.y - top - view.y) * real, isOwn: true });
  }

  /** The middle of the fingers, and how far they are apart. */
  function gripOf([one, other = one]) {
    const [x, y] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
    return { x, y, apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
  }

  /** The fingers on the board; `targetTouches` are only those on the same part of the drawing. */
  const fingersOn = (event) => [...event.touches].filter(({ target }) => paper.contains(target));

  /** Take hold of the board with as many fingers as are on it now: two zoom and move it, and one moves it once they have. */
  function grab(event) {
    const fingers = fingersOn(event);
    grip = fingers.length === 2 || (fingers.length === 1 && view.isOwn) ? gripOf(fingers) : null;
  }

  function pinch(event) {
    // The page scrolls already, or huts are carried.
    if (!grip || !event.cancelable || event.defaultPrevented) return;
    event.preventDefault();
    const now = gripOf(fingersOn(event));
    zoom(grip.apart ? now.apart / grip.apart : 1, grip, now);
    grip = now;
  }

  /** Zoom to some territories until a finger hits each of them apart; without any, back to the whole board. What fingers
   * have zoomed themselves stays. */
  function near(names) {
    if (view.isOwn || (view.by === 1 && !names.length)) return;
    const units = svg.viewBox.baseVal;
    const a = paper.clientWidth / units.width;
    const at = names.map((name) => [(spots[name][0] - units.x) * a, (spots[name][1] - units.y) * a]);
    const apart = at.flatMap(([x, y], number) => at.slice(number + 1).map(([toX, toY]) => Math.hypot(toX - x, toY - y)));
    const by = Math.max(1, (2 * REACH) / Math.min(...apart));
    const middle = (axis) => (Math.min(...at.map((point) => point[axis])) + Math.max(...at.map((point) => point[axis]))) / 2;
    if (!apart.length || by === 1) return whole();
    place({ by, x: paper.clientWidth / 2 - middle(0) * by, y: paper.clientHeight / 2 - middle(1) * by });
  }

  /** Back to the whole board. */
  function whole() {
    if (view.by > 1) place({ by: 1, x: 0, y: 0 });
  }

  document.addEventListener("click", (event) => event.target.closest("[data-whole]") && whole());

  // --- Marks ---------------------------------------------------------------------------------------

  function clear() {
    marks.replaceChildren();
    for (const sign of svg.querySelectorAll(".mark-asked")) sign.remove();
  }

  function ring(kind, name) {
    const [cx, cy, radius] = spots[name];
    marks.append(draw("circle", { class: `mark-${kind}`, cx, cy, r: radius + 3 }));
  }

  function frame(name) {
    const land = lands[name].querySelector(".land").cloneNode();
    land.setAttribute("class", "mark-chosen");
    marks.append(land);
  }

  /** A sign at the ring of a territory of which the place in the order is asked: a question mark, its place, or a chip. */
  function ask(name, sign) {
    if (!sign) return;
    const [x, y, radius] = spots[name];
    const [out, half] = [(radius + 12) * 0.7, sign.length > 1 ? 27 : 19];
    const signs = sign === "chip"
      ? [draw("circle", { r: 16 }), draw("circle", { r: 10, class: "chip-core" })]
      : [draw("rect", { x: -half, y: -19, width: 2 * half, height: 38, rx: 19 }), draw("text", { y: 10 }, sign)];
    const kind = sign === "?" ? "mark-asked" : `mark-asked is-taken${sign === "chip" ? " is-chip" : ""}`;
    svg.append(draw("g", { class: kind, transform: `translate(${x + out} ${y - out})` }, ...signs));
  }

  /** The way that the huts would go, to the edge of those that stand there. */
  function lead(origin, target) {
    const [x, y] = spots[origin];
    const [toX, toY, radius] = spots[target];
    const length = Math.hypot(toX - x, toY - y);
    const [ux, uy] = [(toX - x) / length, (toY - y) / length];
    const [tipX, tipY] = [toX - ux * radius * 0.7, toY - uy * radius * 0.7];
    const wing = (side) => `${tipX - ux * 18 - side * uy * 14} ${tipY - uy * 18 + side * ux * 14}`;
    marks.append(draw("path", { class: "draft-line", d: `M${x} ${y}L${tipX} ${tipY}M${wing(1)}L${tipX} ${tipY}L${wing(-1)}` }));
  }

  // --- Huts in the hand ------------------------------------------------------------------------------

  /** The drawn huts of a territory. */
  function hutsOf(name) {
    const at = `translate(${spots[name][0]} ${spots[name][1]})`;
    return [...svg.querySelectorAll(".group")].find((group) => group.lastElementChild.getAttribute("transform").startsWith(at));
  }

  /** Let the huts of a territory follow the pointer, from where it has taken them. */
  function lift(name) {
    const huts = hutsOf(name);
    ghost = draw("g", { class: "lifted" }, huts.cloneNode(true));
    huts.classList.add("is-lifted");
    svg.classList.add("is-lifting");
    svg.append(ghost);
  }

  function carry(byX, byY) {
    const { a } = lie();
    ghost?.setAttribute("transform", `translate(${byX / a} ${byY / a})`);
  }

  function drop() {
    ghost?.remove();
    ghost = null;
    svg.classList.remove("is-lifting");
    for (const huts of svg.querySelectorAll(".is-lifted")) huts.classList.remove("is-lifted");
  }

  /** The target under the pointer. */
  function aimAt(name) {
    for (const mark of svg.querySelectorAll(".mark-aim")) mark.remove();
    if (name) ring("aim", name);
  }

  // --- The label ---------------------------------------------------------------------------------------

  /** Say something beside a point of the screen: above it, so that no finger lies on it, or below it if asked or without room
   * below what stays at the top of a try-out. */
  function note(text, x, y, away, isBelow) {
    label.hidden = !text;
    if (!text) return;
    label.textContent = text;
    const frame = label.parentElement.getBoundingClientRect();
    const { width, height } = label.getBoundingClientRect();
    const left = Math.min(Math.max(x - width / 2, 4), document.documentElement.clientWidth - width - 4);
    const above = y - away - height;
    const head = document.querySelector(".trial-head")?.getBoundingClientRect().bottom ?? 0;
    label.style.left = `${left - frame.left}px`;
    label.style.top = `${(above > Math.max(head, 0) + 4 && !isBelow ? above : y + away) - frame.top}px`;
  }

  // The pointer stays where it is while the page scrolls, and points at something else; who walks by keys scrolls by walking.
  addEventListener("scroll", () => {
    if (label && !document.activeElement.matches(":focus-visible")) label.hidden = true;
  }, { passive: true });

  /** Say something beside a territory, on the side where the huts that come `from` another one are not. */
  function noteAt(name, text, from = name) {
    const { x, y, radius } = boxOf(name);
    note(text, x, y, radius + 8, spots[from][1] < spots[name][1]);
  }

  // --- Walking ---------------------------------------------------------------------------------------

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /** The nearest territory in the direction of an arrow key; the same one where the map ends. */
  function beside(name, key) {
    const [x, y] = spots[name];
    const [dx, dy] = WAYS[key];
    let [nearest, least] = [name, Infinity];
    for (const [other, [toX, toY]] of Object.entries(spots)) {
      const ahead = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy - (toY - y) * dx);
      const far = ahead + 1.5 * aside;
      if (ahead > 0 && aside <= ahead * 1.5 && far < least) [nearest, least] = [other, far];
    }
    return nearest;
  }

  document.addEventListener("keydown", (event) => {
    const name = nameOf(event.target);
    if (!window.clans.isPlain(event) || !spots[name] || !(event.key in WAYS)) return;
    event.preventDefault();
    focus(beside(name, event.key), true);
  });

  document.addEventListener("focusin", (event) => {
    const name = nameOf(event.target);
    if (spots[name]) stopAt(name);
  });

  // --- Telling ---------------------------------------------------------------------------------------
  // Who only looks taps a territory, points at it or walks there by keys, and is told about it in place: in a line that stands
  // where the bar does, and where there is room beside the territory. What is told is in the board as a list.

  let line, told, hint;

  /** Take over the board of a page that tells. Nothing on it leads to the list any more. */
  function read() {
    line = document.getElementById("told");
    if (!line) return;
    hint = line.textContent;
    open(document.querySelector("#board .clans-board"));
    for (const name of names) if (/^(#|$)/.test(lands[name].getAttribute("href") ?? "")) tell(name, textOf(name));
    stopAt(names[0]);
    near([]);
    if (told) show(told, true);
  }

  const textOf = (name) => document.getElementById(name).firstChild.textContent.trim();

  /** Show what stands there; quietly, where a screen reader need not say it. */
  function show(name, isQuiet) {
    told = name;
    line.ariaLive = isQuiet ? "off" : null;
    line.textContent = name ? textOf(name) : hint;
    clear();
    if (name) frame(name);
    if (name && innerWidth >= 960) noteAt(name, line.textContent);
    else note("");
  }

  document.addEventListener("pointermove", ({ pointerType, target }) => {
    const name = nameOf(target);
    if (line && pointerType === "mouse" && name !== told) show(name);
  });

  document.addEventListener("click", ({ target }) => line && target.closest?.("#board") && show(nameOf(target)));

  // Who hears the name of what is focused hears all of it: the line need not say it again.
  document.addEventListener("focusin", ({ target }) => {
    const name = nameOf(target);
    if (line && name && name !== told) show(name, true);
  });

  document.addEventListener("keydown", ({ key }) => key === "Escape" && line && show(""));

  document.addEventListener("table:shown", read);
  read();

  window.clans.board = {
    open, tell, stopAt, focus, focused, nameOf, boxOf, tapOf, nearest, near, whole, clear, ring, frame, ask, lead, lift, carry, drop, aimAt, note, noteAt, beside, names,
    /** The element of a territory. */
    landOf: (name) => lands[name],
  };
})();
