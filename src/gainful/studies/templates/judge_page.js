// The page: shows what is to be judged, takes answers by key and click, and says what became of them.
const page = { ...read("study"), ...read("session") };
const undoable = [];
let useKeys = true;
let savedUpto = "";

const storage = createStorage(page.study, page.assessor, () => refresh());
const clock = createClock(() => showTime());
const mode = (page.mode === "preferences" ? createComparing : createGrading)(page, storage, clock);
const link = page.served === null ? null : createServerLink(page.served, storage, () => showState());

const deeds = {
  answer: (state, grade) => {
    if (mode.learned() !== null) return proceed();
    if (mode.current() === null) return;
    const given = mode.answer(state, grade);
    undoable.push(given);
    changed();
    show();
    if (mode.learned() === null) announce(`${given.said}. `);
  },
  toggleKnown: () => {
    if (mode.current() === null) return;
    mode.amend({ known: !(mode.record()?.known ?? false) });
    changed();
    showPanel();
    say(mode.record().known ? "Marked as known already." : "Not known before.");
  },
  openReason: () => {
    one("#reason-box").hidden = false;
    one("#reason").focus();
  },
  undo: () => {
    const last = undoable.pop() ?? mode.latest();
    if (last === null) return say("There is nothing to undo.");
    mode.takeBack(last);
    changed();
    show();
    announce("The last answer is taken back. ");
  },
  step: (by) => {
    mode.step(by);
    show();
    announce("");
  },
  nextOpen: () => {
    mode.nextOpen();
    show();
    announce("");
  },
  save: () => saveFile(),
  pause: () => {
    clock.pause(true);
    one("#pause-box").showModal();
  },
  help: () => openHelp("Close"),
};
const commands = createCommands(page, deeds);

const proceed = () => {
  mode.goOn();
  show();
  announce("");
};

// ---- showing

const show = () => {
  const shown = mode.current();
  document.body.classList.toggle("finished", shown === null);
  one("#finished").hidden = shown !== null;
  for (const id of ["#topic", "#documents", "#panel"]) one(id).hidden = shown === null;
  if (shown === null) showEnd();
  else {
    one("#topic").replaceChildren(...topicView(shown.topic, shown.topicPlace, page.topics.length));
    one("#documents").replaceChildren(...cards(shown));
    showPanel();
    scrollTo(0, 0);
  }
  showState();
};

const cards = (shown) => {
  const words = mode.words(shown);
  const card = (id, label) => node("article", { class: "document" }, ...documentView(id, page.documents[id], words, label));
  if (page.mode === "preferences") return [card(shown.left, "The first · "), card(shown.right, "The second · ")];
  const view = card(shown.document, `${shown.known === null ? "" : "Practice · "}Document ${(shown.place + 1).toLocaleString("en")} of ${mode.items.length.toLocaleString("en")} · `);
  if (shown.others) view.append(othersView(shown.others));
  return [view];
};

// What assessors said who disagreed.
const othersView = (others) =>
  node("section", { class: "others", "aria-label": "What assessors said" },
    node("h3", {}, "What assessors said"),
    node("ul", {}, ...others.map(([assessor, grade, reason]) =>
      node("li", {}, gradeBadge(page, page.scale.findIndex((level) => level.grade === grade)), " ", isolated(assessor), ": ",
        mode.labels.get(grade) ?? String(grade), reason ? node("span", { class: "why", dir: "auto" }, ` – ${reason}`) : null))));

const choiceButton = (choice, record) => {
  const chosen = record?.state === "graded" && record.grade === choice.grade;
  return node("button", {
    type: "button", class: `choice ${choice.grade === undefined ? "" : shadeOf(page, choice.shade)}`, "aria-pressed": choice.grade === undefined ? null : String(chosen),
    "aria-keyshortcuts": shortcut(choice.key), onclick: choice.run,
  }, choice.key === String(choice.grade) ? null : keyHint(choice.key), choice.grade === undefined ? null : node("b", {}, String(choice.grade)), node("span", {}, choice.label));
};

const commandButton = (name, pressed = null) => {
  const command = commands.named(name);
  return node("button", { type: "button", class: "small", id: `do-${name}`, "aria-pressed": pressed === null ? null : String(pressed), "aria-keyshortcuts": shortcut(command.key), onclick: command.run },
    keyHint(command.key), command.label);
};

