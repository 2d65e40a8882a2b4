// Stand-ins for codex, gemini, qwen, opencode and copilot, as they behave when a program drives them. What is theirs
// alone stands in driven-programs.mjs; here is what they share: launchers, the prompt, the scenario, how a run ends.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import {
  COMMON_BEHAVIOURS,
  doNothingForEver,
  fail,
  prepare,
  print,
  printError,
  readStdin,
  sleep,
} from './behaviours.mjs';
import { PROGRAMS } from './driven-programs.mjs';
import { edit, isEditing } from './editing.mjs';
import { ScenarioError, behavioursOf, claimAnswer, loadScenario, record, replyOf, fill } from './scenario.mjs';

/** The behaviours of these five, besides those of every stand-in. */
const DRIVEN_BEHAVIOURS = [
  ...COMMON_BEHAVIOURS,
  'silent',
  'empty',
  'exit',
  'signal',
  'api-error',
  'retrying',
  'usage-limit',
  'no-usage',
  'unfinished',
  'refused-tool',
  'fenced',
  'invalid-utf8',
  'launcher-dies',
];
/** Which layer of launchers this process is; the innermost one does the work. */
const LAYER = 'STAND_IN_LAYER';
/** Between two lines about a network that is gone. The real codex takes seconds. */
const RETRY_MS = 100;
const LAUNCHER_DIES_MS = 300;

const [name, ...argv] = process.argv.slice(2);
const program = PROGRAMS[name];

try {
  if (program === undefined) await fail(`there is no stand-in for ${name}`);
  await (isEditing(name, argv) ? edit(name, argv) : main());
} catch (error) {
  await fail(`Error: ${error instanceof ScenarioError ? error.message : error.stack}`);
}

async function main() {
  const scenario = loadScenario(name, new Set(DRIVEN_BEHAVIOURS));
  const log = (prompt, more = {}) => record(scenario, { program: name, argv, prompt, ...more });
  if (argv.length === 1 && argv[0] === '--version') {
    log(null);
    return print(program.versionLine(scenario.versions[name] ?? program.version));
  }
  const login = program.login?.(argv, !scenario.logged_out.includes(name));
  if (login !== undefined) {
    log(null);
    await print(login.says);
    process.exit(login.exit);
  }
  if (argv.includes('--help')) {
    log(null);
    return print(`Options: ${program.help.join(' ')}\n`);
  }
  const layer = Number(process.env[LAYER] ?? 0);
  if (layer < program.launchers(process.env)) return launch(layer + 1);

  const given = program.parse(argv);
  if (given.problem !== undefined) {
    log(null);
    await printError(`${given.problem.says}\n`);
    process.exit(given.problem.exit);
  }
  const prompt = (await readStdin()).toString();
  const refused = program.refuses(prompt, given, { isLoggedIn: !scenario.logged_out.includes(name), env: process.env });
  if (refused !== undefined) {
    log(prompt);
    return end(refused);
  }
  const answer = claimAnswer(scenario, { program: name, models: [given.model ?? ''], prompt });
  log(prompt, { answer: answer?.index ?? null, home: process.env['HOME'], files: await filesHere() });
  if (answer === undefined)
    return end(program.failed({ status: 500, message: 'scenario has no answer for this prompt' }));
  await play(scenario, answer.call, prompt, given);
}

async function play(scenario, call, prompt, given) {
  const does = behavioursOf(call);
  program.listen?.();
  if (does.has('launcher-dies')) killLauncher();
  await prepare(scenario, call, does);
  if (program.noise !== undefined) await printError(program.noise);
  await print(program.begins(given));
  if (does.has('silent')) return doNothingForEver();
  if (does.has('retrying')) return retryForEver(does.get('retrying'));
  if (does.has('api-error')) return apiError(does.get('api-error'));
  if (does.has('usage-limit')) return end(program.failed({ status: 429, message: does.get('usage-limit') }));
  if (does.has('refused-tool')) return end(program.refusedTool());
  const text = does.has('empty') ? '' : answerOf(call, prompt, does);
  const usage = does.has('no-usage') ? undefined : { in: 1200, out: 40, ...call.usage };
  const { events, exit = 0 } = program.answers({ text, structured: structuredOf(call, prompt, given), usage, given });
  const last = events.at(-1);
  for (const event of does.has('unfinished') ? events.slice(0, -1) : events) {
    if (call.every_ms) await sleep(call.every_ms);
    if (does.has('signal') && event === last) break;
    await print(event);
  }
  if (does.has('invalid-utf8')) await print(Buffer.from([0x22, 0xff, 0xfe, 0x0a]));
  if (does.has('signal')) process.kill(process.pid, does.get('signal'));
  process.exit(does.has('exit') ? does.get('exit') : exit);
}

/** The text of an answer; data goes behind it as JSON, in a fence where the model likes fences. */
function answerOf(call, prompt, does) {
  const data = call.structured === undefined ? [] : [JSON.stringify(fill(call.structured, prompt))];
  const fenced = data.map((json) => (does.has('fenced') ? `\`\`\`json\n${json}\n\`\`\`` : json));
  return [replyOf(call, prompt), ...fenced].filter((part) => part !== undefined).join('\n');
}

/** What the program hands in by a schema; undefined where none was asked for. */
function structuredOf(call, prompt, given) {
  return call.structured === undefined || given.schema === undefined ? undefined : fill(call.structured, prompt);
}

/** What an error of the service leads to: codex and opencode try some of them again for ever, and say so or not. */
async function apiError(status) {
  const message =
    { 401: 'Unauthorized', 404: 'the model does not exist', 429: 'Too Many Requests' }[status] ?? 'Server Error';
  if (program.waitsFor?.includes(status)) return retryForEver(true);
  return end(program.failed({ status, message }));
}

async function retryForEver(how) {
  const end = how?.times ?? Number.POSITIVE_INFINITY;
  for (let time = 1; time <= end; time += 1) {
    const line = program.retryLine?.(time);
    if (line === undefined) return doNothingForEver();
    await print(line);
    await sleep(RETRY_MS);
  }
  return end(program.failed({ status: 500, message: 'gave up' }));
}

async function end({ out = '', err = '', exit }) {
  await print(out);
  await printError(err);
  process.exit(exit);
}

/** A process before the one that works: what is sent to it does not reach the other. */
function launch(layer) {
  const child = spawn(process.execPath, [process.argv[1], name, ...argv], {
    stdio: 'inherit',
    env: { ...process.env, [LAYER]: String(layer), STAND_IN_LAUNCHER: String(process.pid) },
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
}

/** As out of memory, or a hand, takes the launcher and leaves the rest. */
function killLauncher() {
  const launcher = Number(process.env['STAND_IN_LAUNCHER']);
  setTimeout(() => process.kill(launcher, 'SIGKILL'), LAUNCHER_DIES_MS);
}

async function filesHere() {
  const { readdirSync } = await import('node:fs');
  return readdirSync(process.cwd());
}
