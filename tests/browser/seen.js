// What axe judges by, as it is seen now: the page as a text, with the elements of it that are seen and that scroll; and
// how many elements have colors in which they were not judged before, which get `data-unjudged` if colors are `wanted`.
// Colors of an element are its own and those of all that it stands in, and whether it is cut off: axe judges no
// words that are. Sizes and places are not among this: layout.js looks at these at every width. Nor is the size of words:
// it does not shrink where a page becomes wider, and larger words need less contrast.
(wanted) => {
  const paints = ["color", "backgroundColor", "backgroundImage", "opacity", "textShadow", "clipPath"];
  const properties = [...paints, "textDecorationLine", "fontWeight"];

  const scrolls = (element, { overflow }) =>
    overflow !== "visible" &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);

  const inkOf = (element, style) => {
    const whole = [inks.get(element.parentElement), ...properties.map((property) => style[property])].join();
    if (!numbers.has(whole)) numbers.set(whole, numbers.size);
    return numbers.get(whole);
  };

  // A number for each combination of colors, and those in which an element was judged.
  const { numbers, judged } = (window.judgedInks ||= { numbers: new Map(), judged: new WeakMap() });
  for (const element of document.querySelectorAll("[data-unjudged]")) element.removeAttribute("data-unjudged");
  const elements = [document.documentElement.outerHTML];
  const [inks, unjudged] = [new Map(), []];
  for (const element of document.querySelectorAll("html, body, body *")) {
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const style = isSeen && !element.ownerSVGElement && getComputedStyle(element);
    elements.push(style && scrolls(element, style) ? "scrolls" : isSeen);
    // What has no box of its own, as with `display: contents`, has no colors, but stands in others.
    const ink = style && wanted ? inkOf(element, style) : inks.get(element.parentElement);
    inks.set(element, ink);
    if (!style || !wanted) continue;
    if (!judged.has(element)) judged.set(element, new Set());
    if (!judged.get(element).has(ink)) unjudged.push(element);
    judged.get(element).add(ink);
  }
  for (const element of unjudged) element.setAttribute("data-unjudged", "");
  return [elements.join(), unjudged.length];
}
