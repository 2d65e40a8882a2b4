import { BOUNDS, type Bound } from './bounds.ts';

/** What one run of the command was asked for. */
export interface Options {
  /** Transitions in all journals together. */
  readonly steps: number;
  readonly projects: number;
  readonly atOnce: number;
  /** Lives that end with SIGKILL before the long one. */
  readonly kills: number;
  /** Where the repositories are made; undefined = in memory where there is room, else the folder for temporary files. */
  readonly in: string | undefined;
  readonly json: boolean;
  readonly bounds: readonly Bound[];
}

/** What a storm is asked for (`--storm`). */
export interface Storm {
  readonly seed: number;
  readonly minutes: number;
  readonly json: boolean;
}

/** Thrown for what was typed wrong; its message is one sentence for the terminal. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput';
}

const STORM_USAGE = 'npm run soak -- --storm [--seed N] [--minutes N] [--json]';

/** Reads the command line of a storm; undefined when it asks for none. */
export function readStorm(argv: readonly string[]): Storm | undefined {
  if (!argv.includes('--storm')) return undefined;
  const words = argv.filter((word) => word !== '--storm' && word !== '--json');
  const numbers: Record<string, number> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [word = '', value = ''] = words.slice(at);
    const number = Number(value);
    if (word !== '--seed' && word !== '--minutes')
      throw new WrongInput(`"${word}" is not known in a storm; ${STORM_USAGE}`);
    const isFine = word === '--seed' ? Number.isInteger(number) && number >= 0 : number > 0 && number <= STORM_MINUTES;
    if (value === '' || !isFine)
      throw new WrongInput(
        `${word} must be ${word === '--seed' ? 'a whole number' : `at most ${STORM_MINUTES}`}, not "${value}"; ${STORM_USAGE}`,
      );
    numbers[word] = number;
  }
  return {
    seed: numbers['--seed'] ?? Math.floor(Math.random() * 1_000_000),
    minutes: numbers['--minutes'] ?? STORM_MINUTES,
    json: argv.includes('--json'),
  };
}

const STORM_MINUTES = 15;

const USAGE =
  'npm run soak -- [--storm | --steps N] [--projects N] [--at-once N] [--kills N] [--in FOLDER] [--bound KEY=NUMBER] [--json]';

/** Reads the command line; throws WrongInput with a sentence that says what to type. */
export function readOptions(argv: readonly string[]): Options {
  const numbers: Record<string, number | undefined> = {};
  let [folder, json, bounds]: [string | undefined, boolean, readonly Bound[]] = [undefined, false, BOUNDS];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const value = (): string => {
      at += 1;
      const given = argv[at];
      if (given === undefined) throw new WrongInput(`${word} needs a value; ${USAGE}`);
      return given;
    };
    if (word === '--json') json = true;
    else if (word === '--in') folder = value();
    else if (word === '--bound') bounds = rebound(bounds, value());
    else if (NUMBERS.includes(word)) numbers[word] = count(word, value());
    else throw new WrongInput(`"${word}" is not known here; ${USAGE}`);
  }
  const steps = numbers['--steps'] ?? STEPS;
  return {
    steps,
    projects: numbers['--projects'] ?? Math.min(PROJECTS, Math.max(2, Math.ceil(steps / STEPS_PER_PROJECT))),
    atOnce: numbers['--at-once'] ?? AT_ONCE,
    kills: numbers['--kills'] ?? Math.min(KILLS, Math.ceil(steps / STEPS_PER_KILL)),
    in: folder,
    json,
    bounds,
  };
}

const NUMBERS: readonly string[] = ['--steps', '--projects', '--at-once', '--kills'];
/** 30 days of one project: 6,000 tasks, eight transitions each. */
const STEPS = 50_000;
/** Unless they are named, a short run has fewer projects and kills. */
const PROJECTS = 20;
const AT_ONCE = 6;
const KILLS = 20;
const STEPS_PER_PROJECT = 2500;
const STEPS_PER_KILL = 200;

function count(what: string, text: string): number {
  const number = Number(text);
  const least = what === '--kills' ? 0 : 1;
  if (!Number.isInteger(number) || number < least)
    throw new WrongInput(`${what} must be a whole number from ${least} on, not "${text}"; ${USAGE}`);
  return number;
}

/** Holds this run to another bound, which is how the alarm is tried out. */
function rebound(bounds: readonly Bound[], text: string): readonly Bound[] {
  const [key = '', number = ''] = text.split('=');
  if (!bounds.some((bound) => bound.key === key) || number === '' || !Number.isFinite(Number(number)))
    throw new WrongInput(
      `--bound takes KEY=NUMBER with one of ${bounds.map((bound) => bound.key).join(', ')}; ${USAGE}`,
    );
  return bounds.map((bound) => (bound.key === key ? { ...bound, limit: Number(number) } : bound));
}
