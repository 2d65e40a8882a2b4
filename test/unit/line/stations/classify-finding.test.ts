import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFinding, type Finding } from '../../../../src/rules/model/finding.ts';
import { classifyFinding } from '../../../../src/line/stations/classify-finding.ts';

const NOTHING = { others: [], forbiddenPaths: [] };
const finding = (description: string, more: Partial<Finding> = {}): Finding => ({
  source: 'judge',
  severity: 'high',
  category: 'unsorted',
  description,
  security: false,
  ...more,
});

describe('a blocking finding', () => {
  it.each([
    'Rename `data` to `invoices`',
    'nit: add a blank line before the return',
    'The doc comment should end with a full stop',
    'I would prefer early returns here',
    'Use single quotes as the rest of the file does',
    'Inconsistent indentation in this block',
    'naming of a local variable',
    'spacing on line 5',
    '변수 이름이 모호하다',
    '命名不清楚，请改进变量名',
    'Purely cosmetic naming, no functional bug',
  ])('of taste is called a nit: %s', (text) => {
    expect(classifyFinding(finding(text), NOTHING)).toBe('nit');
  });

  it.each([
    'SQL injection in the function naming users',
    'The variable name is misleading: `isValid` is inverted, so bad input passes',
    'Formatting the date in local time gives wrong results for UTC+13',
    'nit: this leaks the connection when parse throws',
    'The comment says retries are capped, but the loop never ends',
    'Requirement 2 (links keep working) is not met',
    'expected 3 rows but got 4 for an empty filter',
    'Two writers can race and overwrite the file',
    '관리자 인증 검사가 누락되었습니다',
    '这里有注入漏洞',
  ])('of substance is never called a nit, whatever it is labelled: %s', (text) => {
    expect(classifyFinding(finding(text, { category: 'style' }), NOTHING)).toBe('substantive');
  });

  it('that nobody can tell is left undecided, and is no nit', () => {
    expect(classifyFinding(finding('Split this into two steps'), NOTHING)).toBe('undecided');
  });

  it('of taste becomes substantive where a scanner or the reviewer blocks on the same place', () => {
    const nit = finding('Rename `tmp`', { file: 'src/a.ts', line: 10 });
    const at = (line: number) => finding('an API key', { source: 'secrets', file: 'src/a.ts', line });
    expect(classifyFinding(nit, { ...NOTHING, others: [at(13)] })).toBe('substantive');
    expect(classifyFinding(nit, { ...NOTHING, others: [at(14)] })).toBe('nit');
  });

  it('about a forbidden path is about the contract', () => {
    expect(
      classifyFinding(finding('Sort the imports of src/core/x.ts'), { ...NOTHING, forbiddenPaths: ['src/core/'] }),
    ).toBe('substantive');
  });

  it('whose fix is the same code in other spacing is a nit', () => {
    const same = { evidence: 'if(a){b()}', fix: 'if (a) {\n  b();\n}' };
    expect(classifyFinding(finding('Write it like this', same), NOTHING)).toBe('nit');
  });
});

describe('the reports of the corpus', () => {
  const rows = readFileSync(join(import.meta.dirname, '../../../corpora/judge-reports.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as { id: string; expect: string; report: { blocking_issues: unknown[] } });

  it.each(rows.map(({ id, ...row }) => [id, row.expect, row.report] as const))('%s is %s', (_, expected, report) => {
    const weights = report.blocking_issues.map((issue) => {
      const read = readFinding(issue, 'judge');
      return read === undefined ? 'unreadable' : classifyFinding(read, NOTHING);
    });
    expect(weights.every((weight) => weight === 'nit')).toBe(expected === 'nit_only');
  });
});
