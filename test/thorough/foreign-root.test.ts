/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';

const OWNER = 12_345;

describe.skipIf(process.geteuid?.() !== 0)('root in a repository of another user', () => {
  test.each([['watch'], ['init', '--yes'], ['new', '--id', 'A-1', '--allow', 'docs/', '--require', 'x'], ['pause']])(
    'writes nothing at andon %s, and is told as whom to run it',
    async (...words) => {
      const factory = await aFactory({ through: () => [] });
      execFileSync('git', ['config', '--file', join(factory.folder, 'home/.gitconfig'), 'safe.directory', '*']);
      execFileSync('chown', ['-R', `${OWNER}:${OWNER}`, factory.repo]);
      const { code, stderr } = await factory.andon(...words);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`--user ${OWNER}:${OWNER}`) });
      expect(execFileSync('find', [factory.repo, '!', '-user', String(OWNER)], { encoding: 'utf8' })).toBe('');
      expect(existsSync(factory.handoff)).toBe(false);
    },
  );
});
