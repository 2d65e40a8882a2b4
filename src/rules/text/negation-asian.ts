import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import data from './negation-asian.json' with { type: 'json' };
import type { CueKind, Scope } from './negation-cues.ts';

const alternatives = z.array(z.string().min(1)).describe('texts, or patterns of them');
/** What each language says, by how it bears on what it governs; where two kinds could be meant, the one that stands first here is. */
const CUES = tableOf(
  'src/rules/text/negation-asian.json',
  z.strictObject({
    korean: z.record(z.enum(['near', 'later', 'turn', 'not', 'remove', 'skip', 'mend']), alternatives),
    chinese: z.record(z.enum(['none', 'later', 'remove', 'skip', 'mend', 'not']), alternatives),
  }),
  data,
);
const patternOf = (cues: Readonly<Record<string, readonly string[]>>): RegExp =>
  new RegExp(
    Object.entries(cues)
      .map(([kind, said]) => `(?<${kind}>${said.join('|')})`)
      .join('|'),
    'gu',
  );

const KOREAN = patternOf(CUES.korean);
const CHINESE = patternOf(CUES.chinese);

/** What is denied in Korean: the cue ends the clause, what it governs stands before it. */
export function koreanScopes(sentence: string): Scope[] {
  const scopes: Scope[] = [];
  for (const { 0: cue, index, groups } of sentence.matchAll(KOREAN)) {
    const said = { kind: kindOf(groups), cue, cueFrom: index, cueTo: index + cue.length };
    const before = sentence.slice(0, index);
    const clause = lastEnd(before, KOREAN_ENDS);
    if (groups?.['later'] !== undefined) {
      const after = sentence.slice(index).search(/[,.;]/);
      scopes.push({ ...said, from: clause, to: after === -1 ? sentence.length : index + after });
    } else if (groups?.['near'] !== undefined) {
      scopes.push({ ...said, from: Math.max(clause, wordsBefore(before, 3)), to: index });
    } else if (groups?.['turn'] !== undefined) {
      const object = /^.*?[을를](?=\s)/u.exec(before.slice(clause))?.[0];
      if (object !== undefined) scopes.push({ ...said, from: clause, to: clause + object.length });
    } else scopes.push({ ...said, from: clause, to: index });
  }
  return scopes;
}

const KOREAN_ENDS =
  /[,;\n]|\.(?=\s)|(?:고|며|면서|지만|는데|므로|니까|해서|어서|아서|여서|으나|한\s뒤|은\s뒤|한\s후|한\s다음)(?=\s)/gu;

/** What is denied in Chinese: the cue stands before what it governs, or after it with 把, 将 or at the end of a clause. */
export function chineseScopes(sentence: string): Scope[] {
  const scopes: Scope[] = [];
  for (const { 0: cue, index, groups } of sentence.matchAll(CHINESE)) {
    if (groups?.['none'] !== undefined) continue;
    const end = index + cue.length;
    const said = { kind: kindOf(groups), cue, cueFrom: index, cueTo: end };
    const rest = sentence.slice(end).search(CHINESE_STOPS);
    const right = rest === -1 ? sentence.length : end + rest;
    const clause = lastEnd(sentence.slice(0, index), CHINESE_ENDS);
    const marked = sentence.slice(clause, index).search(/[把将]/u);
    const isLast = sentence.slice(end, right).trim().length <= 2;
    if (groups?.['later'] !== undefined) scopes.push({ ...said, from: clause, to: right });
    else if (marked !== -1 && said.kind !== 'not') scopes.push({ ...said, from: clause + marked, to: index });
    else if (isLast && index > clause) scopes.push({ ...said, from: clause, to: index });
    else scopes.push({ ...said, from: end, to: right });
  }
  return scopes;
}

const CHINESE_STOPS = /[,，。;；:：!！?？()（）\n]|但|然后|就|改用|改为|并且|而是|，/u;
const CHINESE_ENDS = /[,，。;；:：!！?？()（）\n]|但是?|然后|所以|因此|并且?/gu;

const kindOf = (groups: Record<string, string | undefined> | undefined): CueKind => {
  const named = (['later', 'remove', 'skip', 'mend'] as const).find((kind) => groups?.[kind] !== undefined);
  if (groups?.['turn'] !== undefined) return 'remove';
  return named ?? 'not';
};

/** Where the last mark of a kind ends in a text; 0 without one. */
function lastEnd(text: string, marks: RegExp): number {
  const last = [...text.matchAll(marks)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Where the last few words of a text begin. */
function wordsBefore(text: string, count: number): number {
  const starts = [...text.matchAll(/\S+/gu)].map(({ index }) => index);
  return starts.at(-count) ?? 0;
}
