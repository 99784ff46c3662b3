// Pairs: another measure, other systems, and the topics on which the two differ.
const MOST_BARS = 400;
const MOST_ROWS = 200; // of the table of pairs; more are there, and sorted with the others
let chosenPair = null; // places of A and B among the systems

const pairRows = (measure) => page.pairs.rows[measure];

const betterOf = (measure, a, b) => (page.less_is_better.includes(measure) ? [a, b] : [b, a]).map((place) => page.systems[place]);

const differences = (measure, a, b) => {
  const [up, down] = betterOf(measure, a, b);
  const rows = page.values[measure];
  const made = [];
  page.topics.forEach((topic, place) => {
    const [first, second] = [rows[a][place], rows[b][place]];
    if (first !== null && second !== null) made.push({ t: topic[0], d: second - first, s: second > first ? up : down });
  });
  made.sort((one, other) => other.d - one.d);
  return made.map((row, n) => ({ n, ...row }));
};

const showPair = (a, b) => {
  const another = chosenPair !== null && (chosenPair[0] !== a || chosenPair[1] !== b);
  chosenPair = [a, b];
  if (another) {
    namePair();
    writeTopicsAgain();
  }
  const measure = one("#pairs-measure").value;
  const names = [page.systems[a], page.systems[b]];
  const rows = differences(measure, a, b);
  putBars(rows.length > MOST_BARS ? [...rows.slice(0, MOST_BARS / 2), ...rows.slice(-MOST_BARS / 2)] : rows);
  const title = one("#figure-topics figcaption strong");
  title.textContent = `${measure}, topic by topic: ${names[1]} − ${names[0]}`;
  const [up, down] = betterOf(measure, a, b);
  const [above, below] = [rows.filter((row) => row.d > 0).length, rows.filter((row) => row.d < 0).length];
  const words = `Up: ${up} is better, on ${above} of ${rows.length} topics; down: ${down}, on ${below}.`;
  one("#figure-topics .words").textContent = `${words} Choose a bar to open its topic.`;
  one("#figure-topics .plot").setAttribute("aria-label", `${title.textContent}. ${words}`);
  markPair();
};

const markPair = () => {
  const [a, b] = chosenPair || [];
  for (const row of one("#pairs-table").tBodies[0].rows) {
    row.setAttribute("aria-current", [`${a},${b}`, `${b},${a}`].includes(one("[data-pair]", row).dataset.pair));
  }
};

const pairLine = ([a, b, difference, low, high, p, adjusted, effect, wins, ties, losses, found]) => {
  const cell = (value, text) => node("td", { class: "number", "data-value": value === null ? "" : String(value) }, text);
  const interval = cell(low, low === high ? "the same on every topic" : `${signed(low)} to ${signed(high)}`);
  interval.dataset.high = high === null ? "" : String(high);
  return node(
    "tr",
    { class: found ? "found" : "" },
    node("th", { scope: "row" }, isolated(page.systems[a])),
    node("td", {}, isolated(page.systems[b])),
    cell(difference, signed(difference)),
    interval,
    cell(p, probability(p)),
    cell(adjusted, probability(adjusted)),
    cell(effect, signed(effect, 2)),
    cell(wins, String(wins)),
    cell(ties, String(ties)),
    cell(losses, String(losses)),
    node("td", { class: "js-only" }, node("button", { type: "button", class: "quiet", "data-pair": `${a},${b}` }, "Show")),
  );
};

const COLUMNS = [(row) => page.systems[row[0]], (row) => page.systems[row[1]], ...[2, 3, 5, 6, 7, 8, 9, 10].map((at) => (row) => row[at])];

const writePairs = (column, direction) => {
  const measure = one("#pairs-measure").value;
  const which = one("#pairs-which").value;
  const rows = pairRows(measure);
  const kept = which === "all" ? rows : rows.filter((row) => row[0] === Number(which) || row[1] === Number(which));
  const inOrder = column === undefined ? kept : ordered(kept.map((row) => [COLUMNS[column](row), row]), direction);
  const table = one("#pairs-table");
  table.tBodies[0].replaceChildren(...inOrder.slice(0, MOST_ROWS).map(pairLine));
  const few = Math.min(kept.length, MOST_ROWS);
  one("caption", table).textContent = few < rows.length ? `${measure}: ${few} of ${rows.length} pairs${few < kept.length ? ", the first in this order" : ""}` : measure;
  markPair();
};

const writePairsAgain = () => {
  writePairs(...(sorting(one("#pairs-table")) || []));
  if (chosenPair !== null) showPair(...chosenPair);
};

const makePairs = () => {
  const which = one("#pairs-which");
  which.append(node("option", { value: "all" }, "every pair"));
  page.systems.forEach((name, place) => which.append(node("option", { value: String(place) }, `with ${name}`)));
  const rows = pairRows(page.pairs.measures[0]);
  if (one("#pairs-table").tBodies[0].rows.length < rows.length) which.value = String(page.pairs.with);
  one("#pairs-measure").addEventListener("change", writePairsAgain);
  which.addEventListener("change", writePairsAgain);
  redraws.set(one("#pairs-table"), writePairs);
  one("#pairs-table").addEventListener("click", (event) => {
    const button = event.target.closest("[data-pair]");
    if (button === null) return;
    showPair(...button.dataset.pair.split(",").map(Number));
    one("#figure-topics").scrollIntoView({ block: "nearest" });
    say(one("#figure-topics figcaption strong").textContent);
  });
  showPair(...page.pairs.first);
};
