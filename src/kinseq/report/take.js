/* What every page with a script can do: make elements, and save tables and figures as files. */
"use strict";

/* An element with attributes, handlers ("onclick") and children, which are elements or texts. */
function make(tag, attributes) {
  var made = document.createElement(tag);
  Object.entries(attributes || {}).forEach(function (entry) {
    if (entry[0].slice(0, 2) === "on") made.addEventListener(entry[0].slice(2), entry[1]);
    else if (entry[1] === true) made.setAttribute(entry[0], "");
    else if (entry[1] !== false && entry[1] !== null) made.setAttribute(entry[0], entry[1]);
  });
  made.append.apply(made, Array.prototype.slice.call(arguments, 2));
  return made;
}

function save(name, text, kind) {
  var link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: kind })) });
  document.body.append(link);
  link.click();
  link.remove();
}
/* What of the style of a page belongs to its figures. */
var LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "visibility",
  "font-size", "font-family", "font-weight", "text-anchor"
];
/* A figure with the style it has on the page, which its file would not know. */
function picture(figure) {
  var copy = figure.cloneNode(true), box = figure.getBoundingClientRect(), originals = figure.querySelectorAll("*");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(box.width));
  copy.setAttribute("height", Math.round(box.height));
  copy.querySelectorAll("*").forEach(function (one, at) {
    var style = getComputedStyle(originals[at]);
    if (style.display === "none" || one.tagName === "title") return one.tagName === "title" ? undefined : one.remove();
    LOOKS.forEach(function (name) {
      one.setAttribute(name, style.getPropertyValue(name));
    });
    one.removeAttribute("style");
  });
  // Light lines of a dark page need its ground.
  copy.setAttribute("style", "background:" + getComputedStyle(figure.closest("section")).backgroundColor);
  return new XMLSerializer().serializeToString(copy);
}
/* A button that saves a figure with its style; it is not there where the figure is not. */
function offers(button, figure) {
  button.hidden = !figure;
  button.addEventListener("click", function () { save(button.dataset.figure + ".svg", picture(figure), "image/svg+xml"); });
}
