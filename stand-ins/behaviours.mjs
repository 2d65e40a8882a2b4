// What both stand-ins can do to themselves as processes: write, wait, stay deaf, leave a child behind, end.
import { appendFileSync, closeSync, existsSync, openSync } from 'node:fs';
import { pathIn } from './scenario.mjs';

/** The behaviours that mean the same for every stand-in. */
export const COMMON_BEHAVIOURS = ['touch', 'wait-for', 'ignore-term', 'ignore-int', 'grandchild', 'busy', 'writes'];

/** "For ever" ends after an hour, so that a stand-in whose test died does not stay on the machine. */
const FOR_EVER_MS = 3_600_000;
const GRANDCHILD_SECONDS = 300;
const POLL_MS = 20;
const WRITE_MS = 100;

/** @param {number} ms @returns {Promise<void>} */
export const sleep = (ms) => new Promise((over) => setTimeout(over, ms));

/**
 * Resolves when the bytes have left this process; process.exit() right after it loses nothing.
 * @param {string | Uint8Array} bytes
 */
export function print(bytes) {
  return write(process.stdout, bytes);
}

/** @param {string} text */
export function printError(text) {
  return write(process.stderr, text);
}

/**
 * Prints one line on stderr and ends with exit code 1.
 * @param {string} message
 * @returns {Promise<never>}
 */
export async function fail(message) {
  await printError(`${message}\n`);
  process.exit(1);
}

/** @returns {Promise<never>} */
export async function doNothingForEver() {
  await sleep(FOR_EVER_MS);
  process.exit(1);
}

/**
 * Plays the behaviours that come before the answer, in this order: deaf to signals, grandchild, busy, writes, touch,
 * wait-for, after_ms.
 * Whoever sees the touched file knows that the signal handlers and the grandchild are in place.
 * @param {import('./scenario.mjs').Scenario} scenario
 * @param {import('./scenario.mjs').Call} call
 * @param {Map<string, any>} does
 */
export async function prepare(scenario, call, does) {
  if (does.has('ignore-term')) process.removeAllListeners('SIGTERM').on('SIGTERM', () => {});
  if (does.has('ignore-int')) process.removeAllListeners('SIGINT').on('SIGINT', () => {});
  if (does.has('grandchild')) await leaveGrandchild(scenario, does.get('grandchild'));
  if (does.has('busy')) (await spawner())('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }).unref();
  if (does.has('writes')) setInterval(() => appendFileSync('progress.txt', '.'), WRITE_MS).unref();
  if (does.has('touch')) closeSync(openSync(pathIn(scenario, does.get('touch')), 'a'));
  if (does.has('wait-for')) {
    const path = pathIn(scenario, does.get('wait-for'));
    for (const end = Date.now() + FOR_EVER_MS; !existsSync(path) && Date.now() < end;) await sleep(POLL_MS);
  }
  if (call.after_ms) await sleep(call.after_ms);
}

/**
 * Splits a text into the pieces in which a call wants it written.
 * @param {string} text
 * @param {import('./scenario.mjs').Call} call
 */
export function piecesOf(text, call) {
  const size = call.chunk ?? (call.every_ms ? 16 : Number.POSITIVE_INFINITY);
  if (text.length <= size) return text === '' ? [] : [text];
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}

/**
 * A text of n megabytes made of lines, for readers that must not hold everything.
 * @param {number} megabytes
 */
export function textOfMegabytes(megabytes) {
  const line = `${'stand-in '.repeat(14)}\n`;
  return line.repeat(Math.ceil((megabytes * 1024 * 1024) / line.length)).slice(0, megabytes * 1024 * 1024);
}

/** Tokens are estimated as a quarter of the bytes, rounded up. */
export function estimateTokens(text) {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Reads stdin to its end. @returns {Promise<Buffer>} */
export async function readStdin() {
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  return Buffer.concat(parts);
}

/** The pids of what this process left running. @type {number[]} */
export const grandchildren = [];

/**
 * Starts a `sleep` in its own session that holds stdout and outlives this process; its pid goes to `<scenario>.grandchildren`.
 */
async function leaveGrandchild(scenario, seconds) {
  const spawn = await spawner();
  const child = spawn('sleep', [String(seconds === true ? GRANDCHILD_SECONDS : seconds)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  child.unref();
  appendFileSync(`${scenario.path}.grandchildren`, `${child.pid}\n`);
  grandchildren.push(child.pid);
}

/** Loaded where it is needed: a stand-in is started very often, and few of them start something. */
const spawner = async () => (await import('node:child_process')).spawn;

/** A reader that went away ends the program, as SIGPIPE would (128 + 13). */
function write(stream, bytes) {
  if (stream.listenerCount('error') === 0) stream.on('error', () => process.exit(141));
  return new Promise((written) => stream.write(bytes, written));
}
