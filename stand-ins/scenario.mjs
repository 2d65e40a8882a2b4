// The script that the stand-ins act out: which answer belongs to which prompt, and what was asked so far.
// The format is described in README.md.
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * @typedef {object} Call One scripted answer.
 * @property {{model?: string, includes?: string[], excludes?: string[]}} [when]
 * @property {number} [times] how often this answer may be given; unlimited when absent
 * @property {string} [reply]
 * @property {string[]} [reply_lines]
 * @property {unknown} [structured]
 * @property {string} [thoughts]
 * @property {(string | Record<string, unknown>)[]} [does]
 * @property {number} [chunk] characters
 * @property {number} [every_ms]
 * @property {number} [after_ms]
 * @property {{in?: number, out?: number, usd?: number}} [usage]
 *
 * @typedef {{context?: number, largest?: number, loaded?: boolean, loaded_as?: number | null, thinks?: boolean}} Model
 *
 * @typedef {object} Scenario
 * @property {string} path
 * @property {Record<string, Model>} models
 * @property {Call[]} calls the calls of this program only
 * @property {boolean} claude_auth
 * @property {boolean} ollama_server
 * @property {{client: string, server: string}} ollama_version
 * @property {string[]} ollama_unknown options of `ollama run` that this version does not know
 * @property {Record<string, Call['does']>} ollama_does behaviours of commands that answer no prompt
 * @property {Record<string, string>} versions what other programs say when asked for their version
 * @property {string[]} logged_out programs of which nobody is logged in to
 */

const CALL_KEYS = new Set(
  'when times reply reply_lines structured thoughts does chunk every_ms after_ms usage'.split(' '),
);
const SCENARIO_KEYS = new Set(
  'models ollama claude claude_auth ollama_server ollama_version ollama_unknown ollama_does codex gemini qwen opencode copilot versions logged_out'.split(
    ' ',
  ),
);

/** A mistake in the scenario itself: the stand-in prints it and exits 1, so that the test sees it. */
export class ScenarioError extends Error {}

/**
 * Reads the scenario named by ANDON_SCENARIO and refuses any word in it that would be silently ignored.
 * @param {string} program
 * @param {ReadonlySet<string>} behaviours the names that `does` of this program may hold
 * @returns {Scenario}
 */
export function loadScenario(program, behaviours) {
  const named = process.env['ANDON_SCENARIO'];
  if (!named) throw new ScenarioError('ANDON_SCENARIO is not set, so this stand-in has no scenario to play');
  const path = resolve(named);
  const scenario = parseScenario(path);
  refuseUnknown(Object.keys(scenario), SCENARIO_KEYS, 'key');
  const calls = scenario[program] ?? [];
  for (const [index, call] of calls.entries()) {
    refuseUnknown(Object.keys(call), CALL_KEYS, `key in ${program}[${index}]`);
    refuseUnknown(behavioursOf(call).keys(), behaviours, `behaviour in ${program}[${index}]`);
  }
  return {
    path,
    models: scenario.models ?? {},
    calls,
    claude_auth: scenario.claude_auth ?? true,
    ollama_server: scenario.ollama_server ?? true,
    ollama_version: { client: '0.33.0', server: '0.33.0', ...scenario.ollama_version },
    ollama_unknown: scenario.ollama_unknown ?? [],
    ollama_does: scenario.ollama_does ?? {},
    versions: scenario.versions ?? {},
    logged_out: scenario.logged_out ?? [],
  };
}

/**
 * The behaviours of a call by name; a plain string has the value true.
 * @param {Call} call
 * @returns {Map<string, any>}
 */
export function behavioursOf(call) {
  return new Map(
    (call.does ?? []).flatMap((item) => (typeof item === 'string' ? [[item, true]] : Object.entries(item))),
  );
}

