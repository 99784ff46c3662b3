"use strict";

/* What Zensical leaves to be done for people who do not use a mouse: every list of pages and every
   group of buttons has a name of its own, what scrolls can be reached with the keyboard, and an empty corner
   of a table is the head of nothing. */

(() => {
  const mend = () => {
    document.querySelectorAll("nav.md-code__nav, nav.md-nav nav.md-nav").forEach((element, place) => {
      if (element.dataset.named) return;
      element.dataset.named = "";
      const title = document.getElementById(element.getAttribute("aria-labelledby"));
      element.removeAttribute("aria-labelledby");
      element.setAttribute("aria-label", `${title ? `Pages of ${title.textContent.trim()}` : "Code"}, ${place + 1}`);
    });
    document.querySelectorAll("th:empty").forEach((corner) => corner.replaceWith(document.createElement("td")));
    document.querySelectorAll(".md-typeset__scrollwrap, .formulas, pre > code").forEach((element) => {
      if (element.scrollWidth > element.clientWidth) element.setAttribute("tabindex", "0");
    });
  };
  let waiting = 0;
  const soon = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(mend);
  };
  mend();
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
})();
