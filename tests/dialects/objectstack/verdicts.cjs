// Reads flows from standard input, one JSON object a line, and writes for each what ObjectStack says:
// whether its schema takes it, whether it can be registered, whether it then runs without data, and
// the rules of its own linter.
const [modules] = process.argv.slice(2);
const load = (name) => require(require.resolve(`@objectstack/${name}`, { paths: [modules] }));
const { FlowSchema } = load("spec/automation");
const { AutomationEngine, installBuiltinNodes } = load("service-automation");
const lint = load("lint");

const quiet = () => {};
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => logger };
const context = {
  logger,
  hook: quiet,
  getService: () => undefined,
  registerService: quiet,
  getKernel: () => undefined,
};

const MOST = 2000;

async function run(flow) {
  const engine = new AutomationEngine(logger);
  installBuiltinNodes(engine, context);
  const name = flow.name ?? "flow";
  try {
    engine.registerFlow(name, flow);
  } catch (error) {
    return [String(error.message).slice(0, 300), null];
  }
  const given = { params: {}, record: { id: "1", amount: 5, state: "sent" } };
  const late = new Promise((done) => setTimeout(() => done({ success: true }), MOST));
  try {
    const result = await Promise.race([engine.execute(name, given), late]);
    return [null, result.success !== false];
  } catch {
    return [null, false];
  }
}

function linted(flow) {
  const stack = { flows: [flow], objects: [] };
  const found = [];
  const checks = [
    ["lintFlowPatterns", "warning"],
    ["validateFlowTriggerReadiness", "warning"],
    ["validateApprovalApprovers", "warning"],
    ["validateStackExpressions", "error"],
  ];
  for (const [name, severity] of checks) {
    for (const one of lint[name](stack)) {
      found.push([one.severity ?? severity, one.rule ?? name]);
    }
  }
  return found;
}

async function main() {
  const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
  for (const line of lines) {
    const flow = JSON.parse(line);
    const parsed = FlowSchema.safeParse(flow);
    let rules = [];
    try {
      rules = linted(flow);
    } catch (error) {
      rules = [["error", `crash: ${String(error.message).slice(0, 100)}`]];
    }
    const [refused, runs] = await run(JSON.parse(line));
    const parse = parsed.success ? null : parsed.error.issues[0].message.slice(0, 200);
    console.log(JSON.stringify({ parse, register: refused, runs, lint: rules }));
  }
  process.exit(0);
}

main();
