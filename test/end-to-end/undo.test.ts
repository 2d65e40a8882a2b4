import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';

describe('andon undo', () => {
  test('takes a merged task out again and nothing else, and changes nothing as long as it cannot', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'slow', run: '! test -f slow || { touch started; sleep 300; }' }] },
    });
    const { dog } = await factory.run(aContract());
    const tree = join(stateOf(factory), 'trees/DOC-001');
    const isStarted = (): boolean => existsSync(join(tree, 'gates/started'));

    // Your edits are in its way; nothing is left that reads as a lost journal.
    factory.write('docs/auth_final.md', 'mine\n');
    expect(await factory.andon('undo', 'DOC-001')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/move it away, or commit what git tracks[^]*andon undo DOC-001/) as unknown,
    });
    expect(await factory.andon('doctor', '--journal')).toMatchObject({ code: 0 });
    factory.git('checkout', '--quiet', '--', 'docs/auth_final.md');

    // It keeps no other command waiting, and ends with the watchdog.
    factory.write('slow', '');
    factory.git('add', 'slow');
    factory.git('commit', '--quiet', '--message=Slow gates');
    const before = factory.git('rev-parse', 'main');
    const undoing = factory.andon('undo', 'DOC-001');
    await dog.until(isStarted);
    expect((await factory.andon('pause')).code).toBe(0);
    await dog.stop();
    expect(await undoing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the watchdog was stopped before it was done[^]*andon undo DOC-001/) as unknown,
    });
    expect(factory.git('rev-parse', 'main')).toBe(before);
    rmSync(tree, { recursive: true, force: true });

    // Where no watchdog runs, it ends in order at Ctrl-C.
    const alone = factory.start(['undo', 'DOC-001']);
    await eventually(isStarted, 'its gate runs');
    alone.child.kill('SIGINT');
    expect(await alone.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The command was stopped, and changed nothing.') as unknown,
    });
    expect(existsSync(tree)).toBe(false);

    factory.git('rm', '--quiet', 'slow');
    factory.write('README.md', '# Later\n');
    factory.git('commit', '--quiet', '--all', '--message=Later');
    const again = await factory.watch();
    const config = factory.read('.andon/config.yaml');
    factory.write('.andon/config.yaml', `${config}history: { signed_off_by: true }\n`); // the watchdog started without it
    const { code, stdout } = await factory.andon('undo', 'DOC-001');
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('is undone as');
    expect(factory.git('log', '-1', '--format=%(trailers:key=Signed-off-by)')).toContain('Signed-off-by: Erik');
    expect((await factory.andon('show', 'DOC-001')).stdout).toMatch(/^DOC-001 +merged +undone as [0-9a-f]{12}\n/);
    expect(factory.has('docs/auth_final.md')).toBe(false);
    expect(factory.read('README.md')).toBe('# Later\n');
    expect(factory.git('status', '--porcelain')).toBe('');
    expect(factory.git('log', '-1', '--format=%(trailers:key=Andon-Undo,valueonly)').trim()).toBe('DOC-001');
    expect((await factory.andon('undo', 'DOC-001')).stderr).toContain('undone already');
    await again.stop();
  });

  test('begins again where the target moves while its gates run', { tags: 'thorough' }, async () => {
    const wait = '! test -f slow || { touch started; until test -f go; do sleep 0.05; done; }';
    const factory = await aFactory({ projectConfig: { gates: [{ name: 'slow', run: wait }] } });
    const { dog } = await factory.run(aContract());
    const commit = (file: string): void => {
      factory.write(file, '');
      factory.git('add', file);
      factory.git('commit', '--quiet', `--message=${file}`);
    };
    commit('slow');
    const undoing = factory.andon('undo', 'DOC-001');
    const tree = join(stateOf(factory), 'trees/DOC-001/gates');
    await dog.until(() => existsSync(join(tree, 'started')));
    factory.git('rm', '--quiet', 'slow');
    commit('meanwhile');
    writeFileSync(join(tree, 'go'), '');
    expect(await undoing).toMatchObject({ code: 0, stdout: expect.stringContaining('is undone as') as unknown });
    expect(factory.has('meanwhile')).toBe(true);
    expect(factory.has('docs/auth_final.md')).toBe(false);
  });

  test('works without a watchdog, and is refused where a gate would turn red', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'there', run: 'test ! -f strict || test -f docs/auth_final.md' }] },
    });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    factory.write('strict', '');
    factory.git('add', 'strict');
    factory.git('commit', '--quiet', '--message=Stricter');
    const before = factory.git('rev-parse', 'main');
    const refused = await factory.andon('undo', 'DOC-001');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('these gates are red: there');
    expect(factory.git('rev-parse', 'main')).toBe(before);
    factory.git('revert', '--no-edit', 'HEAD');
    expect((await factory.andon('undo', 'DOC-001')).code).toBe(0);
    expect(factory.has('docs/auth_final.md')).toBe(false);
  });

  test(
    'is refused for a task that later changes build on, and for one that was never merged',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const { dog } = await factory.run(aContract());
      await dog.stop();
      factory.write('docs/auth_final.md', '# Written anew\n');
      factory.git('commit', '--quiet', '--all', '--message=Anew');
      const refused = await factory.andon('undo', 'DOC-001');
      expect({ code: refused.code, says: refused.stderr.includes('docs/auth_final.md') }).toEqual({
        code: 1,
        says: true,
      });
      expect(factory.read('docs/auth_final.md')).toBe('# Written anew\n');
      expect((await factory.andon('undo', 'NOPE')).code).toBe(2);
    },
  );
});
