import { stemOf } from '../text/words.ts';
import type { GroundingClaim } from './claims.ts';
import { numbersIn, vagueNumbersIn } from './numbers.ts';
import type { NumberSaid } from './numbers.ts';

/** A context, read once for all claims. */
export interface Context {
  readonly text: string;
  readonly lower: string;
  /** The words of it, taken apart where code joins them, one space between each. */
  readonly parted: string;
  readonly numbers: readonly NumberSaid[];
  /** Those of them that stand there as numbers. */
  readonly plain: readonly NumberSaid[];
  /** Every run of digits, also inside words and paths: these are never missing. */
  readonly runs: ReadonlySet<string>;
  readonly paths: readonly string[];
  /** What was found out about claims that were made before. */
  readonly answered: Map<string, ClaimSupport>;
}

/** Reads a context. */
export function readGroundingContext(text: string): Context {
  const plain = distinct(numbersIn(text));
  return {
    text,
    plain,
    answered: new Map(),
    lower: text.toLowerCase(),
    parted: ` ${partsOf(text)} `,
    numbers: distinct([...plain, ...vagueNumbersIn(text)]),
    runs: new Set(text.match(/\d+(?:\.\d+)?/g) ?? []),
    paths: [...new Set(text.match(/[\w@~.+-]{0,200}(?:\/[\w@~.+-]{1,200})+|[\w-]{1,200}\.\w{1,6}/g) ?? [])],
  };
}

const distinct = (numbers: readonly NumberSaid[]): readonly NumberSaid[] => [
  ...new Map(numbers.map((one) => [`${one.value} ${one.of}`, one])).values(),
];

/** What a context says of a claim: that it is so, that it is not, or nothing that could be compared. */
export type ClaimSupport =
  | { readonly is: 'held' | 'unknown' }
  | { readonly is: 'against' | 'missing'; readonly why: string };

const HELD: ClaimSupport = { is: 'held' };
const UNKNOWN: ClaimSupport = { is: 'unknown' };

/** Holds one claim against a context; what is not firmly said is never against it. */
export function findClaimSupport(claim: GroundingClaim, context: Context): ClaimSupport {
  const said = claim.kind === 'number' || claim.kind === 'tests' ? `${claim.number.value} ${claim.number.of}` : '';
  const key = `${claim.kind} ${claim.text} ${said}`;
  const known = context.answered.get(key);
  if (known === undefined && context.answered.size >= MOST_CLAIMS) return UNKNOWN;
  const holding = known ?? firmly(claim, context);
  context.answered.set(key, holding);
  return claim.isFirm || holding.is === 'held' ? holding : UNKNOWN;
}

/** More different claims than any answer makes; none beyond is looked for. */
const MOST_CLAIMS = 2000;

function firmly(claim: GroundingClaim, context: Context): ClaimSupport {
  if (claim.kind === 'number' || claim.kind === 'tests') return numberHeld(claim.number, claim.kind, context);
  const { kind, text } = claim;
  if (kind === 'path') return pathHeld(text, context);
  if (kind === 'name') return nameHeld(text, context);
  if (context.lower.includes(text.toLowerCase())) return HELD;
  if (kind === 'exact') return { is: 'against', why: `${text} is not in the context` };
  if (kind === 'code') return { is: 'missing', why: `${text} is not in the context` };
  const bare = text.replace(/^--/, '');
  if (context.parted.includes(` ${partsOf(bare)} `)) return HELD;
  const members = bare.split(/[.#]/);
  if (members.length > 1 && members.every((one) => context.lower.includes(one.toLowerCase()))) return HELD;
  return { is: 'against', why: `the identifier ${text} is not in the context` };
}

/** The words of a text or an identifier: `maxRetries`, `max_retries` and `max retries` are the same. */
const partsOf = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');

function pathHeld(path: string, { text, paths }: Context): ClaimSupport {
  if (text.includes(path)) return HELD;
  // A context may know a file by its last folders only.
  if (paths.some((one) => path.endsWith(`/${one}`) && one.includes('.'))) return HELD;
  if (paths.length === 0) return UNKNOWN;
  return { is: 'against', why: `the path ${path} is not in the context` };
}

function nameHeld(name: string, { lower, parted }: Context): ClaimSupport {
  const missing = name.split(' ').find((word) => {
    const low = word.toLowerCase();
    return !lower.includes(low) && !parted.includes(` ${stemOf(low)}`);
  });
  return missing === undefined ? HELD : { is: 'missing', why: `the context does not speak of ${name}` };
}

function numberHeld(said: NumberSaid, kind: 'number' | 'tests', context: Context): ClaimSupport {
  const { value, of } = said;
  const isSame = (one: NumberSaid): boolean =>
    near(one.value, value) && (one.of === of || one.isMeasured === said.isMeasured || !one.isMeasured);
  const same = context.numbers.filter(isSame);
  if (same.some((one) => kind !== 'tests' || one.of === undefined || agrees(one.of, of))) return HELD;
  // A length of time may stand there as a bare number of seconds or milliseconds.
  if (
    of === 'time' &&
    context.numbers.some((one) => one.of === undefined && TICKS.some((ticks) => near(one.value, value * ticks)))
  )
    return HELD;
  const rivals = context.numbers.filter((one) => of !== undefined && one.of !== undefined && agrees(one.of, of));
  const derived =
    kind !== 'tests' &&
    isDerived(
      value,
      context.plain.filter((one) => one.isMeasured === said.isMeasured),
    );
  if (derived) return UNKNOWN;
  const [rival] = rivals;
  if (rival !== undefined) return { is: 'against', why: `${said.text} is not what the context says (${rival.text})` };
  if (context.runs.has(said.text.replace(/[,_']/g, '')) && kind !== 'tests') return UNKNOWN;
  // Small counts made by eye are in no context.
  if (!said.isMeasured && kind !== 'tests' && value <= COUNTED_BY_EYE) return UNKNOWN;
  if (kind === 'tests' && same.length > 0)
    return { is: 'against', why: `${said.text} is not what the context says of it` };
  return { is: 'against', why: `the number ${said.text} is not in the context` };
}

const TICKS = [1, 1000, 1 / 60];
const COUNTED_BY_EYE = 12;

const near = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) * 1e-9;

/** Words for how tests ended mean the same in any of their forms. */
function agrees(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  return one === other || OUTCOMES.some((words) => words.has(one) && words.has(other));
}

const OUTCOMES = [
  'pass passed passing',
  'fail failed failing failure failures',
  'skip skipped',
  'test tests spec specs',
].map((row) => new Set(row.split(' ').map((word) => stemOf(word))));

/** A sum or a difference of two numbers that stand there. */
function isDerived(value: number, numbers: readonly NumberSaid[]): boolean {
  const few = numbers.slice(0, MOST_COMBINED);
  return few.some((one, at) =>
    few.some(
      (other, beside) =>
        at !== beside && (near(one.value + other.value, value) || near(one.value - other.value, value)),
    ),
  );
}

const MOST_COMBINED = 40;
