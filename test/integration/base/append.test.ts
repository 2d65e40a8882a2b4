import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const DURABLE = join(import.meta.dirname, '../../../src/base/system/durable.ts');

it('a line that a full disk cuts off three times stands in its log once, and whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'andon-durable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.ndjson');
  const code = `
    import { appendLine } from '${DURABLE}';
    const again = (line) => { for (;;) try { return appendLine('${file}', line); } catch (error) { console.log(error.code); } };
    for (const line of ['first', 'second', 'third']) again(JSON.stringify({ line }));`;
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code];
  const env = { ...process.env, ANDON_FAILPOINT: 'file.append.half-written:error=ENOSPC#2-4' };
  const ran = spawnSync(process.execPath, words, { encoding: 'utf8', env });
  expect(ran.stdout).toBe('ENOSPC\nENOSPC\nENOSPC\n');
  expect(readFileSync(file, 'utf8')).toBe('{"line":"first"}\n{"line":"second"}\n{"line":"third"}\n');
});
