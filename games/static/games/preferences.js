// Pages of preferences: each part does nothing where its page is not.
"use strict";

// Offers the time zone that the browser keeps, where it is another one than the player's. Browsers have old names for
// some, which the list lacks and the site takes.
{
  const select = document.querySelector("select[data-zone]");
  const hint = document.querySelector("[data-zone-hint]");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const listed = select && [...select.options].find(({ value }) => value === zone);
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

// A webhook that is being tested: asks every other second what came of it, and says it in its place.
// Without script a link leads to the page as it is by then.
(() => {
  const PAUSE = 2_000;

  async function look() {
    const line = document.querySelector("[data-waiting]");
    if (!line) return;
    try {
      const response = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(10_000) });
      const page = window.clans.pageOf(await response.text());
      const fresh = page.getElementById(line.id);
      if (fresh && !("waiting" in fresh.dataset)) {
        // The line stays, so that it is read out, and has the focus of its link.
        if (line.matches(":focus-within")) line.focus();
        line.className = fresh.className;
        delete line.dataset.waiting;
        line.replaceChildren(...fresh.childNodes);
      }
    } catch {
      // Another time.
    }
    setTimeout(look, PAUSE);
  }

  setTimeout(look, PAUSE);
})();

// Lets this browser get notifications: asks it, and sends the form with what it says of itself.
(() => {
  const form = document.querySelector("form[data-push]");
  if (!form) return;
  const button = form.querySelector("[data-push-button]");
  const line = form.querySelector("[data-push-said]");
  const words = form.querySelector("[data-push-words]").content;
  const say = (which) => (line.textContent = words.querySelector(`[data-is=${which}]`).textContent);

  async function subscribe() {
    const { pushManager } = await navigator.serviceWorker.register(form.dataset.worker);
    await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: form.dataset.push };
    return pushManager.subscribe(options).catch(async () => {
      // One that was made for another key of the site is of no use, and there can be but one.
      await (await pushManager.getSubscription()).unsubscribe();
      return pushManager.subscribe(options);
    });
  }

  async function ask(event) {
    event.preventDefault();
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return say("denied");
      const { endpoint, keys } = (await subscribe()).toJSON();
      form.elements.url.value = endpoint;
      form.elements.public_key.value = keys.p256dh;
      form.elements.secret.value = keys.auth;
      form.submit();
    } catch {
      say("failed");
    } finally {
      button.disabled = false;
    }
  }

  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return say("unable");
  say(Notification.permission === "denied" ? "denied" : "ready");
  button.hidden = false;
  button.addEventListener("click", ask);
})();
