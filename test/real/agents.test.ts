import { onTestFinished, describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { DRIVEN, driveBy, type Driven } from '../support/drivers.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL } from '../support/scenario.ts';
import { installAgents } from './install-agents.ts';
import { pointedAt } from './pointed-at.ts';
import { modelApis, type Saying } from '../support/model-apis.ts';

// The real programs, driven by the drivers that andon brings along through the whole line to a merge; only the model
// behind them is a script, on the loopback, and the keys are none.

const programs = installAgents();
const title = programs.ok ? 'the real' : `not run: ${programs.why}`;
if (!programs.ok) console.warn(title);

const PATH = 'docs/auth_final.md';
const WORK = `FILE: ${PATH}\n\`\`\`\`text\n${FINAL}\`\`\`\`\n\nNOTES:\nAs asked.\n`;
const OPINION = JSON.stringify({ verdict: 'PASS', critical_security_flaw: false, findings: [] });

/** Does the work of both stations; whatever else is asked gets a word. */
const works: Saying = (prompt) => {
  if (prompt.includes('You are the implementer')) return WORK;
  if (prompt.includes('You are the local reviewer')) return OPINION;
  const [, word] = /This is a trial[\s\S]*word is "([^"]+)"/.exec(prompt) ?? [];
  if (word !== undefined) return JSON.stringify({ verdict: 'PASS', word });
  const [, file] = /This is a trial[\s\S]*^(FILE: \S+)$/m.exec(prompt) ?? [];
  return file ?? 'A title';
};

/** opencode installs something before its first answer, and the others take seconds to start. */
const PATIENCE_MS = 150_000;

async function aLine(program: Driven, say: Saying) {
  const api = await modelApis(say);
  onTestFinished(() => api.close());
  const factory = await aFactory();
  const own = { program: programs.ok ? programs.value[program] : '', ...pointedAt(api.url)[program] };
  const name = driveBy(factory, program, {
    own,
    profile: { model: program === 'opencode' ? 'loop/m1' : 'm1', limits: { idle_minutes: 2 } },
  });
  return { api, factory, name };
}

/** How a task ends, with the patience that real programs need. */
async function endOf(factory: Factory, changes: Parameters<typeof aContract>[0]): Promise<string> {
  const dog = await factory.begin(aContract(changes));
  await dog.until(() => factory.isHalted() || factory.isMerged(), PATIENCE_MS);
  return factory.isHalted() ? 'erik_consultation' : 'merged';
}

describe.skipIf(!programs.ok).each(DRIVEN)(`${title} %s`, (program) => {
  test('is known by its version, and a call of each kind is understood', async () => {
    const { factory } = await aLine(program, works);
    const { stdout } = await factory.andon('agents', 'test', program);
    expect(stdout).toMatch(/^ok +program/m);
    expect(stdout).toMatch(/^ok +text call +understood/m);
    expect(stdout).toMatch(/^ok +review call +understood/m);
  });

  test('writes a change that is merged', async () => {
    const { factory, name, api } = await aLine(program, works);
    expect(await endOf(factory, { 'roles.implementer': name })).toBe('merged');
    expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
    expect(api.asked.some(({ text }) => text.includes('You are the implementer'))).toBe(true);
  });

  test('reviews a change that is merged', async () => {
    const { factory, name, api } = await aLine(program, works);
    expect(await endOf(factory, { 'roles.local_reviewer': name })).toBe('merged');
    expect(api.asked.some(({ text }) => text.includes('You are the local reviewer'))).toBe(true);
  });

  test('with a key that is not taken it halts the line', async () => {
    const { factory, name } = await aLine(program, () => ({ status: 401 }));
    expect(await endOf(factory, { 'roles.implementer': name })).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
  });

  test('of what a prompt names as @path nothing outside its folder is sent along', async () => {
    const { factory, name, api } = await aLine(program, works);
    const secret = 'words-that-nobody-sends';
    factory.write('secret.txt', secret);
    const requirements = [`Merge both documents into one, see @${factory.repo}/secret.txt for more`];
    await endOf(factory, { 'roles.implementer': name, 'specification.requirements': requirements });
    expect(api.asked.length).toBeGreaterThan(0);
    expect(api.asked.some(({ text }) => text.includes(secret))).toBe(false);
  });
});
