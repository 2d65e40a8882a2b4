import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveToTrash, removePutAway } from '../../../src/base/system/trash.ts';
import { aFolder, until } from '../sandbox/processes/a-runner.ts';

describe('what is put away', () => {
  it('is gone from its place at once, and removed while andon goes on, however much it is', async () => {
    const folder = aFolder();
    const tree = join(folder, 'tree');
    for (let at = 0; at < 20; at += 1) {
      mkdirSync(join(tree, `f${at}`), { recursive: true });
      for (let file = 0; file < 100; file += 1) writeFileSync(join(tree, `f${at}/${file}`), '');
    }
    void moveToTrash(tree);
    expect(existsSync(tree)).toBe(false);
    expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap'); // andon may end meanwhile
    expect(await until(() => readdirSync(join(folder, '.gone')).length === 0)).toBe(true);
  });

  it('may be a folder 5,000 deep, longer than a path can be', async () => {
    const folder = aFolder();
    const deep = `for (let i = 0; i < 5000; i++) { fs.mkdirSync('0123456789'); process.chdir('0123456789'); }`;
    mkdirSync(join(folder, 'tree'));
    execFileSync(process.execPath, ['-e', `${deep} fs.writeFileSync('x', '')`], { cwd: join(folder, 'tree') });
    await moveToTrash(join(folder, 'tree'));
    expect(await until(() => readdirSync(join(folder, '.gone')).length === 0)).toBe(true);
    rmdirSync(join(folder, '.gone'));
  });

  it('may be a folder whose owner took its own rights away, a file, a link, or nothing', async () => {
    const folder = aFolder();
    mkdirSync(join(folder, 'shut/in'), { recursive: true });
    writeFileSync(join(folder, 'shut/in/x'), '');
    chmodSync(join(folder, 'shut/in'), 0o000);
    chmodSync(join(folder, 'shut'), 0o500);
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['shut', 'file', 'nothing']) await moveToTrash(join(folder, name));
    expect(readdirSync(folder).filter((name) => name !== '.gone')).toEqual([]);
  });

  it('is removed by the next andon when this one died over it', async () => {
    const folder = aFolder();
    mkdirSync(join(folder, '.gone/left/in'), { recursive: true });
    removePutAway(folder);
    expect(await until(() => readdirSync(join(folder, '.gone')).length === 0)).toBe(true);
  });
});
