// Dragging huts on the board, by mouse, finger or pen.
"use strict";

(() => {
  const { board, draft } = window.clans;
  const FAR = 6; // CSS pixels that turn a press into a drag
  const FINGER = 16; // half of what a fingertip covers at least
  let held = null;

  document.addEventListener("pointerdown", (event) => {
    if (held) return letGo(); // A second finger: the page is pinched.
    const name = board.nameOf(event.target);
    if (event.button || !event.isPrimary || !draft.isOrigin(name) || draft.asks || !onHuts(name, event)) return;
    held = { id: event.pointerId, name, x: event.clientX, y: event.clientY, moves: false };
  });

  /** Whether the pointer is where the huts of a territory stand; a mouse can take the whole territory. */
  function onHuts(name, { pointerType, clientX, clientY }) {
    if (pointerType === "mouse") return true;
    const { x, y, radius } = board.boxOf(name);
    return Math.hypot(clientX - x, clientY - y) <= Math.max(radius, FINGER);
  }

  document.addEventListener("pointermove", (event) => {
    if (held?.id === event.pointerId) return carry(event);
    if (event.pointerType === "mouse") hover(board.nameOf(event.target));
  });

  function carry(event) {
    const [byX, byY] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moves && Math.hypot(byX, byY) < FAR) return;
    if (!held.moves) take(event);
    board.carry(byX, byY);
    const name = under(event);
    board.aimAt(draft.goesTo(name) ? name : "");
    board.note(draft.goesTo(name) ? `${draft.origin}–${name}: ${draft.outcomeOf(name)}` : "", event.clientX, event.clientY, event.pointerType === "mouse" ? 28 : 56);
  }

  function take(event) {
    held.moves = true;
    draft.hold(held.name);
    board.lift(held.name);
    document.documentElement.setPointerCapture(event.pointerId);
  }

  const under = ({ clientX, clientY }) => board.nameOf(document.elementFromPoint(clientX, clientY));

  document.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) return;
    const { moves } = held;
    const name = under(event);
    if (!moves) return (held = null);
    letGo(draft.goesTo(name) ? name : "");
    // The click that a mouse makes of this is not meant.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  });

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("pointercancel", (event) => held?.id === event.pointerId && letGo());

  /** Put the huts down: on a target, or back where they were. */
  function letGo(target = "") {
    const { moves } = held;
    held = null;
    board.drop();
    board.aimAt("");
    board.note("");
    if (target) draft.aim(target);
    else if (moves) draft.release();
  }

  // While huts are in the hand the page does not scroll; a finger anywhere else moves and pinches it as ever.
  document.addEventListener("touchmove", (event) => held && event.cancelable && event.preventDefault(), { passive: false });

  // Links and pictures would be dragged by the browser itself.
  document.addEventListener("dragstart", (event) => board.nameOf(event.target) && event.preventDefault());

  /** Beside a territory that is pointed at or focused stands what going there would do. */
  function hover(name) {
    if (draft.goesTo(name)) board.noteAt(name, `${draft.origin}–${name}: ${draft.outcomeOf(name)}`);
    else board.note("");
  }

  document.addEventListener("focusin", (event) => {
    const name = board.nameOf(event.target);
    if (name) board.stopAt(name);
    if (!held && event.target.matches(":focus-visible")) hover(name);
  });

  // For keys.js: Escape puts the huts down, and what the keys point at is told like what a mouse points at.
  window.clans.drag = { isMoving: () => Boolean(held?.moves), letGo };
})();
