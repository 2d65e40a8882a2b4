import { alternativesOf, blankSpans, hasWord, isAscii } from './message-words.ts';
import { clausesOf, isQuestion, type Prose } from './prose.ts';
import { namedFiles } from './named-files.ts';
import type { EvidenceClaim } from './evidence-claim.ts';
import { isSummary, readRow } from './read-output.ts';

/** The claims of a review, and what in it contradicts an approval. */
export interface ReviewEvidence {
  readonly claims: readonly EvidenceClaim[];
  /** Clauses that report something red. */
  readonly failing: readonly string[];
  /** Clauses that look like evidence but are not. */
  readonly refused: readonly RefusedClaim[];
}

interface RefusedClaim {
  readonly text: string;
  readonly why: 'negated' | 'not yet seen' | 'of something else';
}

type Found = { readonly claim: EvidenceClaim } | { readonly failing: string } | { readonly refused: RefusedClaim };

export function evidenceIn({ sentences, blocks }: Prose): ReviewEvidence {
  const isExample = sentences.some(({ text }) => EXAMPLE.test(text));
  const shown = blocks.flatMap(findInBlock).filter((one) => !isExample || !('claim' in one));
  const found = [...sentences.flatMap(({ text }) => findInSentence(text)), ...shown];
  return {
    claims: found.flatMap((one) => ('claim' in one ? [one.claim] : [])),
    failing: found.flatMap((one) => ('failing' in one ? [one.failing] : [])),
    refused: found.flatMap((one) => ('refused' in one ? [one.refused] : [])),
  };
}

/** The sentence before a block that is only an example. */
const EXAMPLE =
  /(?<!\w)(?:would|should|could|might|will|expect(?:ed)?|sample|for example)(?!\w)[^:]*(?:look|output|print|show|run|result)[^:]*:\s*$/i;

export const joinEvidence = (parts: readonly ReviewEvidence[]): ReviewEvidence => ({
  claims: parts.flatMap(({ claims }) => claims),
  failing: parts.flatMap(({ failing }) => failing),
  refused: parts.flatMap(({ refused }) => refused),
});

const MOST_ROWS = 400;
/** In UTF-16 units; the end of a longer row is not read. */
const LONGEST_ROW = 1000;

function findInBlock(block: string): readonly Found[] {
  if (/^(?:diff --git |@@ -|--- a\/)|^ ?\d+ files? changed/m.test(block))
    return [{ claim: { kind: 'diff', text: 'a diff that is shown', paths: [] } }];
  const rows = block
    .split('\n')
    .slice(0, MOST_ROWS)
    .map((row) => row.slice(0, LONGEST_ROW));
  const results = rows.flatMap((row) => readRow(row) ?? []);
  // Where a runner tells its result, words in the name of a test or in a log say nothing.
  if (results.length > 0) return results.flatMap((one) => ('named' in one ? [] : [one]));
  return rows.flatMap((row) => findInClause(row, { isOutput: true, isOfCheck: false }) ?? []);
}

function findInSentence(written: string): readonly Found[] {
  const sentence = blankMatches(written, FORMER);
  if (!/[\p{L}\p{N}\uE000]/u.test(sentence)) return [];
  const summary = isSummary(sentence) ? readRow(sentence) : undefined;
  if (summary !== undefined) return 'named' in summary ? [] : [summary];
  const namesCheck = hasWord(sentence, 'check');
  if (EXCEPTED.test(sentence) && namesCheck) return [{ failing: sentence.trim() }];
  if (isPartial(passedOf(sentence), sentence) && !EARLIER.test(sentence) && !hasWord(sentence, 'foreign'))
    return [{ failing: sentence.trim() }];
  const isHearsay = hasWord(sentence, 'hearsay') || CLAIMED.test(sentence);
  const isExcused = hasWord(sentence, 'excused');
  const isUnseen = isQuestion(sentence) || MADE_UP.test(sentence) || PLANNED.test(sentence);
  let isElsewhere = false;
  return clausesOf(sentence).flatMap(({ text }): readonly Found[] => {
    const found = findInClause(namesCheck ? text.replace(/^(\W*)they(?!\w)/i, '$1tests') : text, {
      isOutput: false,
      isOfCheck: namesCheck && OF_CHECK.test(text),
    });
    const isForeign =
      EARLIER.test(text) || (!hasWord(text, 'this_change') && (isElsewhere || hasWord(text, 'foreign')));
    isElsewhere = isForeign && (isElsewhere || found === undefined);
    if (found === undefined || 'refused' in found) return found === undefined ? [] : [found];
    if ('failing' in found) return isForeign || isExcused ? [] : [found];
    const isOwn = OWN_RUN.test(text) && !SAID.test(sentence);
    if (isUnseen || (DEMANDED.test(text) && !isOwn)) return [{ refused: { text: text.trim(), why: 'not yet seen' } }];
    return (isHearsay && !isOwn) || isForeign
      ? [{ refused: { text: text.trim(), why: 'of something else' } }]
      : [found];
  });
}

