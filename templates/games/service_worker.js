{% load static %}// Shows notifications (Web Push) while no page is open, and a page that says so when there is no net.
"use strict";

const KEPT = "offline-1";
const OFFLINE = "{% url "offline" %}";
const FILES = [
  "{% static "games/tokens.css" %}",
  "{% static "games/base.css" %}",
  "{% static "games/layout.css" %}",
  "{% static "games/forms.css" %}",
  "{% static "games/parts.css" %}",
];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const kept = await caches.open(KEPT);
    // Signed out, so that it says nothing of anybody.
    await kept.add(new Request(OFFLINE, { credentials: "omit" }));
    await kept.addAll(FILES);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    // The address stays, so that "Try again" opens what was asked for.
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (request.destination === "style") {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

self.addEventListener("push", (event) => {
  const said = event.data?.json();
  if (!said) return;
  const options = { body: said.body, tag: said.tag, data: { url: said.url }, icon: "{% static "games/icon-512.png" %}" };
  event.waitUntil(self.registration.showNotification(said.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const { url } = event.notification.data;
    const pages = await self.clients.matchAll({ type: "window" });
    const open = pages.find((page) => page.url.split(/[?#]/)[0] === url.split(/[?#]/)[0]);
    await (open ? open.focus() : self.clients.openWindow(url));
  })());
});
