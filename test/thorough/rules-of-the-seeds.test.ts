/** @module-tag thorough */
import { expect, describe, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { judges, answerOnce, writes } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

/** Rules as their design writes them. */
const PERF = `rule:
  id: "PERF-001"
  severity: "MEDIUM"
  phase: "IMPLEMENTATION"
  message: "Function exceeds 50 lines"
  handler: LOG_ONLY
  metadata:
    metric_threshold: 50
`;
const PRACTICE = `rule:
  id: "PRACTICE-001"
  severity: "LOW"
  phase: "IMPLEMENTATION"
  message: "Consider adding docstring for public function"
  handler: SOFT_HOOK
  match:
    pattern: 'export function \\w+'
  soft_hooks:
    enabled: true
    can_be_ignored: true
    notify_on_ignore: false
    priority_boost_phase: "REVIEW"
    interceptors:
      - type: "referrer"
        config:
          threshold: 3
`;
const CONSTITUTION = `rule:
  id: "CONSTITUTION-002"
  severity: "CRITICAL"
  phase: "REVIEW"
  handler: TERMINATE
  match:
    pattern: '\\biteration\\s*=\\s*\\d+'
    not_pattern: '\\biteration\\s*=\\s*\\d+\\s*\\+\\s*\\+'
  message: "Iteration counter not incremented"
`;
const CODE = 'docs/sum.js';
const functionOf = (lines: number): string =>
  `export function sum() {\n${Array.from({ length: lines - 2 }, (_, at) => `  step(${at});\n`).join('')}}\n`;
const file = (text: string, name = 'rule'): Record<string, string> => ({ [`.andon/rules/${name}.yaml`]: text });
const wrote = (code: string, number = 1) => writes({ [PATH]: version(number), [CODE]: code });

describe('PERF-001', () => {
  test('marks a function of 62 lines in the audit and among the findings that the judge reads, once', async () => {
    const factory = await aFactory({ files: file(PERF), scenario: { implementer: [wrote(functionOf(62))] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.audit('rule_violations.jsonl')).toMatchObject([
      { rule_id: 'PERF-001', phase: 'IMPLEMENTATION', action: 'later' },
      { rule_id: 'PERF-001', phase: 'REVIEW', action: 'log', context: { file: CODE, line: 1 } },
    ]);
    expect((await factory.andon('show', 'DOC-001', '--json')).stdout).toContain('[PERF-001] Function exceeds 50 lines');
  });
});

describe('a rule of the review that names no place', () => {
  test('looks at the change', async () => {
    const code = 'const iteration = 5;\n';
    const factory = await aFactory({
      files: file(CONSTITUTION),
      scenario: { implementer: [answerOnce(wrote(code)), write(2)] },
    });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect([factory.breaker(), (await factory.show('DOC-001')).halt?.reason]).toEqual([
      'rule_violation',
      expect.stringContaining(CODE),
    ]);
    expect(factory.calls('judge')).toEqual([]);
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
  });
});

describe('a soft hook', () => {
  const hooked = functionOf(4);

  test('stands in the next brief of the implementer, who may ignore it in a line of his notes', async () => {
    const factory = await aFactory({
      files: file(PRACTICE),
      scenario: {
        implementer: [
          answerOnce(wrote(hooked)),
          {
            ...wrote(`${hooked}// again\n`, 2),
            reply: `${String(wrote(`${hooked}// again\n`, 2)['reply'])}IGNORE PRACTICE-001: it is private\n`,
          },
        ],
        judge: [answerOnce(judges('FAIL')), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    const [first, second] = factory.calls('implementer').map(({ prompt }) => prompt);
    expect(first).not.toContain('PRACTICE-001');
    expect(second).toContain('- PRACTICE-001: Consider adding docstring for public function');
    expect(factory.audit('soft_hooks.log')).toMatchObject([
      { action: 'RAISED', ignore_count: 0, metadata: { phase: 'IMPLEMENTATION', upgrade_threshold: 3 } },
      { action: 'IGNORED', ignore_count: 1, answer: 'IGNORE' },
    ]);
  });

  test('of which nobody was told counts as nothing', async () => {
    const factory = await aFactory({ files: file(PRACTICE), scenario: { implementer: [wrote(hooked)] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.audit('soft_hooks.log').map(({ action }) => action)).toEqual(['RAISED']);
  });

  test('that is complied with is gone, whatever was answered', async () => {
    const factory = await aFactory({
      files: file(PRACTICE),
      scenario: {
        implementer: [answerOnce(wrote(hooked)), wrote('const sum = 0;\n', 2)],
        judge: [answerOnce(judges('FAIL')), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.audit('soft_hooks.log').map(({ action }) => action)).toEqual(['RAISED', 'COMPLIED']);
  });

  test('is told to the judge where its phase boosts it', async () => {
    const factory = await aFactory({ files: file(PRACTICE), scenario: { implementer: [wrote(hooked)] } });
    await factory.run(aContract());
    expect(factory.audit('rule_violations.jsonl').map(({ phase, priority }) => [phase, priority])).toContainEqual([
      'REVIEW',
      'P2',
    ]);
  });
});

test('a quick fix may shorten a file that the attempt itself wrote', async () => {
  const short = PERF.replace('MEDIUM', 'HIGH').replace('LOG_ONLY', 'QUICK_FIX');
  const factory = await aFactory({
    files: file(short),
    scenario: { implementer: [answerOnce(wrote(functionOf(62))), wrote(functionOf(12), 2)] },
  });
  expect((await factory.run(aContract())).status).toBe('merged');
  expect(factory.calls('implementer')).toHaveLength(2);
  expect(factory.audit('rule_violations.jsonl').at(-1)).toMatchObject({
    action: 'fixed',
    quick_fix: { verified: true },
  });
});

describe('a reminder that is boosted', () => {
  const hooked = { 'src/sum.ts': 'export function sum() {}\n' };
  const asked = async (factory: Factory, ...more: readonly string[]) => {
    const { stdout } = await factory.andon('check', '--file', 'src/sum.ts', '--format', 'json', ...more);
    const { findings } = JSON.parse(stdout) as { findings: readonly { priority: string; countsBecause?: string }[] };
    return findings.map(({ priority, countsBecause: why }) => [priority, why]);
  };

  test('counts for more in `andon check` in the phase that its rule names', async () => {
    const factory = await aFactory({ files: { ...file(PRACTICE), ...hooked } });
    expect(await asked(factory, '--phase', 'review')).toEqual([['P2', 'it is boosted in REVIEW']]);
    expect(await asked(factory, '--phase', 'implementation')).toEqual([['P3', undefined]]);
  });
});
