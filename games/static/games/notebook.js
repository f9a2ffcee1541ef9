// The notebook without reloading: one small request for a mark or a note. What is being written survives a fresh page, and
// what could not be saved stays in this tab until it is: also while its reader signs in again.
"use strict";

(() => {
  const { stored } = window.clans;
  const table = () => document.getElementById("table")?.dataset.url;
  const reader = () => document.querySelector(".site-user > summary")?.textContent.trim();
  let here = table();
  let unsaved = null;

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    const cell = button?.value.replace(/\w+$/, "");
    if (cell) body.delete("text");
    const response = await fetch(form.action, { method: "POST", body, headers: { "X-Notebook": "1" } });
    const page = window.clans.pageOf(await response.text());
    const said = page.getElementById("note-said")?.textContent;
    if (said === undefined) throw new Error("no notebook");
    if (!cell || !unsaved) document.getElementById("note-lost").hidden = true;
    if (cell) renew(page, "sheet", `[value^="${cell}"]`);
    else if (!response.ok) document.getElementById("note-said").textContent = said;
    else if (form.elements.text.value === body.get("text")) {
      note(null);
      renew(page, "note", "button");
    } else {
      // Whoever went on writing meanwhile goes on.
      note({ text: form.elements.text.value, seen: page.querySelector("#note [name=seen]").value });
      show();
    }
    if (said) window.clans.say(said);
  }

  function renew(page, part, focus) {
    const fresh = document.adoptNode(page.getElementById(part));
    document.getElementById(part).replaceWith(fresh);
    fresh.querySelector(focus)?.focus({ preventScroll: true });
  }

  /** Remember what is not saved, with what it was written over, so that a note from elsewhere is kept beside it. */
  function note(written) {
    unsaved = written;
    const kept = JSON.stringify({ ...written, reader: reader() });
    stored(() => (written ? sessionStorage.setItem(`note ${here}`, kept) : sessionStorage.removeItem(`note ${here}`)));
  }

  /** What is not saved at this table, unless somebody else wrote it. */
  function remembered() {
    const written = stored(() => JSON.parse(sessionStorage.getItem(`note ${here}`)));
    return written?.reader === reader() ? written : null;
  }

  function show() {
    const field = document.getElementById("note-text");
    if (!field || !unsaved) return;
    if (field.value !== unsaved.text) field.value = unsaved.text;
    field.form.elements.seen.value = unsaved.seen;
  }

  function tellLost() {
    const lost = document.getElementById("note-lost");
    lost.hidden = false;
    document.getElementById("note-said").textContent = "";
    window.clans.say(lost.textContent);
  }

  /** Take up what this tab has kept. */
  function open() {
    note(remembered());
    const field = document.getElementById("note-text");
    if (!field || !unsaved) return;
    if (field.value === unsaved.text) return note(null);
    show();
    document.getElementById("notebook").open = true;
    document.getElementById("note-lost").hidden = false;
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#notebook form")) return;
    event.preventDefault();
    send(event.target, event.submitter).catch(tellLost);
  });

  document.addEventListener("input", ({ target }) => {
    if (target.id === "note-text") note({ text: target.value, seen: target.form.elements.seen.value });
  });

  document.addEventListener("table:shown", () => {
    const isElsewhere = table() !== here;
    here = table();
    if (isElsewhere) open();
    else show();
  });
  open();
})();