/** What was red once is no result: `the tests that used to fail`, `(3 failed before)`, `from 3 failed to`. */
const FORMER =
  /(?<!\w)(?:formerly|previously) (?:broken|failing|failed|red)(?!\w)|(?<!\w)(?:that|which) (?:(?:had|used to|previously|formerly) (?:fail|broke|crash|panic)\w*|(?:fail|broke|crash|panick)\w* (?=before|until|without|prior))(?: ?(?:before|until|without|prior to)(?: (?:the|this|my|your) (?:\w+ )?(?:change|patch|commit|pr|fix|edit)(?!\w))?)?|\([^()]{0,80} before\)|(?<!\w)from \d+ \w+ to (?=\d)/gi;

/** What is still to be done, or only thought, whatever clause says so: `- [ ] tests pass`, `CI is green, I guess`. */
const PLANNED =
  /^\W*(?:\[ \]|(?:todo|to do|acceptance criteria|requirements?|expected|goals?)\s?:)|(?:^|,)\W*(?:(?:i (?:guess|think|hope|assume|suppose|believe|imagine|presume))|probably|presumably|apparently|supposedly|hopefully)\W*$|(?<!\w)(?:make sure|ensure|please)(?!\w)/i;

/** `All tests pass, except for the four that do not`; a skipped test is no exception. */
const EXCEPTED =
  /(?<!\w)(?:except(?: for)?|apart from|other than|aside from|save for) (?!.*(?:skip|todo|ignored|pending))|빼고|除了/iu;

