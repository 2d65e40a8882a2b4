import type { AnswerCheck } from '../../../src/rules/model/rule-opinion.ts';
import { checkRelevance, isRefusal } from '../../../src/rules/response/check-relevance.ts';
import { refusalRows, relevanceRows, type MadeRow } from '../made/rows.ts';
import { share, type DataSet, type Figure, type Measured } from '../data-set.ts';

/** Whether answers are about their questions, by words alone, at the threshold of the seed. */
export const ANSWER_RELEVANCE: DataSet = {
  name: 'answer-relevance',
  made: true,
  measure: () =>
    measured(
      relevanceRows(),
      ({ beside, text }) => checkRelevance({ query: beside, response: text, threshold: 0.5 }),
      (of) => [
        atLeast('true answers kept', of('true', 'passed'), 0.93, '7 % at a cosine of 0.5'),
        atMost('true answers refused', of('true', 'failed'), 0.07),
        atLeast('random answers refused', of('random', 'failed'), 0.95),
        atMost('random answers kept', of('random', 'passed'), 0.05),
      ],
    ),
};

/** Whether answers admit to have no answer. */
export const REFUSALS: DataSet = {
  name: 'refusals',
  made: true,
  measure: () =>
    measured(
      refusalRows(),
      ({ text }) => ({ status: isRefusal(text) ? 'passed' : 'failed', details: '', bypass: false }),
      (of, count) => [
        {
          name: 'precision',
          value: share(count('refusal', 'passed'), count('refusal', 'passed') + count('answer', 'passed')),
          goal: { must: 'at least', limit: 0.95 },
          baseline: '0.91 seed, 0.95 string match',
        },
        {
          name: 'recall',
          value: of('refusal', 'passed'),
          goal: { must: 'at least', limit: 0.86 },
          baseline: '0.05 seed, 0.82 string match',
        },
      ],
    ),
};

const atLeast = (name: string, value: number, limit: number, baseline?: string): Figure => ({
  name,
  value,
  isShare: true,
  goal: { must: 'at least', limit },
  ...(baseline === undefined ? {} : { baseline }),
});
const atMost = (name: string, value: number, limit: number): Figure => ({
  name,
  value,
  isShare: true,
  goal: { must: 'at most', limit },
});

type Share = (label: string, status: AnswerCheck['status']) => number;

/** Measures both halves alike; only the seen half prints its errors. */
function measured(
  rows: readonly MadeRow[],
  check: (row: MadeRow) => AnswerCheck,
  figures: (of: Share, count: Share) => readonly Figure[],
): Measured {
  const checked = rows.map((row) => ({ row, came: check(row) }));
  const halves = (['seen', 'held-out'] as const).flatMap((half) => {
    const own = checked.filter(({ row }) => row.half === half);
    const count: Share = (label, status) =>
      own.filter(({ row, came }) => row.label === label && came.status === status).length;
    const of: Share = (label, status) =>
      share(count(label, status), own.filter(({ row }) => row.label === label).length);
    return figures(of, count).map((figure) => ({ ...figure, name: `${half}: ${figure.name}` }));
  });
  return {
    rows: rows.length,
    figures: halves,
    misses: checked
      .filter(({ row }) => row.half === 'seen')
      .map(
        ({ row, came }) =>
          `${row.id}: ${came.status} ${came.score ?? ''} ${came.details} | ${row.beside.slice(0, 80)} | ${row.text}`,
      ),
  };
}