const showPanel = () => {
  const record = mode.record();
  const learned = mode.learned();
  one("#lesson").hidden = learned === null;
  one("#choices").hidden = one("#actions").hidden = learned !== null;
  if (learned !== null) {
    showLesson(learned, record);
    return;
  }
  const grading = page.mode !== "preferences";
  one("#choices").replaceChildren(...commands.choices.map((choice) => choiceButton(choice, record)));
  one("#actions").replaceChildren(
    commandButton("skip", record?.state === "skipped"), commandButton("cannot", record?.state === "cannot tell"),
    ...(grading ? [commandButton("knew", record?.known ?? false)] : []), commandButton("reason"), commandButton("undo"),
    ...(grading ? [node("span", { class: "gap" }), commandButton("previous"), commandButton("next"), commandButton("open")] : []),
  );
  const reason = record?.reason ?? "";
  if (one("#reason") !== document.activeElement) {
    one("#reason").value = reason;
    one("#reason-box").hidden = reason === "";
  }
};

const showLesson = (item, record) => {
  const same = record.grade === item.known;
  const levelOf = (grade) => page.scale.findIndex((level) => level.grade === grade);
  one("#lesson").replaceChildren(
    node("p", {}, same ? "As known: " : "The known grade is ", gradeBadge(page, levelOf(item.known)), ` ${mode.labels.get(item.known) ?? item.known}`,
      same ? "." : `; you gave ${record.grade}, ${mode.labels.get(record.grade)}.`),
    node("button", { type: "button", class: "main", id: "proceed", onclick: proceed }, "Go on"),
  );
  one("#proceed").focus();
  say(one("#lesson p").textContent);
};

const showEnd = () => {
  const { counts } = mode.progress();
  const skipped = mode.skippedPlace();
  one("#finished").replaceChildren(
    node("h1", { tabindex: "-1", id: "end" }, "Everything has an answer"),
    node("p", {}, `${countsText(counts)}.`),
    node("p", { id: "what-now" }),
    node("p", { class: "ends" }, node("button", { type: "button", class: "main", onclick: saveFile }, "Save answers"), " ",
      node("button", { type: "button", onclick: deeds.undo }, "Undo the last"), " ",
      skipped >= 0 ? node("button", { type: "button", onclick: () => { mode.goTo(skipped); show(); announce(""); } }, "Look at those skipped") : null),
  );
};

// What is left to do at the end, which changes when the server has taken the last answer.
const whatNow = () => {
  if (link === null) return "Save your answers to a file, and send it to whoever gave you this page.";
  return link.waiting() === 0 ? "The server has all your answers; nothing is left to do." : "The last answers are on their way to the server.";
};

const countsText = (counts) => Object.entries(counts).filter(([name, count]) => count > 0 || name === "graded" || name === "compared").map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(" · ");

const showState = () => {
  const { done, all, counts } = mode.progress();
  const bar = one("#progress");
  bar.max = Math.max(1, all);
  bar.value = done;
  one("#counts").textContent = `${done.toLocaleString("en")} of ${page.mode === "preferences" && done < all ? "about " : ""}${all.toLocaleString("en")}`;
  one("#counts").title = countsText(counts);
  if (mode.current() === null) one("#what-now").textContent = whatNow();
  showTime();
  showAlarm();
};

const showTime = () => {
  one("#time").textContent = asTime(mode.progress().seconds + (mode.current() === null ? 0 : clock.seconds()));
};

const unsaved = () => Array.from(storage.records.values()).filter((record) => isDecided(record) && record.at > savedUpto).length;

// What is wrong with keeping the answers, if anything is.
const showAlarm = () => {
  const said = [];
  if (storage.fault() !== "" && (storage.unwritten() > 0 || storage.records.size === 0))
    said.push(`This browser's storage ${storage.fault()}: ${storage.unwritten()} answers are kept only while this page stays open. Save them to a file before you close it.`);
  if (link !== null && link.fault() !== "")
    said.push(`${link.fault()} ${link.waiting()} answers wait here, kept in this browser, and are sent again until they arrive.`);
  const text = said.join(" ");
  if (one("#alarm-text").textContent !== text) one("#alarm-text").textContent = text;
  one("#alarm").hidden = text === "";
  const left = unsaved();
  one("#saved").textContent = link !== null ? (link.waiting() === 0 ? "All sent" : `${link.waiting()} to send`) : left === 0 ? "" : `${left.toLocaleString("en")} not in a file yet`;
};

