// Topics: the table, its search and filter, another measure, and the address of a topic.
const FIRST_TOPICS = 20; // rows that are shown at first, as the style has it
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

const comparedPair = () => chosenPair || page.pairs.first; // places of A and B among the systems

const topicDifference = (measure, place) => {
  // B − A; null where one of them has no value
  const [a, b] = comparedPair().map((system) => page.values[measure][system][place]);
  return a === null || b === null ? null : b - a;
};

const fewSystems = () => "few" in one("#topics-table").dataset; // each has a column; otherwise median and spread stand for all

const topicKey = (column, measure) => {
  const spread = (place) => spreadOf(measure)[place];
  const hard = [(place) => spread(place)[0], (place) => (spread(place)[0] === null ? null : spread(place)[2] - spread(place)[1])];
  const keys = [
    (place) => page.topics[place][0],
    ...(page.pairs ? [(place) => topicDifference(measure, place)] : []),
    (place) => page.topics[place][1],
    (place) => page.topics[place][3],
    ...(fewSystems() ? [] : hard),
    null, // the line from lowest to highest
    ...page.systems.map((name, system) => (place) => page.values[measure][system][place]),
  ];
  return keys[column];
};

const topicFilters = () => {
  // what may be shown, by name: the words for it, and which topics
  const gain = (place) => {
    const measure = one("#topics-measure").value;
    return (page.less_is_better.includes(measure) ? -1 : 1) * topicDifference(measure, place);
  };
  const filters = { all: ["every topic", () => true] };
  if (page.pairs) {
    const candidate = page.systems[comparedPair()[1]];
    filters.lost = [`${candidate} lost`, (place) => gain(place) < 0];
    filters.won = [`${candidate} won`, (place) => gain(place) > 0];
  }
  filters.unjudged = ["unjudged documents in a top ten", (place) => page.topics[place][3] !== null && page.topics[place][3] < 1];
  return filters;
};

const topicLine = (place, measure, top) => {
  const few = fewSystems();
  const [id, relevant, , judged, query] = page.topics[place];
  const [middle, low, high] = spreadOf(measure)[place];
  const cell = (value, text = number(value)) => node("td", { class: "number", "data-value": value === null ? "" : String(value) }, text);
  const share = (value) => Math.max(0, value || 0) / top;
  const track = node("span", { class: "track" });
  track.style.cssText = `--l:${share(low)};--m:${share(middle)};--h:${share(high)}`;
  return node(
    "tr",
    { "data-topic": String(place), "aria-current": String(place === state.topic && !one("#topic-view").hidden) },
    node("th", { scope: "row", "data-value": id }, node("a", { href: topicAddress(id), class: "topic" }, isolated(id)), ...withText(query)),
    ...(page.pairs ? [cell(topicDifference(measure, place), signed(topicDifference(measure, place)))] : []),
    cell(relevant, String(relevant)),
    cell(judged, judged === null ? "–" : `${Math.round(100 * judged)} %`),
    ...(few ? [] : [cell(middle), cell(middle === null ? null : high - low)]),
    node("td", { class: "span" }, track),
    ...(few ? page.systems.map((name, system) => cell(page.values[measure][system][place])) : []),
  );
};

const topicsInOrder = (column, direction) => {
  // places of the topics that are shown, as the table has them
  const measure = one("#topics-measure").value;
  const wanted = one("#topics-find").value.trim().toLowerCase();
  const [, kept] = topicFilters()[one("#topics-filter").value];
  const named = (place) => [page.topics[place][0], page.topics[place][4]].some((text) => text.toLowerCase().includes(wanted));
  const found = Array.from(page.topics.keys()).filter((place) => named(place) && kept(place));
  if (column === undefined) return found;
  const key = topicKey(column, measure);
  return ordered(found.map((place) => [key(place), place]), direction);
};

const writeTopics = (column, direction) => {
  const measure = one("#topics-measure").value;
  const table = one("#topics-table");
  const found = topicsInOrder(column, direction);
  const top = Math.max(1, ...spreadOf(measure).map((spread) => spread[2] || 0));
  table.tBodies[0].replaceChildren(...found.slice(0, MOST_TOPICS).map((place) => topicLine(place, measure, top)));
  one("#topics-caption").textContent = measure;
  const cut = found.length > MOST_TOPICS ? `the first ${MOST_TOPICS} of ` : "";
  one("#topics-count").textContent = found.length < page.topics.length || cut !== "" ? `${cut}${found.length} of ${page.topics.length} topics` : "";
};

const namePair = () => {
  // the column of differences and the filter name the two systems
  const select = one("#topics-filter");
  const value = select.value || "all";
  select.replaceChildren(...Object.entries(topicFilters()).map(([name, [words]]) => node("option", { value: name }, words)));
  select.value = value;
  if (!page.pairs) return;
  const [a, b] = comparedPair().map((system) => page.systems[system]);
  const head = one("#topics-table").tHead.rows[0].cells[1];
  head.dataset.label = one("button", head).textContent = `${b} − ${a}`;
};

const writeTopicsAgain = () => writeTopics(...(sorting(one("#topics-table")) || []));

const makeTopics = () => {
  const table = one("#topics-table");
  redraws.set(table, writeTopics);
  namePair();
  const rest = one("#topics-all"); // not there where all are shown at once
  const showAll = () => {
    table.classList.remove("first-rows");
    if (rest !== null) rest.parentElement.hidden = true;
  };
  const search = () => {
    showAll();
    writeTopicsAgain();
  };
  one("#topics-find").addEventListener("input", search);
  one("#topics-filter").addEventListener("change", search);
  if (rest !== null) {
    rest.addEventListener("click", () => {
      showAll();
      one(".topic", table.tBodies[0].rows[FIRST_TOPICS]).focus();
    });
  }
  one("#topics-measure").addEventListener("change", () => {
    state.measure = one("#topics-measure").value;
    writeTopicsAgain();
    if (!one("#topic-view").hidden) showTopic();
  });
  one("#main").addEventListener("click", (event) => {
    const link = event.target.closest("a.topic");
    if (link === null) return;
    event.preventDefault();
    openTopic(link.textContent);
  });
  one("#topic-view").addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.tagName !== "SELECT") closeTopic();
  });
  if (table.tBodies[0].rows.length < page.topics.length) writeTopicsAgain();
};

const topicAddress = (id) => `#topic=${encodeURIComponent(id)}`;

const keepAddress = (address, add) => {
  // the address of what is open; a page inside another has none of its own, and does without
  if (location.hash === address) return;
  try {
    if (add) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  } catch (fault) {
    if (fault.name !== "SecurityError") throw fault;
  }
};

const openAddress = () => {
  // the topic that the address names
  const [, given] = /^#topic=(.*)$/.exec(location.hash) || [];
  if (given === undefined) return;
  let id = given;
  try {
    id = decodeURIComponent(given);
  } catch {
    // as it is written
  }
  if (page.topics.some((topic) => topic[0] === id)) openTopic(id);
  else say(`There is no topic ${id}.`);
};
