// What does not fit on the page as it is laid out now: a list of sentences, empty when all is well. `main` is the least
// size of the main targets, `least` that of all others; 0 asks for none.
({ main, least }) => {
  const TARGETS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex='0']";
  const MAIN = "button:not(.link), .button, summary, select, textarea, input:not([type=checkbox], [type=radio]), header nav a, .subnav a";

  const told = (element) => {
    const words = (element.getAttribute("aria-label") || element.textContent || element.name || "").trim();
    return `<${element.localName} class="${element.getAttribute("class") || ""}"> ${words.replace(/\s+/g, " ").slice(0, 40)}`;
  };

  const union = (boxes) => ({
    width: Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)),
    height: Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top)),
  });

  // A field that is chosen by its label is as large as both.
  const size = (element) => {
    const boxes = [element, ...(element.labels || [])].map((part) => part.getBoundingClientRect());
    return union(boxes.filter((box) => box.width && box.height));
  };

  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0 &&
    !element.closest(".visually-hidden, .skip, [inert]");

  // Within a sentence the line decides how tall a link is (WCAG 2.5.8, inline).
  const isInSentence = (element) =>
    (element.matches("button.link") || getComputedStyle(element).display === "inline") &&
    [...element.parentNode.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);

  const page = document.scrollingElement;
  const faults = [];
  if (page.scrollWidth > page.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > page.clientWidth + 1 && isSeen(element),
    );
    faults.push(`scrolls to the side by ${page.scrollWidth - page.clientWidth}: ${wide.slice(-3).map(told).join(" | ")}`);
  }
  for (const element of document.querySelectorAll(TARGETS)) {
    if (!isSeen(element) || isInSentence(element)) continue;
    const { width, height } = size(element);
    const wanted = element.matches(MAIN) ? main : least;
    if (Math.min(width, height) < wanted - 0.5) {
      faults.push(`${Math.round(width)} x ${Math.round(height)} of ${wanted}: ${told(element)}`);
    }
  }
  const linesOf = (range) => new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
  for (const tab of [...document.querySelectorAll(".subnav a")].filter(isSeen)) {
    const words = document.createRange();
    words.selectNodeContents(tab);
    if (linesOf(words) > 1) faults.push(`two lines: ${told(tab)}`);
  }
  // Words of buttons that stand in two lines; those that are longer are names without blanks.
  for (const button of [...document.querySelectorAll(".button")].filter(isSeen)) {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest(".visually-hidden")) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (word.length < 20 && linesOf(range) > 1) faults.push(`breaks “${word}”: ${told(button)}`);
      }
    }
  }
  for (const field of [...document.querySelectorAll(".input")].filter(isSeen)) {
    const one = field.getBoundingClientRect();
    for (const button of [...document.querySelectorAll(".button")].filter(isSeen)) {
      const other = button.getBoundingClientRect();
      const aside = Math.max(one.left - other.right, other.left - one.right);
      const apart = Math.max(aside, one.top - other.bottom, other.top - one.bottom);
      if (apart < 4) faults.push(`${Math.round(apart)} px between a field and ${told(button)}`);
    }
  }
  // Words of a drawing that its edge cuts off.
  for (const text of [...document.querySelectorAll("svg text")].filter(isSeen)) {
    const [svg, word] = [text.ownerSVGElement, text.getBoundingClientRect()];
    const edge = svg.getBoundingClientRect();
    const beyond = Math.max(edge.left - word.left, word.right - edge.right, edge.top - word.top, word.bottom - edge.bottom);
    if (beyond > 1 && getComputedStyle(svg).overflow !== "visible") faults.push(`cut off by ${Math.round(beyond)} px: ${told(text)}`);
  }
  return faults;
}
