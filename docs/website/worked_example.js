"use strict";

/* The worked example of a measure: grades that can be changed, what is summed up at each rank, and the value. */

(() => {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const shown = (x) => {
    if (Number.isInteger(x)) return String(x).replace("-", "−");
    return x.toFixed(4).replace("-", "−");
  };
  const scrolling = (table) => make("div", { class: "worked-scroll", tabindex: "0", role: "group", "aria-label": table.caption.textContent }, table);
  const GRADES = [["", "not judged"], ["0", "0"], ["1", "1"], ["2", "2"], ["3", "3"]];

  function choice(label, options, value, changed) {
    const select = make("select", { "aria-label": label });
    for (const [key, text] of options) select.append(make("option", { value: key }, text));
    select.value = value;
    select.addEventListener("change", () => changed(select.value));
    return select;
  }

  function button(text, label, disabled, pressed) {
    const element = make("button", { type: "button", "aria-label": label, title: label }, text);
    element.disabled = disabled;
    element.addEventListener("click", pressed);
    return element;
  }

  function start(root) {
    const { variants, ...first } = JSON.parse(root.querySelector("script").textContent);
    const state = { ...first, list: [...first.list], missed: [...first.missed], variant: 0 };
    const value = make("output", { "aria-live": "polite" });
    const controls = make("div", { class: "worked-controls" });
    const tables = make("div", { class: "worked-tables" });
    const notes = make("div", { class: "worked-notes" });
    root.replaceChildren(make("p", { class: "worked-value" }, value), controls, tables, notes);

    const graded = (label, list, place) =>
      choice(label, GRADES.slice(list === state.missed ? 1 : 0), list[place] === null ? "" : String(list[place]), (chosen) => {
        list[place] = chosen === "" ? null : Number(chosen);
        show(`[aria-label="${label}"]`);
      });

    function show(focus) {
      const variant = variants[state.variant];
      const results = measureProgram.results(variant.program, state);
      value.replaceChildren(`${variant.measure} = `, make("strong", {}, shown(results[results.length - 1])));
      fillControls(variant);
      const columns = variant.sums.map((sum) => termsOf(sum, results));
      tables.replaceChildren(listTable(columns.filter(({ sum }) => sum.list === "run")), idealTable(columns));
      fillNotes(variant);
      const focused = focus && root.querySelector(focus);
      if (focused) focused.focus();
    }

    function fillControls(variant) {
      controls.replaceChildren();
      if (variants.length > 1) {
        const options = variants.map(({ measure }, place) => [String(place), measure]);
        const select = choice("Measure", options, String(state.variant), (chosen) => {
          state.variant = Number(chosen);
          show('[aria-label="Measure"]');
        });
        controls.append(make("label", {}, "Measure ", select));
      }
      if (variant.expects) {
        const numbers = [0, 1, 2, 3, 4, 5].map((n) => [String(n), String(n)]);
        controls.append(make("label", {}, "Expected ", choice("Relevant documents expected", numbers, String(state.expected), (chosen) => {
          state.expected = Number(chosen);
          show('[aria-label="Relevant documents expected"]');
        })));
      }
      controls.append(
        button("Add a document", "Add a document", state.list.length >= 12, () => { state.list.push(0); show('[aria-label="Add a document"]'); }),
        button("Remove the last", "Remove the last document", state.list.length < 2, () => { state.list.pop(); show('[aria-label="Remove the last document"]'); }),
      );
    }

    function termsOf(sum, results) {
      const [documents, x, where] = sum.inputs.map((each) => ("of" in each ? results[each.of] : each.is));
      const terms = measureProgram.terms(documents, x, where);
      return { sum, terms: new Map(documents.rank.map((rank, place) => [rank, terms[place]])), total: results[sum.total] };
    }

    const heading = ({ sum }) => {
      const counts = sum.kind === "sum" && sum.text === "1";
    const said = counts ? ["number"] : [sum.kind === "sum" ? "Σ " : "largest ", make("code", {}, sum.text)];
    const cell = make("th", { scope: "col" }, `${sum.label} `, ...said);
      if (sum.where) cell.append(make("small", {}, `where ${sum.where}`));
      return cell;
    };
    const numbers = (columns, rank) => columns.map(({ terms }) => make("td", {}, terms.get(rank) ? shown(terms.get(rank)) : "·"));
    const foot = (columns, before) =>
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row", colspan: before }, columns.every(({ sum }) => sum.kind === "sum") ? "Sum" : "Result"),
        ...columns.map(({ sum, total }) => make("td", {}, `${sum.label} = ${shown(total)}`))));

    function listTable(columns) {
      const rows = state.list.map((_, place) => make("tr", {},
        make("th", { scope: "row" }, String(place + 1)),
        make("td", {}, graded(`Grade at rank ${place + 1}`, state.list, place),
          button("↑", `Move the document at rank ${place + 1} up`, place === 0, () => {
            [state.list[place - 1], state.list[place]] = [state.list[place], state.list[place - 1]];
            show(`[aria-label="Move the document at rank ${place} up"]:not([disabled])`);
          })),
        ...numbers(columns, place + 1)));
      const table = make("table", { class: "worked-table" }, make("caption", {}, "The list"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "rank"), make("th", { scope: "col" }, "grade"), ...columns.map(heading))),
        make("tbody", {}, ...rows));
      if (columns.length) table.append(foot(columns, 2));
      return scrolling(table);
    }

    function idealTable(columns) {
      const wanted = columns.filter(({ sum }) => sum.list === "ideal");
      const grades = [...state.list.filter((grade) => grade !== null), ...state.missed].sort((a, b) => b - a);
      const missed = make("p", { class: "worked-missed" }, "Judged and not found: ",
        ...state.missed.map((_, place) => graded(`Grade of missed document ${place + 1}`, state.missed, place)),
        button("+", "Add a judged document that was not found", state.missed.length >= 6, () => { state.missed.push(1); show('[aria-label="Add a judged document that was not found"]'); }),
        button("−", "Remove a judged document that was not found", !state.missed.length, () => { state.missed.pop(); show('[aria-label="Remove a judged document that was not found"]'); }));
      if (!wanted.length) return missed;
      const table = make("table", { class: "worked-table" }, make("caption", {}, "Every judged document, best first"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "rank"), make("th", { scope: "col" }, "grade"), ...wanted.map(heading))),
        make("tbody", {}, ...grades.map((grade, place) => make("tr", {}, make("th", { scope: "row" }, String(place + 1)), make("td", {}, String(grade)), ...numbers(wanted, place + 1)))),
        foot(wanted, 2));
      return make("div", {}, missed, scrolling(table));
    }

    function fillNotes(variant) {
      notes.replaceChildren();
      if (variant.text) notes.append(make("p", {}, `${variant.measure} = `, make("code", {}, variant.text)));
      for (const [name, text] of Object.entries(variant.names)) notes.append(make("p", {}, `${name} = `, make("code", {}, text)));
    }

    show();
  }

  const startAll = () => document.querySelectorAll("[data-example]:not([data-started])").forEach((root) => {
    root.setAttribute("data-started", "");
    start(root);
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
