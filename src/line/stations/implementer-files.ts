import type { BriefContext } from '../record/brief-context.ts';
import { LONG_FILE_LINES } from './answer-rules.ts';
import type { ShownFile } from './describe-contract.ts';
import { fenceText } from '../../agents/fence-text.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { BYTES_PER_TOKEN } from '../../base/estimate-tokens.ts';

interface FileExcerpt {
  readonly file: ShownFile;
  readonly part: string;
  readonly isWhole: boolean;
}

/** Optional parts, in the order of their value. */
type Offers = ReturnType<typeof listOffers>;

/** The required files: whole, or the longest of them in parts where `bytes` do not suffice. */
export function fitTargets(
  files: readonly ShownFile[],
  bytes: number,
  nonce: string,
  interestIn: (file: ShownFile) => Interest,
): readonly FileExcerpt[] {
  let targets = files.map((file): FileExcerpt => ({ file, part: whole(file, nonce), isWhole: true }));
  const used = (): number => targets.reduce((sum, { part }) => sum + countPartBytes(part), 0);
  const longestFirst = files.toSorted((one, other) => other.text.length - one.text.length);
  for (const file of longestFirst) {
    const over = used() - bytes;
    if (over <= 0) break;
    const named = (text: string): string => fenceText(`parts of file ${file.path}`, text, nonce);
    const old = targets.find((target) => target.file === file)?.part ?? '';
    const left = countPartBytes(old) - over - countPartBytes(named('')) - MARGIN;
    const part = named(extractExcerpt(file, interestIn(file), Math.max(left, SMALLEST_PART)));
    if (countPartBytes(part) < countPartBytes(old))
      targets = targets.map((target) => (target.file === file ? { file, part, isWhole: false } : target));
  }
  return targets;
}

export function listOffers(
  inQuestion: readonly ShownFile[],
  neighbours: readonly (ShownFile & { readonly isTied: boolean; readonly mayChange: boolean })[],
  nonce: string,
) {
  const signed = neighbours.map((file) => ({ file, text: declarations(file) })).filter(({ text }) => text !== '');
  const tied = neighbours.filter(({ isTied, text }) => isTied && text !== '' && countLines(text) <= LONG_FILE_LINES);
  return {
    /** Files in question: whole, else their declarations. */
    files: inQuestion.map((file) => {
      const short = declarations(file);
      return { name: file.path, versions: [whole(file, nonce), ...(short === '' ? [] : [short])] };
    }),
    signatures: signed.map(({ file, text }) => ({ name: file.path, versions: [text] })),
    whole: tied.slice(0, WHOLE_NEIGHBOURS).map((file) => ({
      name: file.path,
      versions: [
        file.mayChange
          ? whole(file, nonce)
          : fenceText(`neighbour ${file.path} (to read, not to change)`, file.text, nonce),
      ],
    })),
  };
}

export function renderOffers(offers: Offers, { versions }: Fitting, nonce: string): readonly string[] {
  const taken = (list: readonly Offer[], version: number): readonly string[] =>
    list.flatMap((offer) => (versions.get(offer) === version ? [offer.versions[version] ?? ''] : []));
  const wholeToo = new Set(offers.whole.filter((offer) => versions.get(offer) === 0).map(({ name }) => name));
  const signatures = [
    ...taken(offers.files, 1),
    ...taken(
      offers.signatures.filter(({ name }) => !wholeToo.has(name)),
      0,
    ),
  ];
  return [
    ...taken(offers.files, 0),
    ...(signatures.length > 0 ? [fenceText(SIGNATURES, signatures.join('\n'), nonce)] : []),
    ...taken(offers.whole, 0),
  ];
}

