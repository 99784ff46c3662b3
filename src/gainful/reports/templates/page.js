// The page comes alive: theme, tables, charts, pairs, topics.
const page = read("data-page");

const makeTheme = () => {
  const root = document.documentElement;
  const button = one("#theme");
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => {
    button.textContent = dark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Show the page in the ${dark() ? "light" : "dark"}`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    name();
  });
  name();
};

document.documentElement.classList.add("js");
makeTheme();
all("table.sortable").forEach(makeSortable);
if (page !== null && page.topics !== undefined) {
  makeTopics();
  if (page.pairs !== undefined) makePairs();
  addEventListener("load", openAddress);
  addEventListener("popstate", openAddress);
}
addEventListener("load", makeLive);
