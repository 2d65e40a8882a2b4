import { join } from 'node:path';
import { startVitest, type TestCase } from 'vitest/node';
import { WrongInput, casesFolder, readCases } from '../test/cases/run-cases.ts';

const ROOT = join(import.meta.dirname, '..');

/** Runs the case files against the product (`npm run cases -- [feature…]`, `ANDON_CASES=<folder>`) and prints how each came out. */
async function main(only: readonly string[]): Promise<number> {
  const folder = casesFolder(process.env);
  const files = readCases(folder, only);
  process.env['ANDON_CASES'] = folder;
  process.env['ANDON_CASES_ONLY'] = only.join(',');
  const exitCode = process.exitCode;
  const vitest = await startVitest('test', [], {
    root: ROOT,
    config: false,
    watch: false,
    include: ['test/cases/cases-*.test.ts'],
    globalSetup: ['test/support/build.ts'], // rows of whole tasks run the shipped command
    testTimeout: 120_000,
    tags: [{ name: 'thorough' }], // all rows are tried here
    reporters: [{}],
  });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const broken = [...modules.flatMap((module) => module.errors()), ...vitest.state.getUnhandledErrors()];
  await vitest.close();
  process.exitCode = exitCode; // the table reports failed tests
  for (const error of broken) process.stderr.write(`${messageOf(error)}\n`);
  const failed = files.map(({ feature, rows }) =>
    tell(
      feature,
      rows.map(({ id }) => tests.find((test) => test.name === id) ?? id),
    ),
  );
  return broken.length > 0 || failed.some((count) => count > 0) ? 1 : 0;
}

/** Prints one file's line, the difference of each failure and the reason of each skip; gives back how many failed. */
function tell(feature: string, rows: readonly (TestCase | string)[]): number {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const details = rows.flatMap((row) => {
    const result = typeof row === 'string' ? undefined : row.result();
    const id = typeof row === 'string' ? row : row.name;
    if (result?.state === 'passed') {
      count.passed += 1;
      return [];
    }
    if (result?.state === 'skipped') {
      count.skipped += 1;
      return [`  skipped ${id}: ${result.note ?? 'no reason given'}`];
    }
    count.failed += 1;
    const why = result?.state === 'failed' ? result.errors.map(messageOf).join('\n') : 'it was not run';
    return [`  FAILED  ${id}: ${why.replaceAll('\n', '\n          ')}`];
  });
  const figures = `${pad(count.passed)} passed ${pad(count.failed)} failed ${pad(count.skipped)} skipped`;
  process.stdout.write([`${feature.padEnd(22)}${figures}`, ...details, ''].join('\n'));
  return count.failed;
}

const pad = (count: number): string => String(count).padStart(4);

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
