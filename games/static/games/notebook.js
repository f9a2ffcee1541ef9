// The notebook without reloading: one small request for a mark or a note. What is being written survives a fresh page.
"use strict";

(() => {
  let unsaved = null;

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    const response = await fetch(form.action, { method: "POST", body, headers: { "X-Notebook": "1" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById(form.id);
    if (!fresh) return location.reload();
    if (form.id === "note" && response.ok) {
      // Whoever went on writing meanwhile goes on.
      if (form.elements.text.value !== body.get("text")) {
        unsaved = { text: form.elements.text.value, seen: fresh.elements.seen.value };
        form.elements.seen.value = unsaved.seen;
        return;
      }
      unsaved = null;
    }
    const cell = button?.dataset.cell;
    form.replaceWith(document.adoptNode(fresh));
    fresh.querySelector(cell ? `[data-cell="${cell}"]` : "button")?.focus({ preventScroll: true });
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("#sheet, #note")) return;
    event.preventDefault();
    send(form, event.submitter).catch(() => location.reload());
  });

  document.addEventListener("input", ({ target }) => {
    if (target.id === "note-text") unsaved = { text: target.value, seen: target.form.elements.seen.value };
  });

  // With what it was written over, so that a note from elsewhere is kept beside it.
  document.addEventListener("table:shown", () => {
    const field = document.getElementById("note-text");
    if (!field || !unsaved) return;
    field.value = unsaved.text;
    field.form.elements.seen.value = unsaved.seen;
  });
})();
