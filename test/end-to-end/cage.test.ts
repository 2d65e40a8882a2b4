import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';

/** Runs one gate command in the cage; what it prints comes back, because the gate ends red after it. */
async function inCage(
  command: string,
  prepare: (factory: Awaited<ReturnType<typeof aFactory>>) => void = () => {},
): Promise<string> {
  const factory = await aFactory({
    cage: 'bubblewrap',
    projectConfig: {
      gates: [{ name: 'attack', run: `test -f docs/auth_final.md || exit 0; ${command}; echo the-end; exit 1` }],
    },
  });
  prepare(factory);
  const { status } = await factory.run(aContract({ 'limits.max_review_cycles': 0 }));
  expect(status).toBe('erik_consultation');
  const report = factory.paper('ERIK_HALT.md') ?? '';
  expect(report).toContain('the-end');
  return report;
}

describe.skipIf(NO_CAGE !== '')(`a gate in the cage${NO_CAGE}`, () => {
  test('decides as it does outside', async () => {
    const factory = await aFactory({
      cage: 'bubblewrap',
      projectConfig: { gates: [{ name: 'there', run: 'test -f docs/auth_final.md', must_fail_before: true }] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(await factory.story()).toContain('1 of 1 gates green');
  });
});

describe.skipIf(NO_CAGE !== '')(`a gate in the cage${NO_CAGE}`, { tags: 'thorough' }, () => {
  test.each(['bubblewrap', 'none'] as const)('finds nothing of what another gate left (cage: %s)', async (cage) => {
    const left = ['docs/.git/fill', '.git/config', 'new'];
    const run = `for f in ${left.join(' ')}; do test ! -e $f || echo FOUND $f; mkdir -p $(dirname $f); echo x > $f; done
      test ! -e "$TMPDIR/left" || echo FOUND left; test "$TMPDIR" != /tmp || echo x > /tmp/left
      test "$(stat -c %a docs)" = 755 || echo FOUND mode; chmod 700 docs; test "$(cat README.md)" != spoiled; echo spoiled > README.md`;
    const gate = (name: string) => ({ name, run: `(${run}) > out 2>&1; ! grep FOUND out` });
    const factory = await aFactory({ cage, projectConfig: { gates: ['one', 'two', 'three'].map(gate) } });
    expect((await factory.run(aContract())).status).toBe('merged');
  });

  test.each([
    ['fills its share of disk, and is red for it', { disk_mb: 8 }, 'head -c 30000000 /dev/zero > x', 'it wrote'],
    [
      'takes more memory than it may',
      { memory_mb: 64 },
      'head -c 300000000 /dev/zero | tail | { sleep 60; cat; }',
      'memory',
    ],
  ])('that %s is neither red nor green: the line halts and says so', async (_what, limits, run, why) => {
    const factory = await aFactory({
      cage: 'bubblewrap',
      projectConfig: {
        cage: { limits },
        gates: [{ name: 'greedy', run: `test ! -f docs/auth_final.md || { ${run}; exit 1; }` }],
      },
    });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    const { halt } = await factory.show('DOC-001');
    expect(halt).toMatchObject({ breaker: 'fault', reason: expect.stringContaining('gate greedy cannot be run') });
    expect(halt?.reason).toContain(why);
  });

  test('writes in its own tree and nowhere else', async () => {
    let repo = '';
    const report = await inCage(
      'touch here && echo own-tree; touch "$REPO/README.md" "$REPO/new" /etc/andon-was-here "$HOME/../state/x" 2>/dev/null && echo ESCAPED',
      (factory) => {
        repo = factory.repo;
        factory.write('.andon/config.yaml', factory.read('.andon/config.yaml').replaceAll('$REPO', factory.repo));
      },
    );
    expect(report).toContain('own-tree');
    expect(report).not.toContain('\nESCAPED');
    expect(existsSync(join(repo, 'new'))).toBe(false);
    expect(existsSync('/etc/andon-was-here')).toBe(false);
  });

  test('reads neither the .env of the checkout nor keys in the home folder nor the state of andon', async () => {
    const report = await inCage(
      'cat "$REPO/.env" "$HOME/.ssh/id" 2>/dev/null; find "$REPO/.." -name journal.sqlite 2>/dev/null; cat /proc/1/environ | tr "\\0" "\\n" | grep XDG',
      (factory) => {
        factory.write('.env', 'PASSWORD=open-sesame\n');
        mkdirSync(join(factory.folder, 'home/.ssh'), { recursive: true });
        writeFileSync(join(factory.folder, 'home/.ssh/id'), 'secret-of-the-home-folder\n');
        factory.write('.andon/config.yaml', factory.read('.andon/config.yaml').replaceAll('$REPO', factory.repo));
      },
    );
    expect(report).not.toContain('open-sesame');
    expect(report).not.toContain('secret-of-the-home-folder');
    expect(report).not.toMatch(/\/journal\.sqlite$/m);
    expect(report).not.toContain('XDG_');
  });

  test('has no network, not even the machine itself', async () => {
    let visits = 0;
    const server = createServer((_, answer) => {
      visits += 1;
      answer.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const report = await inCage(
      `node -e "fetch('http://127.0.0.1:${port}/').then(() => console.log('VISITED'), (error) => console.log('no-way-out'))"`,
    );
    expect(report).toContain('no-way-out');
    expect(visits).toBe(0);
  });

  test('dies with the daemon, even by kill -9', async () => {
    const factory = await aFactory({
      apart: true,
      cage: 'bubblewrap',
      projectConfig: { gates: [{ name: 'hangs', run: 'touch started; setsid sleep 300 & sleep 300' }] },
    });
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.processes().some(({ command }) => command.startsWith('sleep 300')));
    await dog.kill9();
    await eventually(() => factory.processes().every(({ command }) => !command.includes('sleep 300')), 'the gate dies');
  });

  test('never runs outside when the cage is missing: the line halts and says so', async () => {
    const factory = await aFactory({
      cage: 'bubblewrap',
      projectConfig: { gates: [{ name: 'g', run: 'touch "$HOME/ran"' }] },
    });
    const node = join(factory.folder, 'bin');
    mkdirSync(node);
    for (const program of ['git', 'node', 'sh']) {
      const found = spawnSync('sh', ['-c', `command -v ${program}`], { env: factory.env })
        .stdout.toString()
        .trim();
      writeFileSync(join(node, program), `#!/bin/sh\nexec ${found} "$@"\n`, { mode: 0o755 });
    }
    factory.env['PATH'] = node;
    const { status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect((await factory.show('DOC-001')).halt).toMatchObject({
      breaker: 'fault',
      reason: expect.stringContaining('bubblewrap'),
    });
    expect(existsSync(join(factory.folder, 'home/ran'))).toBe(false);
  });
});
