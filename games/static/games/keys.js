// Keys, besides the arrows that walk the board: Enter and Space choose, a letter begins a written move, ? lists them.
"use strict";

(() => {
  const { board, draft = {}, stored } = window.clans; // Replays and try-outs have no draft.

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape(event);
    if (event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog")) return;
    const name = board.nameOf(event.target);
    if (name && draft.isMine && (event.key === " " || event.key === "Enter")) return act(event, () => event.repeat || draft.pick(name));
    if (event.key === "?" && (name || anywhere())) return act(event, openKeys);
    if (begins(event.key) && (name || anywhere())) write();
  });

  /** Whether the key is the first letter of a territory of this map. */
  const begins = (key) => key.length === 1 && board.names.some((name) => name.startsWith(key.toUpperCase()));

  function act(event, does) {
    event.preventDefault();
    does();
  }

  function escape(event) {
    if (!document.querySelector("dialog[open], .menu[open]") && draft.release?.()) event.preventDefault();
  }

  /** The first letter of a move goes where moves are written; the browser then types it there, and scrolls no farther than to the
   * letter. A focus would put the field into the middle, past a board that stays in sight. */
  function write() {
    const field = document.getElementById("written");
    if (!field) return;
    field.value = "";
    field.focus({ preventScroll: true });
  }

  // Who speaks to the computer may not want single letters to do anything.
  const KEEP = "clans.single-keys";

  const anywhere = () => stored(() => localStorage[KEEP]) !== "off";

  function openKeys() {
    const dialog = document.getElementById("keys");
    dialog.querySelector("[data-single-keys]").checked = anywhere();
    dialog.showModal();
  }

  function offer() {
    document.querySelector("[data-keys]")?.toggleAttribute("hidden", !matchMedia("(hover)").matches); // Touch has no keys.
  }

  document.addEventListener("table:shown", offer);
  offer();

  document.addEventListener("click", ({ target }) => target.closest("[data-keys]") && openKeys());
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-single-keys]")) stored(() => (localStorage[KEEP] = target.checked ? "on" : "off"));
  });
})();
