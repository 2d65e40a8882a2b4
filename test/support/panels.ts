import { driveBy, scriptDriven } from './drivers.ts';
import { aFactory, type Factory, type Options } from './factory.ts';
import { FINAL, type Stations } from './scenario.ts';

/** What a reviewer says. */
export type Answer = Readonly<Record<string, unknown>>;
export const passes: Answer = { verdict: 'PASS', findings: [] };
export const finds = (...findings: readonly object[]): Answer => ({ verdict: 'FAIL', findings });
/** What it says in the second round to what others found. */
export const answers = (...all: readonly object[]): Answer => ({
  answers: all.map((one) => ({ why: 'so it is', file: null, line: null, quote: null, ...one })),
});
export const nothing = answers();

/** What one reviewer is, and what it says to the first question and to the second. */
export interface Reviewer {
  readonly roles: readonly string[];
  readonly first: Answer;
  readonly second?: Answer;
  readonly does?: readonly unknown[];
  readonly times?: number;
}

/** A line whose local review is held by several; each answers by its own name. */
export async function lineOf(
  reviewers: Readonly<Record<string, Reviewer>>,
  review: object = {},
  stations: Stations = {},
  options: Options = {},
): Promise<Factory> {
  const factory = await aFactory({ projectConfig: { review }, ...options });
  for (const [name, { roles }] of Object.entries(reviewers))
    driveBy(factory, 'codex', { name, profile: { model: `m-${name}`, roles, limits: { idle_minutes: 0.02 } } });
  scriptDriven(
    factory,
    'codex',
    Object.entries(reviewers).flatMap(([name, { first, second = nothing, does, times }]) => [
      { when: { model: `m-${name}`, includes: ['second and last round'] }, structured: second },
      {
        when: { model: `m-${name}` },
        structured: first,
        ...(does === undefined ? {} : { does }),
        ...(times === undefined ? {} : { times }),
      },
      { when: { model: `m-${name}` }, structured: passes },
    ]),
    stations,
  );
  return factory;
}

const [LINE_OF_FINAL = ''] = FINAL.split('\n').filter((text) => text.includes('15 minutes'));
/** A finding that stands. */
export const LACKS = {
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: null,
  quote: LINE_OF_FINAL,
  description: 'it does not say what happens when the token has run out',
  fix: '',
};

/** What a reviewer was asked. */
export const callsOf = (factory: Factory, name: string): readonly { readonly prompt: string }[] =>
  factory.calls().filter(({ argv }) => argv.includes(`m-${name}`));