// Says where the reader now is, and moves there: a screen reader reads on from the new title.
const announce = (before) => {
  const shown = mode.current();
  const title = one("#documents h2");
  if (shown === null) one("#end").focus();
  else title.focus({ preventScroll: true });
  const place = shown === null ? "Everything has an answer." : page.mode === "preferences" ? "Two documents." : `Document ${(shown.place + 1).toLocaleString("en")} of ${mode.items.length.toLocaleString("en")}.`;
  say(`${before}${place}`);
};

const changed = () => {
  if (link !== null) link.send();
};

// Another tab has answered: what is shown stays, unless it is done there.
const refresh = () => {
  if (page.mode === "preferences") mode.start();
  else if (mode.current() === null) mode.goOn();
  if (page.mode === "preferences" || mode.current() === null) show();
  else {
    showPanel();
    showState();
  }
};

// ---- files

const saveFile = () => {
  const content = answersFile(page, storage.records, mode.order);
  const address = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1) + "\n"], { type: "application/json" }));
  node("a", { href: address, download: `answers-${page.assessor}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  const count = [...content.answers, ...content.preferences].filter(isDecided).length;
  savedUpto = content.saved;
  storage.note("saved", savedUpto);
  showState();
  say(`${count} answers are written to answers-${page.assessor}.json.`);
};

const loadFile = async (file) => {
  try {
    const content = JSON.parse(await file.text());
    if (content.gainful_answers !== 1) throw new Error("it does not hold answers of such a page");
    if (content.study !== page.study) throw new Error("its answers belong to another study");
    if (content.assessor !== page.assessor) throw new Error(`its answers are of ${content.assessor}, not of ${page.assessor}`);
    const taken = storage.takeAll([...content.answers, ...content.preferences]);
    mode.start();
    changed();
    show();
    tell(`${taken} answers were taken from ${file.name}.`);
  } catch (error) {
    tell(`${file.name} was not taken: ${error instanceof SyntaxError ? "it is not JSON" : error.message}.`);
  }
};

const tell = (text) => {
  one("#told").textContent = text;
  say(text);
};

// ---- dialogs

const openHelp = (closing) => {
  one("#help-body").replaceChildren(...helpView(page, commands));
  one("#help-close").textContent = closing;
  clock.pause(true);
  one("#help-box").showModal();
  one("#help-box").scrollTop = 0;
};
// The clock goes on with the click; the browser tells of the closing later, and only that way of an Escape.
for (const name of ["help", "pause"]) {
  const box = one(`#${name}-box`);
  const goOn = () => clock.pause(one("dialog[open]") !== null);
  one(`#${name}-close`).addEventListener("click", () => {
    box.close();
    goOn();
  });
  box.addEventListener("close", () => {
    goOn();
    announce("");
  });
}
one("#use-keys").addEventListener("change", (event) => { useKeys = event.target.checked; });
one("#load").addEventListener("change", (event) => {
  for (const file of event.target.files) loadFile(file);
  event.target.value = "";
});

// ---- keys and typing

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target === one("#reason")) {
    one("#documents h2").focus({ preventScroll: true });
    return;
  }
  if (!useKeys || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (isTyping(event.target) || one("dialog[open]") !== null) return;
  const command = commands.byKey.get(event.key.toLowerCase()) ?? (event.key === "?" ? commands.named("help") : undefined);
  if (command === undefined) return;
  event.preventDefault();
  command.run();
});
one("#reason").addEventListener("input", (event) => {
  if (mode.current() === null) return;
  mode.amend({ reason: event.target.value });
  showState();
});
one("#reason").addEventListener("change", changed);

addEventListener("beforeunload", (event) => {
  if (storage.unwritten() > 0 && unsaved() > 0) event.preventDefault();
});

// ---- start

for (const name of ["help", "pause", "save"]) {
  const button = one(`#${name}`);
  const hint = keyHint(commands.named(name).key);
  if (hint !== null) button.prepend(hint);
  button.addEventListener("click", commands.named(name).run);
}
one("#theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme === "dark" || (document.documentElement.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
});
savedUpto = storage.noted("saved") ?? "";
storage.takeAll(page.answers);
if (link !== null) link.begin(page.answers);
mode.start();
show();
if (storage.records.size === 0) openHelp("Begin");
else clock.pause(false);
