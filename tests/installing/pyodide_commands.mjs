// Commands of Gainful in Pyodide under Node: node pyodide_commands.mjs PYODIDE SITE-PACKAGES.ZIP DATA < commands.json > answers.json
import fs from "node:fs";
import path from "node:path";

const [home, packages, data] = process.argv.slice(2).map((name) => path.resolve(name));
const bytes = (file) => new Uint8Array(fs.readFileSync(file));
const { loadPyodide } = await import(path.join(home, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: home + "/" });
python.unpackArchive(bytes(packages), "zip");
for (const file of fs.readdirSync(data)) {
  if (fs.statSync(path.join(data, file)).isFile()) python.FS.writeFile(file, bytes(path.join(data, file)));
}
python.globals.set("commands", python.toPy(JSON.parse(fs.readFileSync(0, "utf8"))));
process.stdout.write(python.runPython(`
import contextlib, io, json
from gainful.cli import run
answers = []
for words in commands:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(words))
    answers.append([code, *(stream.buffer.getvalue().decode() for stream in (out, err))])
json.dumps(answers)`));
