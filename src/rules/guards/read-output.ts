import type { EvidenceClaim } from './evidence-claim.ts';

/** The result in a row: a run it proves, something red, or only the name of a green test. */
type RowRead = { readonly claim: EvidenceClaim } | { readonly failing: string } | { readonly named: string };

/** Reads the result that a runner prints in a row, by its counts and marks; undefined where the row has none. */
export function readRow(row: string): RowRead | undefined {
  const text = row
    .replace(/\x1b\[[\d;]*m|^\[(?:INFO|WARN(?:ING)?)\] |^\s*test (?:files|suites)[^,|]*,(?= tests)/gi, '')
    .trim();
  const { passed, failed, skipped = 0, all } = countsIn(text);
  if (GREEN_TEST.test(text)) return NAMED_ONLY.test(text) && failed !== 0 ? { named: text } : { claim: runOf(text) };
  const [part, whole] = PART_PASSED.exec(text)?.slice(1).filter(Boolean).map(Number) ?? [];
  if (part !== undefined && whole !== undefined && part < whole)
    return (failed ?? 0) === 0 && /skip|todo|ignored|pending/i.test(text)
      ? { claim: runOf(text, part) }
      : { failing: text };
  if ((failed ?? 0) > 0 || (passed !== undefined && all !== undefined && passed + skipped < all))
    return { failing: text };
  if (passed === 0) return { named: text };
  if (passed !== undefined)
    return { claim: runOf(text, passed, skipped === 0 && !/suites|files/i.test(text) ? all : undefined) };
  if (failed === 0) return { claim: runOf(text) };
  if (RED.test(text)) return NOT_MEANT.test(text) ? undefined : { failing: text };
  return GREEN.test(text) ? { claim: runOf(text) } : undefined;
}

const runOf = (text: string, passed?: number, all?: number): EvidenceClaim => ({
  kind: 'run',
  text,
  ...(all === undefined || passed === undefined ? { passed } : { ratio: { passed, all } }),
  paths: [],
});

/** The line of one green test: `✓ throws on null`, `ok 3 - …`, `test a ... ok`, `test_a PASSED`, `--- PASS: TestA`. */
const GREEN_TEST =
  /^(?:[✓✔√☑]|ok \d+(?= |$)|--- PASS:|PASS\s+(?=\S+[./])|\[\s+OK \]|ok\s+(?=\S+[./]))|(?:(?<!\.)\.{2,} ?|(?<!\S)(?=\S*::\S)\S+ )(?:ok|PASSED|passed)(?:\s+\[[^\]]*\])?$/;
/** A tick without a duration may stand before anything. */
const NAMED_ONLY = /^[✓✔√☑](?!.*\d ?m?s\)?$)/;
const RED =
  /^(?:[✗✘×✖✕]|not ok(?= |$)|--- FAIL:|FAIL(?:ED|URE)?(?![a-z_])|\[\s+FAILED\s+\])|(?:(?<!\.)\.{2,} ?|(?<!\S)(?=\S*::\S)\S+ |result: )(?:FAILED|FAIL|ERROR)(?![a-z])|^BUILD FAIL|^exit status [1-9]|^npm (?:ERR!|error)|^(?:Segmentation fault|Bus error|Aborted \(|Killed$|panic: |fatal: (?:\w+ ){0,3}(?:failed|aborted)|[Pp]rocess exited with (?:exit )?(?:code|status) [1-9])/;
/** `44 of 45 passed`, `44/45 tests passed`, `44 passed of 45`: the number before `passed` is not that of the passed. */
const PART_PASSED =
  /(?<![\w./])(\d+)\s?(?:\/|(?:out )?of (?:the )?)\s?(\d+)\s(?:[a-z-]+\s){0,2}(?:pass(?:ed|ing)?|succeeded|green)(?![\w-])|(?<![\w./])(\d+) (?:tests? )?(?:passed|passing) (?:out )?of (?:the )?(\d+)(?![\w/]|\.\d)/i;
const NOT_MEANT = /# ?(?:todo|skip)/i;
const GREEN =
  /^(?:OK(?:\s*\(|$|,)|PASS(?:ED)?$|BUILD SUCCESS|All (?:checks|tests) (?:passed|successful)|Passed!|Finished .*target)/;

/** The counts of one line. JUnit, Unity and others print the sum instead of the passed ones. */
function countsIn(text: string): Readonly<Partial<Record<CountKind, number>>> {
  const isLabelled =
    text.search(LABELLED) !== -1 && !(text.search(COUNTED) < text.search(LABELLED) && COUNTED.test(text));
  const counts: Partial<Record<CountKind, number>> = {};
  for (const { groups } of text.matchAll(new RegExp(isLabelled ? LABELLED : COUNTED, 'gi'))) {
    const { count = '', label = '' } = groups ?? {};
    const kind = kindOf(label);
    counts[kind] = (counts[kind] ?? 0) + Number(count.replaceAll(',', ''));
  }
  const { passed, failed, skipped = 0, all } = counts;
  return passed === undefined && failed === 0 && all !== undefined ? { ...counts, passed: all - skipped } : counts;
}

type CountKind = 'passed' | 'failed' | 'skipped' | 'all';
const SUM = 'tests run|tests|examples|specs|total';
const LABEL = `pass(?:ed|ing|es)?|succeeded|fail(?:ed|ing|ures?|s)?|errors?|errored|broken|cancell?ed|skipped|ignored|pending|todo|disabled`;
const COUNTED = new RegExp(
  String.raw`(?<![\w./:-])(?<count>\d[\d,]*) (?:(?:tests?|specs?|examples?) )?(?<label>${LABEL}|${SUM})(?![\w-])`,
  'i',
);
const LABELLED = new RegExp(
  String.raw`(?<![\w-])(?<label>${LABEL}|(?:${SUM})(?!:?\s*\d+(?:,\d{3})* [a-z]))\s*[:=\])]?\s*(?<count>\d[\d,]*)(?![\w.%/]*\w)`,
  'i',
);

function kindOf(label: string): CountKind {
  if (/^(?:pass|succ)/i.test(label)) return 'passed';
  if (/^(?:fail|err|broken|cancel)/i.test(label)) return 'failed';
  return /^(?:skip|ignor|pend|todo|disab)/i.test(label) ? 'skipped' : 'all';
}

/** Whether a line of prose is the summary of a runner: counts, and hardly a word beside them. */
export const isSummary = (line: string): boolean =>
  /^[\s#ℹ*•-]*(?:(?:tests?|test files|test suites|suites|test result|result)\b)?[^\p{L}\p{N}]*(?:ok\. )?(?=[^\n]*\d)/iu.test(
    line,
  ) &&
  line
    .replace(new RegExp(LABELLED, 'gi'), ' ')
    .replace(new RegExp(COUNTED, 'gi'), ' ')
    .replace(/\b(?:tests?|suites?|files?|results?|total|ok|and|in|\d[\d.]* ?m?s)\b|[^\p{L}]|ℹ/giu, '') === '' &&
  Object.keys(countsIn(line)).length > 0;
