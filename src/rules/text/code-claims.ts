import type { NegationScope } from './negation-cues.ts';
import { scopesOf } from './negation.ts';

/** A path or an identifier that a sentence names. */
interface CodeClaim {
  readonly kind: 'path' | 'identifier';
  readonly text: string;
  /** Whether it is asserted; a denied, asked or proposed one need not exist. */
  readonly isFirm: boolean;
}

/** The paths and identifiers of one sentence. */
export function listCodeClaims(sentence: string): readonly CodeClaim[] {
  const isOpen = /[?？]\s*$/u.test(sentence) || PROPOSING.test(sentence);
  const denied = scopesOf(sentence).filter(({ kind }) => kind === 'not');
  const quoted = spans(sentence, /`([^`\n]{1,200})`/g);
  const rest = sentence.replace(/`[^`\n]*`/g, (span) => ' '.repeat(span.length));
  const paths = [...quoted, ...spans(rest, /[^\s'"<>()[\]{},;]+/g)].flatMap(pathOf);
  const bare = paths.reduce(
    (text, { from, length }) => text.slice(0, from) + ' '.repeat(length) + text.slice(from + length),
    rest,
  );
  const claims = (kind: CodeClaim['kind'], found: readonly Found[]): readonly CodeClaim[] =>
    found.map(({ text, from, length }) => ({
      kind,
      text,
      isFirm: !isOpen && denied.every((scope) => !covers(scope, from, from + length)),
    }));
  return [
    ...claims('path', paths),
    ...claims('identifier', [...quoted.flatMap(identifiersIn), ...spans(bare, IDENTIFIER).filter(isIdentifier)]),
  ];
}

/** Whether a text holds an identifier, in any spelling: `maxRetries`, `max_retries` and `max retries` are the same. */
export function holdsIdentifier(shown: string, identifier: string): boolean {
  const lower = shown.toLowerCase();
  const bare = identifier.replace(/^--/, '');
  return (
    lower.includes(identifier.toLowerCase()) ||
    ` ${partsOf(shown)} `.includes(` ${partsOf(bare)} `) ||
    (/[.#]/.test(bare) && bare.split(/[.#]/).every((one) => lower.includes(one.toLowerCase())))
  );
}

const covers = (scope: NegationScope, from: number, to: number): boolean => scope.from < to && scope.to > from;

/** Advice names what is not there yet. */
const PROPOSING =
  /\b(?:should|could|ought|consider|suggest|recommend|propose|instead|rather than|would be better|please|need(?:s)? to|must be|rename|extract|introduce|e\.g\.|for example|such as|like)\b/i;

interface Found {
  readonly text: string;
  readonly from: number;
  readonly length: number;
}

const spans = (text: string, pattern: RegExp): readonly Found[] =>
  [...text.matchAll(pattern)].map((found) => ({
    text: found[1] ?? found[0],
    from: found.index,
    length: found[0].length,
  }));

const FILE_ENDINGS = new Set(
  'ts tsx js jsx mjs cjs mts cts json jsonl md py pyi rb go rs java kt kts c h cc cpp hpp cs php swift scala sh bash zsh sql html css scss yaml yml toml ini xml csv txt lock vue svelte proto tf gradle env log'.split(
    ' ',
  ),
);

/** A path with a file's ending, an absolute one, or one of several folders. */
function pathOf({ text, from, length }: Found): readonly Found[] {
  const path = text
    .replace(/^\.\//, '')
    .replace(/[.,;:!?]+$/, '')
    .replace(/:\d+(?:[-:]\d+)?$/, '');
  if (!/^[\w@~.+-]*(?:\/[\w@~.+{}*:-]+)*\/?$/.test(path) || /^[\d./-]+$/.test(path)) return [];
  const ending = /\.([A-Za-z]{1,6})$/.exec(path)?.[1]?.toLowerCase();
  const isFile =
    ending !== undefined && FILE_ENDINGS.has(ending) && /\w\.\w+$/.test(path) && !/^(?:e\.g|i\.e)$/.test(path);
  const isRooted = /^\/\w+(?:\/|$)/.test(path) && path.length > 2;
  const isDeep = (path.match(/\w\//g) ?? []).length >= 2 && !/^https?:/.test(path);
  return isFile || isRooted || isDeep ? [{ text: path, from, length }] : [];
}

/** Words that only code is written in: camelCase, snake_case, CONSTANTS, calls, flags. */
const IDENTIFIER =
  /(?<![\w$./-])(--[a-z][\w-]{1,40}|[a-z]+\d*[A-Z][\w$]*|[A-Za-z]\w*_\w+|[A-Za-z_$][\w$]*(?:\.[\w$]+)*(?=\(\)))(?![\w/])/g;

/** Names that are written like an identifier. */
const NO_IDENTIFIERS = new Set(['iPhone', 'iPad', 'iCloud', 'macOS', 'eBay', 'eMail', 'eCommerce']);

const isIdentifier = ({ text }: Found): boolean => text.length >= 4 && !NO_IDENTIFIERS.has(text);

/** Text in backticks is an identifier if it is written as one. */
function identifiersIn(quoted: Found): readonly Found[] {
  if (pathOf(quoted).length > 0) return [];
  const { text, from, length } = quoted;
  const single = /^[A-Za-z_$][\w$]*(?:[.#][\w$]+)*(?:\(\))?$/.exec(text);
  if (single !== null && text.length >= 3) return [{ text: text.replace(/\(\)$/, ''), from, length }];
  return spans(text, IDENTIFIER)
    .filter(isIdentifier)
    .map((one) => ({ ...one, from: from + one.from }));
}

/** The words of a text or an identifier. */
const partsOf = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
