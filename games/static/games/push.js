// Lets this browser get messages: asks it, and sends the form with what it says of itself.
"use strict";

(() => {
  const form = document.querySelector("form[data-push]");
  if (!form) return;
  const button = form.querySelector("[data-push-button]");
  const line = form.querySelector("[data-push-said]");
  const words = form.querySelector("[data-push-words]").content;
  const say = (which) => (line.textContent = words.querySelector(`[data-is=${which}]`).textContent);

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");

  async function subscribe() {
    const registration = await navigator.serviceWorker.register(form.dataset.worker);
    await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push) };
    const old = await registration.pushManager.getSubscription();
    // One that was made for another key of the site is of no use.
    if (old && text(old.options.applicationServerKey) !== form.dataset.push) await old.unsubscribe();
    return registration.pushManager.subscribe(options);
  }

  async function ask(event) {
    event.preventDefault();
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return say("denied");
      const made = await subscribe();
      form.elements.url.value = made.endpoint;
      form.elements.public_key.value = text(made.getKey("p256dh"));
      form.elements.secret.value = text(made.getKey("auth"));
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
