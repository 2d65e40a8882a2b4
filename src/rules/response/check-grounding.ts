import { checkThreshold, undecidedAnswer, type AnswerCheck } from '../model/rule-opinion.ts';
import { isSame, mentionedFiles } from '../guards/named-files.ts';
import { isNegated } from '../text/negation.ts';

/** An answer, and what it may rest on. */
export interface GroundingQuestion {
  readonly response: string;
  readonly context: readonly string[];
  /** What was asked: an answer may repeat its facts, and reckon with them. */
  readonly query?: string | undefined;
  /** What a score must reach: 1 is supported, 0.5 goes beyond the context, 0 contradicts it. */
  readonly threshold: number;
}

/**
 * Whether a context carries an answer, without a model. A file, an identifier, a version, a number or a count of tests
 * that the context does not hold contradicts it (0); an answer whose every sentence is in the context is supported (1).
 * It abstains from anything else: from what is asked, denied or proposed, and from a number without a rival of its kind.
 */
export function checkGrounding({ response, context, query = '', threshold }: GroundingQuestion): AnswerCheck {
  const text = context.join('\n').slice(0, LONGEST);
  if (text.trim() === '') return undecidedAnswer('there is no context to hold the answer against');
  const said = response.slice(0, LONGEST).replace(/^(```|~~~)[\s\S]*?(?:^\1|(?![\s\S]))/gm, ' ');
  const sentences = said
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .flatMap((sentence) => sentence.match(/\S[\s\S]{0,399}/g) ?? []);
  const known = readContext(text, query.slice(0, LONGEST));
  const against = new Set(
    sentences.slice(0, MOST_SENTENCES).flatMap((sentence) => listContradictions(sentence, known)),
  );
  if (against.size > 0)
    return checkThreshold(0, threshold, `contradiction: ${[...against].slice(0, MOST_REASONS).join('; ')}`);
  const isWhole = sentences.length > 0 && sentences.length <= MOST_SENTENCES;
  if (isWhole && sentences.every((sentence) => known.plain.includes(plain(sentence))))
    return checkThreshold(1, threshold, 'every sentence of the answer is in the context, word by word');
  return undecidedAnswer('words alone do not show whether the context carries the answer');
}

const LONGEST = 200_000;
/** An answer of more sentences is never supported. */
const MOST_SENTENCES = 200;
/** Claims of one kind in a sentence. */
const MOST_CLAIMS = 20;
const MOST_FILES = 2000;
const MOST_REASONS = 5;

type KnownContext = ReturnType<typeof readContext>;

function readContext(context: string, query: string) {
  const text = `${context}\n${query}`;
  const numbers = numbersIn(context).filter(({ kind }) => kind !== BARE);
  const few = [...new Set([...numbers, ...numbersIn(query)].map(({ value }) => value))].slice(0, MOST_COMBINED);
  const all = (text.match(/\d+(?:[,_]\d{3})*(?:\.\d+)?/g) ?? []).map(toNumber);
  return {
    text,
    isRed: SOME_RED.test(context),
    lower: text.toLowerCase(),
    /** Its words on one line, to find whole sentences. */
    plain: plain(context),
    /** The words of its identifiers: `maxRetries`, `max_retries` and `max retries` are the same. */
    parts: ` ${partsOf(text)} `,
    files: mentionedFiles(text).slice(0, MOST_FILES),
    hasVersions: context.search(VERSION) !== -1,
    /** The first number of each kind. */
    rivals: new Map(numbers.toReversed().map((said) => [said.kind, said])),
    /** Every number in it, also within words, and every sum and difference of the first ones. */
    values: new Set([...all, ...few.flatMap((one) => few.flatMap((other) => [one + other, one - other]))]),
  };
}

const MOST_COMBINED = 40;

function listContradictions(sentence: string, known: KnownContext): readonly string[] {
  if (/[?？]\s*$/u.test(sentence) || PROPOSING.test(sentence)) return [];
  const isFirm = (what: string): boolean =>
    !isNegated(sentence, Math.max(0, sentence.indexOf(what) + what.search(/\w/)));
  const named = mentionedFiles(sentence).slice(0, MOST_CLAIMS);
  const files = named.filter(
    (file) =>
      isFirm(file) &&
      known.files.length > 0 &&
      !known.text.includes(file) &&
      known.files.every((one) => !isSame(one, file)),
  );
  const bare = named.reduce((text, file) => text.replaceAll(file, ' '), sentence);
  const identifiers = (bare.match(IDENTIFIER) ?? [])
    .slice(0, MOST_CLAIMS)
    .filter((one) => isFirm(one) && !holdsIdentifier(one, known));
  const versions = (bare.match(VERSION) ?? [])
    .slice(0, MOST_CLAIMS)
    .filter((one) => isFirm(one) && known.hasVersions && !known.text.includes(one.replace(/^v/, '')));
  const said = numbersIn(bare.replaceAll(VERSION, ' ').replaceAll(DATE, ' ')).slice(0, MOST_COMBINED);
  const numbers = said.flatMap((one) => {
    const rival = known.rivals.get(one.kind);
    const isOther = rival === undefined ? one.kind === BARE && one.value >= LARGE : !isReckoned(one, said, known);
    if (!isOther || known.values.has(one.value) || !isFirm(one.text)) return [];
    return rival === undefined
      ? [`the number ${one.text} is not in the context`]
      : [`${one.text} is not what the context says (${rival.text})`];
  });
  return [
    ...files.map((file) => `the path ${file} is not in the context`),
    ...identifiers.map((one) => `the identifier ${one} is not in the context`),
    ...versions.map((one) => `${one} is not in the context`),
    ...numbers,
    ...(ALL_GREEN.test(sentence) && known.isRed ? ['not all tests pass by what the context says'] : []),
  ];
}

/** `3 days ago, so 27 are left` of 30: two numbers of a sentence that make one of the context. */
const isReckoned = (one: SaidNumber, said: readonly SaidNumber[], { values }: KnownContext): boolean =>
  said.some(
    (other) =>
      other !== one &&
      other.kind === one.kind &&
      [one.value + other.value, Math.abs(one.value - other.value)].some((sum) => sum !== 0 && values.has(sum)),
  );

/** Advice names what is not there yet. */
const PROPOSING =
  /\b(?:should|could|ought|consider|suggest|recommend|propose|instead|rather than|please|need(?:s)? to|must be|rename|for example|e\.g\.|such as)\b/i;
/** Words that only code is written in: camelCase, snake_case, calls. Product names such as macOS are none. */
const IDENTIFIER =
  /(?<![\w$./-])(?:(?!macOS|i(?:Phone|Pad|OS|Cloud)|eBay)[a-z]+\d*[A-Z][\w$]*|[A-Za-z]\w*_\w+|[A-Za-z_$][\w$]{2,}(?=\(\)))(?![\w/])/g;
/** Versions and times of day. */
const VERSION = /(?<![\w.-])v?\d+\.\d+\.\d+(?!\w)|(?<![\w:])\d{1,2}:\d{2}(?![\w:])/g;
/** A day is no number. */
const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;
const ALL_GREEN =
  /\b(?:all|every|each)\b[^.!?]{0,40}\b(?:tests?|specs?|checks?)\b[^.!?]{0,30}\b(?:pass|green|succeed)/i;
const SOME_RED = /(?<![\d.])[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\bfail(?:ed|ures?)?:? [1-9]/i;

const holdsIdentifier = (identifier: string, { lower, parts }: KnownContext): boolean =>
  lower.includes(identifier.toLowerCase()) || parts.includes(` ${partsOf(identifier)} `);

const partsOf = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** The numbers in digits, each with what it counts: two of one kind can contradict each other. */
function numbersIn(text: string) {
  return [...text.matchAll(NUMBER)].map(({ groups = {} }) => {
    const { before = '', digits = '', unit = '' } = groups;
    const kind = kindOf(before.toLowerCase(), unit.toLowerCase());
    return { text: `${before}${digits}${before === '' ? unit : ''}`, value: toNumber(digits), kind };
  });
}

const NUMBER =
  /(?<before>[$€£]|\b(?:usd|eur|port|status|room|node|version) )?(?<![\w.:/-])(?<digits>\d+(?:[,_]\d{3})*(?:\.\d+)?)(?![\d:])(?<unit>%|\s?°?[A-Za-z]+)?/gi;

/** The kind of a number that counts nothing in particular; such a small one may be counted by eye. */
const BARE = '';
const LARGE = 100;

const toNumber = (digits: string): number => Number(digits.replace(/[,_]/g, ''));

function kindOf(before: string, unit: string): string {
  if (/[$€£]|usd|eur/.test(before) || /^\s?(?:usd|eur|dollars?|euros?)$/.test(unit)) return 'money';
  if (before !== '') return before.trim();
  const word = unit.trim().replace(/(?<=\w{2})s$/, '');
  if (/^(?:%|percent)$/.test(word)) return '%';
  if (/^(?:test|spec|passed|failed|failing|passing|skipped)$/.test(word)) return 'test';
  return COMMON.test(word) ? BARE : word;
}

type SaidNumber = ReturnType<typeof numbersIn>[number];

/** Words behind a number that say nothing of what it counts. */
const COMMON = /^(?:|and|or|of|to|in|on|at|for|the|is|are|was|were|by|from|with|if|than|per|more|less|times?|x)$/;
