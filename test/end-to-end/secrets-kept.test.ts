/** @module-tag thorough */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readLogLines } from '../support/log-lines.ts';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { FINAL, issue, judges, answerOnce, reviewFails, reviewPasses, createReply } from '../support/scenario.ts';
import { PATH } from '../support/versions.ts';

/** Put together here, so that no scanner takes this file for a leak; they open nothing. */
const token = (...parts: string[]): string => parts.join('');
const IN_NOTES = token('ghp', '_', 'a8Zk3LqW9tYb2Xc7Vn4Mp6Rs1', 'Df5Gh0JkQeT');
const IN_GATE = token('AKIA', 'Q3EGR7ZT', 'NX5LW2HV');
const IN_DIFF = token('sk-ant', '-api03-', 'Zx81kQmPw72LtYvB', '4nRs9Cg6HdJf0EuAq5oIi3KbWl7MyTzXc');
const IN_WORDS = token('xoxb-', '274819305716-', '839204716253-', 'Hq3tZk9LmPw2VxB7nRc5Ys1D');
const ENVIRONMENT = token('npm', '_', 'k2Vb8Qx5Zt1Lw9Rm4Yc7Pn3Hs6', 'Jd0FgTaEuI');
const PLANTED = { IN_NOTES, IN_GATE, IN_DIFF, IN_WORDS, ENVIRONMENT };

describe('a secret', () => {
  test('that an agent, a gate, a diff or the environment holds stands in no paper, journal, log or report', async () => {
    const answer = (text: string) =>
      createReply(`FILE: ${PATH}\n\`\`\`\`text\n${text}\`\`\`\`\n\nNOTES:\nThe token ${IN_NOTES} works.\n`);
    const factory = await aFactory({
      files: { 'settings.txt': `key ${IN_GATE}\n` },
      projectConfig: {
        gates: [{ name: 'prints', run: `cat settings.txt; env; ! grep -q 'Version 1' ${PATH}` }],
      },
      scenario: {
        implementer: [
          answerOnce(answer(`${FINAL}Version 1\n`)),
          answerOnce(answer(`${FINAL}Version 2\n`)),
          answerOnce(answer(`${FINAL}Version 3\n`)),
          answer(`${FINAL}Version 4\n\nANTHROPIC_API_KEY=${IN_DIFF}\n`),
        ],
        reviewer: [answerOnce(reviewFails(`the token ${IN_WORDS} is in the text`)), reviewPasses()],
        judge: [
          answerOnce(judges('FAIL', { summary: `Remove ${IN_WORDS}.`, blocking_issues: [issue(`${IN_WORDS} leaks`)] })),
          judges('CRITICAL_HALT', {
            summary: `It holds ${IN_WORDS}`,
            evidence: [{ file: PATH, quote: `ANTHROPIC_API_KEY=${IN_DIFF}` }],
          }),
        ],
      },
    });
    factory.env['NPM_TOKEN'] = ENVIRONMENT;
    const { dog } = await factory.run(aContract());
    expect(factory.breaker()).toBe('judge_halt');
    const seen = await everythingKept(factory);
    seen.set('the daemon', dog.output());
    const leaks = [...seen].flatMap(([name, text]) =>
      Object.entries(PLANTED).flatMap(([where, secret]) => (text.includes(secret) ? [`${where} in ${name}`] : [])),
    );
    expect(leaks).toEqual([]);
    expect(seen.get('ERIK_HALT.md')).toContain('ANTHROPIC_API_KEY=***');
    for (const call of factory.calls()) expect(call.prompt).not.toContain(ENVIRONMENT);
    expect(factory.git('show', `task/DOC-001:${PATH}`)).toContain(IN_DIFF); // git holds what was written; a human decides
  });

  test.each([
    ['the base is red', 'exit 1', 'key ***'],
    ['a test fails with it in its message', '! test -f first', '"message":"key ***"'],
  ])('that a gate prints is not kept either where %s', async (_, end, kept) => {
    const results = '<testsuite><testcase name="holds"><failure message="%s"/></testcase></testsuite>';
    const run = `cat settings.txt; printf '${results}' "$(cat settings.txt)" > r.xml; test -f ${PATH} && touch first; ${end}`;
    const factory = await aFactory({
      files: { 'settings.txt': `key ${IN_GATE}\n` },
      projectConfig: { gates: [{ name: 'prints', run, results: 'r.xml' }] },
      scenario: { implementer: [createReply(`FILE: ${PATH}\n\`\`\`\`text\n${FINAL}Version 1\n\`\`\`\`\n`)] },
    });
    await factory.run(aContract());
    const seen = await everythingKept(factory);
    for (const [name, text] of seen) expect([name, text.includes(IN_GATE)]).toEqual([name, false]);
    expect([...seen.values()].join('\n')).toContain(kept);
  });

  test('in the command of a gate keeps no change from being merged', { tags: 'thorough' }, async () => {
    const run = `PGPASSWORD=${IN_GATE} true`;
    const factory = await aFactory({ projectConfig: { gates: [{ name: 'test', run }] } });
    factory.env['POSTGRES_PASSWORD'] = IN_GATE;
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
    const kept = [...(await everythingKept(factory)).values()].join('\n');
    expect(kept).toContain('PGPASSWORD=***');
  });

  test('that a program prints when it fails is not kept either', async () => {
    const factory = await aFactory({
      scenario: { implementer: [createReply(`token ${IN_DIFF}`, { does: [{ exit: 3 }] })] },
    });
    await factory.run(aContract());
    expect(factory.breaker()).toBe('stalled');
    for (const [name, text] of await everythingKept(factory))
      expect([name, text.includes(IN_DIFF)]).toEqual([name, false]);
  });
});

/** Papers, journal, log, what was kept of calls, and both reports. */
async function everythingKept(factory: Factory): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const state = stateOf(factory);
  const db = new DatabaseSync(join(state, 'journal.sqlite'), { readOnly: true });
  for (const { seq, body } of db.prepare('SELECT seq, body FROM entries').all() as { seq: number; body: string }[])
    seen.set(`journal entry ${seq}`, body);
  db.close();
  seen.set('the log', readLogLines(state).join('\n'));
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(state.length + 1);
    const isTree = /^(?:desks|trees)\//.test(name); // what agents and gates see, as it was written
    if (entry.isFile() && !isTree) seen.set(name, readFileSync(path, 'utf8'));
  }
  for (const name of readdirSync(factory.handoff, { recursive: true, encoding: 'utf8' })) {
    const text = factory.paper(name);
    if (text !== undefined) seen.set(name, text);
  }
  for (const form of ['--html', '--json'])
    seen.set(`report ${form}`, (await factory.andon('report', 'DOC-001', form)).stdout);
  for (const command of ['show', 'explain']) seen.set(command, (await factory.andon(command, 'DOC-001')).stdout);
  return seen;
}
