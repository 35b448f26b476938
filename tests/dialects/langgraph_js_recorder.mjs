// Runs the programs of a Markdown file with the LangGraph.js of a folder: one line of JSON for each,
// with what became of it and the graphs that it compiled.
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
const { CompiledStateGraph, StateGraph } = await import(pathToFileURL(library));

let phase;
for (const compiled of [CompiledStateGraph, Object.getPrototypeOf(CompiledStateGraph)]) {
  const { invoke } = compiled.prototype;
  compiled.prototype.invoke = function (...given) {
    phase = "raises in the run";
    return invoke.apply(this, given);
  };
}

const sorted = (several) => [...several].map((one) => [one].flat(2).join(" > ")).sort();
let graphs = [];
const { compile } = StateGraph.prototype;
StateGraph.prototype.compile = function (...given) {
  const branches = Object.entries(this.branches).flatMap(([source, named]) =>
    Object.values(named).map(({ ends }) => [source, ...(ends ? Object.values(ends) : ["?"])]),
  );
  const ends = Object.entries(this.nodes).filter(([, node]) => node.ends?.length);
  graphs.push({
    nodes: Object.keys(this.nodes),
    edges: sorted(this.edges),
    joins: sorted(this.waitingEdges),
    branches: sorted(branches),
    ends: sorted(ends.map(([name, node]) => [name, ...node.ends])),
  });
  return compile.apply(this, given);
};

const log = console.log;
let number = 0;
for (const [, title, code] of text.matchAll(/^## (.*)\n[\s\S]*?```js\n([\s\S]*?)```/gm)) {
  const file = path.join(folder, `${number++}.mjs`);
  fs.writeFileSync(file, `${prelude}\n${code}`);
  const said = [];
  graphs = [];
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
  log(JSON.stringify({ title, outcome, graphs }));
}
fs.rmSync(folder, { recursive: true });
process.exit(0);
