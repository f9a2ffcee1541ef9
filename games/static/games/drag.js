// Dragging huts over the board. Mouse and pen take huts at once; a finger takes those that are chosen, or any after a short hold,
// because it may as well want to scroll the page, or to zoom the board.
"use strict";

(() => {
  const { board, draft } = window.clans;
  const FAR = 6; // CSS pixels that turn a press into a drag
  const STILL = 10; // how far a finger may stray while it holds
  const HOLD = 300; // milliseconds until a finger has taken the huts
  const RISE = 34; // how far above the finger huts rise
  let held = null;
  let hovered = "";

  document.addEventListener("pointerdown", (event) => {
    if (held) return letGo(); // A second finger: the board is pinched.
    const isTouch = event.pointerType === "touch";
    const name = isTouch ? touched(event) : board.nameOf(event.target);
    if (event.button || !event.isPrimary || !draft.isOrigin(name) || draft.asks) return;
    held = { id: event.pointerId, name, isTouch, x: event.clientX, y: event.clientY, isReady: !isTouch || name === draft.origin };
    if (!held.isReady) held.timer = setTimeout(take, HOLD);
  });

  /** The territory whose huts a finger is on. */
  const touched = (event) => (event.target.closest?.("#board .clans-board") ? board.nearest(event, draft.origins) : "");

  document.addEventListener("pointermove", (event) => {
    if (held?.id === event.pointerId) return carry(event);
    if (event.pointerType === "mouse" && draft.isMine) hover(board.nameOf(event.target));
  });

  function carry(event) {
    const [byX, byY] = [event.clientX - held.x, event.clientY - held.y];
    const far = Math.hypot(byX, byY);
    if (!held.isReady) return far > STILL && forget();
    if (!held.moves && far < FAR) return;
    if (!held.isTaken) take();
    if (!held.moves) document.documentElement.setPointerCapture(event.pointerId);
    held.moves = true;
    board.carry(byX, byY - (held.isTouch ? RISE : 0));
    const over = under(event);
    const name = draft.goesTo(over) && over;
    board.aimAt(name);
    board.note(name && `${draft.origin}–${name}: ${draft.outcomeOf(name)}`, event.clientX, event.clientY, held.isTouch ? 72 : 28);
  }

  /** The huts are in the hand; a finger sees them rise. */
  function take() {
    Object.assign(held, { isReady: true, isTaken: true });
    draft.hold(held.name);
    board.lift(held.name);
    if (held.isTouch) board.carry(0, -RISE);
  }

  /** The territory under the pointer; for a finger rather the target beside it. */
  function under(event) {
    const name = board.nameOf(document.elementFromPoint(event.clientX, event.clientY));
    return (held.isTouch && board.nearest(event, draft.targets)) || name;
  }

  document.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) return;
    const { moves, isTaken, name } = held;
    if (!isTaken) return forget();
    if (moves) letGo(under(event));
    else choose(name);
    // The click that a mouse makes of this is not meant.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  });

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  // Before keys.js would let go of the origin.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !held?.moves || event.defaultPrevented) return;
    event.preventDefault();
    letGo();
  });

  document.addEventListener("pointercancel", (event) => held?.id === event.pointerId && letGo());

  function forget() {
    clearTimeout(held.timer);
    held = null;
  }

  /** Put the huts down in a territory, or back where they were. */
  function letGo(name = "") {
    const { isTaken } = held;
    forget();
    board.drop();
    board.aimAt("");
    board.note("");
    hovered = name;
    if (isTaken) draft.drop(name);
  }

  /** Huts that a finger has held without moving them are chosen. */
  function choose(name) {
    forget();
    draft.grasp(name);
  }

  // A finger that holds asks for no menu.
  document.addEventListener("contextmenu", (event) => held?.isTouch && event.preventDefault());

  // Links and pictures would be dragged by the browser itself.
  document.addEventListener("dragstart", (event) => board.nameOf(event.target) && event.preventDefault());

  /** Beside a territory that is pointed at or focused stands what going there would do, or why huts cannot. */
  function hover(name) {
    if (name === hovered) return;
    hovered = name;
    if (draft.goesTo(name)) board.noteAt(name, `${draft.origin}–${name}: ${draft.outcomeOf(name)}`, draft.origin);
    else board.note("");
  }

  document.addEventListener("focusin", (event) => {
    if (draft.isMine && !held && event.target.matches(":focus-visible")) hover(board.nameOf(event.target));
  });

  /** While a finger carries huts, neither does the page scroll nor the board move. */
  const stay = (event) => held?.isReady && event.preventDefault();

  function listen() {
    const paper = document.getElementById("board");
    paper?.querySelector(".clans-board").classList.add("has-hands");
    paper?.addEventListener("touchmove", stay, { passive: false, capture: true });
  }

  document.addEventListener("table:shown", listen);
  listen();
})();
