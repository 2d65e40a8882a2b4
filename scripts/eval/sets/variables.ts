import { extractFrom } from '../../../src/rules/variables/extract-from.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { share, textOf, type DataSet, type Figure, type Row } from '../data-set.ts';
import { MONEY, PERCENTS } from './variable-spellings.ts';

const NAMES = ['amount', 'discount_percent', 'contains_refund', 'contains_promise'];

/** Sentences with the variables that a text must yield, and those that must not be there. */
export const VARIABLE_EXTRACTION: DataSet = {
  name: 'variable-extraction',
  group: 'variables',
  measure(rows, file) {
    const asked = rows.map((row) => {
      const { found } = extractFrom(textOf(row, 'text', file), NAMES);
      const expected = row['expect'] as Readonly<Record<string, unknown>>;
      const wrong = Object.entries(expected).filter(([name, value]) => (found[name] ?? null) !== value);
      return { row, wrong: wrong.map(([name]) => `${name} is ${JSON.stringify(found[name] ?? null)}`) };
    });
    return {
      rows: rows.length,
      figures: [
        {
          name: 'sentences read rightly',
          value: share(asked.filter(({ wrong }) => wrong.length === 0).length, rows.length),
          isShare: true,
          goal: { must: 'at least', limit: 0.93 },
          baseline: '47 % the patterns of the seed, 67 % its origin',
        },
      ],
      misses: asked
        .filter(({ wrong }) => wrong.length > 0)
        .map(({ row, wrong }) => `${String(row['text'])}: ${wrong.join(', ')}`),
    };
  },
};

/**
 * Templates of sentences with every spelling of a sum or a share put in. Half of the templates, chosen by a hash, and
 * half of the spellings are held out: what they yield is counted and never shown.
 */
export const VARIABLE_TEMPLATES: DataSet = {
  name: 'variable-templates',
  group: 'variables',
  measure(rows, file) {
    const made = rows.flatMap((row) => sentencesOf(row, file));
    const asked = made.map(judge);
    return {
      rows: made.length,
      figures: (['seen', 'held-out'] as const).flatMap((half) => figuresOf(half, asked)),
      misses: asked
        .filter(({ half, wrong }) => half === 'seen' && wrong.length > 0)
        .map(({ text, wrong }) => `${text}: ${wrong.join(', ')}`),
    };
  },
};

interface Sentence {
  readonly half: 'seen' | 'held-out';
  readonly text: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

function figuresOf(half: Sentence['half'], asked: readonly Judged[]): readonly Figure[] {
  const mine = asked.filter((one) => one.half === half);
  const read = mine.filter(({ wrong, unsure }) => wrong.length + unsure.length === 0).length;
  return [
    {
      name: `${half}: sentences with a wrong value`,
      value: mine.filter(({ wrong }) => wrong.length > 0).length,
      goal: { must: 'at most', limit: 0 },
    },
    {
      name: `${half}: sentences read, others not sure`,
      value: share(read, mine.length),
      isShare: true,
      goal: { must: 'at least', limit: 0.65 },
    },
  ];
}

/** A value that is not the expected one is wrong, and so is a missing one that is not said to be unsure. */
function judge(sentence: Sentence): Judged {
  const { found, unsure } = extractFrom(sentence.text, NAMES);
  const missed = Object.entries(sentence.expected).filter(([name, value]) => (found[name] ?? null) !== value);
  return {
    ...sentence,
    wrong: missed
      .filter(([name]) => Object.hasOwn(found, name) || !unsure.includes(name))
      .map(([name]) => `${name} is ${JSON.stringify(found[name] ?? null)}`),
    unsure: missed.filter(([name]) => unsure.includes(name)).map(([name]) => name),
  };
}

interface Judged extends Sentence {
  readonly wrong: readonly string[];
  readonly unsure: readonly string[];
}

function sentencesOf(row: Row, file: string): readonly Sentence[] {
  const [template, lang, id] = [textOf(row, 'text', file), textOf(row, 'lang', file), textOf(row, 'id', file)];
  const half = isOdd(id) ? 'seen' : 'held-out';
  const money = template.includes('{money}') ? (MONEY[lang] ?? []) : [undefined];
  const percents = template.includes('{percent}') ? (PERCENTS[lang] ?? []) : [undefined];
  const flags = { contains_refund: row['contains_refund'], contains_promise: row['contains_promise'] };
  return money.flatMap((sum, at) =>
    percents.flatMap((percent, of) => {
      const spelling = `${sum?.written ?? ''}${percent?.written ?? ''}`;
      // A held-out template is filled with held-out spellings too, where it has any.
      if (spelling !== '' && half === 'seen' && !isOdd(spelling)) return [];
      const text = template
        .replace('{money}', sum?.written ?? '')
        .replace('{percent}', percent?.written ?? '')
        .replaceAll('{n}', String(10 + ((at + of) % 20)));
      return [
        {
          half,
          text,
          expected: { amount: sum?.value ?? null, discount_percent: percent?.value ?? null, ...flags },
        } as const,
      ];
    }),
  );
}

const isOdd = (text: string): boolean => parseInt(sha256(text).slice(0, 2), 16) % 2 === 1;
