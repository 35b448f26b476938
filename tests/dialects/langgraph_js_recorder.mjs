// Runs the programs of a Markdown file with the LangGraph.js of a folder: one line of JSON for each.
//
//     node langgraph_js_recorder.mjs langgraph_js_programs.md folder-with-node_modules
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [document, home] = process.argv.slice(2);
const text = fs.readFileSync(document, "utf8");
const prelude = /```js prelude\n([\s\S]*?)```/.exec(text)[1];
const folder = fs.mkdtempSync(path.join(home, "programs-"));
const library = path.join(home, "node_modules/@langchain/langgraph/dist/index.js");
const { CompiledStateGraph } = await import(pathToFileURL(library));

let phase;
for (const compiled of [CompiledStateGraph, Object.getPrototypeOf(CompiledStateGraph)]) {
  const { invoke } = compiled.prototype;
  compiled.prototype.invoke = function (...given) {
    phase = "raises in the run";
    return invoke.apply(this, given);
  };
}

const log = console.log;
let number = 0;
for (const [, title, code] of text.matchAll(/^## (.*)\n[\s\S]*?```js\n([\s\S]*?)```/gm)) {
  const file = path.join(folder, `${number++}.mjs`);
  fs.writeFileSync(file, `${prelude}\n${code}`);
  const said = [];
  phase = "raises when it is built";
  console.log = (...words) => said.push(words.join(" "));
  console.warn = console.error = () => {};
  let outcome;
  try {
    await import(pathToFileURL(file));
    outcome = said.length ? `gives ${said.join(", ") || "nothing"}` : "says nothing";
  } catch (error) {
    outcome = `${phase}: ${error.name}: ${error.message.split("\n")[0].split(". ")[0]}`;
  }
  console.log = log;
  log(JSON.stringify({ title, outcome }));
}
fs.rmSync(folder, { recursive: true });
process.exit(0);
