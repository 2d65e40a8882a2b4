/** The languages whose tests are counted. */
export type Language =
  | 'script'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'swift'
  | 'cpp'
  | 'php'
  | 'ruby'
  | 'shell';

/** How a text literal begins and ends. */
export interface Quote {
  readonly open: string;
  readonly close: string;
  /** It may go over several lines. */
  readonly crosses?: true;
  /** A backslash is an ordinary sign in it; with `doubles`, two quotes stand for one. */
  readonly isRaw?: true;
  readonly doubles?: true;
  /** Code may stand in `${}` in it. */
  readonly nests?: true;
  /** It holds one sign; what is longer is no literal (a lifetime, an apostrophe). */
  readonly isChar?: true;
}

/** What of a language must be known to tell its code from its comments and texts. */
export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string, nests: boolean])[];
  /** Longer ones first. */
  readonly quotes: readonly Quote[];
  readonly word: RegExp;
  readonly regex: boolean;
  /** `#` begins a comment only where a word could begin. */
  readonly hashLeads: boolean;
  /** `#[` begins an attribute, no comment. */
  readonly attributes: boolean;
  readonly heredoc?: 'shell' | 'ruby' | 'php';
  /** Raw texts that end with as many `#` as they began with. */
  readonly raw?: RegExp;
  /** Comments that a test runner obeys are kept as notes. */
  readonly notes?: RegExp;
  /** Whole lines between which nothing counts. */
  readonly blockLines?: readonly [RegExp, RegExp];
}

const WORD = /[\p{L}\p{N}_$]+/uy;
const DOUBLE: Quote = { open: '"', close: '"' };
const SINGLE: Quote = { open: "'", close: "'" };
const CHAR: Quote = { ...SINGLE, isChar: true };
const TRIPLE: Quote = { open: '"""', close: '"""', crosses: true };
const BACKTICK: Quote = { open: '`', close: '`', crosses: true };

const braces = (quotes: readonly Quote[], more: Partial<Syntax> = {}): Syntax => ({
  lineComments: ['//'],
  blockComments: [['/*', '*/', false]],
  quotes,
  word: WORD,
  regex: false,
  hashLeads: false,
  attributes: false,
  ...more,
});

const NEVER_BUILT = [/^\s*#if (?:0|false)\b/i, /^\s*#(?:endif|else)\b/] as const;

/** Each language's own ways. */
export const SYNTAX: Readonly<Record<Language, Syntax>> = {
  script: braces([DOUBLE, SINGLE, { ...BACKTICK, nests: true }], { regex: true }),
  python: braces([TRIPLE, { open: "'''", close: "'''", crosses: true }, DOUBLE, SINGLE], {
    lineComments: ['#'],
    blockComments: [],
  }),
  go: braces([DOUBLE, { ...BACKTICK, isRaw: true }, CHAR], { notes: /^\/\/(?:go:build| \+build)/ }),
  rust: braces([{ ...DOUBLE, crosses: true }, CHAR], { blockComments: [['/*', '*/', true]], raw: /b?r#*"/y }),
  java: braces([TRIPLE, DOUBLE, CHAR]),
  kotlin: braces([TRIPLE, DOUBLE, BACKTICK, CHAR], { blockComments: [['/*', '*/', true]] }),
  csharp: braces(
    [
      TRIPLE,
      { open: '@"', close: '"', crosses: true, isRaw: true, doubles: true },
      { open: '$@"', close: '"', crosses: true, isRaw: true, doubles: true },
      DOUBLE,
      CHAR,
    ],
    { blockLines: NEVER_BUILT },
  ),
  swift: braces([TRIPLE, DOUBLE], { blockComments: [['/*', '*/', true]], blockLines: NEVER_BUILT }),
  cpp: braces([DOUBLE, CHAR], { blockLines: NEVER_BUILT }),
  php: braces(
    [
      { ...DOUBLE, crosses: true },
      { ...SINGLE, crosses: true },
    ],
    {
      lineComments: ['//', '#'],
      attributes: true,
      heredoc: 'php',
      notes: /@test\b|@dataProvider\b/,
    },
  ),
  ruby: braces([{ ...DOUBLE, crosses: true }, { ...SINGLE, crosses: true }, BACKTICK], {
    lineComments: ['#'],
    blockComments: [],
    regex: true,
    heredoc: 'ruby',
    word: /[\p{L}\p{N}_@$]+[?!]?/uy,
    blockLines: [/^=begin\b/, /^=end\b/],
  }),
  shell: braces([{ ...DOUBLE, crosses: true }, { ...SINGLE, crosses: true, isRaw: true }, BACKTICK], {
    lineComments: ['#'],
    blockComments: [],
    hashLeads: true,
    heredoc: 'shell',
    word: /[^\s"'`;&|<>()]+/y,
  }),
};

/** The language of a file, by its name; undefined where its tests cannot be counted. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return ENDINGS.get(ending);
}

const ENDINGS: ReadonlyMap<string, Language> = new Map(
  (
    [
      ['script', 'js jsx ts tsx mjs cjs mts cts vue svelte'],
      ['python', 'py pyi'],
      ['go', 'go'],
      ['rust', 'rs'],
      ['java', 'java groovy scala'],
      ['kotlin', 'kt kts'],
      ['csharp', 'cs fs'],
      ['swift', 'swift'],
      ['cpp', 'c cc cpp cxx h hpp hh'],
      ['php', 'php phpt'],
      ['ruby', 'rb'],
      ['shell', 'sh bash bats zsh ksh'],
    ] as const
  ).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
);
