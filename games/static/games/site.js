// Small comforts; every page works without them.
"use strict";

// The account menu closes when one clicks beside it, leaves it or presses Escape.
for (const menu of document.querySelectorAll("details.menu")) {
  const close = () => (menu.open = false);
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

// A form that is on its way is not sent again: by a double click, or by who finds it slow. Those that a script has taken
// over are its own business.
{
  const PATIENCE = 15_000;
  let sent = new WeakMap();
  addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post") return;
    if (event.timeStamp - sent.get(event.target) < PATIENCE) event.preventDefault();
    else sent.set(event.target, event.timeStamp);
  });
  addEventListener("pageshow", () => (sent = new WeakMap()));
}

// Whoever signs out leaves nothing in this tab of what they wrote.
document.addEventListener("submit", ({ target }) => {
  if (!target.matches("[action$='/logout/']")) return;
  window.clans.stored(() => sessionStorage.clear());
});

// For scripts that show something without loading a page.
{
  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.role = "status";
  document.body.append(status);

  window.clans = {
    /** Tell those who listen. */
    say(text) {
      status.textContent = text.trim().replace(/\s+/g, " ");
    },

    /** Read or write what the browser stores; undefined in one that stores nothing. */
    stored(act) {
      try {
        return act();
      } catch {
        // A browser that stores nothing.
      }
    },

    /** A page that was fetched, of which parts are shown in this one. */
    pageOf: (text) => new DOMParser().parseFromString(text, "text/html"),

    /** Whether a click is for nobody else, nor for a new tab. */
    isPlain: (event) =>
      !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey),
  };
}

// A mail in a page is as tall as what it says, so that only the page scrolls.
addEventListener("load", () => {
  const frame = document.querySelector(".mailbox-frame");
  if (frame) frame.style.height = `${frame.contentDocument.documentElement.offsetHeight + 2}px`;
});

// What works only with script shows itself.
for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;

// Buttons that copy a link, or share it: they are there where the browser can do it, also after the page was renewed.
{
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
}

// A table that is opened or joined: randomness for the deal from this browser.
for (const field of document.querySelectorAll("input[data-chance]")) {
  field.value = crypto.getRandomValues(new Uint32Array(4)).join("-");
}

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

// Opened from the home screen: a page that says so stands in for all others when there is no net.
if (matchMedia("(display-mode: standalone), (display-mode: minimal-ui)").matches && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
