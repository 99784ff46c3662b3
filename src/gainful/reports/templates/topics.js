// Topics: the table, its search, and another measure.
const MOST_TOPICS = 500; // rows of the table of topics; others are there, and sorted and searched with them

const spreads = new Map(); // measure: of each topic the median over systems, the lowest and the highest

const spreadOf = (measure) => {
  if (!spreads.has(measure)) {
    const rows = page.values[measure];
    const found = page.topics.map((topic, place) => {
      const known = rows.map((system) => system[place]).filter((value) => value !== null).sort((a, b) => a - b);
      const middle = (known[(known.length - 1) >> 1] + known[known.length >> 1]) / 2;
      return known.length ? [middle, known[0], known[known.length - 1]] : [null, null, null];
    });
    spreads.set(measure, found);
  }
  return spreads.get(measure);
};

const topicKey = (column, measure) => {
  if (column < 1) return (place) => page.topics[place][0];
  if (column < 3) return (place) => page.topics[place][column === 1 ? 1 : 3];
  if (column === 3) return (place) => spreadOf(measure)[place][0];
  if (column === 4) return (place) => (spreadOf(measure)[place][0] === null ? null : spreadOf(measure)[place][2] - spreadOf(measure)[place][1]);
  return (place) => page.values[measure][column - 6][place];
};

const topicLine = (place, measure, top, few) => {
  const [id, relevant, , judged] = page.topics[place];
  const [middle, low, high] = spreadOf(measure)[place];
  const cell = (value, text = number(value)) => node("td", { class: "number", "data-value": value === null ? "" : String(value) }, text);
  const share = (value) => Math.max(0, value || 0) / top;
  const track = node("span", { class: "track" });
  track.style.cssText = `--l:${share(low)};--m:${share(middle)};--h:${share(high)}`;
  return node(
    "tr",
    { "data-topic": String(place), "aria-current": String(place === state.topic && !one("#topic-view").hidden) },
    node("th", { scope: "row", "data-value": id }, node("a", { href: "#topic-view", class: "topic" }, isolated(id))),
    cell(relevant, String(relevant)),
    cell(judged, judged === null ? "–" : `${Math.round(100 * judged)} %`),
    cell(middle),
    cell(middle === null ? null : high - low),
    node("td", { class: "span" }, track),
    ...(few ? page.systems.map((name, system) => cell(page.values[measure][system][place])) : []),
  );
};

const writeTopics = (column, direction) => {
  const measure = one("#topics-measure").value;
  const wanted = one("#topics-find").value.trim().toLowerCase();
  const table = one("#topics-table");
  const found = Array.from(page.topics.keys()).filter((place) => page.topics[place][0].toLowerCase().includes(wanted));
  const key = topicKey(column, measure);
  const inOrder = column === undefined ? found : ordered(found.map((place) => [key(place), place]), direction);
  const top = Math.max(1, ...spreadOf(measure).map((spread) => spread[2] || 0));
  const few = table.tHead.rows[0].cells.length > 6;
  table.tBodies[0].replaceChildren(...inOrder.slice(0, MOST_TOPICS).map((place) => topicLine(place, measure, top, few)));
  one("#topics-caption").textContent = measure;
  const cut = found.length > MOST_TOPICS ? `the first ${MOST_TOPICS} of ` : "";
  one("#topics-count").textContent = wanted !== "" || cut !== "" ? `${cut}${found.length} of ${page.topics.length} topics` : "";
};

const writeTopicsAgain = () => writeTopics(...(sorting(one("#topics-table")) || []));

const makeTopics = () => {
  const table = one("#topics-table");
  redraws.set(table, writeTopics);
  one("#topics-find").addEventListener("input", writeTopicsAgain);
  one("#topics-measure").addEventListener("change", () => {
    state.measure = one("#topics-measure").value;
    writeTopicsAgain();
    if (!one("#topic-view").hidden) showTopic();
  });
  table.addEventListener("click", (event) => {
    const link = event.target.closest(".topic");
    if (link === null) return;
    event.preventDefault();
    openTopic(page.topics[Number(link.closest("tr").dataset.topic)][0]);
  });
  if (table.tBodies[0].rows.length < page.topics.length) writeTopicsAgain();
};
