import { isNegated } from '../../../src/rules/text/negation.ts';
import { share, textOf, type DataSet, type Measured, type Row } from '../data-set.ts';

/** Clinical sentences in which a concept is negated or not: whether the scope of a negation is seen. */
export const NEGEX_ANNOTATIONS: DataSet = { name: 'negex-annotations', measure };

/** With as many negated rows as others a higher figure is due than with few. */
const BALANCED = { from: 0.4, goal: 0.95 };
const ALL = 0.9;

function measure(rows: readonly Row[], file: string): Measured {
  const judged = rows.map((row) => ({
    row,
    wanted: textOf(row, 'label', file) === 'Negated',
    found: isConceptNegated(textOf(row, 'sentence', file), textOf(row, 'concept', file)),
  }));
  const both = judged.filter(({ wanted, found }) => wanted && found).length;
  const either = judged.filter(({ wanted }) => wanted).length + judged.filter(({ found }) => found).length;
  const isBalanced = share(judged.filter(({ wanted }) => wanted).length, rows.length) >= BALANCED.from;
  return {
    rows: rows.length,
    figures: [
      {
        name: 'negation F1',
        value: share(2 * both, either),
        goal: { must: 'at least', limit: isBalanced ? BALANCED.goal : ALL },
        baseline: isBalanced ? '0 keyword, 0.845 window, 0.980 cues' : '0 keyword, 0.702 window, 0.962 cues',
      },
    ],
    misses: judged
      .filter(({ wanted, found }) => wanted !== found)
      .map(({ row }) => `${String(row['id'])}: ${String(row['sentence'])}`),
  };
}

/** A concept may stand in a sentence more than once; the set means any of them. */
function isConceptNegated(sentence: string, concept: string): boolean {
  const words = concept
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const places = [...sentence.matchAll(new RegExp(words.join('\\s+'), 'gi'))];
  return places.some(({ index }) => isNegated(sentence, index));
}
