// A replay by keys: the arrows go one move back and on, Home and End to the first and the last.
"use strict";

(() => {
  const LINKS = { ArrowLeft: "a[rel=prev]", ArrowRight: "a[rel=next]", Home: "a:first-child", End: "a:last-child" };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!(event.key in LINKS) || event.target.closest("input, textarea, select, dialog, .menu, [tabindex='0']")) return;
    const link = document.querySelector(`.plies > ${LINKS[event.key]}`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
