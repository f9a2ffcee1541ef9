// What axe judges by, as it is seen now: the page as a text, with the elements of it that are seen and that scroll; and
// how many elements are of a kind that was not judged before, which get `data-unjudged` if colors are `wanted`.
// Of a kind are elements with words of their own, of the same name, classes and colors, with large or with small words.
// Colors of an element are its own and those of all that it stands in, with whether these scroll, and whether it is cut
// off: axe judges no words that are. Places are not among this: layout.js looks at these at every width.
// `window.inks` has a number for each combination of colors, `window.kinds` what was judged, both also of other pages.
(wanted) => {
  const paints = ["color", "backgroundColor", "backgroundImage", "opacity", "textShadow", "clipPath"];
  const properties = [...paints, "textDecorationLine", "fontWeight"];

  const scrolls = (element, { overflow }) =>
    overflow !== "visible" &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);

  const inkOf = (element, style) => {
    const around = element.parentElement;
    const ink = [inkBy.get(around), scrolling.has(around), ...properties.map((property) => style[property])].join();
    if (!inks.has(ink)) inks.set(ink, inks.size);
    return inks.get(ink);
  };

  // Of all others axe judges no color.
  const hasWords = (element) =>
    element.matches("a[href], input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  // Large words need less contrast (WCAG 1.4.3).
  const isLarge = ({ fontSize, fontWeight }) => parseFloat(fontSize) >= (fontWeight < 700 ? 24 : 18.66);

  const isJudged = (element, style) => {
    const kind = [element.localName, element.className, element.matches(":disabled"), inkBy.get(element)].join();
    const large = isLarge(style) ? " large" : "";
    found.push(kind + large);
    return kinds.has(kind) || kinds.has(kind + large);
  };

  const { inks, kinds } = window;
  for (const element of document.querySelectorAll("[data-unjudged]")) element.removeAttribute("data-unjudged");
  const [elements, unjudged, found] = [[document.documentElement.outerHTML], [], []];
  const [inkBy, scrolling] = [new Map(), new Set()];
  for (const element of document.querySelectorAll("html, body, body *")) {
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const style = isSeen && !element.ownerSVGElement && getComputedStyle(element);
    if (style && scrolls(element, style)) scrolling.add(element);
    elements.push(scrolling.has(element) ? "scrolls" : isSeen);
    // What has no box of its own, as with `display: contents`, has no colors, but stands in others.
    const isColored = style && wanted;
    inkBy.set(element, isColored ? inkOf(element, style) : inkBy.get(element.parentElement));
    if (isColored && hasWords(element) && !isJudged(element, style)) unjudged.push(element);
  }
  for (const kind of found) kinds.add(kind);
  for (const element of unjudged) element.setAttribute("data-unjudged", "");
  return [elements.join(), unjudged.length];
}
