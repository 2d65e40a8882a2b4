import { CODE, QUOTE } from './prose.ts';

/** What a token is, beside a word: something that can be looked up or counted. */
export type Thing = 'code' | 'path' | 'ratio' | 'diffstat' | 'hash' | 'identifier' | 'number' | 'measure';

/** One word, number, name or run of Chinese characters of a sentence, with its place in it. */
export interface Token {
  /** As it stands, without the punctuation around it. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly script: 'latin' | 'hangul' | 'han' | 'quote' | 'code';
  readonly thing?: Thing | undefined;
}

/** The tokens of a masked sentence, in order; its cost grows with its length alone. */
export function tokensOf(sentence: string): readonly Token[] {
  const known = lately.get(sentence) ?? before.get(sentence);
  if (known !== undefined) return known;
  if (lately.size >= MOST_KEPT) [before, lately] = [lately, new Map()];
  const tokens = readTokens(sentence);
  lately.set(sentence, tokens);
  return tokens;
}

/** Each guard reads the same sentences, one guard after the other: as many as a message of 4 kB has; more cost more to keep than to read again. */
const MOST_KEPT = 150;
let lately = new Map<string, readonly Token[]>();
/** What was kept until so many more were read: without it the first sentences of a message would be gone when it is read again. */
let before = new Map<string, readonly Token[]>();

function readTokens(sentence: string): readonly Token[] {
  const tokens: Token[] = [];
  if (!NOT_ASCII.test(sentence)) {
    for (const { 0: run, index } of sentence.matchAll(WORDS)) addPieces(tokens, run, index, ASCII_PIECES);
    return tokens;
  }
  for (const { 0: run, index } of sentence.matchAll(RUNS)) {
    const first = run.charAt(0);
    const to = index + run.length;
    if (first === CODE) tokens.push({ text: run, from: index, to, script: 'code', thing: 'code' });
    else if (first === QUOTE) tokens.push({ text: run, from: index, to, script: 'quote' });
    else if (HANGUL.test(first)) tokens.push({ text: run, from: index, to, script: 'hangul' });
    else if (HAN.test(first)) tokens.push({ text: run, from: index, to, script: 'han' });
    else addPieces(tokens, run, index, PIECES);
  }
  return tokens;
}

const RUNS = /\uE000+|\uE001+|\p{Script=Hangul}+|\p{Script=Han}+|[^\s\uE000\uE001\p{Script=Hangul}\p{Script=Han}]+/gu;
/** Most sentences hold no other script: patterns without its classes are several times as fast. */
const NOT_ASCII = /[^\x00-\x7f]/;
const WORDS = /\S+/g;
const ASCII_PIECES = /[^,;"()<>{}[\]|*]+(?:\(\))?/g;
const HANGUL = /^\p{Script=Hangul}/u;
const HAN = /^\p{Script=Han}/u;

/** How much of a text a token is: a word, an eojeol, or half a Chinese character. */
export const weightOf = ({ script, text }: Token): number => (script === 'han' ? Array.from(text).length / 2 : 1);

function addPieces(tokens: Token[], run: string, start: number, pieces: RegExp): void {
  if (SIMPLE.test(run)) {
    const text = run.replace(MARK, '');
    tokens.push({ text, from: start, to: start + text.length, script: 'latin', thing: undefined });
    return;
  }
  for (const { 0: piece, index } of run.matchAll(pieces)) {
    const head = piece.length - piece.replace(/^['’]+/, '').length;
    const text = piece.slice(head).replace(/[.:!?'’…~-]+$/, '');
    if (!/[a-zA-Z0-9]/.test(text) && !/[\p{L}\p{N}]/u.test(text)) continue;
    const from = start + index + head;
    tokens.push({ text, from, to: from + text.length, script: 'latin', thing: thingOf(text) });
  }
}

/** A plain word, and the mark behind it: most of what is read. */
const SIMPLE = /^[A-Z]?[a-z]+[.,;:!?]?$/;
const MARK = /[.,;:!?]$/;
const PIECES = /[^,;"“”‘()<>{}[\]|*•→，。！？：；（）、「」【】《》—–]+(?:\(\))?/gu;
/** No name of something is longer, in characters. */
const LONGEST_NAME = 300;

/** What a word names or counts; undefined for a plain word. */
export function thingOf(text: string): Thing | undefined {
  if (PLAIN_WORD.test(text) || text.length > LONGEST_NAME || DATE.test(text)) return undefined;
  if (/^[+−-]\d+(?:\/[+−-]\d+)?$/.test(text)) return 'diffstat';
  if (/^\d+\/\d+$/.test(text)) return 'ratio';
  if (/^\d+(?:[.,]\d+)*(?:ms|µs|ns|s|min|h|kb|mb|gb|kib|mib|px|rps)$/i.test(text)) return 'measure';
  if (/^v?\d+(?:[.,]\d+)*[%x]?$/i.test(text)) return 'number';
  if (/^#\d+$/.test(text)) return 'identifier';
  if (/^[0-9a-f]{7,64}$/.test(text) && /\d/.test(text) && /[a-f]/.test(text)) return 'hash';
  if (isPath(text)) return 'path';
  return isIdentifier(text) ? 'identifier' : undefined;
}

/** Most words: nothing that is looked up is written like one. */
const PLAIN_WORD = /^[A-Z]?[a-z]+(?:['’][a-z]+)?$/;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;

/** Whether a word names a file, a folder or a page, with or without a line. */
export function isPath(word: string): boolean {
  if (!/[./]/.test(word)) return false;
  const text = word.replace(/:\d+(?:[-:]\d+)*$/, '').replace(/#L\d+(?:-L?\d+)?$/, '');
  if (/^https?:\/\/./.test(text)) return true;
  if (text.includes('/')) {
    const names = text.replace(/^\.{1,2}\//, '').split('/');
    const isPlain = names.every(
      (name, at) => /^[\w@.*+[\]-]+$/u.test(name) || (name === '' && at === names.length - 1),
    );
    if (!isPlain || names.every((name) => /^\d*$/.test(name))) return false;
    const last = names.at(-1) ?? '';
    return (
      text.startsWith('./') ||
      text.startsWith('../') ||
      last === '' ||
      names.length > 2 ||
      last.includes('.') ||
      FOLDERS.has(names[0] ?? '')
    );
  }
  if (/^\.[a-z][\w-]*(?:\.[a-z]+)*$/i.test(text)) return text.length > 3;
  const extension = /^[\w@+-][\w@.+-]*\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(text)?.[1];
  return extension !== undefined && EXTENSIONS.has(extension.toLowerCase()) && !NAMES.has(text.toLowerCase());
}

const FOLDERS = new Set(
  'src test tests lib docs doc packages app apps bin scripts cmd pkg internal web api config examples assets public server client spec tools shipped'.split(
    ' ',
  ),
);
const EXTENSIONS = new Set(
  'ts tsx js jsx mjs cjs mts cts json jsonl json5 yaml yml toml ini cfg conf env md mdx txt rst adoc html htm css scss sass less vue svelte astro py pyi ipynb rb go rs java kt kts scala swift c h cc cpp cxx hpp cs fs php pl sh bash zsh fish ps1 bat sql graphql proto xml svg png jpg jpeg gif webp ico csv tsv lock log diff patch gradle tf hcl ex exs erl hs lua r jl dart zig nim clj elm ml mli tex wasm am in mk cmake dockerfile properties plist snap'.split(
    ' ',
  ),
);
/** Products that are called like files. */
const NAMES = new Set(
  'node.js next.js nuxt.js vue.js express.js three.js d3.js react.js nest.js ember.js backbone.js chart.js asp.net socket.io'.split(
    ' ',
  ),
);

function isIdentifier(text: string): boolean {
  if (/^[\w$.]+\(\)$/.test(text) || /^--?[a-z][\w-]+(?:=\S*)?$/.test(text) || /^\w+(?:::\w+)+$/.test(text)) return true;
  if (/^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+$/.test(text)) return !VERDICTS.has(text.toUpperCase());
  if (/^[a-z]+\d*[A-Z][A-Za-z0-9]*$/.test(text)) return !PRODUCTS.has(text.toLowerCase());
  return /^[A-Za-z_$][\w$]{1,60}(?:\.[A-Za-z_$][\w$]{1,60}){1,5}$/.test(text) && !NAMES.has(text.toLowerCase());
}

/** Verdicts and marks that are written like names of constants. */
const VERDICTS = new Set([
  'NEEDS_REVIEW',
  'TASK_COMPLETE',
  'REQUEST_CHANGES',
  'NEEDS_WORK',
  'CRITICAL_HALT',
  'ALL_DONE',
]);
const PRODUCTS = new Set('iphone ipad ios macos github gitlab javascript typescript openai devops ebay'.split(' '));
