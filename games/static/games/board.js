// The board as something to point at: where each territory lies, what it is called, and the marks of a choice on it.
// It asks of the drawing only that the ground of a territory is a .land whose href ends in #C4, alone or in a link.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  let svg, spots, lands, marks, label, ghost;

  function draw(kind, attributes, ...children) {
    const element = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Take over the board of a page: every territory becomes a link that can be named, led anywhere and focused. */
  function open(drawing, places) {
    [svg, spots, lands] = [drawing, places, {}];
    for (const land of svg.querySelectorAll(".land")) {
      const name = land.getAttribute("href").split("#")[1];
      lands[name] = land.closest("a") ?? wrap(land, name);
    }
    for (const mark of svg.querySelectorAll("[class^=mark-], foreignObject")) mark.remove();
    svg.classList.add("has-hands");
    marks = draw("g", { class: "marks" });
    svg.querySelector(".names").after(marks);
    ghost = null;
    label = document.createElement("p");
    label.className = "board-label";
    label.hidden = true;
    label.setAttribute("aria-hidden", "true");
    svg.parentElement.append(label);
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
    link.setAttribute("aria-label", text);
    if (href) link.setAttribute("href", href);
    else link.removeAttribute("href");
    if (href) link.removeAttribute("role");
    else link.setAttribute("role", "img");
  }

  /** The one territory that the tab key stops at. */
  function stopAt(name) {
    for (const link of Object.values(lands)) link.setAttribute("tabindex", "-1");
    lands[name].setAttribute("tabindex", "0");
  }

  function focus(name) {
    stopAt(name);
    lands[name].focus({ preventScroll: true });
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
    const { a, e, f } = svg.getScreenCTM();
    return { x: x * a + e, y: y * a + f, radius: radius * a, top: (y - radius) * a + f, bottom: (y + radius) * a + f };
  }

  const top = () => svg.getBoundingClientRect().top;

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

  /** A question mark, or the number that it has got, on a territory of which the place in the order is asked. */
  function ask(name, number) {
    const [x, y, radius] = spots[name];
    const at = `translate(${x + radius * 0.7} ${y - radius * 0.7})`;
    const sign = draw("text", { y: 10 }, number || "?");
    svg.append(draw("g", { class: number ? "mark-asked is-taken" : "mark-asked", transform: at }, draw("circle", { r: 19 }), sign));
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
    svg.append(ghost);
  }

  function carry(byX, byY) {
    const { a } = svg.getScreenCTM();
    ghost?.setAttribute("transform", `translate(${byX / a} ${byY / a})`);
  }

  function drop() {
    ghost?.remove();
    ghost = null;
    for (const huts of svg.querySelectorAll(".is-lifted")) huts.classList.remove("is-lifted");
  }

  /** The target under the pointer. */
  function aimAt(name) {
    for (const mark of svg.querySelectorAll(".mark-aim")) mark.remove();
    if (name) ring("aim", name);
  }

  // --- The label ---------------------------------------------------------------------------------------

  /** Say something beside a point of the screen: above it, so that no finger lies on it, or below where there is no room. */
  function note(text, x, y, away) {
    label.hidden = !text;
    if (!text) return;
    label.textContent = text;
    const frame = svg.parentElement.getBoundingClientRect();
    const { width, height } = label.getBoundingClientRect();
    const left = Math.min(Math.max(x - width / 2, 4), document.documentElement.clientWidth - width - 4);
    const above = y - away - height;
    label.style.left = `${left - frame.left}px`;
    label.style.top = `${(above > 4 ? above : y + away) - frame.top}px`;
  }

  function noteAt(name, text) {
    const { x, y, radius } = boxOf(name);
    note(text, x, y, radius + 8);
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

  window.clans.board = {
    open, tell, stopAt, focus, focused, nameOf, boxOf, top, clear, ring, frame, ask, lead, lift, carry, drop, aimAt, note, noteAt, beside,
    get names() { return Object.keys(spots ?? {}); },
    isArrow: (key) => key in WAYS,
  };
})();
