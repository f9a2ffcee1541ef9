// Small comforts; every page works without them.
"use strict";

// The account menu closes when one clicks beside it, leaves it or presses Escape.
for (const menu of document.querySelectorAll("details.menu")) {
  const close = () => menu.removeAttribute("open");
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) close();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      close();
      menu.querySelector("summary").focus();
    }
  });
}

// What works only with script shows itself.
for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;

// A passkey that does not answer (refused, cancelled, none there) is no reason to be silent.
document.addEventListener("allauth.error", (event) => {
  const note = document.querySelector("[data-passkey-failed]");
  if (!note) return;
  event.preventDefault();
  note.hidden = false;
});

// A new player's pages show the hours of the place where they are.
for (const field of document.querySelectorAll("input[data-zone-here]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
