// The arguments of the ollama command line, parsed and refused as its own parser does it.

/** What each command takes: 'flag' stands alone, 'value' takes the next argument, 'optional' takes only `=value`. */
const COMMANDS = {
  run: {
    flags: {
      nowordwrap: 'flag',
      hidethinking: 'flag',
      verbose: 'flag',
      insecure: 'flag',
      truncate: 'flag',
      think: 'optional',
      keepalive: 'value',
      format: 'value',
      dimensions: 'value',
    },
    names: [1, Number.POSITIVE_INFINITY],
  },
  show: {
    flags: {
      parameters: 'flag',
      modelfile: 'flag',
      license: 'flag',
      system: 'flag',
      template: 'flag',
      verbose: 'flag',
    },
    names: [1, 1],
  },
  list: { flags: {}, names: [0, 1] },
  ps: { flags: {}, names: [0, 0] },
  create: { flags: { file: 'value', quantize: 'value', experimental: 'flag' }, names: [1, 1] },
};
const SHORT = { f: 'file', q: 'quantize', v: 'verbose', h: 'help' };
const THINK_VALUES = ['true', 'false', 'low', 'medium', 'high', 'max'];

/**
 * @typedef {{command: string, names: string[], problem?: string, [option: string]: any}} OllamaOptions
 *
 * @param {string[]} argv
 * @param {readonly string[]} [unknown] options that the imitated version does not have
 * @returns {OllamaOptions} `problem` holds the text that goes behind "Error: "
 */
export function parseOllama(argv, unknown = []) {
  const [word = '', ...rest] = argv;
  if (word === '--version' || word === '-v') return { command: 'version', names: [] };
  const command = word === 'ls' ? 'list' : word;
  const options = { command, names: [] };
  const rules = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!rules)
    return { ...options, problem: word.startsWith('-') ? unknownFlag(word) : `unknown command "${word}" for "ollama"` };

  for (let at = 0; at < rest.length; at += 1) {
    const argument = rest[at];
    if (argument === '--') {
      options.names.push(...rest.slice(at + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      options.names.push(argument);
      continue;
    }
    const [, dashes, given, value] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(argument);
    const name = dashes === '-' ? SHORT[given] : given;
    if (name === 'help') return { ...options, help: true };
    const isKnown = name !== undefined && Object.hasOwn(rules.flags, name) && !unknown.includes(name);
    const kind = isKnown ? rules.flags[name] : undefined;
    if (kind === undefined) return { ...options, problem: unknownFlag(dashes + given) };
    if (kind === 'value' && value === undefined && at + 1 >= rest.length)
      return { ...options, problem: `flag needs an argument: --${name}` };
    if (kind === 'flag') options[name] = value !== 'false';
    else if (value !== undefined) options[name] = value;
    else options[name] = kind === 'optional' ? 'true' : rest[(at += 1)];
  }
  const problem = wrongNames(options, rules) ?? wrongKeepalive(options) ?? wrongThink(options) ?? wrongFormat(options);
  return problem === undefined ? options : { ...options, problem };
}

/**
 * What `--help` prints of a command.
 * @param {string} command
 * @param {readonly string[]} [unknown]
 */
export function helpOf(command, unknown = []) {
  const forms = { flag: '', value: ' string', optional: ' string[="true"]' };
  const flags = Object.entries({ ...COMMANDS[command].flags, help: 'flag' })
    .filter(([name]) => !unknown.includes(name))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, kind]) => `      --${name}${forms[kind]}\n`);
  return `Usage:\n  ollama ${command} [flags]\n\nFlags:\n${flags.join('')}`;
}

function unknownFlag(given) {
  return given.startsWith('--') ? `unknown flag: ${given}` : `unknown shorthand flag: '${given[1]}' in ${given}`;
}

function wrongNames({ names }, rules) {
  const [least, most] = rules.names;
  if (names.length < least) return `requires at least ${least} arg(s), only received ${names.length}`;
  return names.length > most ? `accepts ${most} arg(s), received ${names.length}` : undefined;
}

function wrongKeepalive({ keepalive }) {
  if (keepalive === undefined || keepalive === '0') return undefined;
  if (/^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(keepalive)) return undefined;
  return `time: ${/^[-+]?\d+$/.test(keepalive) ? 'missing unit in' : 'invalid'} duration "${keepalive}"`;
}

function wrongThink({ think }) {
  if (think === undefined || THINK_VALUES.includes(think)) return undefined;
  return `invalid value for --think: "${think}" (must be true, false, high, medium, low, or max)`;
}

/** The text is sent as it is: "json" and a JSON schema object work, nothing else does. */
function wrongFormat({ format }) {
  if (format === undefined || format === 'json' || format === '') return undefined;
  try {
    const schema = JSON.parse(format);
    if (schema !== null && typeof schema === 'object' && !Array.isArray(schema)) return undefined;
    return `400 Bad Request: invalid format: ${format}; expected "json" or a valid JSON Schema object`;
  } catch {
    return `json: error calling MarshalJSON for type json.RawMessage: invalid character '${format[0]}' looking for beginning of value`;
  }
}
