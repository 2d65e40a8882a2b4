import { spawnSync } from 'node:child_process';
import { describe, expect, inject, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, judges, answerOnce, reviewPasses, writes } from '../support/scenario.ts';

const RULES = `schema: andon.rules/v1
rules:
  - id: NO-PROMISES
    title: Nobody promises what he has not done
    severity: HIGH
    match: { on: message, pattern: '\\bI promise\\b' }
    message: A promise is no result
    suggestion: Say what was done.
    tests:
      violates: ['I promise that it works.']
      passes: ['The promise resolves to 3.']
  - id: NAMES-A-FILE
    title: A judge names a file
    severity: LOW
    match: { on: message, mode: require, pattern: '\\w+\\.(md|ts)', context_filter: { agent_type: Judge } }
    message: The report names no file
`;

const FILES = { '.andon/rules/messages.yaml': RULES };

describe('rules about messages', () => {
  test('are tried on their own examples', async () => {
    const factory = await aFactory({ files: FILES });
    const { code, stdout } = await factory.andon('rules', 'test', 'NO-PROMISES');
    expect(code).toBe(0);
    expect(stdout).toContain('I promise that it works.');
    expect((await factory.andon('rules', 'lint')).stdout).not.toContain('never acts');
    factory.write('.andon/rules/messages.yaml', RULES.replace('The promise resolves to 3.', 'As I promise, 3.'));
    expect((await factory.andon('rules', 'test')).code).not.toBe(0);
  });

  test('send a message back in andon messages check, whoever says it; soft ones are told', async () => {
    const factory = await aFactory({ files: FILES });
    factory.write('m.md', 'Changed docs/a.md line 3. I promise that it works.');
    const { code, stdout } = await factory.andon('messages', 'check', 'm.md');
    expect(code).toBe(1);
    expect(stdout).toContain('goes back, by the rules of this project');
    expect(stdout).toContain('refused: [NO-PROMISES] A promise is no result');
    const facts = JSON.parse((await factory.andon('messages', 'check', 'm.md', '--json')).stdout) as object;
    expect(facts).toMatchObject({
      passed: false,
      exit: 1,
      feedback: expect.stringContaining('[NO-PROMISES]') as string,
    });
    factory.write('m.md', 'Changed line 3 of the guide; npm test: 42/42 passed.');
    const told = await factory.andon('messages', 'check', 'm.md', '--from', 'judge');
    expect(told.code).toBe(0);
    expect(told.stdout).toContain('noted: [NAMES-A-FILE]');
    expect((await factory.andon('messages', 'check', 'm.md')).stdout).not.toContain('NAMES-A-FILE');
    factory.write('m.md', 'I promise.');
    expect((await factory.andon('messages', 'check', 'm.md', '--to', 'human')).code).toBe(0);
  });

  test('that cannot be read are said, and nothing is let through for them', async () => {
    const factory = await aFactory({ files: { '.andon/rules/messages.yaml': 'rules: [\n' } });
    factory.write('m.md', 'Changed docs/a.md line 3.');
    const { code, stderr } = await factory.andon('messages', 'check', 'm.md');
    expect(code).toBe(2);
    expect(stderr).toContain('messages.yaml');
  });

  test('send a turn of Claude Code back twice', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ files: FILES });
    const input = JSON.stringify({
      session_id: 's',
      prompt_id: 'p',
      cwd: factory.repo,
      hook_event_name: 'Stop',
      last_assistant_message: 'Changed docs/a.md line 3. I promise that it works.',
    });
    const run = () =>
      spawnSync(process.execPath, [inject('andon'), 'hook', 'claude', 'run'], {
        env: factory.env,
        input,
        encoding: 'utf8',
      });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('[NO-PROMISES]') });
    expect(run().status).toBe(2);
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('[NO-PROMISES]') });
    expect((await factory.andon('messages', 'stats')).stdout).toContain('1 let through with a warning');
  });

  test('send an answer and a review back on the line, and the task goes on', { tags: 'thorough' }, async () => {
    const promises = 'The change is complete; I promise.';
    const work = writes({ 'docs/auth_final.md': FINAL });
    const pass = { verdict: 'PASS', critical_security_flaw: false, findings: [], summary: promises };
    const factory = await aFactory({
      files: FILES,
      scenario: {
        implementer: [answerOnce({ ...work, reply: String(work['reply']).replace('As asked.', promises) }), work],
        reviewer: [answerOnce(reviewPasses({ structured: pass })), reviewPasses()],
        judge: [judges('PASS')],
      },
    });
    const { dog, status } = await factory.run(aContract());
    await dog.stop();
    expect(status).toBe('merged');
    const told = await factory.story();
    expect(told.match(/\[NO-PROMISES\]/g)?.length).toBeGreaterThanOrEqual(2);
  });
});
