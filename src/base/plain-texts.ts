import { maskKnown } from './known-secrets.ts';
import { mapTexts } from './map-texts.ts';
import { toTerminal } from './plain-text.ts';

const toPlain = (text: string): string => toTerminal(maskKnown(text));

/** The same value with every text in it plain: what could hide or reorder text is shown as such, keys included. Known secrets are masked. */
export const toPlainTexts = <Value>(value: Value): Value => mapTexts(value, toPlain, toPlain);
