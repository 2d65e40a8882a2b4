import { parseJson } from '../../base/json-object.ts';
import { z } from 'zod';
import {
  count,
  failureMessage,
  idOf,
  together,
  type PlainOutput,
  type Reading,
  type TestOutcome,
  type TestPoint,
} from './test-points.ts';

/** The report of jest, which vitest writes as well (`--reporter=json`, `--json`), alone or between other lines. */
export function readJsonReport({ text }: PlainOutput): Reading {
  if (!text.includes('"numTotalTests"') || !text.includes('"testResults"')) return undefined;
  return together(reportsIn(text).map(pointsOf));
}

/** One report a line, as both print it; or one over many lines. */
function reportsIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => /^\s*\{/.test(line) && line.includes('"numTotalTests"'));
  if (lines.some((line) => line.trimEnd().endsWith('}'))) return lines;
  return [text.slice(Math.max(0, text.search(/^\s*\{/m)), text.lastIndexOf('}') + 1)];
}

function pointsOf(written: string): readonly TestPoint[] | undefined {
  const report = REPORT.safeParse(parseJson(written)).data;
  if (report === undefined) return undefined;
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      id: idOf([name, ...test.ancestorTitles, test.title]),
      outcome: OUTCOMES[test.status],
      ...failureMessage(OUTCOMES[test.status], (test.failureMessages ?? []).join('\n')),
    })),
  );
  const files = report.testResults.map(({ name, status }) => ({
    id: name,
    outcome: fileOutcome(status),
    isSuite: true as const,
  }));
  const all = [...tests, ...files];
  const isWhole =
    !report.wasInterrupted &&
    tests.length === report.numTotalTests &&
    count(tests, 'passed') === report.numPassedTests &&
    count(tests, 'failed') === report.numFailedTests &&
    (report.openHandles === undefined || report.testResults.length === report.numTotalTestSuites) &&
    // Red without a red test (an error between tests), or green with one.
    report.success === (count(all, 'failed') === 0);
  return isWhole ? all : undefined;
}

/** A file is red when one of its tests is, or when it could not be run. */
const fileOutcome = (status: string): TestOutcome =>
  status === 'passed' ? 'passed' : status === 'failed' ? 'failed' : 'skipped';

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  disabled: 'skipped',
  todo: 'skipped',
} as const satisfies Record<string, TestOutcome>;

const REPORT = z.object({
  numTotalTestSuites: z.int(),
  numTotalTests: z.int(),
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  success: z.boolean(),
  wasInterrupted: z.boolean().default(false),
  /** Only jest has it; there a suite is a file. */
  openHandles: z.unknown().optional(),
  testResults: z.array(
    z.object({
      name: z.string().min(1),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          status: z.enum(['passed', 'failed', 'skipped', 'pending', 'disabled', 'todo']),
        }),
      ),
    }),
  ),
});
