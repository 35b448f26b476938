// Loads flow modules as acpx does and tells what its own validator says of each.
// Usage: node acpx_validator.mjs NODE_MODULES FILE…   Prints a JSON array of messages, null: accepted.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, ...files] = process.argv.slice(2);
const dist = join(resolve(modules), "acpx", "dist");
const brand = Symbol.for("acpx.flow.definition");
const validate = await findValidator();

async function findValidator() {
  // The validator is exported by a chunk of the package, under a short name.
  for (const name of readdirSync(dist)) {
    if (!name.endsWith(".js")) continue;
    const found = /validateFlowDefinition as (\w+)/.exec(readFileSync(join(dist, name), "utf8"));
    if (found) return (await import(pathToFileURL(join(dist, name)).href))[found[1]];
  }
  throw new Error("no validator in this release of acpx");
}

async function verdict(file) {
  try {
    const { default: flow } = await import(pathToFileURL(resolve(file)).href);
    if (flow === null || typeof flow !== "object" || !flow[brand]) {
      return "Flow module must export default defineFlow({...})";
    }
    validate(flow);
    return null;
  } catch (error) {
    return String(error?.message ?? error);
  }
}

const told = [];
for (const file of files) told.push(await verdict(file));
process.stdout.write(JSON.stringify(told));
