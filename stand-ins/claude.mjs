// A stand-in for the `claude` command line (Claude Code 2.1.330) in print mode, with answers from a scenario.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  COMMON_BEHAVIOURS,
  estimateTokens,
  fail,
  grandchildren,
  print,
  printError,
  readStdin,
  sleep,
} from './behaviours.mjs';
import { ANSWER_BEHAVIOURS, blockedAnswer, failedAnswer, play, slashAnswer } from './claude-answers.mjs';
import { eventsOf, isUnknownModel, modelName, randomUuid } from './claude-events.mjs';
import { helpText, parseClaude } from './claude-options.mjs';
import { ScenarioError, claim, claimAnswer, loadScenario, record } from './scenario.mjs';

const BEHAVIOURS = new Set([...COMMON_BEHAVIOURS, ...ANSWER_BEHAVIOURS]);
const STDIN_WAIT_MS = 3000;
const STDIN_MOST_BYTES = 10 * 1024 * 1024;
const CONTEXT_TOKENS = 1_000_000;
const NO_INPUT = 'Error: Input must be provided either through stdin or as a prompt argument when using --print';
const BUILT_IN_COMMANDS = new Set('clear compact context cost help init model review security-review usage'.split(' '));
/** How long the real program needs to end its shell commands; without any it ends at once. */
const CLEAN_UP_MS = 1400;

const argv = process.argv.slice(2);

try {
  // The judge's program is started very often; what edits is loaded where it is wanted.
  if (argv.includes('acceptEdits')) await (await import('./editing.mjs')).edit('claude', argv);
  else await main();
} catch (error) {
  await fail(`Error: ${error instanceof ScenarioError ? error.message : error.stack}`);
}

async function main() {
  const version = argv[0] === '--version' || argv[0] === '-v';
  const help = argv.includes('--help');
  const { words, given, problem } = parseClaude(version || help || argv[0] === 'auth' ? [] : argv);
  const unscripted = version || help || problem !== undefined;
  const scenario = unscripted && !process.env['ANDON_SCENARIO'] ? undefined : loadScenario('claude', BEHAVIOURS);
  const log = (prompt, more = {}) => scenario && record(scenario, { program: 'claude', argv, prompt, ...more });

  if (problem !== undefined || !given['--print']) log(null);
  if (version) return print('2.1.330 (Claude Code)\n');
  if (help) return print(helpText());
  if (problem !== undefined) return fail(problem);
  if (argv[0] === 'auth' && argv[1] === 'status') return authStatus(scenario.claude_auth);
  if (!given['--print']) return fail('Error: this stand-in cannot be talked to interactively; use --print');
  if (given['--input-format'] === 'stream-json') return fail('Error: this stand-in reads only text from stdin');

  const model = modelName(given['--model']);
  const events = eventsOf({ sessionId: given['--session-id'] ?? randomUuid(), model, given });
  const output = outputOf(given);
  const spentSoFar = { in: 0, out: 0, usd: 0 };
  listenToSignals(events, output, spentSoFar);

  const piped = await pipedInput(words.length > 0);
  if (piped === undefined || piped.length > STDIN_MOST_BYTES) log(null);
  if (piped === undefined) return fail(NO_INPUT);
  if (piped.length > STDIN_MOST_BYTES) return fail('Error: piped stdin input exceeds 10MB.');
  const written = [...words.slice(0, 1), ...(piped.length > 0 ? [piped.toString()] : [])].join('\n');
  const prompt = expandFiles(written, given);
  if (prompt.trim() === '') {
    log(prompt);
    return fail(NO_INPUT);
  }

  const finish = async (code) => {
    await output.end();
    process.exit(code);
  };
  const run = { scenario, given, model, events, output, prompt, finish, spentSoFar };
  if (sessionIsUsed(scenario, given)) {
    log(prompt);
    return fail(`Error: Session ID ${given['--session-id']} is already in use.`);
  }
  const unanswered = unansweredAnswer(run);
  if (unanswered) {
    log(prompt);
    await output.emit(events.init());
    return unanswered();
  }
  if (isUnknownModel(model))
    await printError(`Warning: the model "${model}" is not known here; it is sent all the same.\n`);
  const answer = claimAnswer(scenario, { program: 'claude', models: [given['--model'] ?? model, model], prompt });
  log(prompt, { answer: answer?.index ?? null });
  if (answer) return play(run, answer.call);
  await output.emit(events.init());
  return failedAnswer(run, { result: 'scenario has no answer for this prompt', terminal_reason: 'api_error' });
}