export function implementerContext(
  view: { readonly window: number | undefined; readonly leftOut: BriefContext['leftOut'] },
  sizes: ReadonlyMap<string, ShownFile>,
  targets: readonly FileExcerpt[],
  offers: Offers,
  { versions }: Fitting,
): Omit<BriefContext, 'tokens' | 'rework'> {
  const named = (list: readonly Offer[], version: number | undefined): string[] =>
    list.filter((offer) => versions.get(offer) === version).map(({ name }) => name);
  const wholePaths = [
    ...targets.filter(({ isWhole }) => isWhole).map(({ file }) => file.path),
    ...named(offers.files, 0),
    ...named(offers.whole, 0),
  ];
  const inPart = targets.filter(({ isWhole }) => !isWhole).map(({ file }) => file.path);
  const unfit = named(offers.signatures, undefined).filter((path) => !wholePaths.includes(path)).length;
  const leftOut = [
    ...named(offers.files, undefined).map((what) => ({ what, why: 'does not fit' })),
    ...(unfit > 0
      ? [{ what: `signatures of ${unfit} neighbouring ${unfit === 1 ? 'file' : 'files'}`, why: 'do not fit' }]
      : []),
    ...view.leftOut,
  ];
  return {
    window: view.window ?? null,
    whole: wholePaths.map((path) => ({ path, bytes: new TextEncoder().encode(sizes.get(path)?.text ?? '').length })),
    ...(inPart.length > 0 ? { parts: inPart } : {}),
    signatures: [
      ...named(offers.files, 1),
      ...named(offers.signatures, 0).filter((path) => !wholePaths.includes(path)),
    ],
    leftOut: [
      ...leftOut.slice(0, LISTED),
      ...(leftOut.length > LISTED ? [{ what: `${leftOut.length - LISTED} more`, why: 'not listed' }] : []),
    ],
  };
}

/** The heading of the signatures, whose bytes count too. */
export const SIGNATURES = 'signatures of neighbouring files';

/** A final newline does not begin a new line. */
export const countLines = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const whole = ({ path, text }: ShownFile, nonce: string): string => fenceText(`file ${path}`, text, nonce);

