// What axe judges by, as it is seen now: the page as a text, with the elements of it that are seen and that scroll; and
// how many elements have colors in which they were not judged before, which get `data-unjudged` if colors are `wanted`.
// Colors of an element are its own and those of all that it stands in. Sizes and places are not among this: layout.js
// looks at these at every width. Nor is the size of words: it does not shrink where a page becomes wider, and larger
// words need less contrast.
(wanted) => {
  const scrolls = (element, { overflow }) =>
    overflow !== "visible" &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);

  const inkOf = (element, { color, backgroundColor, backgroundImage, opacity, textDecorationLine, textShadow, fontWeight }) => {
    const own = [color, backgroundColor, backgroundImage, opacity, textDecorationLine, textShadow, fontWeight].join();
    const whole = `${inks.get(element.parentElement)} ${own}`;
    if (!numbers.has(whole)) numbers.set(whole, numbers.size);
    return numbers.get(whole);
  };

  // A number for each combination of colors, and those in which an element was judged.
  const { numbers, judged } = (window.judgedInks ||= { numbers: new Map(), judged: new WeakMap() });
  for (const element of document.querySelectorAll("[data-unjudged]")) element.removeAttribute("data-unjudged");
  const elements = [document.documentElement.outerHTML];
  const [inks, unjudged] = [new Map(), []];
  for (const element of document.querySelectorAll("body, body *")) {
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const style = isSeen && !element.ownerSVGElement && getComputedStyle(element);
    elements.push(style && scrolls(element, style) ? "scrolls" : isSeen);
    if (!style || !wanted) continue;
    const ink = inkOf(element, style);
    inks.set(element, ink);
    if (!judged.has(element)) judged.set(element, new Set());
    if (!judged.get(element).has(ink)) unjudged.push(element);
    judged.get(element).add(ink);
  }
  for (const element of unjudged) element.setAttribute("data-unjudged", "");
  return [elements.join(), unjudged.length];
}
