import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';

const typeIn = (cwd: string, command: string): string => execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8' });

const printed = (text: string, command: RegExp): string => command.exec(text)?.[0] ?? `no ${command.source}`;

describe('a printed command works in the folder where it is printed', () => {
  test('what removes STOP', async () => {
    const factory = await aFactory();
    const tree = join(factory.folder, 'other tree');
    typeIn(factory.repo, `git worktree add -q --detach '${tree}'`);
    for (const folder of [factory.repo, join(factory.repo, 'docs'), tree]) {
      factory.drop('', 'STOP');
      const { stdout } = await factory.andonIn(folder, 'status');
      typeIn(folder, printed(stdout, /rm \S+STOP/));
      expect(factory.has('_handoff/STOP'), folder).toBe(false);
    }
  });

  test('what commits the configuration', async () => {
    const factory = await aFactory();
    factory.write('.andon/rules/a.md', '---\nid: a.b\n---\nNo tabs\n');
    mkdirSync(join(factory.repo, 'docs'), { recursive: true });
    for (const folder of [factory.repo, join(factory.repo, 'docs')]) {
      const { stdout } = await factory.andonIn(folder, 'status');
      typeIn(folder, printed(stdout, /git add \S+/));
      expect(typeIn(factory.repo, 'git diff --cached --name-only')).toContain('.andon/rules/a.md');
      typeIn(factory.repo, 'git reset -q');
    }
  });
});
