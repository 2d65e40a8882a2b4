import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/**
 * What a masked sentence is made of, as numbers: its words and the pairs of neighbours, heads and tails of longer English
 * words, pieces of two or three letters of Korean and of one to three of Chinese, signs, and its length. Something that
 * can be looked up stands for its kind: which file it was does not matter. A feature that stands there twice is seen twice.
 * Each is a hash of 30 bits: a message is held against thousands of them, and as texts they would all be thrown away again.
 */
export function eachFeature(sentence: string, see: (feature: number) => void): void {
  const tokens = tokensOf(sentence);
  let before = START;
  for (const token of tokens) {
    const word = wordOf(token);
    const hash = hashOf('word', word);
    if (isAsian(token)) seePieces(token, see);
    else {
      see(hash);
      if (token.thing === undefined && word.length > SHORT) seeEnds(word, see);
    }
    see(paired(before, hash));
    before = hash;
  }
  if (tokens.length > 0) see(paired(before, END));
  for (const [feature, pattern] of SIGNS) if (pattern.test(sentence)) see(feature);
  see(hashOf('length', String(Math.min(LONGEST, Math.floor(Math.log2(1 + tokens.length))))));
}

/** The features of a sentence, in the order in which they stand in it. */
export function featuresOf(sentence: string): readonly number[] {
  const features: number[] = [];
  eachFeature(sentence, (feature) => features.push(feature));
  return features;
}

/** Sentences of more than 64 tokens are as long as one another. */
const LONGEST = 6;
/** A word of so many letters has no head and tail. */
const SHORT = 4;

/** The word that stands for a token among its neighbours; Korean and Chinese words are known by their pieces. */
function wordOf({ text, script, thing }: Token): string {
  if (script === 'quote') return '<quote>';
  if (thing === 'ratio') return shareOf(text);
  if (thing !== undefined) return /^0+$/.test(text) ? '<zero>' : `<${thing}>`;
  if (script === 'hangul' || script === 'han') return script;
  return text.toLowerCase().replaceAll('’', "'");
}

/** `42/42` is all, `0/42` none. */
function shareOf(ratio: string): string {
  const [part, whole] = ratio.split('/');
  return part === whole ? '<all>' : Number(part) === 0 ? '<none>' : '<part>';
}

const isAsian = ({ script, thing }: Token): boolean => thing === undefined && (script === 'hangul' || script === 'han');

function seeEnds(word: string, see: (feature: number) => void): void {
  see(hashed(hashOf('head'), word, 0, SHORT));
  see(hashed(hashOf('tail'), word, word.length - 3, word.length));
}

function seePieces({ script, text }: Token, see: (feature: number) => void): void {
  if (script === 'han') return seeRuns(hashOf('han'), text, 1, see);
  see(hashOf('korean', text));
  seeRuns(hashOf('hangul'), `^${text}$`, 2, see);
}

/** The runs of `least` to three letters. */
function seeRuns(kind: number, text: string, least: number, see: (feature: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    let run = kind;
    for (let length = 1; length <= 3 && at + length <= text.length; length += 1) {
      run = hashed(run, text, at + length - 1, at + length);
      if (length >= least) see(run);
    }
  }
}

// FNV-1a, of which 30 bits are kept: a small whole number needs no memory of its own.

const PRIME = 16_777_619;

function hashed(seed: number, text: string, from: number, to: number): number {
  let hash = seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
}

function hashOf(kind: Kind, text = ''): number {
  return hashed(KINDS[kind], text, 0, text.length);
}

const paired = (one: number, other: number): number => {
  const hash = Math.imul(Math.imul(KINDS.pair ^ one, PRIME) ^ other, PRIME);
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
};

type Kind = keyof typeof KINDS;
const KINDS = {
  word: 0x2f1c_0001,
  pair: 0x2f1c_0103,
  head: 0x2f1c_0205,
  tail: 0x2f1c_0307,
  korean: 0x2f1c_0409,
  hangul: 0x2f1c_050b,
  han: 0x2f1c_060d,
  sign: 0x2f1c_070f,
  length: 0x2f1c_0811,
  edge: 0x2f1c_0913,
} as const;

const START = hashOf('edge', '^');
const END = hashOf('edge', '$');
const SIGNS = (
  [
    ['!', /[!！]/u],
    ['?', /[?？]/u],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['item', /^\s*(?:[-*•]|\d+[.)])/u],
    ['heading', /^\s*#/u],
  ] as const
).map(([name, pattern]) => [hashOf('sign', name), pattern] as const);
