import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { THREE_RULES } from '../support/rule-files.ts';

const clientInfo = { name: 'raw', version: '1' };
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const OPENING = [said({ id: 1, method: 'initialize', params }), said({ method: 'notifications/initialized' })];

interface Answer {
  readonly id?: number | string | null;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What `andon mcp` answers to lines that are piped in at once. */
function piped({ repo, env }: Factory, lines: readonly string[]): readonly Answer[] {
  const { status, stdout } = spawnSync(process.execPath, [inject('andon'), 'mcp'], {
    cwd: repo,
    env,
    input: lines.join('\n'),
    timeout: 60_000, // it ends in order when it is told to, so a late answer would look like a lost one
  });
  expect(status).toBe(0);
  const rows = stdout.toString().split('\n');
  return rows.filter((row) => row !== '').map((row) => JSON.parse(row) as Answer);
}

function said(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

const call = (id: number, name: string, given: object): string =>
  said({ id, method: 'tools/call', params: { name, arguments: given } });

describe('andon mcp with its questions piped in', () => {
  test('answers all of them before it ends, although its input ended first', async () => {
    const factory = await aFactory({ files: { '.andon/rules/app.yaml': THREE_RULES } });
    const context = { code: 'eval("1");\n', file: 'a.ts' };
    const answers = piped(factory, [
      ...OPENING,
      call(2, 'rule_engine', { action: 'check_violation', context }),
      call(3, 'andon_status', {}),
    ]);
    expect(new Set(answers.flatMap(({ id }) => id ?? []))).toEqual(new Set([1, 2, 3]));
  });

  test('says of every line that it cannot take why, and goes on', { tags: 'thorough' }, async () => {
    const answers = piped(await aFactory(), [
      ...OPENING,
      'garbage',
      '[]',
      '{}',
      '',
      '{"jsonrpc":"2.0","id":9,"method":7}',
      call(2, 'andon_status', {}),
    ]);
    expect(answers.flatMap(({ id = null, error }) => (error === undefined ? [] : [[id, error.code]]))).toEqual([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [9, -32_600],
    ]);
    expect(answers.map(({ id }) => id)).toContain(2);
  });

  test('passes over a message that is longer than it takes, says so, and goes on', { tags: 'thorough' }, async () => {
    const tooLong = call(7, 'rule_engine', {
      action: 'check_violation',
      context: { id: 1, code: ' '.repeat(5_000_000) },
    });
    const answers = piped(await aFactory(), [...OPENING, tooLong, ' '.repeat(5_000_000), call(2, 'andon_status', {})]);
    const refusals = answers.filter(({ error }) => error !== undefined);
    const error = { code: -32_600, message: expect.stringContaining('longer than') as string };
    expect(refusals).toMatchObject([
      { id: null, error },
      { id: null, error },
    ]);
    expect(answers.map(({ id }) => id)).toContain(2);
  });

  test(
    'answers ten thousand calls that come at once, with few files open and little memory more than at rest',
    { tags: 'thorough' },
    async () => {
      const { repo, env } = await aFactory();
      const limited = ['-c', 'ulimit -n 160; exec "$0" "$@"', process.execPath, inject('andon'), 'mcp'];
      const child = spawn('/bin/sh', limited, { cwd: repo, env, stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const answered = new Set<unknown>();
      createInterface({ input: child.stdout }).on('line', (line) => answered.add((JSON.parse(line) as Answer).id));
      const until = (isSo: () => boolean): Promise<void> =>
        eventually(() => isSo() || child.exitCode !== null || child.signalCode !== null, 'it answers or ends');
      const megabytes = (what: 'VmRSS' | 'VmHWM'): number =>
        Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'))?.[1]) /
        1024;
      child.stdin.write([...OPENING, call(2, 'andon_status', {}), ''].join('\n'));
      await until(() => answered.has(2));
      const idle = megabytes('VmRSS');
      const all = Array.from({ length: 10_000 }, (_, at) =>
        call(at + 3, at % 50 === 0 ? 'andon_status' : 'andon_task', {}),
      );
      child.stdin.write(`${all.join('\n')}\n`);
      await until(() => answered.size >= 10_002);
      expect(answered.size).toBe(10_002);
      expect(megabytes('VmHWM')).toBeLessThan(1.5 * idle + 100);
    },
  );
});
