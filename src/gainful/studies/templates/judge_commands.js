// What can be done, each with a key, a word and a line of help; a key that the scale uses is the scale's.
const createCommands = (page, deeds) => {
  const choices =
    page.mode === "preferences"
      ? [
          { key: "a", label: "The first is better", run: () => deeds.answer("left") },
          { key: "e", label: "Equally good", run: () => deeds.answer("tie") },
          { key: "b", label: "The second is better", run: () => deeds.answer("right") },
        ]
      : page.scale.map((level, place) => ({
          key: level.key, grade: level.grade, label: level.label, shade: place, run: () => deeds.answer("graded", level.grade),
        }));
  const grading = page.mode !== "preferences";
  const others = [
    { name: "skip", key: "s", label: "Skip", help: "come back to it at the end", run: () => deeds.answer("skipped") },
    { name: "cannot", key: "c", label: "Cannot tell", help: "for good", run: () => deeds.answer("cannot tell") },
    grading ? { name: "knew", key: "k", label: "I knew this already", help: "mark it, then grade it as well", run: deeds.toggleKnown } : null,
    { name: "reason", key: "r", label: "Reason", help: "a few words on why; Escape goes back", run: deeds.openReason },
    { name: "undo", key: "u", label: "Undo", help: "take the last answer back", run: deeds.undo },
    grading ? { name: "previous", key: "ArrowLeft", label: "Previous", help: "look at the document before", run: () => deeds.step(-1) } : null,
    grading ? { name: "next", key: "ArrowRight", label: "Next", help: "look at the document after", run: () => deeds.step(1) } : null,
    grading ? { name: "open", key: "n", label: "Next open", help: "the next document without an answer", run: deeds.nextOpen } : null,
    { name: "save", key: "w", label: "Save", help: "write your answers to a file", run: deeds.save },
    { name: "pause", key: "p", label: "Pause", help: "stop the clock", run: deeds.pause },
    { name: "help", key: "h", label: "Help", help: "instructions, examples and keys", run: deeds.help },
  ].filter((command) => command !== null);
  const taken = new Set(choices.map((choice) => choice.key.toLowerCase()));
  for (const command of others) if (taken.has(command.key.toLowerCase())) command.key = "";
  const byKey = new Map([...others, ...choices].filter((command) => command.key !== "").map((command) => [command.key.toLowerCase(), command]));
  return { choices, others, named: (name) => others.find((command) => command.name === name), byKey };
};

const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };
const keyHint = (key) => (key === "" ? null : node("kbd", { "aria-hidden": "true" }, KEY_NAMES[key] ?? key));
const shortcut = (key) => (key === "" ? null : KEY_NAMES[key] === undefined || key.length > 1 ? key : "Space"); // for aria-keyshortcuts

const isTyping = (target) => target instanceof HTMLElement && (target.matches("input:not([type=checkbox]), textarea, select") || target.isContentEditable);