/** The cases in which nothing is sent to any model. */
function unansweredAnswer(run) {
  const command = /^\/([a-z-]+)/.exec(run.prompt)?.[1];
  if (!run.given['--disable-slash-commands'] && BUILT_IN_COMMANDS.has(command)) return () => slashAnswer(run);
  if (!run.scenario.claude_auth)
    return () => failedAnswer(run, { result: 'Not logged in · Please run /login', terminal_reason: 'api_error' });
  return estimateTokens(run.prompt) > CONTEXT_TOKENS ? () => blockedAnswer(run) : undefined;
}

async function authStatus(loggedIn) {
  const status = { loggedIn, authMethod: loggedIn ? 'claude.ai' : 'none', apiProvider: 'firstParty' };
  await print(`${JSON.stringify(status, undefined, 2)}\n`);
  process.exit(loggedIn ? 0 : 1);
}

/** All of stdin; nothing when stdin stays open without a byte for three seconds; undefined when there is no prompt at all. */
async function pipedInput(hasWords) {
  if (process.stdin.isTTY) return hasWords ? Buffer.alloc(0) : undefined;
  let begun = false;
  process.stdin.once('readable', () => (begun = true));
  const all = readStdin();
  const silence = sleep(STDIN_WAIT_MS).then(() => (begun ? all : undefined));
  const input = await Promise.race([all, silence]);
  if (input !== undefined) return input.length === 0 && !hasWords ? undefined : input;
  await printError(
    'Warning: no stdin data received in 3s, proceeding without it. If piping from a slow command, redirect stdin explicitly: < /dev/null to skip, or wait longer.\n',
  );
  return hasWords ? Buffer.alloc(0) : undefined;
}

/**
 * A path behind an @ is replaced by nothing and its file's content is added to the prompt, wherever the file lies;
 * --restricted, --bare and a deny rule for exactly that file keep it out.
 */
function expandFiles(prompt, given) {
  if (given['--restricted'] || given['--bare']) return prompt;
  const denied = (given['--disallowedTools'] ?? []).join(' ');
  const paths = [...prompt.matchAll(/(?:^|[\s"'`(])@([^\s"'`()]+)/g)].map(([, path]) => resolve(path));
  return [...new Set(paths)]
    .filter((path) => isFile(path) && !denied.includes(`Read(/${path})`))
    .reduce((text, path) => `${text}\n\nContents of ${path}:\n${readFileSync(path, 'utf8')}`, prompt);
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A session id can be used once, unless its sessions are not kept. */
function sessionIsUsed(scenario, given) {
  const id = given['--session-id'];
  return id !== undefined && !given['--no-session-persistence'] && !claim(scenario, `claude-session-${id}`);
}

/** Where events go: printed one by one (stream-json), collected (json --verbose), or only the last result (json, text). */
function outputOf(given) {
  const format = given['--output-format'] ?? 'text';
  const collected = [];
  const texts = [];
  return {
    /** @param {{type: string}} event @param {string} [text] what a result is in text mode */
    async emit(event, text) {
      if (format === 'stream-json') await print(`${JSON.stringify(event)}\n`);
      else collected.push(event);
      if (event.type === 'result' && text !== undefined) texts.push(text);
    },
    async end() {
      if (format === 'text') return texts.length === 0 ? undefined : print(`${texts.join('\n\n')}\n`);
      if (format === 'stream-json' || collected.length === 0) return undefined;
      return print(`${JSON.stringify(given['--verbose'] ? collected : collected.at(-1))}\n`);
    },
  };
}

/** SIGINT ends with a result that says so and exit code 0; SIGTERM and SIGHUP end with nothing on stdout. */
function listenToSignals(events, output, spentSoFar) {
  const interrupted = async () => {
    await cleanUp();
    const errors = ['Request was aborted.'];
    const fields = {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
      stop_reason: null,
      errors,
    };
    await output.emit(events.result({ spent: { ...spentSoFar }, ...fields }));
    await output.end();
    process.exit(0);
  };
  process.once('SIGINT', () => void interrupted());
  process.once('SIGTERM', () => void cleanUp().then(() => process.exit(143)));
  process.once('SIGHUP', () => void cleanUp().then(() => process.exit(129)));
}

/** Ends what this process started, as slowly as the real program. */
async function cleanUp() {
  if (grandchildren.length > 0) await sleep(CLEAN_UP_MS);
  for (const pid of grandchildren) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}
