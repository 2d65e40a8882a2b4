import { maskKnown } from './known-secrets.ts';
import { toTerminal } from './plain-text.ts';

/** The same value with every text in it plain: what could hide or reorder text is shown as such, keys included. Known secrets are masked. */
export function toPlainTexts<Value>(value: Value): Value;
export function toPlainTexts(value: unknown): unknown {
  if (typeof value === 'string') return toTerminal(maskKnown(value));
  if (Array.isArray(value)) return value.map((part: unknown) => toPlainTexts(part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [toTerminal(maskKnown(key)), toPlainTexts<unknown>(part)]),
  );
}
