import { parseJsonObject } from '../../base/json-object.ts';
import {
  failureMessage,
  idOf,
  together,
  type PlainOutput,
  type Reading,
  type TestOutcome,
  type TestPoint,
} from './test-points.ts';

/** `go test -json`, one event a line. A package is a test as well: it can be red without one that is. */
export function readGoJson({ text }: PlainOutput): Reading {
  if (!/^\{.*"Action":"/m.test(text)) return undefined;
  const packages = new Map<string, GoPackage>();
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('{') || !line.includes('"Action"')) continue;
    const event = eventOf(line);
    if (event === undefined) return 'unreadable';
    if (event.package === undefined) continue; // of the build
    const known = packages.get(event.package) ?? {
      ended: undefined,
      running: new Set(),
      points: [],
      printed: new Map(),
    };
    packages.set(event.package, known);
    take(known, event);
  }
  const read = together([...packages].map(([name, found]) => pointsOf(name, found)));
  return typeof read === 'object' ? withTests(read) : read;
}

type Event = NonNullable<ReturnType<typeof eventOf>>;

interface GoPackage {
  ended: TestOutcome | undefined;
  readonly running: Set<string>;
  readonly points: TestPoint[];
  /** What each test printed so far, cut. */
  readonly printed: Map<string, string>;
}

function eventOf(line: string) {
  const event = parseJsonObject<Readonly<Record<string, unknown>>>(line, []);
  const text = (key: string): string | undefined => (typeof event?.[key] === 'string' ? event[key] : undefined);
  const action = text('Action');
  return action === undefined
    ? undefined
    : { action, package: text('Package'), test: text('Test'), output: text('Output') };
}

function take(known: GoPackage, { action, test, package: name, output = '' }: Event): void {
  const outcome = OUTCOMES.get(action);
  if (test === undefined) known.ended = outcome ?? known.ended;
  else if (action === 'run') known.running.add(test);
  else if (action === 'output') notePrinted(known.printed, test, output);
  else if (outcome !== undefined) {
    known.running.delete(test);
    const message = failureMessage(outcome, known.printed.get(test) ?? '');
    known.points.push({ id: idOf([name ?? '', test]), outcome, ...message });
  }
}

/** Lines of the runner itself (`=== RUN`, `--- FAIL`) say nothing more. */
function notePrinted(printed: Map<string, string>, test: string, output: string): void {
  const known = printed.get(test) ?? '';
  if (!/^\s*(?:===|---)/.test(output) && known.length < MOST_PRINTED) printed.set(test, known + output);
}

const MOST_PRINTED = 4000;

/** What still ran when its package failed, was ended with it. */
function pointsOf(name: string, { ended, running, points }: GoPackage): readonly TestPoint[] | undefined {
  if (ended === undefined || (running.size > 0 && ended !== 'failed')) return undefined;
  if (ended === 'passed' && points.some(({ outcome }) => outcome === 'failed')) return undefined;
  const cut = [...running].map((test) => ({ id: idOf([name, test]), outcome: 'failed' as const }));
  return [...points, ...cut, { id: name, outcome: ended, isSuite: true }];
}

/** Packages alone are no tests, unless one of them did not get as far as that. */
const withTests = (points: readonly TestPoint[]): readonly TestPoint[] =>
  points.some(({ id, outcome }) => id.includes(' > ') || outcome === 'failed') ? points : [];

const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
]);
