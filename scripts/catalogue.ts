import { join } from 'node:path';
import { startVitest, type TestCase } from 'vitest/node';
import { CASES, GROUPS, OPT_IN, asPattern, ordinary, type Case, type Proof } from '../test/catalogue/catalogue.ts';

const ROOT = join(import.meta.dirname, '..');

/** How one case came out. */
interface Told {
  readonly one: Case;
  readonly is: 'held' | 'FAILED' | 'refused';
  readonly why: string;
}

/** Runs the tests that the catalogue of faults and attacks names (`npm run test:catalogue -- [group or number…]`). */
async function main(only: readonly string[]): Promise<number> {
  const unknown = only.filter((word) => !(word in GROUPS) && !CASES.some(({ number }) => String(number) === word));
  if (unknown.length > 0) {
    process.stderr.write(
      `no such group or case: ${unknown.join(', ')}; groups are A to K, cases 1 to ${CASES.length}\n`,
    );
    return 2;
  }
  const cases = CASES.filter(
    ({ number, group }) => only.length === 0 || only.includes(group) || only.includes(String(number)),
  );
  const proofs = cases.flatMap(ordinary);
  const tests = proofs.length === 0 ? [] : await run(proofs);
  const told = cases.map((one) => judge(one, tests));
  for (const { one, is, why } of told)
    process.stdout.write(`${is.padEnd(8)}${String(one.number).padStart(3)} ${one.severity} ${one.name}${why}\n`);
  const count = (what: Told['is']): number => told.filter(({ is }) => is === what).length;
  process.stdout.write(
    `catalogue: ${cases.length} cases, ${count('held') + count('FAILED')} tried, ${count('held')} held, ${count('refused')} not run here (see why above)\n`,
  );
  return count('FAILED') === 0 ? 0 : 1;
}

async function run(proofs: readonly Proof[]): Promise<readonly TestCase[]> {
  const exitCode = process.exitCode;
  const titles = [...new Set(proofs.map(({ title }) => asPattern(title)))].join('|');
  process.env['ANDON_TESTS'] = 'all'; // proofs are among the thorough tests too
  const vitest = await startVitest('test', [...new Set(proofs.map(({ file }) => file))], {
    root: ROOT,
    watch: false,
    testNamePattern: `(?:${titles})$`,
    reporters: [['default', { summary: false }]],
  });
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  await vitest.close();
  process.exitCode = exitCode; // the table reports failures
  return tests;
}

/** A case is held when every test it names ran and passed. */
function judge(one: Case, tests: readonly TestCase[]): Told {
  const refused = (why: string): Told => ({ one, is: 'refused', why: `: ${why}` });
  if (one.notRun !== undefined) return refused(one.notRun);
  const proofs = ordinary(one);
  if (proofs.length === 0) return refused(elsewhere(one));
  for (const proof of proofs) {
    const states = tests.filter((test) => isOf(test, proof)).map((test) => test.result().state);
    if (states.includes('failed')) return { one, is: 'FAILED', why: `: ${proof.file}: ${proof.title}` };
    if (!states.includes('passed')) return refused(`skipped on this machine: ${proof.file}`);
  }
  return { one, is: 'held', why: '' };
}

const isOf = (test: TestCase, { file, title }: Proof): boolean =>
  test.module.moduleId.endsWith(file) && new RegExp(`^${asPattern(title)}$`, 's').test(test.name);

function elsewhere({ proofs }: Case): string {
  const commands = OPT_IN.filter(([folder]) => proofs.some(({ file }) => file.startsWith(folder)));
  return `it has a command of its own: ${commands.map(([, command]) => command).join(', ')}`;
}

process.exitCode = await main(process.argv.slice(2));
