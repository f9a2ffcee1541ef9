// Buttons that copy a link, or share it: they are there where the browser can do it, also after the page was renewed.
"use strict";

(() => {
  function reveal() {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-share]");
    if (!button) return;
    const field = document.querySelector(button.dataset.copy ?? button.dataset.share);
    // Who shares with nobody after all has done nothing wrong.
    if (button.dataset.share) return navigator.share({ title: document.title, url: field.value }).catch(() => {});
    // The focus stays on the button, unless its reader has to copy by hand.
    const copied = () => window.clans.say((button.textContent = button.dataset.done));
    await navigator.clipboard.writeText(field.value).then(copied, () => field.select());
  });

  document.addEventListener("table:shown", reveal);
  reveal();
})();

// An open table: randomness for the deal from this browser.
for (const field of document.querySelectorAll("input[data-chance]")) {
  field.value = crypto.getRandomValues(new Uint32Array(4)).join("-");
}
