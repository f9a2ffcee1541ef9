// Offers the time zone that the browser keeps, where it is another one than the player's. Browsers have old names for
// some, which the list lacks and the site takes.
"use strict";

{
  const select = document.querySelector("select[data-zone]");
  const hint = document.querySelector("[data-zone-hint]");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const listed = select && Array.from(select.options).find((one) => one.value === zone);
  if (hint && select && zone && zone !== select.value) {
    const option = listed ?? new Option(zone.replaceAll("_", " "), zone);
    hint.querySelector("[data-zone-name]").textContent = option.textContent;
    hint.hidden = false;
    hint.querySelector("button").addEventListener("click", () => {
      if (!listed) select.append(option);
      select.value = zone;
      hint.hidden = true;
      select.focus();
    });
  }
}
