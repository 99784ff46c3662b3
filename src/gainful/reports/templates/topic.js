// One topic opened: its lists side by side, what moved, and the worked table.
const state = { topic: null, measure: null, systems: null, worked: 0 };

const positive = (() => {
  // grades above 0 in this page's lists, to tell how dark a shade is
  const known = new Set();
  return (grades) => {
    grades.forEach((grade) => grade > 0 && known.add(grade));
    return Array.from(known).sort((a, b) => a - b);
  };
})();

const shade = (grade, levels) => {
  if (grade === null) return "unjudged";
  if (grade <= 0) return "grade-0";
  if (levels.length === 1) return "grade-3";
  return `grade-${1 + Math.round((3 * levels.indexOf(grade)) / (levels.length - 1))}`;
};

const gradeText = (grade) => (grade === null ? "not judged" : `grade ${grade}`);

const contributionsOf = (list, measure, system) => {
  const pairs = list.b[measure] ? list.b[measure][system] : [];
  const made = new Map();
  for (let at = 0; at < pairs.length; at += 2) made.set(pairs[at], pairs[at + 1]);
  return made;
};

const highlight = (root, place) => {
  all(".doc", root).forEach((item) => item.classList.toggle("same", place !== null && item.dataset.document === place));
};

const listOf = (list, system, levels) => {
  const contributed = contributionsOf(list, state.measure, system);
  const place = page.systems.indexOf(page.listed[system]);
  const value = page.values[state.measure][place][state.topic];
  const items = list.l[system].map((document, at) => {
    const title = list.t ? list.t[document] : 0;
    const grade = list.g[document];
    const head = title && title[0] ? title[0] : list.d[document];
    const about = title ? [title[0] ? list.d[document] : "", title[1]].filter(Boolean).join(" · ") : "";
    const worth = contributed.has(at + 1) ? signed(contributed.get(at + 1)) : "";
    return node(
      "li",
      { class: `doc ${shade(grade, levels)}`, "data-document": String(document), title: `${list.d[document]}, ${gradeText(grade)}` },
      node("span", { class: "rank" }, String(at + 1)),
      node("span", {}, isolated(head), " ", node("span", { class: "grade" }, `(${gradeText(grade)})`)),
      node("span", { class: "contributes" }, worth),
      about === "" ? null : node("span", { class: "about" }, isolated(about)),
    );
  });
  const heading = node("h4", {}, isolated(page.listed[system]), ` · ${state.measure} ${number(value)}`);
  const body = items.length ? node("ol", {}, ...items) : node("p", { class: "note" }, "The run does not have this topic.");
  return node("div", { class: "list" }, heading, body);
};

const movedRows = (list, a, b) => {
  const ranks = [a, b].map((system) => new Map(list.l[system].map((document, at) => [document, at + 1])));
  const contributed = [a, b].map((system) => contributionsOf(list, state.measure, system));
  const worth = (side, document) => (ranks[side].has(document) ? contributed[side].get(ranks[side].get(document)) || 0 : 0);
  return Array.from(new Set([...list.l[a], ...list.l[b]]), (document) => ({
    document,
    ranks: ranks.map((rank) => rank.get(document) || null),
    contributes: [worth(0, document), worth(1, document)],
    difference: worth(1, document) - worth(0, document),
  }))
    .filter((row) => row.difference !== 0)
    .sort((one_, other) => Math.abs(other.difference) - Math.abs(one_.difference));
};

const plainTable = (label, heads, rows) =>
  node(
    "div",
    { class: "scroll", role: "group", tabindex: "0", "aria-label": label },
    node(
      "table",
      {},
      node("thead", {}, node("tr", {}, ...heads.map(([name, kind]) => node("th", { scope: "col", class: kind }, name)))),
      node("tbody", {}, ...rows),
    ),
  );

const titled = (list, document) => {
  // the id of a document, and its title where it is known
  const title = list.t && list.t[document] ? list.t[document][0] || list.t[document][1] : "";
  return node("span", {}, isolated(list.d[document]), ...withText(title));
};

