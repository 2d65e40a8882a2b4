import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, inject, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, judges, reviewPasses, writes } from '../support/scenario.ts';

const EMPTY = 'The code reads well and follows the conventions. APPROVE';
const DELEGATION = 'EXPECTED OUTCOME:\n- Create src/auth.ts\n- Update docs/guide.md\n';

/** One message in a file, checked as a user would. */
async function check(factory: Factory, message: string, ...options: readonly string[]) {
  factory.write('message.md', message);
  const { code, stdout, stderr } = await factory.andon('messages', 'check', 'message.md', ...options);
  return { code, stdout, stderr };
}

describe('andon messages check', () => {
  test('sends praise back with what is refused and what would be accepted, and lets results go on', async () => {
    const factory = await aFactory();
    const praise = await check(factory, 'Perfect! What an excellent plan.');
    expect(praise.code).toBe(1);
    expect(praise.stdout).toContain('goes back, by ResponseValidator');
    expect(praise.stdout).toContain('[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.');
    expect(await check(factory, 'Changed src/a.ts line 3; npm test: 42/42 passed.')).toMatchObject({ code: 0 });
    const read = await check(factory, 'Perfect! What an excellent plan.', '--json');
    expect(JSON.parse(read.stdout)).toMatchObject({
      response_validator: { valid: false, sentences: [{ label: 'flattery' }, { label: 'flattery' }] },
    });
  });

  test('reads a pipe', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const run = (input: string): string =>
      execFileSync(process.execPath, [inject('andon'), 'messages', 'check', '--json'], {
        cwd: factory.repo,
        env: { ...factory.env, ANDON_CWD: factory.repo },
        input,
        encoding: 'utf8',
      });
    expect(JSON.parse(run('Changed src/a.ts line 3.'))).toMatchObject({ passed: true, exit: 0 });
  });

  test('holds a review to its evidence, and turns it down after the last retry', async () => {
    const factory = await aFactory();
    const first = await check(factory, EMPTY, '--from', 'local_reviewer', '--json');
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({ passed: false, stage: 'ReviewGate' });
    const last = await check(
      factory,
      'The guard is in place. APPROVE',
      '--from',
      'local-reviewer',
      '--refused',
      '2',
      '--json',
    );
    expect(last.code).toBe(1);
    expect(JSON.parse(last.stdout)).toMatchObject({
      passed: true,
      text: 'The guard is in place. NEEDS_REVIEW\n\nAPPROVE downgraded to NEEDS_REVIEW (no evidence after 2 retries)',
    });
  });

  test('holds files and items against a delegation', async () => {
    const factory = await aFactory({
      files: {
        'task.md': DELEGATION,
        'status.txt': ' M src/auth.ts\n?? a.ts\n?? b.ts\n?? c.ts\n?? message.md\n?? status.txt\n?? task.md\n',
      },
    });
    const told = await check(
      factory,
      'Created src/auth.ts with 40 lines.',
      '--task',
      'task.md',
      '--changed',
      'status.txt',
    );
    expect(told.code).toBe(1);
    expect(told.stdout).toContain('goes on as NEEDS_REVIEW');
    expect(told.stdout).toContain('[SYSTEM] Scope violation: modified a.ts, b.ts, c.ts not in expected outcome');
    expect(told.stdout).toContain(
      'checklist: 2 items: 0 with a changed file or a green command, 1 claimed done, 1 open; none of this shows that an item holds',
    );
    expect(told.stdout).toContain('Update docs/guide.md (open)');
  });

  test('knows of a task of the journal what andon knows of it', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [writes({ 'docs/auth_final.md': FINAL })],
        reviewer: [reviewPasses()],
        judge: [judges('PASS')],
      },
    });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const claim = 'APPROVE. git diff: +999 -5 in docs/auth_final.md.';
    const { code, stdout } = await check(factory, claim, '--from', 'judge', '--task', 'DOC-001', '--json');
    expect(code).toBe(1);
    const facts = JSON.parse(stdout) as { review_gate: { cross_checked_with: string; against: readonly string[] } };
    expect(facts.review_gate.cross_checked_with).toBe('records');
    expect(facts.review_gate.against.join()).toContain('it says +999 -5, git +');
    const cited = 'APPROVE. Read docs/auth_final.md:1-999.';
    const beyond = await check(factory, cited, '--from', 'judge', '--task', 'DOC-001');
    expect(beyond.code).toBe(1);
    expect(beyond.stdout).toContain('it cites line 999 of docs/auth_final.md, which has');
    const there = 'APPROVE. Read docs/auth_final.md:1.';
    expect(await check(factory, there, '--from', 'judge', '--task', 'DOC-001')).toMatchObject({ code: 0 });
  });

  test('leaves alone what is meant for people, and what is switched off', async () => {
    const factory = await aFactory();
    const human = await check(factory, 'Perfect! Excellent!', '--to', 'human');
    expect(human).toMatchObject({ code: 0 });
    expect(human.stdout).toContain('meant for people');
    factory.write('.andon/config.yaml', 'enforcement:\n  enabled: false\n');
    expect((await check(factory, 'Perfect! Excellent!')).stdout).toContain('switched off by enforcement.enabled');
  });

  test('is told that nothing is below a plain file, whichever command is', async () => {
    const factory = await aFactory({ files: { 'reply.md': 'x' } });
    for (const words of [
      ['messages', 'check', 'reply.md/x'],
      ['messages', 'check', 'reply.md', '--changed', 'reply.md/x'],
      ['draft', 'reply.md/x'],
      ['check', '--plan', 'reply.md/x'],
      ['messages', 'check', 'reply.md', '--task', 'reply.md/x'],
      ['digest', '--out', 'reply.md/x'],
    ]) {
      const { code, stderr } = await factory.andon(...words);
      expect([words, code]).toEqual([words, 2]);
      expect(stderr).not.toContain('bug in andon');
    }
  });

  test.each([
    [['--from', 'nobody'], 'Known: architect, implementer'],
    [['--task', 'NONE-001'], 'there is no task NONE-001'],
    [['--refused', 'often'], 'Invalid value: --refused often'],
    [['--refused', '100'], 'a whole number from 0 to 99'],
    [['--changed', 'message.md'], 'no expected files are known'],
    [['--task', 'docs/nofile.md'], 'There is no file docs/nofile.md'],
  ])('ends with 2 for %j', { tags: 'thorough' }, async (options, why) => {
    const factory = await aFactory();
    const { code, stderr } = await check(factory, 'Changed src/a.ts.', ...options);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test('reads a message as UTF-16 too, and ends with 2 for what is no text', async () => {
    const factory = await aFactory();
    writeFileSync(join(factory.repo, 'wide.md'), Buffer.from('\uFEFFLGTM, ship it.', 'utf16le'));
    const wide = await factory.andon('messages', 'check', 'wide.md', '--from', 'local_reviewer');
    expect([wide.code, wide.stdout]).toEqual([1, expect.stringContaining('by ReviewGate')]);
    writeFileSync(join(factory.repo, 'bytes'), Buffer.from([0xff, 0xfe, 0, 0, 1, 2]));
    const { code, stderr } = await factory.andon('messages', 'check', 'bytes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('The message is not text')]);
    for (const nothing of ['', ' \n\t\n']) {
      const empty = await check(factory, nothing);
      expect([empty.code, empty.stderr]).toEqual([
        2,
        expect.stringContaining('The message is empty. Nothing was checked.'),
      ]);
    }
  });

  test('takes a contract for what it asks for', async () => {
    const factory = await aFactory();
    factory.write('c.json', JSON.stringify(aContract()));
    const { code, stdout } = await check(factory, 'Changed docs/a.md line 3.', '--task', 'c.json');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('1 open; none of this shows that an item holds\n  - Merge both documents'),
    ]);
    factory.write('broken.json', '{"task_id": ');
    const broken = await check(factory, 'Changed docs/a.md line 3.', '--task', 'broken.json');
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('Invalid contract: broken.json')]);
  });
});
