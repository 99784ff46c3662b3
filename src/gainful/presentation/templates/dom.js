// Small helpers. Whatever comes from the data becomes text, never markup.
const one = (query, at = document) => at.querySelector(query);
const all = (query, at = document) => Array.from(at.querySelectorAll(query));
const read = (id) => {
  const found = document.getElementById(id);
  return found === null ? null : JSON.parse(found.textContent);
};

const node = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

const isolated = (text) => node("bdi", {}, text);
const withText = (text) => (text === "" ? [] : [" ", node("bdi", { class: "query" }, text)]); // beside an id
const number = (value, places = 4) => (value === null || value === undefined ? "–" : value.toFixed(places).replace("-", "−"));
const signed = (value, places = 4) => {
  if (value === null) return "–";
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
};
const probability = (p) => (p === null ? "–" : p < 0.0001 ? "<0.0001" : p.toFixed(4));
const say = (text) => {
  one("#said").textContent = text;
};
