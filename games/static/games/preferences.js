// Offers the time zone that the browser keeps, where it is another one than the player's.
"use strict";

{
  const select = document.querySelector("select[data-zone]");
  const hint = document.querySelector("[data-zone-hint]");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const option = select && Array.from(select.options).find((one) => one.value === zone);
  if (hint && option && zone !== select.value) {
    hint.querySelector("[data-zone-name]").textContent = option.textContent;
    hint.hidden = false;
    hint.querySelector("button").addEventListener("click", () => {
      select.value = zone;
      hint.hidden = true;
      select.focus();
    });
  }
}
