// The notebook without reloading: one small request for a mark or a note. What is being written survives a fresh page.
"use strict";

(() => {
  let unsaved = null;
  let here = document.getElementById("table")?.dataset.url;

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    const cell = button?.dataset.cell;
    if (cell) body.delete("text");
    const response = await fetch(form.action, { method: "POST", body, headers: { "X-Notebook": "1" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const said = page.getElementById("note-said")?.textContent;
    if (said === undefined) throw new Error("no notebook");
    if (cell) renew(page, "sheet", `[data-cell="${cell}"]`);
    else if (!response.ok) document.getElementById("note-said").textContent = said;
    else if (form.elements.text.value === body.get("text")) {
      unsaved = null;
      renew(page, "note", "button");
    } else {
      // Whoever went on writing meanwhile goes on.
      keep({ text: form.elements.text.value, seen: page.querySelector("#note [name=seen]").value });
    }
    if (said) window.clans?.say(said);
  }

  function renew(page, part, focus) {
    const fresh = document.adoptNode(page.getElementById(part));
    document.getElementById(part).replaceWith(fresh);
    fresh.querySelector(focus)?.focus({ preventScroll: true });
  }

  function keep(note) {
    const field = document.getElementById("note-text");
    if (!field || !note) return;
    unsaved = note;
    if (field.value !== note.text) field.value = note.text;
    field.form.elements.seen.value = note.seen;
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#notebook form")) return;
    if (event.target.dataset.plain) return;
    event.preventDefault();
    send(event.target, event.submitter).catch(() => {
      event.target.dataset.plain = "yes";
      event.target.requestSubmit(event.submitter);
    });
  });

  document.addEventListener("input", ({ target }) => {
    if (target.id === "note-text") unsaved = { text: target.value, seen: target.form.elements.seen.value };
  });

  // With what it was written over, so that a note from elsewhere is kept beside it.
  document.addEventListener("table:shown", () => {
    const now = document.getElementById("table").dataset.url;
    if (now !== here) unsaved = null;
    here = now;
    keep(unsaved);
  });
})();
