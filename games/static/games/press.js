// The button of a mail leads here with a secret in the part of the address that no server gets to see. It leaves the address,
// and is exchanged for a cookie of this page.
"use strict";

{
  const form = document.getElementById("press");
  form.elements.secret.value = location.hash.slice(1);
  if (form.checkValidity()) {
    history.replaceState(null, "", location.pathname);
    fetch(form.action, { method: "POST", body: new FormData(form) }).then(({ url }) => location.replace(url));
  }
}
