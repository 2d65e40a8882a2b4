import { BOUNDS, type Bound } from './bounds.ts';

/** Fewer pairs than this are a quick try, and the report says so. */
export const ENOUGH_PAIRS = 15;

export const NAMES = [
  'line',
  'git-size',
  'latency',
  'start',
  'hook',
  'growth',
  'throughput',
  'soak',
  'rules',
  'lanes-of-rules',
  'messages',
  'flood',
  'door',
  'board',
] as const;
export type Name = (typeof NAMES)[number];

/** What one run of the command was asked for. */
export interface Options {
  readonly name: Name;
  /** `small`, `big`, or the folder of a real repository. */
  readonly repo: string;
  readonly pairs: number;
  /** Tasks for `soak` and `growth`. */
  readonly tasks: number;
  readonly json: boolean;
  readonly bounds: readonly Bound[];
}

/** Thrown for what was typed wrong; its message is one sentence for the terminal. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput';
}

const USAGE =
  'npm run bench -- <name> [tasks] [--repo small|big|PATH] [--pairs N] [--bound ID=NUMBER] [--json], names: ' +
  NAMES.join(', ');

/** Reads the command line; throws WrongInput with a sentence that says what to type. */
export function readOptions(argv: readonly string[]): Options {
  const [first, ...rest] = argv;
  const name = NAMES.find((known) => known === first);
  if (name === undefined)
    throw new WrongInput(
      `${first === undefined ? 'no benchmark is named' : `there is no benchmark "${first}"`}; ${USAGE}`,
    );
  let options: Options = { name, repo: 'small', pairs: ENOUGH_PAIRS, tasks: 200, json: false, bounds: BOUNDS };
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const value = (): string => {
      at += 1;
      const given = rest[at];
      if (given === undefined) throw new WrongInput(`${word} needs a value; ${USAGE}`);
      return given;
    };
    if (word === '--json') options = { ...options, json: true };
    else if (word === '--repo') options = { ...options, repo: value() };
    else if (word === '--pairs') options = { ...options, pairs: count(word, value()) };
    else if (word === '--bound') options = { ...options, bounds: rebound(options.bounds, value()) };
    else if (/^\d/.test(word)) options = { ...options, tasks: count('tasks', word) };
    else throw new WrongInput(`"${word}" is not known here; ${USAGE}`);
  }
  return options;
}

function count(what: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new WrongInput(`${what} must be a whole number from 1 on, not "${text}"; ${USAGE}`);
  return number;
}

/** Holds this run to another bound, which is how the alarm is tried out. */
function rebound(bounds: readonly Bound[], text: string): readonly Bound[] {
  const [id = '', number = ''] = text.split('=');
  if (!bounds.some((bound) => bound.id === id) || number === '' || !Number.isFinite(Number(number)))
    throw new WrongInput(
      `--bound takes ID=NUMBER with one of ${[...new Set(bounds.map((bound) => bound.id))].join(', ')}; ${USAGE}`,
    );
  return bounds.map((bound) => (bound.id === id ? { ...bound, limit: Number(number) } : bound));
}
