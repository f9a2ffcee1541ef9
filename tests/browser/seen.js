// What axe judges by, as two texts: the page with the elements of it that are seen and that scroll; and the inks in which
// they are seen. Sizes and places are not in them: layout.js looks at these at every width. Nor is the size of words: it
// does not shrink where a page becomes wider, and larger words need less contrast.
() => {
  const scrolls = (element, { overflow }) =>
    overflow !== "visible" &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);

  const elements = [document.documentElement.outerHTML];
  const inks = [];
  for (const element of document.querySelectorAll("body, body *")) {
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const style = isSeen && !element.closest("svg *") && getComputedStyle(element);
    elements.push(style && scrolls(element, style) ? "scrolls" : isSeen);
    const { color, backgroundColor, backgroundImage, opacity, textDecorationLine, textShadow, fontWeight } = style;
    inks.push([color, backgroundColor, backgroundImage, opacity, textDecorationLine, textShadow, fontWeight]);
  }
  return [elements.join(), inks.join()];
}
