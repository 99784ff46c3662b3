// Charts become live when they come into view; until then, and without this script, the picture drawn before stands there.
const NARROW = 480; // pixels
const HALF = 640; // of a chart beside another: titles of axes take two lines
const views = new Map(); // name of the chart: its view
const waiting = new Map(); // name of the chart: rows to show once it is live

const columns = ({ letters, beside }, width) => {
  // of a legend, as many as there is room for beside the names of rows
  const room = width - 60 - Math.min(240, 7 * beside);
  return Math.min(4, Math.max(1, Math.floor(room / (Math.min(220, 7 * letters) + 36))));
};

const inLines = (text, most) => {
  // words of a title in lines of so many letters
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines[lines.length - 1] !== "" && lines[lines.length - 1].length + word.length >= most) lines.push("");
    lines[lines.length - 1] += (lines[lines.length - 1] === "" ? "" : " ") + word;
  }
  return lines;
};

const halves = (name) => name.replace(/ (or|−) /, " $1\n").split("\n"); // the name of a row of two systems in two lines
const HALVES = "split(replace(replace(datum.label, ' or ', ' or\\n'), ' − ', ' −\\n'), '\\n')"; // as Vega says it

const narrow = (spec, width) => {
  const encodings = (spec.layer || [spec]).map(({ encoding }) => encoding || {});
  let letters = 34; // of a line of a title
  if (width < NARROW) {
    const named = encodings.filter(({ y }) => y && y.type === "nominal");
    const rows = named.flatMap(({ y }) => y.sort.map(halves));
    spec.usermeta.beside = Math.max(0, ...rows.flat().map((line) => line.length));
    for (const { y } of named) Object.assign(y.axis, { labelExpr: HALVES, labelOffset: rows.some((lines) => lines.length > 1) ? -7 : 0 });
    const room = width - Math.min(120, 7 * spec.usermeta.beside) - 40; // for the axis, right of the names of rows
    spec.config.axisY.labelLimit = 120;
    spec.config.axisX.tickCount = 5;
    spec.config.legend.labelLimit = room - 20; // the names of systems end with …
    letters = Math.min(letters, Math.max(12, Math.floor(room / 7)));
  }
  for (const { x } of encodings) {
    if (x && typeof x.title === "string") x.title = inLines(x.title, letters);
  }
};

const draw = async (plot) => {
  const name = plot.dataset.chart;
  const spec = read(`spec-${name}`);
  if (spec === null || window.vegaEmbed === undefined) return;
  if (plot.clientWidth < HALF) narrow(spec, plot.clientWidth);
  spec.config.legend.columns = columns(spec.usermeta, plot.clientWidth);
  if (waiting.has(name)) spec.datasets.bars = waiting.get(name);
  const place = node("div", { class: "vega coming", "aria-hidden": "true" }); // the plot has the words; out of sight until drawn: nothing may jump
  const still = Array.from(plot.childNodes);
  plot.append(place);
  try {
    // ast: expressions are walked, not compiled, as the page's policy allows no eval
    const made = await window.vegaEmbed(place, spec, { ast: true, renderer: "svg", actions: false, mode: "vega-lite" });
    views.set(name, made.view);
    still.forEach((child) => child.remove());
    place.classList.remove("coming");
    plot.classList.add("live");
    if (document.activeElement !== plot) plot.removeAttribute("tabindex"); // it no longer scrolls
    made.view.addEventListener("click", (event, item) => {
      if (name === "topics" && item && item.datum && item.datum.t !== undefined) openTopic(item.datum.t);
    });
  } catch (fault) {
    place.remove();
    console.error(fault);
  }
};

const putBars = (rows) => {
  waiting.set("topics", rows);
  const view = views.get("topics");
  if (view !== undefined) view.data("bars", rows).runAsync();
};

const makeLive = () => {
  const plots = all(".plot[data-chart]");
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watch.unobserve(entry.target);
        draw(entry.target);
      }
    },
    { rootMargin: "300px" },
  );
  plots.forEach((plot) => watch.observe(plot));
};
