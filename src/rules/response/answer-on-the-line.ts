import type { RuledFinding, Ruling } from '../model/ruling.ts';
import type { Rule } from '../model/rule.ts';
import { MOST_RETRIES_OF_A_TURN } from './enforce-response.ts';

/** The outcome of a checked answer: it counts, goes back, is replaced, or stops the line. */
export type AnswerFate =
  | { readonly is: 'taken'; readonly ruling: Ruling }
  | { readonly is: 'sent back'; readonly ruling: Ruling; readonly hints: string }
  | { readonly is: 'stopped'; readonly ruling: Ruling };

/** How often answers of this turn went back already, by rules and in all, and how often they may. */
export interface Retries {
  readonly byRules: number;
  readonly inAll: number;
  readonly maxRetries: number;
}

/**
 * Decides by what the rules say of an answer. What must hold goes back with what is wrong as hints while it may; then a hard
 * constraint, and a rule that stops the line, stop it, and every other violation is only written down.
 */
export function decideAnswerFate(ruling: Ruling, retries: Retries): AnswerFate {
  const broken = ruling.found.filter(isBroken);
  if (broken.length === 0) return { is: 'taken', ruling };
  const mayGoBack = retries.byRules < retries.maxRetries && retries.inAll < MOST_RETRIES_OF_A_TURN;
  if (mayGoBack)
    return { is: 'sent back', ruling: each(ruling, (one) => ({ ...one, does: 'regenerate' })), hints: hintsOf(broken) };
  if (broken.some(({ does }) => does === 'stop')) return { is: 'stopped', ruling };
  const because = `the answer was requested again ${retries.byRules} times`;
  return { is: 'taken', ruling: each(ruling, (one) => ({ ...one, does: 'log', because })) };
}

/** The fallback texts of the broken rules, each once; each is checked before it replaces an answer. */
export const listFallbacks = ({ found }: Ruling, rules: ReadonlyMap<string, Rule>): readonly string[] => [
  ...new Set(
    found.filter(isBroken).flatMap(({ rule }) => {
      const text = rules.get(rule)?.fallback?.trim();
      return text === undefined || text === '' ? [] : [text];
    }),
  ),
];

/** The ruling if another checked text replaces the answer. */
export const withReplacement = (ruling: Ruling): Ruling =>
  each(ruling, (one) => ({ ...one, does: 'log', because: 'the fallback text of its rule replaces it' }));

const isBroken = ({ does }: RuledFinding): boolean => does === 'stop' || does === 'quick_fix';

const each = (ruling: Ruling, change: (one: RuledFinding) => RuledFinding): Ruling => ({
  ...ruling,
  found: ruling.found.map((one) => (isBroken(one) ? change(one) : one)),
});

/** The faults by rule, for the next attempt. */
const hintsOf = (broken: readonly RuledFinding[]): string =>
  [
    '[SYSTEM] Your answer breaks rules of this project. Answer again, and keep them:',
    ...broken.map(({ rule, message, suggestion, violation, reason, excerpt }) =>
      `- ${rule}${violation === undefined ? '' : ` (${violation})`}: ${[message, suggestion, reason, quoted(excerpt)].filter((part) => part !== undefined && part !== '').join(' | ')}`.replace(
        /\s+/g,
        ' ',
      ),
    ),
  ].join('\n');

const quoted = (excerpt: string | undefined): string | undefined =>
  excerpt === undefined || excerpt === '' ? undefined : `found: "${excerpt}"`;
