// Python in a thread of its own: reads what was dropped, and answers with a table, charts to draw, and the page.
import { loadPyodide } from "./pyodide/pyodide.mjs";

let python, made;

const say = (text) => postMessage({ kind: "progress", text });

async function start() {
  say("Loading Python");
  python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  say("Loading Gainful and what it needs");
  const response = await fetch("site-packages.zip");
  if (!response.ok) throw new Error(`site-packages.zip: ${response.status}`);
  python.unpackArchive(await response.arrayBuffer(), "zip");
  python.FS.mkdirTree("/dropped");
  say("Starting Gainful");
  python.runPython("import browser_report, gainful.cli.evaluate");
}

// The command line itself, so that messages are those of the terminal.
function command(words) {
  python.globals.set("words", python.toPy(words));
  return python.runPython(`
import contextlib, io
from gainful.cli import run
out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
    code = run(list(words))
[code, *(stream.buffer.getvalue().decode() for stream in (out, err))]`).toJs();
}

function take(files) {
  for (const name of python.FS.readdir("/dropped")) if (!name.startsWith(".")) python.FS.unlink(`/dropped/${name}`);
  return files.map(({ name, bytes }) => {
    const path = `/dropped/${name.replace(/[/\\]/g, "_")}`;
    python.FS.writeFile(path, new Uint8Array(bytes));
    return path;
  });
}

const answers = {
  start: async () => (await start(), { kind: "ready" }),
  scores: async ({ files }) => {
    const paths = take(files);
    const [code, out, err] = command(["evaluate", ...paths]);
    return { kind: "scores", code, out, err, paths };
  },
  charts: async ({ paths }) => {
    python.globals.set("paths", python.toPy(paths));
    made = python.runPython("browser_report.prepared(paths[0], list(paths[1:]))");
    return { kind: "charts", specs: python.runPython("browser_report.specs")(made) };
  },
  page: async ({ pictures, script }) => {
    const html = python.runPython("browser_report.page")(made, python.toPy(pictures), script);
    return { kind: "page", html };
  },
};

onmessage = async ({ data }) => {
  try {
    postMessage(await answers[data.kind](data));
  } catch (error) {
    const lines = String(error.message ?? error).trim().split("\n");
    postMessage({ kind: "failed", at: data.kind, text: lines[lines.length - 1] });
  }
};
