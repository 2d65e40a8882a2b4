import type { NegationScope } from '../text/negation-cues.ts';
import { scopesOf } from '../text/negation.ts';
import { numbersIn } from './numbers.ts';
import type { NumberSaid } from './numbers.ts';
import { FILE_ENDINGS, NO_IDENTIFIERS } from './words.ts';

/** Something that a sentence says and a context holds or does not, without understanding either. */
export type GroundingClaim = {
  readonly text: string;
  /** Whether it is asserted; a denied, asked or proposed claim need not be in the context. */
  readonly isFirm: boolean;
} & (
  | { readonly kind: 'path' | 'identifier' | 'code' | 'name' | 'exact' }
  | { readonly kind: 'number' | 'tests'; readonly number: NumberSaid }
);

/** What one sentence claims. */
export function claimsOf(sentence: string): readonly GroundingClaim[] {
  const asks = /[?？]\s*$/u.test(sentence);
  const proposes = PROPOSING.test(sentence);
  const denied = scopesOf(sentence).filter(({ kind }) => kind === 'not');
  const isFirm = (from: number, to: number): boolean => !asks && denied.every((scope) => !covers(scope, from, to));
  const quoted = spans(sentence, /`([^`\n]{1,200})`/g);
  const rest = sentence.replace(/`[^`\n]*`/g, (span) => ' '.repeat(span.length));
  const paths = [...quoted, ...spans(rest, /[^\s'"<>()[\]{},;]+/g)].flatMap(pathOf);
  const bare = paths.reduce(
    (text, { from, length }) => text.slice(0, from) + ' '.repeat(length) + text.slice(from + length),
    rest,
  );
  const named = (
    kind: 'path' | 'identifier' | 'code' | 'name' | 'exact',
    found: readonly Found[],
  ): readonly GroundingClaim[] =>
    found.map(({ text, from, length }) => ({
      kind,
      text,
      isFirm: isFirm(from, from + length) && (kind === 'exact' || !proposes),
    }));
  return [
    ...named('path', paths),
    ...named('identifier', [...quoted.flatMap(identifiersIn), ...spans(bare, IDENTIFIER).filter(isIdentifier)]),
    ...named('exact', spans(bare, CLOCK_OR_VERSION)),
    ...named('code', spans(bare, /(?<![\w-])([A-Z]{1,3}\d{1,4})(?![\w-])/g)),
    ...named('name', properNames(bare)),
    ...numbersIn(bare).map((number) => ({
      kind: aboutTests(bare, number) ? ('tests' as const) : ('number' as const),
      text: number.text,
      number,
      isFirm: isFirm(number.from, number.to),
    })),
  ];
}

const covers = (scope: NegationScope, from: number, to: number): boolean => scope.from < to && scope.to > from;

const CLOCK_OR_VERSION = /(?<![\w.-])(\d{1,2}:\d{2})(?![\w:])|(?<![\w.-])[vV]?(\d+\.\d+\.\d+(?:-[\w.]+)?)(?!\w)/g;

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
    text: found.slice(1).find((group) => group !== undefined) ?? found[0],
    from: found.index,
    length: found[0].length,
  }));

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

/** Whether a number says how many tests there are, passed or failed. */
const aboutTests = (text: string, { from, to }: NumberSaid): boolean =>
  /^[\s/\d]{0,8}(?:(?:unit|new|of|the|more|other|existing|integration|end-to-end)\s+){0,3}(?:tests?|specs?|assertions?|test cases?|passed|passing|failed|failing|skipped)\b/i.test(
    text.slice(to, to + 60),
  ) || /\b(?:tests?|passed|failed|pass|fail)\s*[:=]?\s*$/i.test(text.slice(Math.max(0, from - 12), from));

/** Names in the middle of a sentence, and two in a row wherever they stand. */
function properNames(text: string): readonly Found[] {
  return spans(
    text,
    /(?<=[\p{L}\p{N},;:]\s)(\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}+)*)(?![\w-])|(?<!\p{L})(\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}{2,})+)/gu,
  );
}
