// The page: what is dropped goes to Python in a worker; charts are drawn here, by Vega.
const at = (id) => document.getElementById(id);
const config = await (await fetch("config.json")).json();
const absolute = (path) => new URL(path, location.href).href;

const worker = await (async () => {
  // The worker imports Pyodide from wherever the configuration says.
  const source = await (await fetch("worker.js")).text();
  const text = source.replace("./pyodide/pyodide.mjs", absolute(config.pyodide) + "pyodide.mjs");
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
})();

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

// Judgments have four columns, runs five or six: the file with judgments goes first.
async function judgmentsFirst(files) {
  const columns = async (file) => (await file.slice(0, 4096).text()).trim().split("\n")[0].trim().split(/\s+/).length;
  const counted = await Promise.all(files.map(async (file) => [await columns(file), file]));
  return counted.sort(([a], [b]) => a - b).map(([, file]) => file);
}

async function vega() {
  const texts = await Promise.all(config.scripts.map(async (url) => (await fetch(url)).text()));
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
  const driver = await (await fetch("browser_report.py")).text();
  const { specs } = await ask({ kind: "charts", driver, paths });
  at("status").textContent = "Drawing charts…";
  const script = await vega();
  const pictures = [];
  for (const spec of JSON.parse(specs)) pictures.push(await drawn(spec));
  const { html } = await ask({ kind: "page", pictures, script });
  at("report").srcdoc = html;
  at("report").hidden = false;
  at("download").href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  at("save").hidden = false;
}

async function take(list) {
  for (const id of ["fault", "scores", "notes", "save", "report"]) at(id).hidden = true;
  at("files").disabled = true;
  try {
    if (list.length < 2) throw new Error("Choose judgments and at least one run.");
    const files = await judgmentsFirst([...list]);
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
  at("files").disabled = false;
}

at("files").addEventListener("change", () => take(at("files").files));
at("drop").addEventListener("dragover", (event) => { event.preventDefault(); at("drop").classList.add("over"); });
at("drop").addEventListener("dragleave", () => at("drop").classList.remove("over"));
at("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (!at("files").disabled) take(event.dataTransfer.files);
});

try {
  const urls = { pyodide: absolute(config.pyodide), packages: config.packages.map((name) => (name.endsWith(".whl") ? absolute(name) : name)) };
  const archives = config.archives?.map((archive) => ({ ...archive, url: absolute(archive.url) }));
  await ask({ kind: "start", config: { ...config, ...urls, archives } });
  at("status").textContent = "Ready.";
  at("files").disabled = false;
} catch (error) {
  show("fault", `Python cannot be loaded: ${error.message}`);
  at("status").textContent = "";
}
