import { secrets } from '../../../src/rules/checks/secrets.ts';
import { findSecrets } from '../../../src/rules/secrets/find-secrets.ts';
import { LITERAL_SECRET } from '../../../src/rules/secrets/found-secret.ts';
import { share, textOf, type DataSet, type Measured, type Row } from '../data-set.ts';
import { madeText } from '../made-text.ts';

/** Test texts of a scanner's rules: tokens that must be found, and texts that only look like them. */
export const GITLEAKS_RULE_TESTS: DataSet = {
  name: 'gitleaks-rule-tests',
  measure: (rows, file) => {
    const judged = judge(rows, file, () => '');
    // A negative text speaks of its own rule: what the general rule for names finds there is another matter.
    const own = judged.filter(({ row, kinds }) => kinds.some((kind) => isOwn(kind, textOf(row, 'rule', file))));
    return measured(judged, [
      recall(judged, 0.99, '0.12 secretlint, 0.79 a plain pattern'),
      {
        name: 'negative texts found by a rule of their own',
        value: own.filter(({ wanted }) => !wanted).length,
        goal: { must: 'at most', limit: 0 },
        baseline: '0 gitleaks by its own rule, 4 by any',
      },
      { ...falseShare(judged), baseline: '10 % secretlint, 11 % a plain pattern' },
    ]);
  },
};

/** Not what the general rule for names finds, nor what a sibling finds (an admin key in a negative text for plain keys). */
function isOwn(kind: string, rule: string): boolean {
  if (kind === LITERAL_SECRET) return rule.includes('generic');
  const words = kind
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .split(' ')
    .filter((word) => !COMMON.has(word));
  return !(words.some((word) => rule.includes(word)) && words.some((word) => !rule.includes(word)));
}

const COMMON: ReadonlySet<string> = new Set([
  '',
  'a',
  'an',
  'the',
  'of',
  'or',
  'in',
  'key',
  'token',
  'secret',
  'id',
  'api',
  'sk',
]);

/** Passwords and keys that are given to telling names, in the writing of several languages; and tokens, which are only told. */
export const DETECT_SECRETS_TESTS: DataSet = {
  name: 'detect-secrets-tests',
  measure: (rows, file) => {
    const judged = judge(rows, file, (row) => NAMES[textOf(row, 'rule', file).split('/')[1] ?? ''] ?? 'a.cnf');
    const keyword = judged.filter(({ row }) => textOf(row, 'rule', file).startsWith('keyword'));
    const tokens = judged.filter((one) => !keyword.includes(one));
    return measured(judged, [
      { ...recall(keyword, 0.8, '0 gitleaks and secretlint, 0.37 a plain pattern'), name: 'keyword part, recall' },
      { ...falseShare(keyword, 0.1), name: 'keyword part, false', baseline: '27 % a plain pattern' },
      { ...recall(tokens), name: 'token part, recall' },
      { ...falseShare(tokens), name: 'token part, false' },
    ]);
  },
};

/** Files of many kinds, written before the recognisers were: half was tuned with (`tuned`), half was only counted (`held`). */
export const SECRETS_IN_FILES: DataSet = {
  name: 'secrets-in-files',
  measure: (rows, file) => {
    const judged = rows.map((row) => {
      const found = secrets(textOf(row, 'path', file), '', madeText(row));
      const half = textOf(row, 'half', file);
      return {
        row: { ...row, rule: half },
        half,
        wanted: textOf(row, 'kind', file) === 'tp',
        kinds: found.map(({ description }) => description),
      };
    });
    const tuned = judged.filter(({ half }) => half === 'tuned');
    const held = judged.filter(({ half }) => half !== 'tuned');
    return measured(judged, [
      { ...recall(tuned, 0.95, '0.54 before'), name: 'tuned half, recall' },
      { ...falseShare(tuned, 0.02), name: 'tuned half, false', baseline: '6 % before' },
      { ...recall(held, 0.9, '0.47 before'), name: 'held half, recall' },
      { ...falseShare(held, 0.05), name: 'held half, false', baseline: '8 % before' },
    ]);
  },
};

/** Good and bad files of secretlint's own tests. */
export const SECRETLINT_FIXTURES: DataSet = {
  name: 'secretlint-fixtures',
  measure: (rows, file) => {
    const judged = judge(rows, file, (row) => (typeof row['name'] === 'string' ? row['name'] : ''));
    return measured(judged, [recall(judged, 0.85, '0.71 secretlint'), falseShare(judged, 0.07)]);
  },
};

/** How files of a group of tests are called, by the language that the group is about. */
const NAMES: Readonly<Record<string, string>> = {
  GOLANG_TEST_CASES: 'a.go',
  COMMON_C_TEST_CASES: 'a.c',
  C_PLUS_PLUS_TEST_CASES: 'a.cpp',
  QUOTES_REQUIRED_TEST_CASES: 'a.py',
};

interface Judged {
  readonly row: Row;
  readonly wanted: boolean;
  readonly kinds: readonly string[];
}

function judge(rows: readonly Row[], file: string, nameOf: (row: Row) => string): readonly Judged[] {
  return rows.map((row) => {
    const found = findSecrets(nameOf(row), madeText(row));
    return { row, wanted: textOf(row, 'kind', file) === 'tp', kinds: found.map(({ what }) => what) };
  });
}

function recall(judged: readonly Judged[], least?: number, baseline?: string) {
  const wanted = judged.filter((one) => one.wanted);
  return {
    name: 'recall',
    value: share(wanted.filter(({ kinds }) => kinds.length > 0).length, wanted.length),
    isShare: true,
    ...(least === undefined ? {} : { goal: { must: 'at least' as const, limit: least } }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

function falseShare(judged: readonly Judged[], most?: number) {
  const others = judged.filter((one) => !one.wanted);
  return {
    name: 'false',
    value: share(others.filter(({ kinds }) => kinds.length > 0).length, others.length, 0),
    isShare: true,
    ...(most === undefined ? {} : { goal: { must: 'at most' as const, limit: most } }),
  };
}

const measured = (judged: readonly Judged[], figures: Measured['figures']): Measured => ({
  rows: judged.length,
  figures,
  misses: judged
    .filter(({ wanted, kinds }) => wanted !== kinds.length > 0)
    .map(
      ({ row, kinds }) =>
        `${String(row['id'])} (${String(row['rule'])}): ${kinds.length === 0 ? 'not found' : `found ${kinds.join(', ')}`}`,
    ),
});
