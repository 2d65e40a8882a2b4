import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../../src/app/cli/version.ts';

const ROOT = join(import.meta.dirname, '../../..');
const askedFor = (stdout: 'pipe' | number) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'bin/andon.mjs'), '--version'], {
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  });

describe('andon --version', () => {
  it('is that of the package, and of the code', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(VERSION).toBe(version);
    expect(askedFor('pipe')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('that cannot be written is no success', () => {
    const { status, stderr } = askedFor(openSync('/dev/full', 'w'));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/cannot be written to standard output \(.+\)/) as string,
    });
  });
});
