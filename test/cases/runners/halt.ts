import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { once } from '../../support/scenario.ts';
import { restartedWithLock, tries } from '../lines.ts';
import type { Facts, Runner } from '../run-cases.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Files and state after the real line has halted. */
export const halt: Runner = ({ input }) => {
  if (input['pipeline_step'] === 'exits non-zero') return afterCrashes();
  if (input['strikes'] === 2) return afterTwoStrikes();
  if (input['run'] === 'unit tests of the budget breaker')
    return afterUnitTests('test/unit/line/breakers/budget.test.ts');
  if (input['daemon'] === 'restarted') return restartedWithLock();
  throw new Error(`nothing halts by ${JSON.stringify(input)}`);
};

async function afterCrashes(): Promise<Facts> {
  const factory = await aFactory({ scenario: { implementer: [tries('crash')] } });
  await factory.run(aContract());
  return { exists: readdirSync(factory.handoff), breaker: factory.breaker() };
}

/** Two strikes of different kinds, so that the report can be seen to hold the reason of each. */
async function afterTwoStrikes(): Promise<Facts> {
  const factory = await aFactory({ scenario: { implementer: [once(tries('crash')), tries('malformed_output')] } });
  await factory.run(aContract());
  const report = factory.paper('STALL_REPORT.md') ?? '';
  const plain = report.replaceAll('\\', ''); // the report escapes what Markdown would read
  const told = factory.transitions().map((line) => String(line['status_reason']));
  const attempts = [...plain.matchAll(/^\d+\. [^:]+: (.+)$/gm)].map(([, why = '']) => why);
  const parts: Readonly<Record<string, boolean>> = {
    'task id': report.includes('DOC-001'),
    'both attempts': attempts.length === 2,
    'reason of each': attempts.length > 0 && attempts.every((why, at) => told[at]?.includes(why)),
    hypothesis: /^#+ hypothesis\n+\S/im.test(report),
    alternatives: /^#+ alternatives\n+\S/im.test(report),
  };
  return {
    exists: readdirSync(factory.handoff),
    contains: Object.keys(parts).filter((part) => parts[part] === true),
    report,
  };
}

/** Runs unit tests of this project, and sees whether its own root or `_handoff/` has a halt afterwards. */
function afterUnitTests(file: string): Facts {
  const halts = (): string[] =>
    [ROOT, join(ROOT, '_handoff')]
      .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
      .filter((name) => /HALT|STALL_REPORT|\.json\.lock$/.test(name));
  const before = halts();
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const ran = spawnSync(process.execPath, [vitest, 'run', '--project=unit', file], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`${file} does not pass: ${ran.stdout.slice(-2000)}${ran.stderr.slice(-2000)}`);
  const created = halts().filter((name) => !before.includes(name));
  return { repo_root_has: created, created };
}
