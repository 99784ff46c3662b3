// Commands of Gainful in Pyodide under Node: node pyodide_commands.mjs BUILD DATA < commands.json > answers.json
import fs from "node:fs";
import path from "node:path";

const [build, data] = process.argv.slice(2).map((name) => path.resolve(name));
const bytes = (file) => new Uint8Array(fs.readFileSync(file));
const home = path.join(build, "node_modules", "pyodide");
const { loadPyodide } = await import(path.join(home, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: home + "/" });
const numpy = path.join(build, "node_modules", "@emscripten-forge", "numpy", "pkg");
python.unpackArchive(bytes(path.join(numpy, fs.readdirSync(numpy)[0])), "gztar", { extractDir: "/" });
const wheels = path.join(build, "wheels");
for (const wheel of fs.readdirSync(wheels)) python.unpackArchive(bytes(path.join(wheels, wheel)), "wheel");
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
