import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { issue, judges, answerOnce, type Stations } from '../../support/scenario.ts';
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
  if (typeof input['halt'] === 'string') return afterHalt(input['halt']);
  if (input['crash'] === 'between writing the contract and renaming it') return afterCrash();
  if (Array.isArray(input['handoff'])) return besideOlderLock();
  throw new Error(`nothing halts by ${JSON.stringify(input)}`);
};

/** How a line is brought to halt by a breaker, by the names that rows have for it. */
const HALTS: Readonly<Record<string, { readonly scenario?: Stations; readonly contract: Facts }>> = {
  'any breaker': { contract: { 'constraints.max_diff_size': 3 } },
  destructive_action: { contract: { 'constraints.max_diff_size': 3 } },
  rebuttal_limit: {
    scenario: { judge: [judges('FAIL', { blocking_issues: [issue('it is broken', { file: 'docs/nowhere.md' })] })] },
    contract: { 'limits.max_rebuttals': 1 },
  },
  budget_ceiling: { contract: { 'limits.cost_ceiling_usd': 0.001 } },
};

/** The papers of a halt; the contract in the spelling of 2.0, which shows the breaker. */
async function afterHalt(name: string): Promise<Facts> {
  const way = HALTS[name];
  if (way === undefined) throw new Error(`nothing halts by ${name}`);
  const factory = await aFactory({ scenario: way.scenario ?? {} });
  await factory.run(aContract({ schema_version: '2.0', complexity: 'minor', ...way.contract }));
  const report = factory.paper('ERIK_HALT.md') ?? '';
  const parts: Readonly<Record<string, boolean>> = {
    'the conflict': /^#+ the conflict\n+\S/im.test(report),
    'two paths': /^#+ the two paths\n+[^]*--path 1[^]*--path 2/im.test(report),
    'contract snapshot': /^# \S+: Merge both documents into one\n/.test(report) && report.includes('- May change: '),
    'diff snapshot': /^[ >]*\+\+\+ b\/docs\/auth/m.test(report),
  };
  const lock = JSON.parse(factory.paper('TASK_CONTRACT.json.lock') ?? '{}') as Facts;
  const why = lock['status_reason'];
  return {
    exists: readdirSync(factory.handoff),
    halt_file: Object.keys(parts).filter((part) => parts[part] === true),
    contract: { ...lock, status_reason: typeof why === 'string' && why.trim() !== '' ? 'non-empty' : 'empty' },
  };
}

/** The contract says that the line is halted, and is not renamed yet. */
async function afterCrash(): Promise<Facts> {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
  await dog.stop();
  renameSync(join(factory.handoff, 'TASK_CONTRACT.json.lock'), join(factory.handoff, 'TASK_CONTRACT.json'));
  const before = factory.calls().length;
  const again = await factory.watch();
  await again.until(() => factory.isHalted());
  return { after_restart: 'halted', no_model_called: factory.calls().length === before };
}

/** A task halts where somebody left the lock of another one. */
async function besideOlderLock(): Promise<Facts> {
  const factory = await aFactory();
  const older = `${JSON.stringify(aContract({ task_id: 'OLD-001' }), null, 2)}\n`;
  factory.drop(older, 'TASK_CONTRACT.json.lock');
  const dog = await factory.begin(aContract({ 'constraints.max_diff_size': 3 }));
  await dog.until(() => factory.isHalted() && factory.paper('TASK_CONTRACT.json.lock') !== older);
  const names = readdirSync(factory.handoff, { recursive: true }).map(String);
  const kept = names.filter((name) => factory.paper(name) === older);
  return { older_lock: kept.length > 0 ? 'preserved under another name' : 'gone', kept_as: kept };
}

async function afterCrashes(): Promise<Facts> {
  const factory = await aFactory({ scenario: { implementer: [tries('crash')] } });
  await factory.run(aContract());
  return { exists: readdirSync(factory.handoff), breaker: factory.breaker() };
}

/** Two strikes of different kinds, so that the report can be seen to hold the reason of each. */
async function afterTwoStrikes(): Promise<Facts> {
  const factory = await aFactory({
    scenario: { implementer: [answerOnce(tries('crash')), tries('malformed_output')] },
  });
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