const movedTable = (list, a, b) => {
  const rows = movedRows(list, a, b);
  const names = [page.listed[a], page.listed[b]];
  const places = names.map((name) => page.systems.indexOf(name));
  const values = places.map((place) => page.values[state.measure][place][state.topic]);
  const whole = values[0] === null || values[1] === null ? null : values[1] - values[0];
  const cell = (text) => node("td", { class: "number" }, text);
  const line = (name, cells) => node("tr", {}, node("th", { scope: "row" }, name), ...cells);
  const kept = rows.slice(0, 20);
  const body = kept.map((row) =>
    line(titled(list, row.document), [
      node("td", { class: "whole" }, gradeText(list.g[row.document])),
      ...row.ranks.map((rank) => cell(rank === null ? "–" : String(rank))),
      ...row.contributes.map((value) => cell(number(value))),
      cell(signed(row.difference)),
    ]),
  );
  const rest = whole === null ? null : whole - kept.reduce((sum, row) => sum + row.difference, 0);
  const blank = () => [node("td"), node("td"), node("td"), node("td"), node("td")];
  if (rest !== null && Math.abs(rest) > 0.00005) body.push(line("the rest", [...blank(), cell(signed(rest))]));
  body.push(line("all together", [...blank(), cell(signed(whole))]));
  const heads = [
    ["Document", "name"], ["Grade", "name"], [`Rank in ${names[0]}`, "number"], [`Rank in ${names[1]}`, "number"],
    [`Contributes to ${names[0]}`, "number"], [`Contributes to ${names[1]}`, "number"], ["Difference", "number"],
  ];
  return plainTable("What moved", heads, body);
};

const workedTable = (list, system) => {
  const columns = list.w && list.w[state.measure] ? list.w[state.measure][system] : null;
  const documents = list.l[system];
  const cell = (value) => node("td", { class: "number" }, value === null || value === undefined ? "–" : typeof value === "boolean" ? (value ? "yes" : "no") : Number.isInteger(value) ? String(value) : number(value));
  let names;
  let cells;
  if (columns && Object.keys(columns).length) {
    names = Object.keys(columns);
    cells = (at) => names.map((name) => cell(columns[name][at]));
  } else {
    const contributed = contributionsOf(list, state.measure, system);
    let sum = 0;
    names = ["contributes", "so far"];
    cells = (at) => {
      sum += contributed.get(at + 1) || 0;
      return [cell(contributed.get(at + 1) || 0), cell(sum)];
    };
  }
  const depth = columns && names.length ? Math.max(...names.map((name) => (columns[name] || []).length)) : documents.length;
  const rows = documents.slice(0, depth || documents.length).map((document, at) =>
    node("tr", {}, node("td", { class: "number" }, String(at + 1)), node("th", { scope: "row" }, titled(list, document)), node("td", { class: "number" }, list.g[document] === null ? "–" : String(list.g[document])), ...cells(at)),
  );
  const heads = [["Rank", "number"], ["Document", "name"], ["Grade", "number"], ...names.map((name) => [name, "number"])];
  return plainTable(`${state.measure} worked out`, heads, rows);
};

const chooser = (label, options, value, change) => {
  const select = node("select", { onchange: () => change(select.value) }, ...options.map(([key, text]) => node("option", { value: key }, text)));
  select.value = value;
  return node("label", {}, `${label} `, select);
};

