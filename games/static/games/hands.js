// Hands on the board: huts are dragged by mouse, finger or pen, the map is walked by arrow keys, moves are typed.
"use strict";

(() => {
  const { map, choice, say } = window.clans;
  const FAR = 6; // CSS pixels that turn a press into a drag
  const FINGER = 16; // half of what a fingertip covers at least
  let drag = null;

  // --- Dragging ----------------------------------------------------------------------------------------

  document.addEventListener("pointerdown", (event) => {
    if (drag) return letGo(); // A second finger: the page is pinched.
    const name = map.nameOf(event.target);
    if (event.button || !event.isPrimary || !choice.isOrigin(name) || choice.asks || !onHuts(name, event)) return;
    drag = { id: event.pointerId, name, x: event.clientX, y: event.clientY, moves: false };
  });

  /** Whether the pointer is where the huts of a territory stand; a mouse can take the whole territory. */
  function onHuts(name, { pointerType, clientX, clientY }) {
    if (pointerType === "mouse") return true;
    const { x, y, radius } = map.boxOf(name);
    return Math.hypot(clientX - x, clientY - y) <= Math.max(radius, FINGER);
  }

  document.addEventListener("pointermove", (event) => {
    if (drag?.id === event.pointerId) return carry(event);
    if (event.pointerType === "mouse") hover(map.nameOf(event.target));
  });

  function carry(event) {
    const [byX, byY] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moves && Math.hypot(byX, byY) < FAR) return;
    if (!drag.moves) take(event);
    map.carry(byX, byY);
    const name = under(event);
    map.aimAt(choice.goesTo(name) ? name : "");
    map.note(choice.goesTo(name) ? `${choice.origin}–${name}: ${choice.outcomeOf(name)}` : "", event.clientX, event.clientY, event.pointerType === "mouse" ? 28 : 56);
  }

  function take(event) {
    drag.moves = true;
    choice.hold(drag.name);
    map.lift(drag.name);
    document.documentElement.setPointerCapture(event.pointerId);
  }

  const under = ({ clientX, clientY }) => map.nameOf(document.elementFromPoint(clientX, clientY));

  document.addEventListener("pointerup", (event) => {
    if (drag?.id !== event.pointerId) return;
    const { moves } = drag;
    const name = under(event);
    if (!moves) return (drag = null);
    letGo(choice.goesTo(name) ? name : "");
    // The click that a mouse makes of this is not meant.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  });

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("pointercancel", (event) => drag?.id === event.pointerId && letGo());

  /** Put the huts down: on a target, or back where they were. */
  function letGo(target = "") {
    const { moves } = drag;
    drag = null;
    map.drop();
    map.aimAt("");
    map.note("");
    if (target) choice.aim(target);
    else if (moves) choice.release();
  }

  // While huts are in the hand the page does not scroll; a finger anywhere else moves and pinches it as ever.
  document.addEventListener("touchmove", (event) => drag && event.cancelable && event.preventDefault(), { passive: false });

  // Links and pictures would be dragged by the browser itself.
  document.addEventListener("dragstart", (event) => map.nameOf(event.target) && event.preventDefault());

  /** Beside a territory that is pointed at or focused stands what going there would do. */
  function hover(name) {
    if (choice.goesTo(name)) map.noteAt(name, `${choice.origin}–${name}: ${choice.outcomeOf(name)}`);
    else map.note("");
  }

  document.addEventListener("focusin", (event) => {
    const name = map.nameOf(event.target);
    if (name) map.stopAt(name);
    if (!drag && event.target.matches(":focus-visible")) hover(name);
  });

  // --- Keys ----------------------------------------------------------------------------------------------

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape(event);
    if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog")) return;
    const name = map.nameOf(event.target);
    if (name && map.isArrow(event.key)) return act(event, () => map.focus(map.beside(name, event.key)));
    if (name && (event.key === " " || event.key === "Enter")) return act(event, () => event.repeat || choice.pick(name));
    if (event.key === "?" && (name || anywhere())) return act(event, openKeys);
    if (/^[a-l]$/i.test(event.key) && (name || anywhere())) write();
  });

  function act(event, does) {
    event.preventDefault();
    does();
  }

  function escape(event) {
    if (document.querySelector("dialog[open], details.menu[open]")) return;
    if (drag?.moves) return act(event, () => letGo());
    if (choice.origin) act(event, choice.release);
  }

  /** The first letter of a move goes where moves are written; the browser then types it there. */
  function write() {
    const field = document.getElementById("written");
    if (!field) return;
    field.value = "";
    field.focus();
  }

  // Who speaks to the computer may not want single letters to do anything.
  const KEEP = "clans.single-keys";
  const anywhere = () => kept() !== "off";

  function kept() {
    try {
      return localStorage.getItem(KEEP);
    } catch {
      return null; // A browser that keeps nothing.
    }
  }

  function openKeys() {
    const dialog = document.getElementById("keys");
    dialog.querySelector("[data-single-keys]").checked = anywhere();
    dialog.showModal();
  }

  document.addEventListener("click", (event) => event.target.closest("[data-keys]") && openKeys());
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-single-keys]")) localStorage.setItem(KEEP, event.target.checked ? "on" : "off");
  });
})();
