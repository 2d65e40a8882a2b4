import { clausesOf } from './clauses.ts';
import {
  RUNS,
  GOOD,
  BAD,
  DENIED,
  NEGATION,
  DOUBT,
  TOLD,
  FOREIGN,
  EXCUSED,
  READ,
  DIFF,
  LOOK_DOUBT,
  IDIOMS,
  SHORT,
  SOON,
  BAD_COUNT,
  NONE_BAD,
  PASSED_COUNT,
  NOTHING_PASSED,
  OTHER_COUNT,
} from './evidence-words.ts';
import { holds, spansOf, touches } from './patterns.ts';
import type { Span } from './patterns.ts';
import type { Prose } from './prose.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** Something a reviewer says he has seen. */
export interface Claim {
  readonly kind: 'run' | 'diff' | 'read';
  readonly text: string;
  /** Passed and all, where it says how many. */
  readonly ratio?: { readonly passed: number; readonly all: number } | undefined;
  /** How many tests it says passed, where it does not say of how many. */
  readonly passed?: number | undefined;
  readonly diffstat?: { readonly added: number; readonly deleted: number } | undefined;
  readonly paths: readonly string[];
}

/** What a review claims, and what in it speaks against an approval. */
export interface Evidence {
  readonly claims: readonly Claim[];
  /** Sentences that tell of something red. */
  readonly failing: readonly string[];
  /** Sentences that look like evidence and are none, and why. */
  readonly refused: readonly {
    readonly text: string;
    readonly why: 'negated' | 'not yet seen' | 'of something else';
  }[];
}

/** Whether a clause speaks of tests, a build, a linter: of something that runs and has an outcome. */
export const namesRun = (clause: string): boolean => holds(clause, ...RUNS);

/** Reads the evidence in what a message says and shows. */
export function evidenceIn({ sentences, blocks }: Prose): Evidence {
  const found: Found[] = [];
  for (const { text } of sentences) found.push(...inSentence(text, false));
  for (const block of blocks) {
    if (/^(?:diff --git |@@ -|--- a\/)/m.test(block))
      found.push({ claim: claimOf('diff', 'a diff that is shown', []) });
    else for (const row of block.split('\n').slice(0, MOST_ROWS)) found.push(...inSentence(row, true));
  }
  return {
    claims: found.flatMap(({ claim }) => claim ?? []),
    failing: found.flatMap(({ failing }) => failing ?? []),
    refused: found.flatMap(({ refused }) => refused ?? []),
  };
}

/** Of output that is shown so many rows are looked at. */
const MOST_ROWS = 400;

interface Found {
  readonly claim?: Claim;
  readonly failing?: string;
  readonly refused?: Evidence['refused'][number];
}

function inSentence(sentence: string, isOutput: boolean): readonly Found[] {
  const isTold = !isOutput && (holds(sentence, ...TOLD) || isToldByAName(sentence));
  const isAsked = !isOutput && ASKED.test(sentence);
  let isAfterRun = false;
  let isElsewhere = false;
  if (!isOutput && EXCEPTED.test(sentence) && namesRun(sentence)) return [{ failing: sentence.trim() }];
  return clausesOf(sentence).flatMap(({ text }) => {
    const clause = spansOf(text, IDIOMS).reduce(blank, text);
    const found = inClause(clause, isOutput, isAfterRun);
    isAfterRun = found === undefined && namesRun(clause);
    const isOfAnother = isElsewhere || (!isOutput && holds(clause, ...FOREIGN));
    const isForeign = isTold || isOfAnother;
    isElsewhere ||= isForeign && found === undefined && SETS_THE_SCENE.test(clause);
    if (found?.failing !== undefined && isOfAnother && !A_PART.test(clause)) return []; // `the old branch failed 4 tests`
    if (found?.claim !== undefined && isAsked) return { refused: { text: text.trim(), why: 'not yet seen' as const } };
    if (found?.claim === undefined || !isForeign) return found ?? [];
    return { refused: { text: text.trim(), why: 'of something else' as const } };
  });
}

/** `All tests pass, except for the four that do not`; what was skipped is no exception. */
const EXCEPTED =
  /(?<!\w)(?:except(?: for)?|apart from|other than|aside from|save for|bar) (?!.*(?:skip|todo|ignored|pending))(?:[a-z]+ ){0,3}(?:that|which|who)? ?(?:do(?:es)?n?['’]?t?(?: not)?|did(?:n['’]t| not)|fail|failed|are red|is red|is failing|are failing|still)(?!\w)/iu;