const showTopic = () => {
  const view = one("#topic-view");
  const [id, relevant, judgments, , query] = page.topics[state.topic];
  const list = read(`list-${state.topic}`);
  const levels = positive(list.g);
  const systems = page.listed.map((name, place) => [String(place), name]);
  const few = page.listed.length <= 4;
  const [a, b] = state.systems;
  const lists = node("div", { class: "lists", tabindex: "0", role: "group", "aria-label": "Ranked lists side by side" }, ...(few ? systems.map(([place]) => Number(place)) : [a, b]).map((system) => listOf(list, system, levels)));
  lists.addEventListener("pointerover", (event) => {
    const item = event.target.closest(".doc");
    highlight(lists, item === null ? null : item.dataset.document);
  });
  const choose = (side) => (value) => {
    state.systems[side] = Number(value);
    showTopic();
  };
  const several = page.listed.length > 1;
  const changeMeasure = (value) => {
    state.measure = value;
    showTopic();
    one(".topic-view select").focus();
  };
  const measure = chooser("Measure", page.measures.map((name) => [name, name]), state.measure, changeMeasure);
  const worked = page.worked.includes(state.measure);
  view.replaceChildren(
    node("header", {}, node("h3", { id: "topic-head", tabindex: "-1" }, "Topic ", isolated(id)), node("span", { class: "steps" }, ...steps(), node("button", { type: "button", onclick: closeTopic }, "Close"))),
    ...(query === "" ? [] : [node("p", { class: "query-text" }, isolated(query))]),
    node("p", { class: "note" }, `${relevant} relevant of ${judgments} judged · the number beside a document is what it contributes to ${state.measure}`),
    node("p", { class: "controls" }, measure, several ? chooser("A", systems, String(a), choose(0)) : null, several ? chooser("B", systems, String(b), choose(1)) : null),
    lists,
    ...(worked && several ? [node("h4", {}, "What moved, and what it was worth"), movedTable(list, a, b)] : []),
    ...(worked ? [workedDetails(list, systems)] : [node("p", { class: "note" }, `What each document contributes to ${state.measure} was not worked out.`)]),
  );
  view.hidden = false;
  for (const row of one("#topics-table").tBodies[0].rows) row.setAttribute("aria-current", Number(row.dataset.topic) === state.topic);
};

const steps = () => {
  // buttons to the topics before and after this one, as the table has them
  const places = topicsInOrder(...(sorting(one("#topics-table")) || []));
  const at = places.indexOf(state.topic);
  const step = (name, place) => {
    const go = () => openTopic(page.topics[place][0], `[data-step="${name}"]`);
    return node("button", { type: "button", "data-step": name, disabled: place === undefined, onclick: go }, name);
  };
  return [step("Previous", at < 0 ? undefined : places[at - 1]), step("Next", places[at + 1])];
};

const workedDetails = (list, systems) => {
  const place = node("div", {}, workedTable(list, state.worked));
  const change = (value) => {
    state.worked = Number(value);
    place.replaceChildren(workedTable(list, state.worked));
  };
  return node(
    "details",
    { class: "worked" },
    node("summary", {}, `${state.measure}, worked out rank by rank`),
    node("pre", {}, page.formulas[state.measure] || ""),
    node("p", { class: "controls" }, chooser("System", systems, String(state.worked), change)),
    place,
  );
};

const closeTopic = () => {
  const row = one(`#topics-table tr[data-topic="${state.topic}"]`); // not there where it was searched away, unseen below the first rows
  one("#topic-view").hidden = true;
  if (row !== null) row.setAttribute("aria-current", "false");
  (row === null || row.offsetParent === null ? one("#topics-find") : one(".topic", row)).focus();
  keepAddress("#topics", false);
};

const openTopic = (id, focus = "#topic-head") => {
  const place = page.topics.findIndex((topic) => topic[0] === id);
  if (place < 0) return;
  state.topic = place;
  state.measure = state.measure || one("#topics-measure").value;
  if (state.systems === null) {
    const first = page.pairs ? page.pairs.first.map((system) => page.listed.indexOf(page.systems[system])) : [0, 0];
    state.systems = first.every((system) => system >= 0) ? first : [Math.min(1, page.listed.length - 1), 0];
    state.worked = state.systems[1];
  }
  showTopic();
  one("#topic-view").scrollIntoView({ block: "start", behavior: "instant" });
  const wanted = one(focus, one("#topic-view"));
  (wanted.disabled ? one("#topic-head") : wanted).focus({ preventScroll: true });
  keepAddress(topicAddress(id), focus === "#topic-head");
  say(`Topic ${id} opened.`);
};