function declarations({ path, text }: ShownFile): string {
  const lines = listSignatures(path, text);
  return lines.length === 0 ? '' : `${path}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Limits: neighbours shown whole, and names listed. */
const WHOLE_NEIGHBOURS = 6;
const LISTED = 30;
/** The smallest useful part of a file; and a margin for rounding. */
const SMALLEST_PART = 2000;
const MARGIN = 64;

/** An optional part of a brief, in versions of falling size; the first that fits is used. */
interface Offer {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The token limits of a prompt: `room` is hard, `comfort` is the limit with optional parts. */
interface TokenLimits {
  readonly room: number;
  readonly comfort: number;
}

/** The version of each offer that fits; undefined = none. */
interface Fitting {
  readonly versions: ReadonlyMap<Offer, number | undefined>;
  /** Bytes left for a final note. */
  readonly bytesLeft: number;
}

export const SEPARATOR = '\n\n';

/** Selects the offers that fit beside the required parts; offers come in the order of their value. */
export function fitOffers(
  always: readonly string[],
  offers: readonly Offer[],
  { room, comfort }: TokenLimits,
): Outcome<Fitting, { readonly needs: number }> {
  const needed = always.reduce((sum, part) => sum + countPartBytes(part), 0);
  const bytes = room * BYTES_PER_TOKEN;
  if (needed > bytes) return failure({ needs: Math.ceil(needed / BYTES_PER_TOKEN) });
  const lastWord = Math.min(LAST_WORD, Math.floor(bytes * LAST_WORD_SHARE));
  let left = Math.min(bytes, comfort * BYTES_PER_TOKEN) - needed - lastWord;
  let used = needed;
  const versions = new Map<Offer, number | undefined>();
  for (const offer of offers) {
    let size = 0;
    const version = offer.versions.findIndex((text) => {
      size = countPartBytes(text);
      return size <= left;
    });
    versions.set(offer, version === -1 ? undefined : version);
    if (version === -1) continue;
    left -= size;
    used += size;
  }
  return success({ versions, bytesLeft: Math.min(bytes - used, LAST_WORD) });
}

export const countPartBytes = (part: string): number => encoder.encode(part).length + SEPARATOR.length;

const encoder = new TextEncoder();
/** Bytes reserved for the list of omissions, and their share of a small room. */
const LAST_WORD = 1500;
const LAST_WORD_SHARE = 0.1;

/** The important parts of a long file: names of the task, and cited lines. */
export interface Interest {
  readonly words: ReadonlySet<string>;
  readonly lines: readonly number[];
}

/**
 * The most relevant parts of a file for a window too small for it: its start, and the context of cited lines and of
 * names of the task. Omissions are marked in brackets.
 */
export function extractExcerpt({ text }: ShownFile, interest: Interest, bytes: number): string {
  const lines = text.split('\n');
  const worth = worthOf(lines, interest);
  const order = [...worth.keys()]
    .filter((at) => (worth[at] ?? 0) > 0)
    .toSorted((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0) || one - other);
  const kept = new Set<number>();
  let left = bytes - MARKER;
  // Important lines first; then, while there is room, the rest from the start.
  for (const middle of [0, ...order, ...lines.keys()]) {
    if (left < MARKER) break;
    for (const at of around(middle, lines.length)) {
      if (kept.has(at)) continue;
      const cost = size(lines[at] ?? '') + 1 + (kept.has(at - 1) || kept.has(at + 1) ? 0 : MARKER);
      if (cost > left) continue;
      kept.add(at);
      left -= cost;
    }
  }
  return render(lines, kept);
}

/** The names in a text that are worth a search in code. */
export const listSearchWords = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? []).filter((word) => !COMMON.has(word.toLowerCase())));

function around(middle: number, count: number): readonly number[] {
  const near: number[] = [];
  for (let step = 0; step <= SURROUNDINGS; step += 1)
    for (const at of step === 0 ? [middle] : [middle + step, middle - step]) if (at >= 0 && at < count) near.push(at);
  return near;
}

/** The weight of each line: cited lines most, then names of the task, rare names more than frequent ones. */
function worthOf(lines: readonly string[], { words, lines: cited }: Interest): readonly number[] {
  const named = lines.map((line) => [...listSearchWords(line.slice(0, LOOKED_AT))].filter((word) => words.has(word)));
  const often = new Map<string, number>();
  for (const word of named.flat()) often.set(word, (often.get(word) ?? 0) + 1);
  const isCited = new Set(cited);
  return named.map(
    (found, at) => (isCited.has(at + 1) ? 100 : 0) + found.reduce((sum, word) => sum + 1 / (often.get(word) ?? 1), 0),
  );
}

function render(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let gap: number | undefined;
  const close = (end: number): void => {
    if (gap !== undefined) shown.push(`[lines ${gap + 1} to ${end} are not shown]`);
    gap = undefined;
  };
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) gap ??= at;
    else {
      close(at);
      shown.push(line);
    }
  }
  close(lines.length);
  return shown.join('\n');
}

const size = (line: string): number => new TextEncoder().encode(line).length;

const SURROUNDINGS = 15;
const LOOKED_AT = 400;
const MARKER = '[lines 1000000 to 1000000 are not shown]\n'.length;
const COMMON: ReadonlySet<string> = new Set(
  'this that with from when into must shall should each every only have been were will they them then than there which what your same also more some such lines line file files code change make add'.split(
    ' ',
  ),
);

/** The lines of a file that declare what other files can use, methods and headings too; alike for every language. */
export function listSignatures(path: string, text: string, most = 24): readonly string[] {
  const heading = HEADINGS.find(({ endings }) => endings.test(path))?.heading;
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const found: string[] = [];
  for (let at = 0; at < lines.length && found.length < most; at += 1) {
    const line = (lines[at] ?? '').slice(0, MOST_OF_A_LINE).replace(/\r$/, '');
    if (heading !== undefined) {
      if (heading.test(line)) found.push(tidied(line));
    } else if (line.trim() !== '' && !REMARK.test(line) && !FLOW.test(line)) {
      const whole = closed(line, lines, at);
      if (DECLARES.some((pattern) => pattern.test(whole))) found.push(tidied(whole));
    }
  }
  return found;
}

function closed(line: string, lines: readonly string[], at: number): string {
  let text = line.trimEnd();
  for (let next = at + 1; next <= at + JOINED && depth(text) > 0 && text.length < MOST_OF_A_LINE; next += 1)
    text += ` ${(lines[next] ?? '').slice(0, MOST_OF_A_LINE).trim()}`;
  return text;
}

function depth(text: string): number {
  let open = 0;
  for (const char of text) open += char === '(' ? 1 : char === ')' ? -1 : 0;
  return open;
}

function tidied(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
  const text = line
    .trim()
    .replaceAll('( ', '(')
    .replace(/,? \)/g, ')')
    .replace(/\s*(?:\{|=>|:|=)?\s*$/, '');
  return `${indent.slice(0, 8)}${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}`;
}

const MOST_OF_A_LINE = 400;
const SHOWN = 160;
const JOINED = 8;
const REMARK = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|if|include)\b)|--|;|%)/;
/** Lines that only look like a declaration; a method may have the name of some of these words. */
const FLOW =
  /^[^(]*,$|^\s*(?:\}?\s*else\b|(?:if|elif|for|foreach|while|switch|catch|return|throw|try|await|yield|case|using|sizeof|typeof|super|this)\b|(?:with|raise|do|new|del|import|from|lock|assert|print|puts|echo)\b(?!\()|function\s*\()/;

const HEADINGS = [
  { endings: /\.(?:md|mdx|markdown)$/i, heading: /^#{1,4} \S/ },
  { endings: /\.(?:rst|adoc)$/i, heading: /^={1,4} \S/ },
];

const DECLARES: readonly RegExp[] = [
  /^export\b/,
  /^(?:module\.)?exports\b.*=/,
  /^#\s*define \w+\(/,
  /^\s*create (?:or replace )?(?:table|view|index|function|procedure|type|trigger|schema) /i,
  /^macro_rules!/,
  // A keyword behind modifiers.
  /^\s{0,8}(?:[a-z]+(?:\([^)]*\)| "[^"]*")? ){0,6}(?:@?interface|class|enum|record|struct|object|union|trait|protocol|extension|namespace|module|defmodule|mod|impl|type|typedef|template|def|defp|fun|func|fn|function\*?|init|macro|message|service|rpc|input|query|mutation)[ <(]\s*[\w$<(&*]/,
  // A constant.
  /^\s*(?:pub(?:\([^)]*\))? )?(?:const|static) [A-Z_]+:|^[A-Z][A-Z0-9_]+\s*(?::[^=]+)?=(?!=)/,
  // A method: a name and its parameters, indented, with a body, or with a type behind them.
  /^[ \t]{1,8}(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set) |\*\s?)*#?[\w$]+\??\s*(?:<[^<>()]*>)?\(.*\)(?:(?:: [^{};]+)?\s*\{|: [^{};]+;$)/,
  /^\t[A-Z]\w*\([^)]*\)[^{=]*$/,
  // A function behind its type.
  /^\s{0,8}(?=[A-Za-z_])(?:[\w:<>[\],?.]+[\s*&]+){1,6}~?[\w:]+\([^;=]*\)\s*(?:const|noexcept|override|= 0|throws [\w, .]+)?\s*[{;]?\s*$/,
  /^[A-Za-z_][\w:<>,*& ]*[\s*&]~?[\w:]+\([^;]*,\s*$/,
  /^(?:function )?[\w-]+\s*\(\)/,
];
