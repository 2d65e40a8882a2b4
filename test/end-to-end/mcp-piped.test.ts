import { spawnSync } from 'node:child_process';
import { describe, expect, inject, test } from 'vitest';
import { aFactory } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';
import { THREE_RULES } from '../support/rule-files.ts';

const clientInfo = { name: 'raw', version: '1' };
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const OPENING = [said({ id: 1, method: 'initialize', params }), said({ method: 'notifications/initialized' })];

interface Answer {
  readonly id?: number | string | null;
  readonly error?: { readonly code: number };
}

/** What `andon mcp` answers to lines that are piped in at once. */
function piped({ repo, env }: Factory, lines: readonly string[], code = 0): readonly Answer[] {
  const { status, stdout } = spawnSync(process.execPath, [inject('andon'), 'mcp'], {
    cwd: repo,
    env,
    input: lines.join('\n'),
    timeout: 30_000,
  });
  expect(status).toBe(code);
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

  test('says of every line that it cannot take why, and goes on', async () => {
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

  test('ends with 1 and says why at a message that is longer than it takes', async () => {
    const answers = piped(await aFactory(), [...OPENING, ' '.repeat(5_000_000)], 1);
    expect(answers).toContainEqual(
      expect.objectContaining({ error: { code: -32_600, message: expect.stringContaining('longer than') as string } }),
    );
  });
});
