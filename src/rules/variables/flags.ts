import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import data from './flags.json' with { type: 'json' };
import type { TextToken } from './text-token.ts';

const texts = z.array(z.string());
const FLAGS = tableOf(
  'src/rules/variables/flags.json',
  z.record(z.string(), z.strictObject({ beginnings: texts, words: texts, phrases: texts, parts: texts })),
  data,
);

/** What can be asked of a text with yes or no: whether it speaks of a refund, a promise, a competitor, an apology. */
export const FLAG_NAMES: readonly string[] = Object.keys(FLAGS);

/** Whether a text speaks of it in whatever form, also where it denies it. */
export function isFlagged(name: string, text: string, tokens: readonly TextToken[]): boolean {
  const flag = FLAGS[name];
  if (flag === undefined) return false;
  if (flag.parts.some((part) => text.includes(part))) return true;
  const spoken = tokens.map(({ lower }) => lower);
  if (spoken.some((word) => flag.words.includes(word) || flag.beginnings.some((one) => word.startsWith(one))))
    return true;
  const joined = ` ${spoken.join(' ')} `;
  return flag.phrases.some((phrase) => joined.includes(` ${phrase} `));
}
