// An open table: randomness for the deal from this browser.
"use strict";

for (const field of document.querySelectorAll("input[data-chance]")) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
