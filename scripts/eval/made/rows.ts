import { filled, halfOf, type Half } from './halves.ts';
import questions from './questions.json' with { type: 'json' };
import refusals from './refusals.json' with { type: 'json' };

/** A made row: what it was made from decides its half. */
export interface MadeRow {
  readonly id: string;
  readonly half: Half;
  readonly label: string;
  /** The question, or the context; empty without one. */
  readonly beside: string;
  readonly text: string;
}

/** Questions with an answer of their own (`true`) and with one that was given to another question (`random`). */
export function relevanceRows(): readonly MadeRow[] {
  return HALVES.flatMap((half) => {
    const topics = questions.filter(({ id }) => halfOf(id) === half);
    return topics.flatMap(({ id, ask, answer }, at) => {
      const others = topics.filter((one) => one.id !== id && languageOf(one.id) === languageOf(id));
      return ask.flatMap((question, which) => {
        const row = (label: string, text: string, nth: number): MadeRow => {
          const slots = { thing: THINGS[(at + which) % THINGS.length] ?? '', n: String(7 + ((at * 5 + nth * 3) % 80)) };
          return {
            id: `${id}/${which}/${nth}/${label}`,
            half,
            label,
            beside: filled(question, slots),
            text: filled(text, slots),
          };
        };
        // Which of the answers belongs to which question is known only where both are the n-th of their topic.
        const own = answer[which];
        return [
          ...(own === undefined ? [] : [row('true', own, which)]),
          ...others.map((other, nth) => row('random', other.answer[(which + nth) % other.answer.length] ?? '', nth)),
        ];
      });
    });
  });
}

const languageOf = (id: string): string => /^(korean|chinese)-/.exec(id)?.[1] ?? 'english';

/** Answers that admit to have none, and answers that only sound like it. */
export function refusalRows(): readonly MadeRow[] {
  const { topics, alternatives } = refusals;
  const rows = (label: string, templates: readonly string[]): readonly MadeRow[] =>
    templates.flatMap((template, nth) =>
      topics.map((topic, at) => ({
        id: `${label}/${nth}/${at}`,
        half: halfOf(template),
        label,
        beside: '',
        text: filled(template, { topic, alternative: alternatives[at % alternatives.length] ?? '' }).trim(),
      })),
    );
  return [...rows('refusal', refusals.refusals), ...rows('answer', refusals.answers)];
}

const HALVES: readonly Half[] = ['seen', 'held-out'];
const THINGS = ['a lamp', 'the headphones', 'a bicycle', 'my laptop', 'the keyboard'];
