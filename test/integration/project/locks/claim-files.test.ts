import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimFiles } from '../../../../src/project/locks/claim-files.ts';

const MODULE = join(import.meta.dirname, '../../../../src/project/locks/claim-files.ts');

function aFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-claims-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '.locks');
}

/** Another process that claims files, says what it got, and keeps it until its input ends. */
async function another(folder: string, agent: string, ...files: readonly string[]) {
  const script = `
    const { claimFiles } = await import(${JSON.stringify(MODULE)});
    const { granted, refused } = await claimFiles(${JSON.stringify(folder)}, ${JSON.stringify(agent)}, ${JSON.stringify(files)});
    process.stdout.write(JSON.stringify({ granted, refused }) + '\\n');
    process.stdin.resume();
  `;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return {
    said: JSON.parse(line) as Pick<Awaited<ReturnType<typeof claimFiles>>, 'granted' | 'refused'>,
    pid: child.pid ?? 0,
    async killed(): Promise<void> {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

describe('files that are being reviewed', () => {
  test('are refused to another process, with the agent that has them, until it is dead; others are granted', async () => {
    const folder = aFolder();
    const other = await another(folder, 'claude', 'src/x.ts');
    const { granted, refused } = await claimFiles(folder, 'codex', ['src/x.ts', 'src/y.ts']);
    expect(granted).toEqual(['src/y.ts']);
    expect(refused).toEqual([{ file: 'src/x.ts', agent: 'claude', pid: other.pid }]);
    await other.killed();
    expect((await claimFiles(folder, 'codex', ['src/x.ts'])).granted).toEqual(['src/x.ts']);
  });

  test('are the same files however their path is spelt', async () => {
    const folder = aFolder();
    await claimFiles(folder, 'a', ['src/x.ts']);
    expect((await claimFiles(folder, 'b', ['./src/x.ts', 'src//x.ts', 'src/y.ts'])).granted).toEqual(['src/y.ts']);
  });

  test('are refused to another agent of the same process too', async () => {
    const folder = aFolder();
    await claimFiles(folder, 'a', ['src/x.ts']);
    expect((await claimFiles(folder, 'a', ['src/x.ts'])).granted).toEqual(['src/x.ts']);
    expect((await claimFiles(folder, 'b', ['src/x.ts'])).refused.map(({ agent }) => agent)).toEqual(['a']);
  });

  test('are had by one of two that ask at once', async () => {
    const folder = aFolder();
    const [one, two] = await Promise.all([another(folder, 'a', 'src/x.ts'), another(folder, 'b', 'src/x.ts')]);
    expect([...one.said.granted, ...two.said.granted]).toEqual(['src/x.ts']);
  });

  test('are named by nobody when they are given back', async () => {
    const folder = aFolder();
    const claims = await claimFiles(folder, 'a', ['src/x.ts', '../odd name']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toHaveLength(2);
    await claims.release();
    expect(readdirSync(folder).toSorted()).toEqual(['.gitignore', '.lock']);
  });

  test('are not held by a claim that is damaged', { tags: 'thorough' }, async () => {
    const folder = aFolder();
    const claims = await claimFiles(folder, 'a', ['src/x.ts']);
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
    writeFileSync(join(folder, name), '{"holder":');
    expect(claims.granted).toEqual(['src/x.ts']);
    expect((await another(folder, 'b', 'src/x.ts')).said.granted).toEqual(['src/x.ts']);
  });
});
