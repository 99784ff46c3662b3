// The page: what is dropped goes to Python in a worker; charts are drawn here, by Vega.
const at = (id) => document.getElementById(id);
const scripts = ["vega", "vega-lite", "vega-embed"].map((name) => `vega/${name}.min.js`);
const worker = new Worker("worker.js", { type: "module" });

let waiting;
worker.onmessage = ({ data }) => {
  if (data.kind === "progress") at("status").textContent = `${data.text}…`;
  else waiting(data);
};
worker.onerror = (event) => waiting?.({ kind: "failed", at: "start", text: event.message });

function ask(message) {
  return new Promise((resolve, reject) => {
    waiting = (answer) => (answer.kind === "failed" ? reject(Object.assign(new Error(answer.text), { at: answer.at })) : resolve(answer));
    worker.postMessage(message);
  });
}

function show(id, text) {
  at(id).hidden = !text;
  if (text) at(id).textContent = text;
}

function busy(yes) {
  at("files").disabled = at("example").disabled = yes;
}

// The file with judgments goes first: its name has "qrel", or it has the fewest columns: three or four, where runs have five
// or six. Those of a compressed file are not looked at; it goes behind judgments that are not.
async function judgmentsFirst(files) {
  const columns = async (file) => {
    if (/qrel/i.test(file.name)) return 0;
    if (/\.(gz|bz2|xz|lzma|zst)$/i.test(file.name)) return 4.5;
    return (await file.slice(0, 4096).text()).trim().split("\n")[0].trim().split(/\s+/).length;
  };
  const counted = await Promise.all(files.map(async (file) => [await columns(file), file]));
  return counted.sort(([a], [b]) => a - b).map(([, file]) => file);
}

async function loaded(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

// Vega for drawing here; its text goes into the report, whose charts are live.
async function vega() {
  const texts = await Promise.all(scripts.map(async (path) => (await loaded(path)).text()));
  for (const text of texts) (0, eval)(text);
  const script = `(() => {${texts.join("\n;")}\n;window.vegaEmbed = vegaEmbed;})();`;
  return script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

async function drawn(spec) {
  const compiled = window.vegaLite.compile(spec).spec;
  return new window.vega.View(window.vega.parse(compiled), { renderer: "none" }).toSVG();
}

async function report(paths) {
  at("status").textContent = "Computing the report…";
  const { specs } = await ask({ kind: "charts", paths });
  at("status").textContent = "Drawing charts…";
  const pictures = [];
  for (const spec of JSON.parse(specs)) pictures.push(await drawn(spec));
  const { html } = await ask({ kind: "page", pictures, script });
  at("report").srcdoc = html;
  at("report").hidden = false;
  at("download").href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  at("save").hidden = false;
}

// A list of files, or the promise of one. Files are told apart by their names alone.
async function take(list) {
  for (const id of ["fault", "scores", "notes", "save", "report"]) at(id).hidden = true;
  busy(true);
  try {
    const chosen = [...await list];
    if (chosen.length < 2) throw new Error("Choose judgments and at least one run.");
    const twice = chosen.find((file, place) => chosen.slice(0, place).some(({ name }) => name === file.name));
    if (twice) throw new Error(`Two files are named ${twice.name}; give each a name of its own.`);
    const files = await judgmentsFirst(chosen);
    at("status").textContent = "Computing scores…";
    const given = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    const scores = await ask({ kind: "scores", files: given });
    if (scores.code !== 0) throw new Error(scores.err.trim());
    show("scores", scores.out);
    show("notes", scores.err.split("\n").filter((line) => !line.includes("native core")).join("\n").trim());
    await report(scores.paths);
    at("status").textContent = "Done.";
  } catch (error) {
    show("fault", error.at === "charts" ? `There is no report, only the scores: ${error.message}` : error.message);
    at("status").textContent = "Ready for other files.";
  }
  busy(false);
}

at("files").addEventListener("change", () => take(at("files").files));
at("drop").addEventListener("dragover", (event) => { event.preventDefault(); at("drop").classList.add("over"); });
at("drop").addEventListener("dragleave", () => at("drop").classList.remove("over"));
at("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (!at("files").disabled) take([...event.dataTransfer.files]);
});

async function example() {
  const names = await (await loaded("example/files.json")).json();
  return Promise.all(names.map(async (name) => new File([await (await loaded(`example/${name}`)).blob()], name)));
}

at("example").addEventListener("click", () => take(example()));

// All that is needed is loaded before the first file is taken.
let script;
try {
  [script] = await Promise.all([vega(), ask({ kind: "start" })]);
  at("status").textContent = "Ready.";
  busy(false);
} catch (error) {
  worker.terminate();
  show("fault", `What this page needs cannot be loaded: ${error.message}. Load the page again.`);
  at("status").textContent = "";
}
