// Choosing a move without asking the server: the page holds every legal move with what it would do (#moves), and the
// same pieces of page (<template>) that the server makes its own steps of. Only a confirmed move is sent.
"use strict";

(() => {
  const { board, say, isPlain, setAddress } = window.clans;
  let table, given, contents, list, lines;
  let [origin, target, order] = ["", "", []];
  let taps = 0; // How many choices have made the order: the last village gets its place by itself.
  let writing;
  let depth = 0; // Choices so far: each has an entry of the history, so that who goes back takes back the last one.
  let isOurs = false; // Whether this script goes back.

  /** Take over the page as it stands now, with the draft that it was served with. */
  function open() {
    const here = table?.dataset.url;
    table = document.getElementById("table");
    const isSameTable = table?.dataset.url === here;
    const drawing = table?.querySelector("#board .clans-board");
    if (!drawing) return;
    given = JSON.parse(document.getElementById("moves")?.textContent ?? "null");
    clearTimeout(writing);
    if (!given) return ([origin, target, order] = ["", "", []]);
    for (const name in given.targets) given.targets[name] = given.targets[name].split(" ");
    contents = {};
    list = document.getElementById("as-list");
    lines = [...list.querySelectorAll("li")];
    list.addEventListener("toggle", showList);
    board.open(drawing);
    for (const mark of drawing.querySelectorAll("[class^=mark-], foreignObject")) mark.remove();
    board.names.forEach((name, number) => (contents[name] = textOf(lines[number])));
    const served = document.getElementById("step")?.dataset.draft ?? "";
    take(isSameTable && draft().startsWith(served) ? draft() : served);
    if (!isSameTable) depth = choices();
    show();
    if (!isSameTable) board.whole();
    else if (!origin) board.near([]);
  }

  /** What a line of the list says of its territory, without its neighbors. */
  function textOf(line) {
    return line.firstChild.textContent.trim();
  }

  const draft = (founding = order) => origin && origin + (target && `-${target}`) + (founding.length ? `=${founding}` : "");

  /** Choose what a draft says, as far as it is legal now. */
  function take(text) {
    const [from = "", to = "", ...founding] = text.split(/[-=,]/);
    origin = from in given.targets ? from : "";
    target = origin && given.targets[origin].includes(to) ? to : "";
    if (String(founding) !== String(order)) taps = 1;
    order = target ? founding : [];
  }

  const founded = () => given.founding[`${origin}-${target}`];
  const asked = () => (founded()?.orders ? founded().at : []);
  const places = () => founded().orders[0][0].split(",").length;
  const canPick = (name) => asked().includes(name) || name === origin || name in given.targets || goesTo(name);
  const goesTo = (name) => Boolean(origin) && given.targets[origin].includes(name);

  // --- What can be done ------------------------------------------------------------------------------

  /** Choose a territory, as it is meant now: an origin, a target of the chosen one, or the next of a founding order. */
  function pick(name) {
    if (asked().includes(name)) return number(name);
    if (goesTo(name)) return aim(name);
    if (name === origin) return release();
    if (name in given.targets) return grasp(name);
    explain(origin || name, origin && name);
  }

  /** Put huts down that are in the hand: on a target, or back where they were, saying why they cannot go there. */
  function drop(name) {
    if (goesTo(name)) return aim(name);
    const from = origin;
    release();
    if (name && name !== from) explain(from, name);
  }

  /** Choose the territory that a finger has tapped: of those at hand the nearest, or the one under it. */
  function tap(point, under) {
    const first = asked().length ? asked() : origin ? [origin, ...given.targets[origin]] : [];
    const name = board.nearest(point, first) || board.nearest(point, Object.keys(given.targets)) || under;
    if (!name) return;
    pick(name);
    if (!asked().length) board.near(origin ? [origin, ...given.targets[origin]] : []);
  }

  /** Why huts cannot go to a territory, or without one, why nothing can move: the first reason, in the words of the rules. */
  function why(from, to) {
    const { villages, large, heavy, words } = given;
    const isEmpty = (name) => Boolean(board.landOf(name).querySelector(".is-empty"));
    const beside = lines[board.names.indexOf(from)].querySelector("small").textContent;
    const [code, territory] =
      villages.includes(from) ? ["from-village", from]
      : villages.includes(to) ? ["into-village", to]
      : to && !beside.includes(to) ? ["not-neighbors", to]
      : isEmpty(from) ? ["empty-origin", from]
      : to && isEmpty(to) ? ["empty-target", to]
      : [to in large ? "larger-onto-smaller" : "too-large", from];
    return fill(words.why[code], { territory, origin: from, target: to, huts: large[from], fewer: large[to], heavy });
  }

  /** Say why in the step, and where there is room beside the territory, too. */
  function explain(from, to) {
    const text = why(from, to);
    unsay();
    const alert = Object.assign(document.createElement("p"), { className: "notice notice-danger", role: "alert", textContent: text });
    document.getElementById("step").prepend(alert);
    if (innerWidth >= 960) board.noteAt(to || from, text);
  }

  function unsay() {
    document.querySelector("#step > .notice")?.remove();
    board.note("");
  }

  /** Choose where to move from. What had the focus in the step is gone then: it goes to the first target. */
  function grasp(name) {
    const lost = document.querySelector("#step :focus");
    [origin, target, order] = [name, "", []];
    show();
    tell();
    if (lost) document.querySelector("#step :is(a, button)").focus({ preventScroll: true });
  }

  /** Choose where to move from with the huts in the hand: nothing but the board may move until they are put down. */
  function hold(name) {
    [origin, target, order] = [name, "", []];
    showBoard();
  }

  /** Choose where to move to; plays at once for those who wish so, when no order is to be chosen. */
  function aim(name) {
    [target, order] = [name, []];
    show();
    tell();
    const form = document.getElementById("move");
    if ("oneTap" in table.dataset && !asked().length) form.requestSubmit();
    else ready();
  }

  function release() {
    if (!origin) return unsay();
    const held = origin;
    [origin, target, order] = ["", "", []];
    show();
    board.near([]);
    say(given.words.released);
    if (document.activeElement === document.body) board.focus(held);
    return true;
  }

  /** A territory gets the next place of the founding order (the last one, where all are taken), or gives its place back
   * with all that follow. */
  function number(name) {
    const place = order.indexOf(name);
    order = place < 0 ? [...order.slice(0, places() - 1), name] : order.slice(0, Math.min(place, taps - 1));
    taps = order.length;
    const left = fitting();
    if (left.length === 1) order = left[0].length === order.length ? order : complete(left[0]);
    showOrder(name);
  }

  /** Show what is chosen of the founding order, and say it: all of it, or what `name` is in it. */
  function showOrder(name) {
    show();
    const chosen = chosenOrder();
    say(chosen ? `${chosen[1]} (${chosen[2]})` : labelOf(name));
    if (chosen) ready();
  }

  /** The listed orders that the numbers given so far can still become: of an epoch only the members count. */
  function fitting() {
    const { orders, epochs } = founded();
    return orders.map(([value]) => value.split(",")).filter((names) =>
      order.every((name, place) => names.some((other, at) => other === name && epochs[at] === epochs[place])),
    );
  }

  function complete(names) {
    const { epochs } = founded();
    const rest = names.filter((name) => !order.includes(name));
    return names.map((_, place) => order[place] ?? rest.splice(rest.findIndex((name) => epochs[names.indexOf(name)] === epochs[place]), 1)[0]);
  }

  /** The order in the form that stands for the numbers on the board; undefined until it is complete. */
  function chosenOrder() {
    const { orders } = founded();
    if (order.length < places()) return undefined;
    return orders[orders.findIndex(([value]) => value === fitting()[0]?.join(","))];
  }

  /** The founding order, once it is complete: the server knows no others. */
  function settled() {
    return asked().length && chosenOrder() ? order : [];
  }

  /** The confirmation, or the first order, is at hand for who does not point. */
  function ready() {
    if (!board.focused() && document.activeElement !== document.body && !table.contains(document.activeElement)) return;
    const form = document.getElementById("move");
    const [chosen, asks] = [form.querySelector("input[type=radio]:checked"), form.querySelector("input[type=radio]")];
    const next = asks && !chosen ? asks : form.querySelector("button");
    // A page that scrolls to what is focused puts it into the middle, and the board out of sight.
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  /** A written move: whether it could be read as a legal one. */
  function write(text) {
    const between = new RegExp(given.between, "i");
    const [from, to = "", ...founding] = text.trim().toUpperCase().replace(between, "$1-").split(/[-=,]/);
    if (!(from in given.targets) || (to && !given.targets[from].includes(to))) return false;
    if (founding.length) {
      const orders = given.founding[`${from}-${to}`]?.orders?.map(([value]) => value) ?? [];
      if (!orders.includes(founding.join(","))) return false;
    }
    [origin, target, order] = [from, "", []];
    if (!to) grasp(from);
    else {
      aim(to);
      if (founding.length) {
        [order, taps] = [founding, 1];
        showOrder();
      }
    }
    return true;
  }

  // --- What is shown -----------------------------------------------------------------------------------

  const fill = (text, values) => text.replace(/_([a-z]+)_/g, (all, name) => values[name] ?? all);

  /** A piece of page with these values in it; elements of `data-each` once for each of a list. */
  function piece(id, values) {
    const fragment = document.getElementById(id).content.cloneNode(true);
    for (const pattern of fragment.querySelectorAll("[data-each]")) {
      const items = values[pattern.dataset.each];
      pattern.replaceWith(...items.map((item) => put(pattern.cloneNode(true), { ...values, ...item })));
    }
    fragment.querySelector("form")?.prepend(table.querySelector("[name^=csrf]").cloneNode());
    return put(fragment, values);
  }

  function put(node, values) {
    for (const attribute of node.attributes ?? []) attribute.value = fill(attribute.value, values);
    if (node.data) node.data = fill(node.data, values);
    node.childNodes.forEach((child) => put(child, values));
    return node;
  }

  /** Show what is chosen. */
  function show() {
    unsay();
    showBoard();
    showStep();
    showList();
    clearTimeout(writing);
    writing = setTimeout(keep, 300);
    enter();
  }

  const choices = () => (origin ? 1 : 0) + (target ? 1 : 0) + Math.min(taps, order.length);
  const levelOf = (state) => state?.level ?? 0;

  /** Make an entry of the history for each new choice, and leave those of choices that were taken back. */
  function enter() {
    if (isOurs) return addEventListener("popstate", enter, { once: true }); // Not before it has gone back.
    const [level, more] = [levelOf(history.state), choices() - depth];
    depth = choices();
    for (let step = 1; step <= more; step++) history.pushState({ level: level + step }, "");
    if (more < 0) goBack(Math.min(-more, level));
  }

  function goBack(entries) {
    isOurs = entries > 0;
    if (isOurs) history.go(-entries);
  }

  /** Go with the history to another entry of this table: as many choices are left as that has. Returns whether it is one. */
  function follow({ state }) {
    if (!given || location.hash || location.pathname !== new URL(table.dataset.url, location.href).pathname) return false;
    const level = levelOf(state);
    if (!isOurs && level < choices()) {
      depth = level;
      if (!level) release();
      else if (level === 1) grasp(origin);
      else order = order.slice(0, level - 2);
      taps = order.length;
      show();
    }
    isOurs = false;
    keep();
    return true;
  }

  /** Let the draft survive a reload. Not at every step: with a new address the browser looks for its pictures again. */
  function keep() {
    const url = new URL(table.dataset.url, location.href);
    const parts = { from: origin, to: target, order: settled().join(",") };
    for (const name in parts) if (parts[name]) url.searchParams.set(name, parts[name]);
    setAddress("replaceState", url, history.state);
  }

  function values() {
    const orders = (founded()?.orders ?? []).map(([value, text, gain]) => ({ order: value, text, gain }));
    const says = (target && (founded()?.says ?? [given.words.nothing])) || [];
    return {
      origin,
      target,
      huts: contents[origin],
      question: founded()?.question ?? "",
      orders,
      says: says.map((sentence) => ({ sentence })),
      sentence: says[0],
      targets: (given.targets[origin] ?? []).map((name) => ({ target: name, huts: contents[name], outcome: outcomeOf(name, "") })),
    };
  }

  function outcomeOf(name, none = given.words.nothing) {
    return given.founding[`${origin}-${name}`]?.says[0] ?? none;
  }

  function showStep() {
    const step = document.getElementById("step");
    if (step.dataset.draft === draft() && !asked().length) return;
    step.dataset.draft = draft();
    step.replaceChildren(piece(target ? "step-plan" : origin ? "step-targets" : "step-begin", values()));
    if (!target) return;
    const fields = step.querySelector("fieldset");
    if (!asked().length) return [fields, step.querySelector("[data-chosen]")].forEach((part) => part.remove());
    for (const radio of fields.querySelectorAll("input")) radio.checked = radio.value === chosenOrder()?.[0];
    const chosen = chosenOrder();
    showChosen(chosen ? fill(given.words[isOne() ? "chip" : "gain"], { names: order.join(given.words.between), gain: chosen[2] }) : order.length ? fill(given.words.then, { names: order.join(", ") }) : call());
  }

  /** What to tap: the villages of which the place in the order is not chosen yet. */
  function call() {
    const names = asked().filter((name) => !order.includes(name)).join(", ");
    return `${founded().question} ${fill(given.words.call, { names })}`;
  }

  /** What is chosen of the founding order, where the finger is. */
  function showChosen(text) {
    document.querySelector("#step [data-chosen]").textContent = text;
  }

  function labelOf(name) {
    const huts = contents[name];
    const place = order.indexOf(name);
    if (asked().includes(name)) {
      const words = given.words[isOne() ? "one" : "order"];
      return fill(words[place < 0 ? 0 : 1], { huts, number: (place < 0 ? order.length : place) + 1 });
    }
    if (name === origin) return fill(given.words.release, { huts });
    if (goesTo(name)) return `${fill(given.words.to, { huts })}. ${outcomeOf(name)}`;
    return huts;
  }

  /** Whether only one of the villages gets a chip: which of them is asked then, and no order. */
  const isOne = () => places() === 1;

  /** What stands on a village whose place in the founding order is asked: its place, or the chip that it gets. */
  function signOf(name) {
    const place = order.indexOf(name);
    if (place < 0) return chosenOrder() ? "" : "?";
    return isOne() ? "chip" : given.words.places[place] ?? place + 1;
  }

  function addressOf(name) {
    if (!canPick(name)) return "";
    if (goesTo(name)) return `?from=${origin}&to=${name}`;
    return name === origin ? table.dataset.url : `?from=${name}`;
  }

  function showBoard() {
    board.stopAt(board.focused() || target || origin || Object.keys(given.targets)[0] || board.names[0]);
    board.clear();
    board.drop();
    for (const name of board.names) board.tell(name, labelOf(name), addressOf(name));
    const origins = Object.keys(given.targets);
    if (!origin && origins.length < given.crowd) for (const name of origins) board.ring("origin", name);
    if (origin) board.frame(origin);
    if (origin && !target) for (const name of given.targets[origin]) board.ring("target", name);
    if (!target) return;
    board.lead(origin, target);
    for (const name of founded()?.at ?? [target]) board.ring(founded() ? "founding" : "target", name);
    for (const name of asked()) board.ask(name, signOf(name));
  }

  /** The list as it is meant now; one that is folded up waits until it is opened. */
  function showList() {
    if (!given || !list.open) return;
    board.names.forEach((name, number) => {
      const [line, address] = [lines[number], addressOf(name)];
      const old = line.firstChild;
      const text = labelOf(name);
      if (old.tagName && address) {
        old.href = address;
        old.textContent = text;
        return;
      }
      const words = address ? Object.assign(document.createElement("a"), { href: address, textContent: text }) : new Text(`${text} `);
      if (old !== document.activeElement) old.replaceWith(words);
    });
  }

  /** Say what the step says, and no longer why what was written or sent before is refused. */
  function tell() {
    document.querySelector("#table [role=alert]")?.remove();
    const words = document.querySelector("#step [data-say]").textContent;
    const names = target ? "" : fill(given.words.targets, { names: given.targets[origin].join(", ") });
    say(`${words} ${names}`);
  }

  // --- Clicks and forms; before table.js would fetch a page ---------------------------------------------

  document.addEventListener(
    "click",
    (event) => {
      if (!given || !isPlain(event)) return;
      const point = board.tapOf(event);
      if (point) return halt(event, () => tap(point, board.nameOf(event.target)));
      const link = event.target.closest?.("#table a, #table [form=strike]");
      if (!link) return;
      // A button that plays at once, where an order may have to be chosen first.
      if (link.value) return halt(event, () => aim(link.value.split("-")[1]));
      if (link.matches("[data-release]")) return halt(event, release);
      const name = board.nameOf(link);
      if (name) return halt(event, () => pick(name));
      const chosen = new URL(link.href, location.href).searchParams;
      if (!link.closest("[data-swap]") || !chosen.has("from")) return;
      halt(event, () => (chosen.has("to") ? aim(chosen.get("to")) : chosen.get("from") === origin ? grasp(origin) : pick(chosen.get("from"))));
    },
    true,
  );

  function halt(event, act) {
    event.preventDefault();
    act();
  }

  document.addEventListener("change", (event) => {
    if (!event.target.matches("#step input[name=order]")) return;
    [order, taps] = [event.target.value.split(","), 1];
    show();
    document.querySelector("#step input:checked").focus({ preventScroll: true });
  });

  /** A move whose founding order is not chosen is not sent: the bar says what is missing. */
  function isMissing(form) {
    if (form.id !== "move" || !asked().length || form.querySelector("input[name=order]:checked")) return false;
    const missing = `${given.words.first} ${call()}`;
    showChosen(missing);
    say(missing);
    return true;
  }

  document.addEventListener(
    "submit",
    (event) => {
      if (given && isMissing(event.target)) return halt(event, () => event.stopPropagation());
      if (given && event.target.matches("#move, #strike")) {
        goBack(levelOf(history.state));
        depth = 0; // If the move is not played, its choices get their entries again.
      }
      if (!given || !event.target.matches(".write-move")) return;
      const field = document.getElementById("written");
      if (write(field.value)) event.preventDefault();
      else [origin, target, order] = ["", "", []]; // The page that says why knows no other draft.
    },
    true,
  );

  document.addEventListener("table:shown", open);
  open();

  window.clans.draft = {
    pick,
    grasp,
    hold,
    release,
    drop,
    why,
    follow,
    enter,
    outcomeOf,
    goesTo,
    get targets() { return origin ? given.targets[origin] : []; },
    get origins() { return Object.keys(given?.targets ?? {}); },
    isOrigin: (name) => Boolean(given) && name in given.targets,
    get isMine() { return Boolean(given); },
    get origin() { return origin; },
    /** The draft in notation, as far as it goes; where nothing can be chosen the one that the page shows. */
    get text() { return given ? draft(settled()) : document.getElementById("step")?.dataset.draft ?? ""; },
    get asks() { return Boolean(given) && asked().length > 0; },
  };
})();
