/** @module-tag thorough */
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { aClientOf } from '../support/mcp-client.ts';
import { forbids, ruleFile } from '../support/rule-files.ts';

const RULES = ruleFile(forbids('hinted', 'HINT', { severity: 'LOW' }), forbids('quick', 'QUICK', { severity: 'HIGH' }));
const aProject = (): Promise<Factory> => aFactory({ files: { '.andon/rules/app.yaml': RULES } });

interface Counted {
  readonly hooks: readonly Readonly<Record<string, unknown>>[];
  readonly violations: readonly { readonly priority: string }[];
}

/** What came of answers to reminders, with the text that they are about. */
async function answered(factory: Factory, code: string, hooks: Readonly<Record<string, string>>): Promise<Counted> {
  const client = await aClientOf(factory);
  const context = { code, file: 'a.ts', agent: 'codex', hooks };
  const { facts } = await client.call('rule_engine', { action: 'check_violation', context });
  return facts as unknown as Counted;
}

test('an agent outside answers a reminder, and what its text shows is counted, each text once, until it counts for more', async () => {
  const factory = await aProject();
  const ignored = (text: string) => answered(factory, text, { hinted: 'IGNORE: it is meant so' });
  expect((await ignored('HINT 1')).hooks).toEqual([
    { rule_id: 'hinted', answer: 'IGNORE', action: 'IGNORED', ignore_count: 1, why: null },
  ]);
  expect((await ignored('HINT 1')).hooks).toMatchObject([{ ignore_count: 1 }]);
  expect((await answered(factory, 'HINT 2', { hinted: 'COMPLY' })).hooks).toMatchObject([
    { answer: 'COMPLY', action: 'IGNORED', ignore_count: 2 },
  ]);
  expect((await ignored('HINT 3')).violations).toMatchObject([{ priority: 'P3' }]);
  expect((await ignored('HINT 3')).violations).toMatchObject([{ priority: 'P2' }]);
  expect((await answered(factory, 'clean', { hinted: 'COMPLY' })).hooks).toMatchObject([
    { action: 'COMPLIED', ignore_count: 0 },
  ]);
  expect((await ignored('HINT 4')).violations).toMatchObject([{ priority: 'P3' }]);
});

test('what is no reminder, or nothing looks at, counts as nothing and is said', async () => {
  const factory = await aProject();
  const { hooks } = await answered(factory, 'QUICK', { quick: 'IGNORE', nobody: 'COMPLY' });
  expect(hooks).toMatchObject([
    { rule_id: 'quick', action: null, why: 'it is no reminder (QUICK_FIX)' },
    { rule_id: 'nobody', action: null, why: 'there is no such rule' },
  ]);
  const client = await aClientOf(factory);
  for (const wrong of [['a'], { hinted: 'maybe' }, 'IGNORE']) {
    const context = { code: 'HINT', file: 'a.ts', hooks: wrong };
    expect(await client.call('rule_engine', { action: 'execute', context })).toMatchObject({ isError: true });
  }
});

test('a reminder that may not be ignored refuses the answer, and counts that nothing was done', async () => {
  const rule = forbids('hinted', 'HINT', { severity: 'LOW', soft_hooks: { can_be_ignored: false } });
  const factory = await aFactory({ files: { '.andon/rules/app.yaml': ruleFile(rule) } });
  const ignored = await answered(factory, 'HINT', { hinted: 'IGNORE: it is meant so' });
  expect(ignored.hooks).toMatchObject([{ action: 'IGNORED', ignore_count: 1 }]);
  expect(ignored.hooks[0]?.['why']).toContain('may not be ignored');
  expect((await answered(factory, 'HINT 2', { hinted: 'COMPLY' })).hooks).toMatchObject([{ why: null }]);
});

test('a watchdog that runs counts it, and the line goes on from that count', async () => {
  const factory = await aProject();
  const { dog } = await factory.run(aContract());
  expect((await answered(factory, 'HINT', { hinted: 'IGNORE' })).hooks).toMatchObject([{ ignore_count: 1 }]);
  await dog.stop();
});
