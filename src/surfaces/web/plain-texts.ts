import { maskKnown } from '../../base/known-secrets.ts';
import { forTerminal } from '../../base/plain-text.ts';

/** The same value with every text in it plain: what could hide or reorder text is shown as such, keys included. Known secrets are masked. */
export function plainTexts(value: unknown): unknown {
  if (typeof value === 'string') return forTerminal(maskKnown(value));
  if (Array.isArray(value)) return value.map(plainTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [forTerminal(maskKnown(key)), plainTexts(part)]),
  );
}
