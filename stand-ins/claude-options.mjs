// The arguments of the claude command line, parsed and refused as its own parser does it.
import { readFileSync } from 'node:fs';

const PERMISSION_MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'];

/** 'flag' stands alone, 'value' takes the next argument, 'values' takes all arguments up to the next option. */
const OPTIONS = {
  '--print': 'flag',
  '--verbose': 'flag',
  '--restricted': 'flag',
  '--bare': 'flag',
  '--safe-mode': 'flag',
  '--strict-mcp-config': 'flag',
  '--no-session-persistence': 'flag',
  '--disable-slash-commands': 'flag',
  '--dangerously-skip-permissions': 'flag',
  '--include-partial-messages': 'flag',
  '--output-format': 'value',
  '--input-format': 'value',
  '--setting-sources': 'value',
  '--permission-mode': 'value',
  '--permission-prompts': 'value',
  '--json-schema': 'value',
  '--model': 'value',
  '--fallback-model': 'value',
  '--effort': 'value',
  '--max-turns': 'value',
  '--max-budget-usd': 'value',
  '--append-system-prompt': 'value',
  '--append-system-prompt-file': 'value',
  '--system-prompt': 'value',
  '--system-prompt-file': 'value',
  '--session-id': 'value',
  '--resume': 'value',
  '--settings': 'value',
  '--tools': 'values',
  '--allowedTools': 'values',
  '--disallowedTools': 'values',
  '--add-dir': 'values',
  '--mcp-config': 'values',
};
const ALIASES = {
  '-p': '--print',
  '-r': '--resume',
  '--allowed-tools': '--allowedTools',
  '--disallowed-tools': '--disallowedTools',
};
const CHOICES = {
  '--output-format': ['text', 'json', 'stream-json'],
  '--input-format': ['text', 'stream-json'],
  '--permission-mode': PERMISSION_MODES,
};

/**
 * @typedef {{words: string[], given: Record<string, any>, problem?: string}} ClaudeOptions
 *   `given` is keyed by the long option, `problem` is the whole line for stderr
 *
 * @param {string[]} argv
 * @returns {ClaudeOptions}
 */
export function parseClaude(argv) {
  const words = [];
  const given = {};
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at];
    if (argument === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument);
      continue;
    }
    const [, written, inline] = /^(--?[^=]*)(?:=(.*))?$/s.exec(argument);
    const name = Object.hasOwn(ALIASES, written) ? ALIASES[written] : written;
    const kind = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (kind === undefined) return { words, given, problem: `error: unknown option '${written}'` };
    if (kind === 'flag') {
      given[name] = true;
      continue;
    }
    if (inline === undefined && at + 1 >= argv.length) {
      return { words, given, problem: `error: option '${name} <value>' argument missing` };
    }
    const first = inline ?? argv[(at += 1)];
    if (kind === 'values') {
      const values = [first];
      const end = inline === undefined ? endOfValues(argv, at + 1) : at + 1;
      values.push(...argv.slice(at + 1, end));
      at = end - 1;
      given[name] = [...(given[name] ?? []), ...values];
    } else given[name] = first;
    const choices = CHOICES[name];
    if (choices && !choices.includes(first)) {
      const allowed = `Allowed choices are ${choices.join(', ')}.`;
      return { words, given, problem: `error: option '${name} <value>' argument '${first}' is invalid. ${allowed}` };
    }
  }
  const problem = refusalOf(given);
  return problem === undefined ? { words, given } : { words, given, problem };
}

/** Options that the program knows but does not tell of. */
const UNTOLD = new Set(['--max-turns']);

/** What `--help` prints: every option that is told of. */
export function helpText() {
  const told = Object.keys(OPTIONS).filter((name) => !UNTOLD.has(name));
  return `Usage: claude [options] [command] [prompt]\n\nOptions:\n${told.map((name) => `  ${name}\n`).join('')}`;
}

/** The place of the next option, or the end of all. */
function endOfValues(argv, from) {
  const next = argv.findIndex((argument, place) => place >= from && argument.startsWith('-'));
  return next === -1 ? argv.length : next;
}

/** What is refused after parsing, before anything is sent. */
function refusalOf(given) {
  const budget = given['--max-budget-usd'];
  if (budget !== undefined && !(Number(budget) > 0)) {
    return `error: option '--max-budget-usd <amount>' argument '${budget}' is invalid. It must be a number greater than 0.`;
  }
  const session = given['--session-id'];
  if (session !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(session)) {
    return 'Error: Invalid session ID. Must be a valid UUID.';
  }
  const bypasses = given['--dangerously-skip-permissions'] || given['--permission-mode'] === 'bypassPermissions';
  if (bypasses && process.getuid?.() === 0 && process.env['IS_SANDBOX'] !== '1') {
    return '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';
  }
  if (given['--print'] && given['--output-format'] === 'stream-json' && !given['--verbose']) {
    return 'Error: When using --print, --output-format=stream-json requires --verbose';
  }
  return wrongSchema(given['--json-schema']) ?? missingFile(given);
}

function wrongSchema(schema) {
  if (schema === undefined) return undefined;
  try {
    JSON.parse(schema);
    return undefined;
  } catch (error) {
    return `Error: --json-schema is not valid JSON: ${error.message}`;
  }
}

function missingFile(given) {
  for (const name of ['--append-system-prompt-file', '--system-prompt-file']) {
    if (given[name] === undefined) continue;
    try {
      readFileSync(given[name]);
    } catch {
      return `Error: ${name} not found: ${given[name]}`;
    }
  }
  return undefined;
}
