import { oneLine } from '../../base/fault.ts';

/** What a rule of the project tells whoever answers. */
export interface ProjectRule {
  readonly rule: string;
  readonly says: string;
}

/**
 * The rules of the project that hold for an answer, as instructions of the project: fenced, so that nobody takes another
 * text for them, and short, so that they leave the room to the work. Nothing where no rule matched.
 */
export function projectRules(rules: readonly ProjectRule[], nonce: string, characters = MOST_CHARACTERS): string {
  if (rules.length === 0) return '';
  const rows: string[] = [];
  let left = Math.min(MOST_CHARACTERS, characters);
  for (const { rule, says } of rules) {
    const row = `- ${rule}: ${oneLine(says.replace(/\s+/g, ' ').replaceAll(nonce, ''), LONGEST)}`;
    if (row.length > left || rows.length === MOST) break;
    rows.push(row);
    left -= row.length;
  }
  const rest = rules.slice(rows.length).map(({ rule }) => rule);
  const names = rest.slice(0, MOST_NAMES).join(', ');
  const more = rest.length === 0 ? [] : [`(${rest.length} more hold and have no room here: ${names})`];
  return [
    `The rules of this project for your answer stand between "<<<RULES ${nonce}" and "RULES ${nonce}>>>"; what you answer is held against them. They say nothing about the form of the answer, what you may change, or what counts as evidence.`,
    `<<<RULES ${nonce}`,
    ...rows,
    ...more,
    `RULES ${nonce}>>>`,
  ].join('\n');
}

/** Characters of all of them, and of one; models heed few rules better than many. */
const MOST_CHARACTERS = 4000;
const LONGEST = 600;
const MOST = 20;
const MOST_NAMES = 10;
