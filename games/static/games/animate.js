// What somebody did, in motion: huts walk along the arrow, a palisade closes, chips go to their owner. Only where the
// reader has nothing against it; the page behind is already as it is to be.
"use strict";

(() => {
  const { spots } = window.clans;
  const WALK = { duration: 240, easing: "ease-in-out" };
  const CLOSE = { duration: 150, delay: 220, easing: "ease-out", fill: "backwards" };
  const FLY = { duration: 170, delay: 210, easing: "ease-in-out", fill: "backwards" };

  /** Take from the old board what will move; what comes back sets it in motion on the new one, where that is shown. */
  function walk(old, fresh) {
    const isUnwished = "still" in old.dataset || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const played = fresh.dataset.ply - old.dataset.ply;
    if (isUnwished || !(played > 0)) return undefined;
    const moves = fresh.dataset.moves.split(" ").slice(-played).map((move) => move.split(/[-=]/));
    const before = standing(old);
    const left = new Map(moves.flat().map((name) => [name, before[name]?.cloneNode(true)]));
    const [spent, owned] = [gone(old), chipsOf(old)];
    return (shown = fresh) => {
      // Measured before anything moves: whatever changes the page would have the browser lay it out once more.
      const [after, flights] = [standing(shown), flightsOf(shown, spent, owned)];
      const arrows = [...shown.querySelectorAll(".last-move > path")].slice(-played);
      moves.forEach((move, number) => send(shown, left, after, move, arrows.at(number - played)));
      for (const name in after) if (isVillage(after[name]) && !isVillage(before[name])) enclose(shown, spots[name]);
      for (const [chip, transform] of flights) chip.animate([{ transform }, { transform: "none" }], FLY);
    };
  }

  const isVillage = (group) => Boolean(group?.matches(".village"));

  /** The groups and villages of a board by territory: each stands round the place for huts. */
  function standing(page) {
    const found = {};
    for (const group of page.querySelectorAll(".clans-board :is(.group, .village)")) {
      const { x, y, width, height } = group.getBBox();
      found[nearest(x + width / 2, y + height / 2)] = group;
    }
    return found;
  }

  function nearest(x, y) {
    let [found, least] = ["", Infinity];
    for (const name in spots) {
      const far = Math.hypot(spots[name][0] - x, spots[name][1] - y);
      if (far < least) [found, least] = [name, far];
    }
    return found;
  }

  /** The huts of a territory walk along an arrow to another, where what stood there waits for them. */
  function send(fresh, left, after, [origin, target], arrow) {
    const svg = fresh.querySelector(".clans-board");
    const [[x, y], [toX, toY]] = [spots[origin], spots[target]];
    const [byX, byY] = [toX - x, toY - y];
    const [, bendX, bendY] = arrow?.getAttribute("d").match(/Q(\S+) (\S+)/) ?? [0, (x + toX) / 2, (y + toY) / 2];
    const half = `translate(${(bendX - x) / 2 + byX / 4}px, ${(bendY - y) / 2 + byY / 4}px)`;
    const frames = [{ transform: "none" }, { transform: half }, { transform: `translate(${byX}px, ${byY}px)` }];
    const [walkers, waiting] = [left.get(origin), left.get(target)];
    for (const group of [waiting, walkers]) if (group) svg.append(group);
    after[target]?.animate({ opacity: [0, 0] }, WALK);
    const end = () => [walkers, waiting].forEach((group) => group?.remove());
    if (walkers) walkers.animate(frames, WALK).finished.then(end, end);
    else end();
  }

  /** The palisade of a new village draws in round its huts. */
  function enclose(page, [x, y]) {
    const wide = `translate(${-x * 0.6}px, ${-y * 0.6}px) scale(1.6)`;
    const ring = page.querySelector(`.palisade[cx="${x}"][cy="${y}"]`);
    ring?.animate([{ transform: wide, opacity: 0 }, { transform: "none", opacity: 1 }], CLOSE);
  }

  const chart = (page) => [...page.querySelectorAll(".epochs .chip")];
  const gone = (page) => chart(page).map((chip) => chip.matches(".chip-gone"));
  const chipsOf = (page) => [...page.querySelectorAll(".seat")].map((seat) => seat.querySelectorAll(".chip").length);

  /** The chips that seats have more of now, and from where on the chart each of them was taken. */
  function flightsOf(fresh, spent, owned) {
    const taken = chart(fresh).filter((chip, number) => chip.matches(".chip-gone") && !spent[number]);
    const seats = [...fresh.querySelectorAll(".seat")];
    const more = seats.flatMap((seat, number) => [...seat.querySelectorAll(".chip")].slice(owned[number]));
    return more.slice(0, taken.length).map((chip, number) => [chip, way(taken[number], chip)]);
  }

  function way(from, chip) {
    const [start, end] = [from.getBoundingClientRect(), chip.getBoundingClientRect()];
    return `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
  }

  window.clans.animate = walk;
})();
