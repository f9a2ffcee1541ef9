// An open table: randomness for the deal from this browser, and the link to copy or to share.
"use strict";

for (const field of document.querySelectorAll("input[data-chance]")) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.querySelector(button.dataset.copy);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done;
  });
}

for (const button of document.querySelectorAll("button[data-share]")) {
  const field = document.querySelector(button.dataset.share);
  button.hidden = !navigator.share;
  // Who shares with nobody after all has done nothing wrong.
  button.addEventListener("click", () => navigator.share({ title: document.title, url: field.value }).catch(() => {}));
}
