import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { textOf } from './data-set.ts';
import type { Row } from './data-set.ts';

/** A message that was made from a template, and what is to become of it. */
export interface MadeMessage {
  readonly id: string;
  readonly kind: string;
  readonly lang: string;
  readonly tag: string;
  readonly expect: string;
  readonly text: string;
  /** Made from a template and words that nobody tuned anything to: its text is never shown. */
  readonly isHeld: boolean;
}

/** So many messages are made from each template. */
const EACH = 8;

type Slots = Readonly<Record<string, readonly string[]>>;

/** Fills the templates of a set with words from its slots; the held part has templates of its own, and half of the words. */
export function makeMessages(rows: readonly Row[], file: string): readonly MadeMessage[] {
  const slots = JSON.parse(readFileSync(file.replace(/\.jsonl$/, '.slots.json'), 'utf8')) as Slots;
  return rows.flatMap((row) => {
    const field = (key: string): string => textOf(row, key, file);
    const isHeld = field('part') === 'held';
    const made = Array.from({ length: EACH }, (_, at) => fill(field('template'), slots, isHeld, at));
    return [...new Set(made)].map((text, at) => ({
      id: `${field('id')}.${at + 1}`,
      kind: field('kind'),
      lang: field('lang'),
      tag: field('tag'),
      expect: field('expect'),
      text,
      isHeld,
    }));
  });
}

const half = (text: string): number => (createHash('sha256').update(text).digest()[0] ?? 0) % 2;

const chosen = (seed: string, count: number): number =>
  (createHash('sha256').update(seed).digest().readUInt32BE(0) >>> 0) % count;

function fill(template: string, slots: Slots, isHeld: boolean, round: number): string {
  const smaller = 1 + chosen(`${template}m${round}`, 40);
  const larger = smaller + 1 + chosen(`${template}n${round}`, 200);
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'n') return String(larger);
    if (name === 'm') return String(smaller);
    const isArticled = name.startsWith('a_');
    const base = name.replace(/^a_/, '').replace(/2$/, '');
    const words = slots[base.toLowerCase()] ?? slots[base] ?? [];
    const mine = words.filter((word) => half(word) === (isHeld ? 1 : 0));
    const pool = mine.length === 0 ? words : mine;
    const word = pool[chosen(`${template}${name}${round}`, pool.length)] ?? whole;
    const told = isArticled ? `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}` : word;
    return /^[A-Z]/.test(base) ? `${told.charAt(0).toUpperCase()}${told.slice(1)}` : told;
  });
  return filled;
}
