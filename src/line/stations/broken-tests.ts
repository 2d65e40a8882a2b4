import { toOneLine } from '../../base/fault.ts';
import { awaitingJudge, type GateTampering, type TamperingReport } from '../../record/gate-tampering.ts';
import { writtenTieSchema } from '../../record/judge-report.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { TiedTest } from '../../record/review.ts';
import { lookUp, type WeighQuote } from './evidence.ts';

/** A base test that the change breaks, with its number in the judge's brief. */
interface BrokenTest {
  readonly number: string;
  readonly text: string;
  readonly bend: GateTampering;
}

/** The broken tests that the judge may tie to a requirement; one per gate where its runner names no tests. */
export const listBrokenTests = ({ bending }: Pick<LineRecord, 'bending'>): readonly BrokenTest[] =>
  awaitingJudge(bending)
    .flatMap((bend) => (bend.tests ?? [bend.what]).map((text) => ({ text: toOneLine(text, 300), bend })))
    .map((one, at) => ({ ...one, number: `T${at + 1}` }));

/** The judge's brief about them; empty without broken tests. */
export function askAboutBrokenTests(record: Pick<LineRecord, 'bending'>): string {
  const tests = listBrokenTests(record);
  if (tests.length === 0) return '';
  return [
    'These tests of the target branch passed before and fail on the changed product. They were run by code, as they were before the change touched them:',
    ...tests.map(({ number, text }) => `- ${number}: ${JSON.stringify(text)}`),
    'Where a requirement asks for exactly the behaviour that such a test forbids, tie the test to it in `broken_tests`: the number, in `requirement` the words of the requirement as they stand in the contract, and in `file`, `line` and `quote` the line of the change that does it. Leave out every other one: the change then goes back. That a test was edited to pass is no reason.',
  ].join('\n');
}

/** Reads the ties of a report. A tie needs a known test, a quoted requirement and a line of the change. */
export function readTies(
  written: readonly unknown[] | undefined,
  record: Pick<LineRecord, 'bending' | 'contract'>,
  weigh: WeighQuote,
): readonly TiedTest[] {
  const { requirements, acceptanceCriteria } = record.contract.specification;
  const wanted = [...requirements, ...acceptanceCriteria].map(spaced);
  const tests = listBrokenTests(record);
  return (written ?? []).flatMap((one): TiedTest[] => {
    const read = writtenTieSchema().safeParse(one);
    if (!read.success) return [];
    const test = tests.find(({ number }) => number === read.data.test.trim().toUpperCase());
    const requirement = spaced(read.data.requirement);
    if (test === undefined || !wanted.some((text) => quotes(text, requirement))) return [];
    const cites = lookUp(read.data, weigh);
    return cites.ok ? [{ number: test.number, test: test.text, requirement, cites: cites.value }] : [];
  });
}

/** The gate facts with the judge's ties applied: a weakening is permitted when all of it is tied. */
export function applyTies(record: Pick<LineRecord, 'bending'>, ties: readonly TiedTest[]): TamperingReport | undefined {
  const { bending } = record;
  if (bending === undefined || ties.length === 0) return undefined;
  const tied = new Set(ties.map(({ number }) => number));
  const open = new Set(listBrokenTests(record).flatMap(({ number, bend }) => (tied.has(number) ? [] : [bend])));
  return {
    ...bending,
    bends: bending.bends.map((bend) =>
      bend.awaits === 'judge' && bend.consent === undefined && !open.has(bend) ? { ...bend, consent: 'judge' } : bend,
    ),
  };
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** A whole requirement, or a meaningful part of one. */
const quotes = (text: string, part: string): boolean =>
  text === part || (part.length >= SHORTEST_PART && text.includes(part));

const SHORTEST_PART = 12;
