// Who only looks taps a territory, points at it or walks there by keys, and is told about it in place: in a line that stands
// where the bar does, and where there is room beside the territory. What is told is in the board as a list.
"use strict";

(() => {
  const { board } = window.clans;
  const isWide = matchMedia("(width >= 60rem)");
  let line, told, hint;

  /** Take over the board of a page that tells. Nothing on it leads to the list any more. */
  function open() {
    line = document.getElementById("told");
    if (!line) return;
    hint = line.textContent;
    board.open(document.querySelector("#board .clans-board"), JSON.parse(document.getElementById("moves").textContent).spots);
    for (const name of board.names) if (board.landOf(name).getAttribute("href").startsWith("#")) board.tell(name, textOf(name));
    board.stopAt(board.names[0]);
    board.near([]);
    if (told) tell(told);
  }

  const textOf = (name) => document.getElementById(name).firstChild.textContent.trim();

  function tell(name) {
    told = name;
    line.textContent = name ? textOf(name) : hint;
    board.clear();
    if (name) board.frame(name);
    if (name && isWide.matches) board.noteAt(name, line.textContent);
    else board.note("");
  }

  document.addEventListener("pointermove", ({ pointerType, target }) => {
    const name = board.nameOf(target);
    if (line && pointerType === "mouse" && name !== told) tell(name);
  });

  document.addEventListener("click", ({ target }) => line && target.closest?.("#board") && tell(board.nameOf(target)));

  // Who hears the name of what is focused hears all of it: the line need not say it again.
  document.addEventListener("focusin", ({ target }) => {
    const name = board.nameOf(target);
    if (!line || !name || name === told) return;
    line.ariaLive = "off";
    tell(name);
    setTimeout(() => (line.ariaLive = null));
  });

  document.addEventListener("keydown", ({ key }) => key === "Escape" && line && tell(""));

  document.addEventListener("table:shown", open);
  open();
})();
