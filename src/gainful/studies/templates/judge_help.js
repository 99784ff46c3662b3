// What an assessor reads before the first document, and whenever the help is opened.
const helpView = (page, commands) => {
  const grading = page.mode !== "preferences";
  return [
    page.instructions ? node("div", { class: "instructions" }, ...markdown(page.instructions)) : null,
    page.others ? node("p", {}, "Assessors disagreed about these documents. Beside each stands what they said; your grade decides.") : null,
    page.items.some((item) => item[2] !== null) && grading
      ? node("p", {}, "The first documents are for practice: their grades are known, and are shown after your answer.") : null,
    grading ? node("h3", {}, "Grades") : null,
    grading ? node("ul", { class: "levels" }, ...page.scale.map((level, place) => node("li", {}, gradeBadge(page, place), " ", level.label))) : null,
    ...examplesView(page),
    node("h3", {}, "Keys"),
    node("ul", { class: "keys" },
      ...[...commands.choices, ...commands.others].filter((command) => command.key !== "").map((command) =>
        node("li", {}, node("kbd", {}, KEY_NAMES[command.key] ?? command.key), " ", command.label, command.help ? node("small", {}, ` – ${command.help}`) : null))),
    node("p", { class: "note" },
      page.served
        ? "Every answer is kept in this browser and sent to the server at once; it says so where it cannot."
        : "Every answer is kept in this browser at once. When you are done, save them to a file and send that to whoever gave you this page."),
  ].filter((child) => child !== null);
};

const examplesView = (page) =>
  page.examples.length === 0
    ? []
    : [
        node("h3", {}, "Examples"),
        ...page.examples.map((example) =>
          node("div", { class: "example" },
            node("p", {}, node("small", {}, "Query "), node("b", { dir: "auto" }, example.query)),
            node("p", { dir: "auto" }, node("b", {}, example.title), example.title ? " " : null, example.text),
            node("p", {}, gradeBadge(page, page.scale.findIndex((level) => level.grade === example.grade)), " ",
              page.scale.find((level) => level.grade === example.grade)?.label ?? String(example.grade), example.why ? ` – ${example.why}` : null))),
      ];

// A grade on the shade of its place in the scale.
const gradeBadge = (page, place) => node("span", { class: `badge ${shadeOf(page, place)}` }, place < 0 ? "?" : String(page.scale[place].grade));
const shadeOf = (page, place) => `shade-${place <= 0 ? 0 : Math.max(1, Math.round((place / (page.scale.length - 1)) * 4))}`;