/**
 * Finds the first call that matches and is not used up, and uses it once. The claim is a file created with the
 * exclusive flag, so two processes never get the same use and a killed process keeps the use it claimed.
 * @param {Scenario} scenario
 * @param {{program: string, models: string[], prompt: string}} asked `models` are the names of the one model asked
 * @returns {{call: Call, index: number} | undefined}
 */
export function claimAnswer(scenario, { program, models, prompt }) {
  const names = new Set(models.map(fullName));
  for (const [index, call] of scenario.calls.entries()) {
    const { when = {} } = call;
    if (when.model !== undefined && !names.has(fullName(when.model))) continue;
    if (when.includes?.some((text) => !prompt.includes(text))) continue;
    if (when.excludes?.some((text) => prompt.includes(text))) continue;
    if (call.times === undefined) return { call, index };
    for (let use = 1; use <= call.times; use += 1) {
      if (claim(scenario, `${program}-${index}-${use}`)) return { call, index };
    }
  }
  return undefined;
}

/**
 * Creates `<scenario>.used/<name>`; false when it was there already.
 * @param {Scenario} scenario
 * @param {string} name
 */
export function claim(scenario, name) {
  const folder = `${scenario.path}.used`;
  mkdirSync(folder, { recursive: true });
  try {
    closeSync(openSync(join(folder, encodeURIComponent(name)), 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The text of a call's answer, placeholders filled, or undefined when the call has none.
 * @param {Call} call
 * @param {string} prompt
 */
export function replyOf(call, prompt) {
  const text = call.reply ?? call.reply_lines?.join('\n');
  return text === undefined ? undefined : /** @type {string} */ (fill(text, prompt));
}

/**
 * Replaces `{{prompt:REGEX}}` and `{{file:NAME:REGEX}}` in every string of a value by capture group 1.
 * @param {unknown} value
 * @param {string} prompt
 * @returns {unknown}
 */
export function fill(value, prompt) {
  if (Array.isArray(value)) return value.map((item) => fill(item, prompt));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, prompt)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\{\{(?:prompt|file:([^:]+)):(.+?)\}\}(?!\})/g, (placeholder, file, pattern) => {
    const found = new RegExp(pattern, 'm').exec(file === undefined ? prompt : readNamed(file, placeholder));
    if (found?.[1] === undefined) throw new ScenarioError(`scenario placeholder found nothing: ${placeholder}`);
    return found[1];
  });
}

/**
 * Appends what was asked to `<scenario>.log`, one JSON object per line.
 * @param {Scenario} scenario
 * @param {{program: string, argv: string[], prompt: string | null, answer?: number | null, [more: string]: unknown}} asked
 */
export function record(scenario, { program, argv, prompt, answer = null, ...more }) {
  const env = Object.keys(process.env).toSorted();
  const line = {
    program,
    argv,
    cwd: process.cwd(),
    pid: process.pid,
    env,
    prompt,
    at: new Date().toISOString(),
    answer,
    ...more,
  };
  appendFileSync(`${scenario.path}.log`, `${JSON.stringify(line)}\n`);
}

/**
 * A model's name with its tag: `llama` and `llama:latest` are the same model.
 * @param {string} name
 */
export function fullName(name) {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}

/**
 * Paths in a scenario are relative to the folder that holds it.
 * @param {Scenario} scenario
 * @param {string} path
 */
export function pathIn(scenario, path) {
  return resolve(dirname(scenario.path), path);
}

function parseScenario(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ScenarioError(`scenario ${path} cannot be read: ${error.message}`);
  }
}

function refuseUnknown(names, known, what) {
  for (const name of names) {
    if (!known.has(name)) throw new ScenarioError(`scenario has an unknown ${what}: ${name}`);
  }
}

function readNamed(file, placeholder) {
  try {
    return readFileSync(resolve(file), 'utf8');
  } catch (error) {
    throw new ScenarioError(`scenario placeholder ${placeholder} cannot be read: ${error.message}`);
  }
}