/** What is red in another module may be red in this change. */
const A_PART =
  /(?<!\w)(?:module|file|service|feature|function|package|workspace|team)s?(?!\w)|모듈|파일|서비스|기능|이슈|팀|模块|服务|功能|文件/iu;

/** A question shows nothing. */
const ASKED = /[?？]["'”’)\]\s]*$/u;

/** `When I reviewed the previous change, …`: what follows is told of that one. */
const SETS_THE_SCENE = /^\s*(?:when|while|in|on|for|during|at|last|back|with|지난|어제|이전|上|昨|在)/iu;

const blank = (text: string, { from, to }: Span): string =>
  `${text.slice(0, from)}${' '.repeat(to - from)}${text.slice(to)}`;

/** `ran the tests twice, both green`: a few words that finish what the clause before began. */
const FEW = 4;

function inClause(clause: string, isOutput: boolean, isAfterRun: boolean): Found | undefined {
  const text = clause.trim();
  const tokens = tokensOf(clause);
  const ratio = ratioIn(clause, tokens);
  const isNamed = holds(clause, ...RUNS) || countsRuns(clause);
  const good = isNamed || isAfterRun || ratio !== undefined ? spansOf(clause, ...GOOD) : [];
  const isRun = isNamed || (good.length > 0 && (ratio !== undefined || (isAfterRun && tokens.length <= FEW)));
  const look = isDiff(clause, tokens) ? 'diff' : isRead(clause, tokens) ? 'read' : undefined;
  if (!isRun && look === undefined) return undefined;
  const isDoubted = !isOutput && (holds(clause, ...DOUBT) || SOON.test(clause));
  const outside = blanked(clause, good);
  if (isRun && !isDoubted && isFailing(clause, outside, ratio, isDeniedGood(outside, good)))
    if (!holds(clause, ...EXCUSED)) return { failing: text };
    else if (good.length === 0) return undefined;
  const kind = isRun && isGood(clause, good, ratio) ? 'run' : look;
  const isSeen = kind === 'diff' || kind === 'read';
  if (holds(outside, ...(isSeen ? NEGATION : DENIED)) || SHORT.test(outside))
    return { refused: { text, why: 'negated' } };
  if (isSeen ? LOOK_DOUBT.test(clause) : isDoubted) return { refused: { text, why: 'not yet seen' } };
  if (kind === undefined) return undefined;
  if (kind === 'run' && NOTHING_PASSED.test(clause)) return { failing: text };
  return { claim: claimOf(kind, text, tokens, ratio) };
}

/** `42 passed`, `3 failures`: no count without a figure. */
const countsRuns = (clause: string): boolean =>
  /\d/.test(clause) && (PASSED_COUNT.test(clause) || BAD_COUNT.test(clause));

/** A clause without the outcomes that say that there is nothing bad: they hold words of something bad. */
const blanked = (clause: string, spans: readonly Span[]): string =>
  spans
    .filter(({ from, to }) => NONE_BAD.test(clause.slice(from, to)) || BAD_NOUN.test(clause.slice(from, to)))
    .reduce(blank, clause);

const BAD_NOUN = /오류|에러|경고|실패|错误|失败|警告|报错/u;

const isGood = (clause: string, good: readonly unknown[], ratio: Claim['ratio']): boolean =>
  ratio === undefined
    ? good.length > 0 || PASSED_COUNT.test(clause) || MEASURED.test(clause)
    : ratio.all > 0 && ratio.passed === ratio.all;

/** A figure that only a run gives. */
const MEASURED =
  /coverage[^.]{0,24}\d+(?:\.\d+)?\s?%|\d+(?:\.\d+)?\s?% (?:line |branch |test )?coverage|커버리지[^.]{0,12}\d|覆盖率[^。]{0,12}\d/iu;

function isFailing(clause: string, outside: string, ratio: Claim['ratio'], isDenied: boolean): boolean {
  if (isDenied) return true;
  if (ratio !== undefined && ratio.passed < ratio.all && !/skip|todo|ignored|건너|跳过/i.test(clause)) return true;
  if (BAD_COUNT.test(outside)) return true;
  const bad = spansOf(outside, ...BAD);
  return bad.length > 0 && !holds(outside, ...NEGATION) && !SHORT.test(outside);
}

/** `did not pass`, `통과하지 못했다`, `没有通过`: the good outcome itself is denied. */
const isDeniedGood = (clause: string, good: readonly Span[]): boolean =>
  good.some(({ from, to }) => {
    const said = clause.slice(from, to);
    if (said.trim() === '') return false;
    return (
      DENIED_BEFORE.test(clause.slice(Math.max(0, from - 40), from)) || DENIED_AFTER.test(clause.slice(to, to + 12))
    );
  });

const DENIED_BEFORE =
  /(?:(?<!\w)(?:not|never|cannot|unable to|failed to|fails? to|nothing|none)|n['’]t)(?:\s+[\w./:-]+){0,3}\s*$|(?:没有?|未|不能|无法|不)(?:能|全部|完全|都|曾)?$/iu;
const DENIED_AFTER = /^\p{Script=Hangul}{0,4}\s?(?:않|못)/u;

/** `42/42`, `42 of 42`; not a date, a version, or a share of people. */
function ratioIn(clause: string, tokens: readonly Token[]): Claim['ratio'] {
  const at = tokens.find(({ thing }) => thing === 'ratio');
  const [whole, passed, all] = /(?<![\w./])(\d+) (?:out )?of (?:the )?(\d+)(?![\w/])/i.exec(clause) ?? [];
  const words = at === undefined ? whole : at.text;
  if (words === undefined) return undefined;
  const to = at === undefined ? clause.indexOf(words) + words.length : at.to;
  if (OTHER_COUNT.test(clause.slice(to))) return undefined;
  const [first = passed, second = all] = at === undefined ? [] : at.text.split('/');
  const hasMeaning = holds(clause, ...RUNS, ...GOOD, ...BAD);
  return hasMeaning ? { passed: Number(first), all: Number(second) } : undefined;
}

const isDiff = (clause: string, tokens: readonly Token[]): boolean =>
  holds(clause, ...DIFF) || diffstatOf(tokens) !== undefined;

const isRead = (clause: string, tokens: readonly Token[]): boolean =>
  tokens.some(({ thing }) => thing === 'path') &&
  spansOf(clause, ...READ).some((span) => tokens.every((token) => token.thing !== 'path' || !touches(token, [span])));

function diffstatOf(tokens: readonly Token[]): Claim['diffstat'] {
  const figures = tokens.filter(({ thing }) => thing === 'diffstat').flatMap(({ text }) => text.split('/'));
  const added = figures.find((one) => one.startsWith('+'));
  const deleted = figures.find((one) => /^[-−]/.test(one));
  return added === undefined || deleted === undefined
    ? undefined
    : { added: Number(added.slice(1)), deleted: Number(deleted.slice(1)) };
}

const claimOf = (kind: Claim['kind'], text: string, tokens: readonly Token[], ratio?: Claim['ratio']): Claim => ({
  kind,
  text,
  ratio,
  passed: ratio === undefined && kind === 'run' ? countOf(text) : undefined,
  diffstat: diffstatOf(tokens),
  paths: tokens.flatMap((one) => (one.thing === 'path' ? [one.text.replace(/:\d[\d:-]*$/, '')] : [])),
});

/** `all 1,212 tests passed`, `테스트 42개 통과`, `42 个测试全部通过`. */
function countOf(text: string): number | undefined {
  const said = PASSED_COUNT.exec(text)?.[0];
  const figure = said === undefined ? undefined : /\d+(?:,\d{3})*/.exec(said)?.[0];
  return figure === undefined ? undefined : Number(figure.replaceAll(',', ''));
}

/** `Alice says`: somebody with a name; a program that reports has one too, and counts. */
function isToldByAName(sentence: string): boolean {
  const name =
    /(?<![\w@])@?([A-Z][a-z]{1,20}) (?:says?|said|claims?|claimed|reports?|reported|told|mentions?|mentioned|confirms?|confirmed|wrote|swears?|promised|assures?|ran|tested|verified|checked|built)(?!\w)/.exec(
      sentence,
    )?.[1];
  return name !== undefined && !holds(name, ...RUNS) && !NOBODY.has(name);
}

const NOBODY = new Set(
  'The This That It Everything Output Log Summary Runner Report We You And Also Then Here Just Git Github Console Terminal Re Local Locally Have Has Successfully'.split(
    ' ',
  ),
);
