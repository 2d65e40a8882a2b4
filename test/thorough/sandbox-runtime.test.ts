/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';

const lacking = ['bwrap', 'socat', 'rg', 'which'].filter(
  (program) => spawnSync(program, ['--help']).error !== undefined,
);
const builds = spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', '--', '/bin/true']).status === 0;
const missing =
  lacking.length > 0 ? ` (SKIPPED: not installed: ${lacking.join(', ')})` : builds ? '' : ' (SKIPPED: no namespaces)';

describe.skipIf(missing !== '')(`a line with cage: sandbox-runtime${missing}`, () => {
  test('runs setup and gates in it to the merge; doctor has proved it, watch and the report name it', async () => {
    const factory = await aFactory({
      cage: 'sandbox-runtime',
      projectConfig: {
        setup: ['mkdir -p lib && echo prepared > lib/x'],
        share: ['lib'],
        gates: [
          { name: 'there', run: 'test -f docs/auth_final.md && cat lib/x', must_fail_before: true },
          { name: 'caged', run: '! cat "$HOME/secret" && ! echo x > lib/x && test ! -e "$REPO/.git"' },
        ],
      },
    });
    mkdirSync(join(factory.folder, 'home'), { recursive: true });
    writeFileSync(join(factory.folder, 'home/secret'), 'secret');
    expect((await factory.andon('doctor')).stdout).toMatch(
      /^ok +cage +sandbox-runtime; a break-out was tried and failed/m,
    );
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(dog.output()).toContain('(cage: sandbox-runtime)');
    expect((await factory.andon('status')).stdout).toContain('cage: sandbox-runtime');
    const page = join(factory.folder, 'page.html');
    await factory.andon('report', 'DOC-001', '--out', page);
    expect(readFileSync(page, 'utf8')).toContain('cage: sandbox-runtime');
  });

  test('ends the gate with the daemon, even by kill -9', async () => {
    const factory = await aFactory({
      apart: true,
      cage: 'sandbox-runtime',
      projectConfig: { gates: [{ name: 'hangs', run: 'setsid sleep 300 & sleep 300' }] },
    });
    const before = cagesIn(tmpdir());
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.processes().some(({ command }) => command.startsWith('sleep 300')));
    await dog.kill9();
    await eventually(() => factory.processes().every(({ command }) => !command.includes('sleep 300')), 'the gate dies');
    await eventually(() => cagesIn(tmpdir()).every((name) => before.includes(name)), 'its temporary folder goes');
  });
});

describe('a line with cage: sandbox-runtime whose programs are missing', () => {
  test('halts, says what to install, and takes no other cage, though bubblewrap is there', async () => {
    const factory = await aFactory({
      cage: 'sandbox-runtime',
      projectConfig: { gates: [{ name: 'g', run: 'touch "$HOME/ran"' }] },
    });
    const programs = join(factory.folder, 'bin');
    mkdirSync(programs);
    for (const program of ['git', 'node', 'sh', 'bwrap', 'setpriv']) {
      const found = spawnSync('sh', ['-c', `command -v ${program}`], { env: factory.env })
        .stdout.toString()
        .trim();
      if (found !== '') writeFileSync(join(programs, program), `#!/bin/sh\nexec ${found} "$@"\n`, { mode: 0o755 });
    }
    factory.env['PATH'] = programs;
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect((await factory.show('DOC-001')).halt).toMatchObject({
      breaker: 'fault',
      reason: expect.stringMatching(
        /sandbox-runtime needs socat, rg, which: .*apt-get install socat ripgrep debianutils/,
      ),
    });
    expect(existsSync(join(factory.folder, 'home/ran'))).toBe(false);
  });
});

const cagesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('andon-caged-'));
