import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemdUnit } from '../../../../src/app/setup/service-unit.ts';

const ODD = '/home/er ik/100% "done" $HOME \\x\tü';
const plan = {
  root: ODD,
  node: process.execPath,
  program: '/opt/and on/bin/andon.mjs',
  environment: { PATH: '/usr/bin:/opt/%n "tools"' },
};

/** The words of a line as systemd splits and unquotes them. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word
      .replace(/\\(x[\da-f]{2}|.)/g, (_, one: string) =>
        one.length > 1 ? String.fromCharCode(Number.parseInt(one.slice(1), 16)) : one,
      )
      .replaceAll('%%', '%'),
  );

describe('the unit of systemd', () => {
  const unit = systemdUnit(plan);
  const line = (name: string): string => unit.split('\n').find((one) => one.startsWith(name)) ?? '';

  test('holds paths with spaces, quotes, percent signs and control characters so that systemd reads them back', () => {
    expect(line('ExecStart=:')).not.toBe(''); // no variable is expanded
    expect(wordsOf(line('ExecStart'))).toEqual([process.execPath, plan.program, 'watch', '--plain', ODD]);
    expect(wordsOf(line('Environment'))).toEqual(['PATH=/usr/bin:/opt/%n "tools"']);
  });

  test('starts again after a crash within bounds, and never with a configuration that is wrong', () => {
    for (const one of [
      'Restart=on-failure',
      'RestartPreventExitStatus=2',
      'StartLimitBurst=5',
      'KillMode=mixed',
      'TimeoutStopSec=90',
      'WantedBy=default.target',
    ])
      expect(unit.split('\n')).toContain(one);
  });

  test.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)('is accepted by systemd-analyze', () => {
    const folder = mkdtempSync(join(tmpdir(), 'andon-unit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'andon-test.service');
    writeFileSync(file, unit);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', '--man=no', file], {
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });
});