/** A result that is asked for, expected, made up or shown as an example: nothing was run. */
const DEMANDED =
  /^\W*(?:requirements?|goals?|aim|target|acceptance criteri(?:on|a)|criteri(?:on|a)|expect(?:ed|ation)|example|e\.g\.|for example|definition of done)(?: #?\d+)?\s?:|(?<!\w)(?:goal|aim|target|requirement|criterion|objective|expectation) (?:is|was)(?! (?:met|reached|fulfilled))|(?<!\w)(?:contract|issue|ticket|spec|specification|brief|task) (?:demand|require|ask|want|expect|call)s?(?!\w)|(?<!\w)(?:i|we) (?:need|require|demand|want|expect|imagine|assume)(?!\w)/i;
/** The author says that he ran it, whatever asked for it. */
const OWN_RUN =
  /(?<!\w)(?:(?:i|we) (?:myself |ourselves )?(?:re-?)?(?:ran|executed)|^\W*(?:re-?)?ran|i [^,]{0,60} (?:by running|myself))(?!\w)/i;
/** A run that was only imagined, also where the author claims it. */
const MADE_UP =
  /(?<!\w)(?:mentally|imagin(?:e|ing)|pretend(?:ed|ing)?|hypothetically|in my head|(?:imaginary|hypothetical|simulated) (?:test )?(?:runs?|executions?|outputs?|results?))(?!\w)/i;
const SAID = /(?<!\w)(?:according to|reportedly|says?|said|claims|claimed)(?!\w)/i;
const CLAIMED = /(?<!\w)(?:author|worker|implementer)['’]s (?:claim|word|statement|report)s?(?!\w)/i;

/** `passed before this change` tells nothing of the change. */
const EARLIER =
  /(?<!\w)(?:before|prior to|until|without) (?:this|the|my|your|these) (?:\w+ )?(?:changes?|patch|commit|pr|fix|edit|refactoring)(?!\w)|(?:변경|수정|패치)(?:하기)? ?전(?:에|까지)|(?:修改|改动|变更)(?:之)?前/iu;

interface ClausePlace {
  readonly isOutput: boolean;
  /** A count of a sentence that names a check: `mvn test: 12 run, 0 failures`. */
  readonly isOfCheck: boolean;
}

function findInClause(clause: string, { isOutput, isOfCheck }: ClausePlace): Found | undefined {
  const text = clause.trim();
  const unscored = [ZERO_FAULTS, ATTRIBUTES, NOTHING_BEYOND, ALL_SUITES].reduce(blankMatches, clause);
  const rest = blankMatches(unscored, SCORE);
  const namesRun = isOfCheck || hasWord(clause, 'check') || hasWord(clause, 'run');
  const isGood = clause.search(ZERO_FAULTS) !== -1 || hasWord(clause, 'good') || CLEAN.test(clause);
  const ratio = countedTests(unscored) ?? passedOf(unscored) ?? ratioIn(rest, namesRun || isGood);
  if (NOTHING_RAN.test(rest) || ratio?.all === 0) return { failing: text };
  const isDoubted = !isOutput && (hasWord(rest, 'doubt') || /['’](?:ll|d)\b/.test(rest));
  const isDenied = hasWord(rest, 'denial') || /n['’]t\b/i.test(rest);
  if (DENIES.test(rest)) return { refused: { text, why: 'negated' } };
  const isRed =
    isPartial(ratio, clause) ||
    (isGood && PARTLY.test(unscored)) ||
    (isOutput ? hasWord(rest, 'alarm') : isRedCheck(rest)) ||
    (FAULT_COUNT.test(rest) && (isOutput || namesRun || isGood || rest.trim().split(/\s+/).length <= FEW_WORDS));
  if (isRed && !isDoubted && !isDenied) return { failing: text };
  const kind = kindOf();
  if (kind === undefined || isDenied) return undefined;
  return isDoubted ? { refused: { text, why: 'not yet seen' } } : { claim: claimOf(kind, text, ratio) };

  function kindOf(): EvidenceClaim['kind'] | undefined {
    if (/(?<![\w-])git (?:diff|show|log)|diff ?stat/i.test(rest) || DIFFSTAT.test(rest)) return 'diff';
    if (hasWord(clause, 'score') && !namesRun) return undefined;
    if (namesRun && ratio !== undefined && ratio.passed === ratio.all) return 'run';
    if (isGood && (namesRun || PASSED.test(rest) || ratio !== undefined)) return 'run';
    const looks = hasWord(rest, 'looked');
    if (looks && namedFiles(rest).length > 0) return 'read';
    return looks && hasThing(rest) ? 'figure' : undefined;
  }
}

/** `Failures: 0`, `0 errors`, `全部通过`: of the check that the sentence names. */
const OF_CHECK = /^\W*(?:[a-z]+\W+)?\d+(?:\W+[a-z]+)?\W*$|^[^\p{L}]*(?:全部|全|均|都|모두|전부)/iu;
const FEW_WORDS = 5;
const CHECKS = alternativesOf('check');
const CHECK = String.raw`(?<![\w'-])(?:${CHECKS.filter(isAscii).join('|')})(?![\w'-])`;
const SUBORDINATE = String.raw`(?:that|which|whether|where|how|if|when|asserts?|shows?|covers?|checks?|verif(?:y|ies)|proves?|exercises?|ensures?|expects?|makes?|demonstrates?|confirms?|catch\w*)`;
const IS_STILL = String.raw`(?:(?:is|are|was|were|stays?|remains?|keeps?) (?:(?:still|now|also|all|both|currently) )?|still )`;
/** A check is red where it is the subject of an alarm, or `red`, `broken` or `failing` precedes it. */
const RED_CHECK = new RegExp(
  String.raw`(?<!(?<!\d|all|most|some|one|two) of (?:the )?)${CHECK}(?:[^\w.]+(?!(?:${SUBORDINATE}|for|about|to)(?!\w))[\w'’%-]+){0,6}?[^\w.]+(?:fail(?:s|ed|ing)?|red|broken?|crash(?:es|ed)|d(?:ies|ied)|throws?|panic(?:s|ked)|abort(?:s|ed)|hangs?|hung|tim(?:es|ed) out|killed|segfault(?:s|ed)|errored|unsuccessful\w*|complain(?:s|ed)|exit(?:s|ed)?(?: with)?(?: code| status)? [1-9]\d*)(?!\w)|(?<!\w)(?:has|have|is|are|with|ignoring|\d+) (?:the |an? )?(?:red|broken|failing) ${CHECK}`,
  'i',
);
/** `The tests for dates are red`, `login.test.ts fails`, `the tests that failed still fail`. */
const RED_TESTS = new RegExp(
  [
    String.raw`${CHECK} (?:for|about) (?:(?!${SUBORDINATE}(?!\w))[\w'’-]+ ){1,6}?(?:${IS_STILL}(?:failing|red|broken|failed|hung)|fail(?:s|ed)?|crash(?:es|ed)?|hangs?|tim(?:es|ed) out)\W*$`,
    String.raw`(?<![\w'-])[\w-]{1,60}\.(?:test|spec)\.[a-z]{1,4} (?:${IS_STILL})?(?:fail(?:s|ed|ing)?|red|broken|crash(?:es|ed)|hangs?|tim(?:es|ed) out)(?!\w)`,
    String.raw`${CHECK} (?:that|which) (?:(?:had|have|has|were|was) )?(?:fail\w*|broke\w*|crash\w*|red)(?: \w+){0,2} still (?:fails?|crash(?:es)?|hangs?)\W*$`,
  ].join('|'),
  'i',
);
const isRedCheck = (text: string): boolean =>
  RED_CHECK.test(text) ||
  RED_TESTS.test(text) ||
  (/[\p{sc=Hangul}\p{sc=Han}]/u.test(text) && hasWord(text, 'check') && hasWord(text, 'alarm'));

/** `The lint is clean`, but not `the tests look clean`. */
const CLEAN =
  /(?<!\w)(?:lint\w*|\w*lint|build\w*|compil\w+|tsc|types?|type-?checks?|clippy|ruff|mypy|pyright|run|exit\w*|git status)(?: --?[\w=-]+)*[^\w]+(?:(?:is|are|was|were|runs?|ran|check|output|came|comes|back|both|all|also|now|finished|ended|reports?)[^\w]+){0,3}clean(?:ly)?(?!\w)/i;

/** That a check was not run, or nothing was read. */
const DENIES = new RegExp(
  [
    String.raw`^\W*(?:could|did|have|had)n['’]t(?: \w+)? (?:run|ran|execut\w+)(?!\w)`,
    String.raw`(?<!\w)(?:i|we)(?: \w+)? (?:\w*n['’]t|not|never|cannot)(?: \w+){0,2} (?:run|ran|execut\w+|test(?:ed)?|tr(?:y|ied)|verif(?:y|ied)|check(?:ed)?(?: (?:it|this|anything|the (?:diff|code|change|tests?)))?$|look(?:ed)? (?:at|into)|open(?:ed)?|read|review(?:ed)?)(?!\w)`,
    String.raw`${CHECK}\W+(?:\w+ ){0,3}?(?:not|never|\w+n['’]t)(?: (?:been|yet|be|actually|even))* (?:run|ran|executed|tried|started|pass(?:ed|ing)?|green|built|succeed(?:ed)?)(?!\w)`,
    String.raw`(?<!\w)(?:no|none of the) ${CHECK} (?:\w+ ){0,2}(?:run|ran|executed|pass\w*|verified)(?!\w)`,
    String.raw`(?<!\w)(?:nothing|none|not) (?:\w+ ){0,2}(?:run|ran|checked|verified|tested|executed|looked at|read)\W*$`,
    String.raw`(?<!\w)without (?:\w+ ){0,2}(?:running|executing|testing|checking|verifying|reading|opening|looking)|(?<!\w)(?:skipp(?:ed|ing)|omitt(?:ed|ing)) (?:the |all |any )?${CHECK}|(?<!\w)un(?:tested|verified|checked)(?!\w)`,
    '(?:실행|테스트|확인|검증|돌려|돌리|검토|읽|빌드)[^\\s,]{0,4} ?(?:[^\\s,]+ )?(?:않|못)|안 (?:돌|했|해|봤|읽)|미실행|미확인|(?:没有?|未|尚未|跳过了?)[^，。]{0,4}(?:跑|运行|执行|测|验证|检查|看|打开|读|审)',
  ].join('|'),
  'iu',
);

/** All suites of a run: no count of its tests. */
const ALL_SUITES = /(?<![\w./])(\d+)\s?(?:\/|(?:out )?of (?:the )?)\s?\1 (?:test )?(?:suites|files)(?!\w)/gi;

/** `git diff shows nothing outside src/a.ts` denies no evidence. */
const NOTHING_BEYOND =
  /(?<!\w)(?:nothing|no (?:other )?(?:changes?|files?|lines?)) (?:outside|beyond|besides|apart from|other than|unexpected|unrelated|suspicious)(?!\w)/giu;

const TESTS = String.raw`(?:tests?|specs?|suites?|checks|cases|assertions)`;
/** `98 % of the tests pass`, `most tests pass`: the others do not. */
const PARTLY = new RegExp(
  [
    String.raw`(?<![\w.])(?:\d{1,2}(?:\.\d+)?\s?%|(?:the )?(?:vast )?(?:most|half|majority|some|many|few|several|a couple|a handful|two thirds|nearly all|almost all)|(?:only|just) (?:\d+|some|a few|one|two|three))(?: of)?(?: (?:the|our|my|its|your))?(?: (?!new\b|more\b|further\b|added\b|additional\b)[a-z-]+){0,2} ${TESTS}(?: (?!that\b|which\b)[a-z]+)? (?:pass|succe|green|ok|work)`,
    String.raw`(?:대부분|절반|일부|거의 모든|거의 다)(?:의|만)? ?(?:\S{1,6} )?(?:테스트|검사)?\S{0,2} ?통과|(?:大部分|大多数|多数|一半|部分|几乎所有|半数)的?(?:测试|用例)\S{0,3}通过`,
  ].join('|'),
  'iu',
);

const blankMatches = (text: string, pattern: RegExp): string =>
  blankSpans(
    text,
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
  );

const FAULTS = alternativesOf('zero_of');
const ASCII_FAULTS = FAULTS.filter(isAscii).join('|');
const OTHER_FAULTS = FAULTS.filter((row) => !isAscii(row)).join('|');
/** `0 errors`, `failures: 0`, `오류가 없`, `零错误`. */
const ZERO_FAULTS = new RegExp(
  [
    String.raw`(?<![\w.]|\d,)(?:0(?:\.0+\s?%)?|zero|no|without(?: an?y?)?|not a single|none of the)\s(?:[a-z-]+ ){0,2}(?:${ASCII_FAULTS})(?![\w-])`,
    String.raw`(?<![\w-])(?:${ASCII_FAULTS})\s?[:=]?\s?(?:0|zero)(?!\d|\.\d)|nothing (?:failed|broke|else)`,
    String.raw`(?:${OTHER_FAULTS})(?:가|는|도|이)?\s?(?:0\s?(?:개|건)?|없)|(?:没有|无|零|(?<![\d.,])0)\s?(?:个|条|处|项|개|건)?(?:任何)?\s?(?:${OTHER_FAULTS})`,
    String.raw`(?:${OTHER_FAULTS})\s?数?\s?(?:0|零|为零)(?!\d)\s?个?`,
  ].join('|'),
  'giu',
);
/** `the failed upload`: a fault that the change is about. */
const ATTRIBUTES =
  /(?<!\w)(?:an?|the|every|after|of|for|with|previously|about|those|both|them)\s(?:\w+\s)?(?:failed|failing|killed|broken|aborted|cancelled|crashing|bad|crash)\s[a-z]+|(?:실패|깨진|잘못된|중단|취소)(?: 사례| zip|한 요청|된 요청| 처리)/giu;
const FAULT_COUNT =
  /(?<![\w./-])[1-9]\d*(?:\/\d+)?\s?(?:[a-z-]+ ){0,2}(?:errors?|failures?|failed|failing|fail)\b|[1-9]\d*\s?(?:개|건)[^.,]{0,6}(?:실패|오류|에러)|(?:실패|오류|에러)(?:가|는|이)?\s?[1-9]\d*\s?(?:개|건)|[1-9]\d*\s?(?:个|处|条|项)[^，。]{0,8}(?:失败|错误|报错|没过|阵亡)/iu;
const NOTHING_RAN =
  /(?<![\w./,])(?:0|zero)\s(?:[a-z-]+ ){0,2}(?:passed|ran|run|executed|passing|collected|tests(?! (?:\w+ )?(?:removed|deleted|skipped|ignored|changed|weakened)))(?![\w-])|(?<!\w)no (?:[a-z-]+ )?tests? (?:\w+ )?(?:passed|ran|run|executed|collected|found)(?!\w)|(?<![\d.,/])0\s?(?:개|건)[^.]{0,6}(?:통과|실행|테스트)|(?<![\d.,/])0\s?个[^。]{0,5}(?:通过|测试|用例)|(?:통과|通过)\s?0(?!\d)/iu;
const PASSED =
  /(?<![\w.])[1-9]\d*(?:,\d{3})* (?:[a-z]+ )?(?:pass|passed|passing|ok|green)(?![\w-])|(?<!\w)passe[sd] \d+ times|\d\s?(?:个|项|개)\S{0,6}\s?(?:pass|通过|통과)/i;
const PASSED_COUNT =
  /(?<![\w./])(?:all )?([1-9]\d*(?:,\d{3})*)(?: [a-z-]+){0,2} (?:passed|passing|pass|green)(?![\w-])|([1-9]\d*)\s?개?(?:의)?\s?(?:\S{1,8}\s)?(?:모두 |전부 )?통과|([1-9]\d*)\s?(?:个|项)?\p{Script=Han}{0,6}通过/iu;
const RATIO = /(?<![\w./])(\d+)\s?(?:\/|(?:out )?of (?:the )?)\s?(\d+)(?![\w/]|\.\d)/iu;
const DIFFSTAT = /[+](\d+)\s?(?:lines?)?[\s,/]*[-−–]\s?(\d+)/;

/** `100/120 tests passed`: no marks, whatever the figures are. */
const COUNTED = new RegExp(
  String.raw`(?<![\w./])(\d+)\s?(?:\/|(?:out )?of (?:the )?)\s?(\d+)(?:\s(?:[a-z-]+\s){0,2}(?:${TESTS}|pass(?:ed|ing)?|green)(?![\w-])|\s?개?의? ?(?:테스트|통과)|\s?(?:个|项)?(?:测试|用例|通过))`,
  'iu',
);
function countedTests(text: string): EvidenceClaim['ratio'] {
  const [, passed, all] = COUNTED.exec(text) ?? [];
  return passed === undefined ? undefined : { passed: Number(passed), all: Number(all) };
}

/** `12 passed, 40 total`, `12 passed of 40`, `passed: 12 of 40`. */
const PASSED_OF = new RegExp(
  String.raw`(?<![\w./])(\d+) (?:${TESTS} )?(?:passed|passing|green),?(?: (?:out )?of (?:the )?(\d+)| \(?(\d+) (?:${TESTS} )?(?:in )?total)(?![\w/]|\.\d)|(?<!\w)pass(?:ed|ing)?: (\d+) (?:out )?of (\d+)(?![\w/]|\.\d)`,
  'i',
);
function passedOf(text: string): EvidenceClaim['ratio'] {
  const [passed, all] = PASSED_OF.exec(text)?.slice(1).filter(Boolean).map(Number) ?? [];
  return passed === undefined || all === undefined ? undefined : { passed, all };
}

const isPartial = (ratio: EvidenceClaim['ratio'], text: string): boolean =>
  ratio !== undefined && ratio.passed < ratio.all && !/skip|todo|ignored|pending|건너|跳过/iu.test(text);

function ratioIn(text: string, isOutcome: boolean): EvidenceClaim['ratio'] {
  const [, passed, all] = RATIO.exec(text) ?? [];
  if (passed === undefined) return undefined;
  const ratio = { passed: Number(passed), all: Number(all) };
  return isOutcome || ratio.passed === ratio.all || ratio.all > 12 ? ratio : undefined;
}

function claimOf(kind: EvidenceClaim['kind'], text: string, ratio: EvidenceClaim['ratio']): EvidenceClaim {
  const [, added, deleted] = DIFFSTAT.exec(text) ?? [];
  const counted = kind === 'run' && ratio === undefined ? PASSED_COUNT.exec(text)?.slice(1).find(Boolean) : undefined;
  return {
    kind,
    text,
    ratio: kind === 'run' ? ratio : undefined,
    passed: counted === undefined ? undefined : Number(counted.replaceAll(',', '')),
    diffstat: added === undefined ? undefined : { added: Number(added), deleted: Number(deleted) },
    paths: namedFiles(text),
  };
}

/** Something that can be looked up or counted: code, a path, an identifier, a flag, a figure that is no score. */
export const hasThing = (text: string): boolean => THING.test(text.replace(SCORE, ' '));

/** Marks out of five, ten or a hundred, as they are given for praise. */
const SCORE = /(?<![\w.])(?:10|5|100)\s?(?:(?:\/|out of)\s?(?:10|5|100)(?!\d)|[점分%])|百分/gu;
const NAME = String.raw`(?<!\w)[\w.@-]*[a-z]\w*\/[\w./@-]+|\b[\w-]+\.(?:[cm]?[tj]sx?|json|ya?ml|md|py|go|rs|java|kt|rb|sh|sql|html|css|c|h|cpp|toml|log|csv|txt)\b|\b[a-z]+[A-Z]\w*|\w+_\w+|\w+\(\)`;
const THING = new RegExp(String.raw`\uE000|${NAME}|(?<!\w)--?[a-z][\w-]+|\d`, 'u');
