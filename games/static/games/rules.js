// The examples of the rules without reloading: a link on a example fetches that example alone and puts it into its place.
// Without this, and whenever it fails, the same links open the page at the example.
"use strict";

(() => {
  const { say, isPlain, pageOf } = window.clans;

  async function swap(example, url) {
    const part = new URL(url);
    part.searchParams.set("part", "1");
    const response = await fetch(part);
    if (!response.ok) throw new Error(`${response.status}`);
    const page = pageOf(await response.text());
    const fresh = page.getElementById(example.id);
    const chosen = document.activeElement.dataset.territory;
    const wasOpen = example.querySelector("details").open;
    example.replaceWith(fresh);
    fresh.querySelector("details").open = wasOpen;
    history.replaceState(null, "", url);
    const said = fresh.querySelector("[data-say]");
    said.tabIndex = -1;
    (fresh.querySelector(`a[data-territory="${chosen}"]`) ?? said).focus({ preventScroll: true });
    say(said.textContent);
  }

  document.addEventListener("click", (event) => {
    if (!isPlain(event)) return;
    const link = event.target.closest(".example a[href]");
    if (!link) return;
    const url = new URL(link.getAttribute("href"), location.href);
    event.preventDefault();
    swap(link.closest(".example"), url).catch(() => location.assign(url));
  });
})();
