import { lazy } from '../../base/lazy.ts';
import { BREAKERS, type BreakerId } from '../../line/record/trip.ts';
import { shippedNames } from '../../base/system/install-root.ts';
import { readShipped } from './demo-place.ts';
import { drillSchema, type Drill, type ExpectedHalt, type Situation, type Scripted } from './drill.ts';
import {
  FINAL,
  finding,
  issue,
  judges,
  reviewPasses,
  createReply,
  writes,
  type Call,
  type Stations,
  TARGET,
} from './scenario.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { createUsageError } from '../../base/problem.ts';

/** Every drill of `shipped/drills/`, one file each: one per breaker in order of blame, then the others by name. */
export const allDrills = lazy((): readonly Drill[] => {
  const names = shippedNames('drills').flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []);
  const ofBreakers = BREAKERS.filter((breaker) => names.includes(breaker));
  return [...ofBreakers, ...names.filter((name) => !isBreaker(name))].map((name) => readDrill(name));
});

/** Reads one file; throws with the position of every fault. `text` replaces the file on disk. */
export function readDrill(name: string, text?: string): Drill {
  const file = readShipped(`drills/${name}.yaml`, drillSchema, fillTexts, text);
  const breaker = file.breaker ?? (isBreaker(name) ? name : undefined);
  const situations = file.situations.map(({ agents, halt, ...rest }, at): Situation => ({
    ...rest,
    ...(agents && { agents: scriptAgents(agents) }),
    ...(halt && { halt: { ...halt, breaker: halt.breaker ?? breaker ?? nameIt(name, at) } satisfies ExpectedHalt }),
  }));
  return { name, breaker, injects: file.injects, situations };
}

const isBreaker = (name: string): name is BreakerId => (BREAKERS as readonly string[]).includes(name);

function nameIt(name: string, at: number): never {
  throw new Error(`shipped/drills/${name}.yaml: situations.${at}.halt: expected a breaker, because the drill has none`);
}

/** The `{{…}}` placeholders of a drill's file; `{{prompt:…}}` and `{{file:…}}` belong to the stand-ins. */
const NAMED: readonly (readonly [form: RegExp, value: (number: number) => string | number])[] = [
  // The document of the sample contract, and versions of it, so that attempts differ.
  [/^final$/, () => FINAL],
  [/^version (\d+)$/, (number) => `${FINAL}\nVersion ${number}.\n`],
  // A guide of this many lines, for changes that delete some.
  [
    /^guide of (\d+) lines$/,
    (lines) => Array.from({ length: lines }, (_, at) => `Step ${at + 1}: open page ${at + 1} and read it.\n`).join(''),
  ],
  // Seconds since 1970, read once, so that stand-in and check agree.
  [/^in an hour$/, () => IN_AN_HOUR],
];

const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;

const PLACE = /\{\{(?!prompt:|file:)([^{}]*)\}\}/g;

/** Expands every `{{…}}` in a drill's value; reports a fault for unknown ones. */
function fillTexts(value: unknown, faults: string[], place = ''): unknown {
  if (typeof value === 'object' && value !== null) {
    const filled = Object.entries(value).map(
      ([key, inner]) => [key, fillTexts(inner, faults, place === '' ? key : `${place}.${key}`)] as const,
    );
    return Array.isArray(value) ? filled.map(([, inner]) => inner) : Object.fromEntries(filled);
  }
  if (typeof value !== 'string') return value;
  const named = (name: string): string | number => {
    for (const [form, make] of NAMED) {
      const found = form.exec(name);
      if (found !== null) return make(Number(found[1]));
    }
    faults.push(
      `${place}: {{${name}}} means nothing; known are {{final}}, {{version 1}}, {{guide of 10 lines}}, {{in an hour}}`,
    );
    return '';
  };
  const [whole] = value.matchAll(PLACE);
  if (whole?.[0] === value) return named(whole[1] ?? '');
  return value.replaceAll(PLACE, (_, name: string) => String(named(name)));
}

/** Expands the short answers of a drill's file for the stand-ins. */
const scriptAgents = ({ implementer, reviewer, judge }: Scripted): Stations => ({
  ...(implementer && {
    implementer: implementer.map(({ writes: texts, says: words, ...more }) =>
      texts === undefined
        ? createReply(words ?? '', more)
        : writes(typeof texts === 'string' ? { [TARGET]: texts } : texts, more),
    ),
  }),
  ...(reviewer && {
    reviewer: reviewer.map(({ verdict, critical = false, findings = [], ...more }) =>
      reviewPasses({
        structured: {
          verdict,
          critical_security_flaw: critical,
          findings: findings.map((one) => toCall(one, finding)),
        },
        ...more,
      }),
    ),
  }),
  ...(judge && {
    judge: judge.map(({ verdict, issues, report, ...more }) =>
      verdict === undefined
        ? more
        : judges(
            verdict,
            { ...(issues && { blocking_issues: issues.map((one) => toCall(one, issue)) }), ...report },
            more,
          ),
    ),
  }),
});

/** A finding or a blocking issue; a text is its description. */
function toCall(one: string | Call, make: (description: string, more?: Call) => Call): Call {
  if (typeof one === 'string') return make(one);
  const { description, ...more } = one;
  return make(String(description), more);
}

/** The argument for every drill: `andon drill all`. */
const ALL = 'all';

/** The named drills, in list order; throws a Problem with the nearest names for unknown ones. */
export function chooseDrills(names: readonly string[]): readonly Drill[] {
  const drills = allDrills();
  const known = drills.map(({ name }) => name);
  const unknown = names.filter((name) => ![...known, ALL].some((one) => isSame(one, name)));
  if (unknown.length > 0) {
    const nearest = [...new Set(unknown.flatMap((name) => findNearestWord(spelt(name), known) ?? []))];
    throw createUsageError(
      `Unknown drill: ${unknown.map((name) => name.slice(0, 80)).join(', ')}.${nearest.length === 0 ? '' : ` The nearest is ${nearest.join(', ')}.`}`,
      'Run `andon drill` to see all drills.',
    );
  }
  return names.some((name) => isSame(name, ALL))
    ? drills
    : drills.filter((drill) => names.some((name) => isSame(drill.name, name)));
}

const isSame = (one: string, other: string): boolean => spelt(one) === spelt(other);

/** Accepts dashes for the underscores of breakers. */
const spelt = (name: string): string => name.toLowerCase().replaceAll('-', '_');
